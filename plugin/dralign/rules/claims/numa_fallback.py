"""A fallback lets the devices of a claim lie on different NUMA nodes

What it does
  Looks at what a claim takes when its first wish cannot be met. Reports alternatives of firstAvailable that no constraint
  and no selector ties, while the first one is tied or a single device; and allocationMode: All where the inventory has
  nodes on which all devices share a NUMA node and others on which they do not.

Why it matters
  The pod starts either way, and nobody notices which alternative it got. Work that is sensitive to latency then runs
  across the socket link now and then, by the luck of the cluster's load.

What it needs to know
  Whether a node has all its devices on one NUMA node, only an inventory can tell: without one, All is told as info. A
  workload that is marked as serving or training makes this an error.

What the fix does
  Extends the constraint over the alternative, or adds one.
"""

from __future__ import annotations

from dralign.context.candidates import by_node, by_value, candidates
from dralign.edit import Append
from dralign.finding import ERROR, INFO, WARNING, Patch, Related, Severities
from dralign.fixes import alignment
from dralign.model import topology
from dralign.model.claim import ALL
from dralign.model.driver import NUMA
from dralign.model.verdict import SPANS
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dralign.context import Context
    from dralign.context.ties import Fallback
    from dralign.finding import Finding
    from dralign.model.claim import Claim, Request
    from dralign.model.device import Attribute

RULE = Rule(
    id="numa-fallback",
    severities=Severities(None, WARNING, ERROR, explicit=ERROR),
    summary="a fallback lets the devices of a claim lie on different NUMA nodes",
    tip="let the constraint cover every alternative: name the request, without /<alternative>, in its requests",
    since="0.1",
    standards=("A6",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per request whose fallback is untied, or that takes all devices wherever they lie."""
    for claim in ctx.claims:
        found: dict[str, list[Fallback]] = {}
        for fallback in ctx.fallbacks(claim):
            found.setdefault(fallback.request.name, []).append(fallback)
        for fallbacks in found.values():
            yield _loose(ctx, claim, fallbacks)
        if not ctx.untied(claim):
            for request in claim.requests:
                yield from _all(ctx, claim, request)


def _loose(ctx: Context, claim: Claim, fallbacks: list[Fallback]) -> Finding:
    first = fallbacks[0]
    named = ", ".join(f"'{item.alternative.name}'" for item in fallbacks)
    group = first.open_ends.group
    others = [f"'{request.name}'" for request in group.requests if request.name != first.request.name]
    together = f" beside {' and '.join(others)}" if others else ""
    return _finding(
        ctx,
        claim,
        first.alternative,
        f"request '{first.request.name}' falls back on {named}, whose devices can land on different NUMA nodes{together}: "
        f"no constraint ties them by {group.attribute}",
        patches=_patches(claim, fallbacks),
    )


def _patches(claim: Claim, fallbacks: list[Fallback]) -> tuple[Patch, ...]:
    """Return the patches that tie the alternatives too: by the constraint that names their siblings, or by a new one."""
    request, group = fallbacks[0].request, fallbacks[0].open_ends.group
    for known in claim.spec.constraints:
        if known.match_attribute and any(name.startswith(f"{request.name}/") for name in known.requests):
            missing = (f"{request.name}/{item.alternative.name}" for item in fallbacks)
            wanted = [name for name in missing if name not in known.requests]
            return tuple(Patch(claim.manifest, Append(known.path / "requests", name)) for name in wanted)
    return alignment.constraint(claim, group)


def _all(ctx: Context, claim: Claim, request: Request) -> Iterator[Finding]:
    """Yield a finding where a request takes all accelerators of a node, be they on one NUMA node or on several."""
    view = ctx.driver_of(request)
    if request.alternatives or request.mode != ALL or request.admin_access or view is None:
        return
    names = view.attributes(NUMA) if view.device in topology.ACCELERATORS else ()
    group = topology.Group(names[0], (request,), 2) if names else None
    if group is None or not topology.untied(claim, group, ctx.driver_of, ctx.facts_of):
        return
    nodes = by_node(candidates(ctx, claim, request))
    places = {name: by_value(devices, group.attribute) for name, devices in nodes.items() if len(devices) > 1}
    wide = [(name, found) for name, found in places.items() if len(found) > 1]
    narrow = [name for name, found in places.items() if len(found) == 1]
    takes = f"request '{request.name}' takes all devices of a node"
    if wide and narrow:
        name, found = wide[0]
        message = f"{takes}: on {narrow[0]} they share a NUMA node, on {name} they lie on {_told(found)}"
        yield _finding(ctx, claim, request, message, tip=f"tie them by matchAttribute: {group.attribute}")
    elif not nodes:
        message = f"{takes}: whether they share a NUMA node, only an inventory can tell"
        yield _finding(ctx, claim, request, message, tip="give an inventory: --inventory or --preset", sure=False)


def _told(found: Iterable[Attribute]) -> str:
    return "NUMA nodes " + " and ".join(sorted(str(value) for value in found))


def _finding(
    ctx: Context,
    claim: Claim,
    leaf: Request,
    message: str,
    *,
    patches: tuple[Patch, ...] = (),
    tip: str | None = None,
    sure: bool = True,
) -> Finding:
    uses = ctx.uses_of(claim)
    verdict = ctx.verdict_of_users(claim) if ctx.has_slices else None
    sure = sure and (verdict is None or verdict.kind != SPANS)
    return RULE.finding(
        claim.manifest,
        leaf.body,
        message,
        severities=None if sure else RULE.severities.at_most(INFO),
        label="can lie on several NUMA nodes",
        tip=tip,
        related=tuple(Related(use.pod.manifest, use.entry.reference, "uses it") for use in uses),
        marked=sure and any(ctx.is_marked(use.pod) for use in uses),
        fix=ctx.alignment_fix("tie the fallback too", patches) if patches else None,
        proof=ctx.proof_line(verdict),
        reach=ctx.reach_line(verdict),
    )


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: gpu-and-cpus
spec:
  spec:
    devices:
      requests:
      - name: gpu
        firstAvailable:
        - name: one
          deviceClassName: gpu.nvidia.com
        - name: two
          deviceClassName: mig.nvidia.com
          count: 2
      - name: cpus
        exactly:
          deviceClassName: dra.cpu
      constraints:
      - matchAttribute: resource.kubernetes.io/numaNode
        requests:
        - gpu{first}
        - cpus
"""
_FIXED = _CLAIM.format(first="/one").rstrip("\n") + "\n        - gpu/two\n"
_ALL = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: everything
spec:
  devices:
    requests:
    - name: gpus
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: All
"""

VALID = (
    Example("the constraint covers every alternative", _CLAIM.format(first="")),
    Example(
        "all devices of a node, if they share a NUMA node",
        _ALL + "    constraints:\n    - matchAttribute: resource.kubernetes.io/numaNode\n",
    ),
)
INVALID = (
    Example(
        "the constraint covers the first alternative only",
        _CLAIM.format(first="/one"),
        messages=(
            "request 'gpu' falls back on 'two', whose devices can land on different NUMA nodes beside 'cpus': no constraint "
            "ties them by resource.kubernetes.io/numaNode",
        ),
        fixed=_FIXED,
        spec={"alignment": {"strategy": "constraint"}},
    ),
    Example(
        "all devices of a node",
        _ALL,
        messages=(
            "request 'gpus' takes all devices of a node: whether they share a NUMA node, only an inventory can tell",
        ),
    ),
)
