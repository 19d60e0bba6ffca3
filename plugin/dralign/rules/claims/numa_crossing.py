"""Selectors or constraints of a claim leave its devices on different NUMA nodes

What it does
  Reports a container whose accelerator and CPUs, NIC or memory are chosen by literal selectors for different NUMA nodes.
  With an inventory, reports a claim whose constraint on a topology attribute leaves out a request, with a case in which
  its devices end up apart.

Why it matters
  Somebody meant the devices to be together, and every transfer crosses the link between the sockets all the same.

What it needs to know
  For the second question an inventory or a machine preset. Where devices publish lists of NUMA nodes, a constraint asks
  for one in common, and no constraint could ask for more: this is said as info.

What the fix does
  Adds the request that was left out to the constraint.
"""

from __future__ import annotations

from dralign.finding import ERROR, INFO, Fix, Severities
from dralign.fixes import alignment
from dralign.model.driver import NUMA
from dralign.model.topology import ACCELERATORS, PLACING_ROLES
from dralign.model.verdict import MAY_CROSS
from dralign.record import Record
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.claim import Claim, Constraint, Request
    from dralign.model.verdict import Verdict
    from dralign.model.workload import PodView

RULE = Rule(
    id="numa-crossing",
    severities=Severities(None, ERROR, ERROR),
    summary="selectors or constraints of a claim leave its devices on different NUMA nodes",
    tip="name all requests of the container in one constraint, or the same NUMA node in all selectors",
    since="0.1",
    standards=("A3",),
)


class Ends(Record):
    """Two requests of one claim whose devices end up apart."""

    claim: Claim
    one: Request
    other: Request


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per claim whose own text forces its devices apart, or ties some of them and not all."""
    said: set[int] = set()
    for pod in ctx.pods:
        for finding in (*_forced(ctx, pod), *_left_open(ctx, pod)):
            if id(finding.manifest) not in said:
                said.add(id(finding.manifest))
                yield finding


# By literal selectors


def _forced(ctx: Context, pod: PodView) -> Iterator[Finding]:
    """Yield findings on claims whose requests of one container name different NUMA nodes."""
    for claim, requests in _by_container(ctx, pod):
        placed = [(request, nodes) for request in requests for nodes in (_literal_nodes(ctx, request),) if nodes]
        for number, (one, here) in enumerate(placed):
            for other, there in placed[number + 1 :]:
                if not here & there and _matters(ctx, one, other):
                    leaf = other.leaves()[0]
                    yield RULE.finding(
                        claim.manifest,
                        leaf.selectors[-1].path if leaf.selectors else other.path,
                        f"request '{other.name}' must be on NUMA node {_named(there)}, request '{one.name}' of the same "
                        f"container on NUMA node {_named(here)}",
                        label=f"'{one.name}' is on {_named(here)}",
                        related=ctx.users_of(claim),
                        marked=ctx.is_marked(pod),
                    )


def _by_container(ctx: Context, pod: PodView) -> Iterator[tuple[Claim, list[Request]]]:
    """Yield for each container the claims of the bundle that it uses, with the requests that it gets of them."""
    for container in pod.containers:
        for name in dict.fromkeys(entry.name for entry in container.claims):
            declared = pod.claim_named(name)
            claim = ctx.claim_of(pod, declared) if declared else None
            if claim is not None:
                wanted = {entry.request for entry in container.claims if entry.name == name}
                yield claim, [r for r in claim.requests if None in wanted or r.name in wanted]


def _literal_nodes(ctx: Context, request: Request) -> frozenset[int] | None:
    """Return the NUMA nodes that the selectors of all alternatives allow; None where one leaves them open."""
    found: frozenset[int] = frozenset()
    for leaf in request.leaves():
        view = ctx.driver_of(leaf)
        facts = ctx.facts_of(leaf)
        names = dict.fromkeys((ctx.settings.alignment.attribute, *(view.attributes(NUMA) if view else ())))
        nodes = next((nodes for name in names for nodes in (facts.elements(name),) if nodes), None)
        if not nodes or leaf.admin_access:
            return None
        found |= nodes
    return found


def _matters(ctx: Context, one: Request, other: Request) -> bool:
    """Say whether two requests should be near: an accelerator and something else that drives or feeds it."""
    kinds = [{view.device for leaf in r.leaves() for view in (ctx.driver_of(leaf),) if view} for r in (one, other)]
    return any(a & ACCELERATORS and b and not b & ACCELERATORS for a, b in (kinds, kinds[::-1]))


def _named(nodes: frozenset[int]) -> str:
    return " or ".join(map(str, sorted(nodes)))


# By a counterexample


def _left_open(ctx: Context, pod: PodView) -> Iterator[Finding]:
    verdict = ctx.lasting_verdict_of(pod) if ctx.has_slices else None
    ends = _ends(ctx, pod, verdict)
    if verdict is None or ends is None:
        return
    ties = [c for c in ends.claim.spec.constraints if _places(ctx, ends.claim, c)]
    both = [c for c in ties if c.covers(ends.one) and c.covers(ends.other)]
    half = [c for c in ties if c.covers(ends.one) != c.covers(ends.other)]
    if not (both or half):
        return
    constraint = (both or half)[0]
    out = ends.one if constraint.covers(ends.other) else ends.other
    yield RULE.finding(
        ends.claim.manifest,
        constraint.path,
        f"requests '{ends.one.name}' and '{ends.other.name}' have a NUMA node in common, and can be on different ones"
        if both
        else f"the constraint on {constraint.match_attribute} leaves out '{out.name}': '{ends.one.name}' and "
        f"'{ends.other.name}' can be on different NUMA nodes",
        severities=RULE.severities.at_most(INFO) if both else None,
        label="in common is not the same" if both else f"'{out.name}' is not tied",
        tip="no constraint asks for more than one node in common" if both else None,
        related=ctx.users_of(ends.claim),
        marked=ctx.is_marked(pod),
        proof=ctx.proof_line(verdict),
        reach=ctx.reach_line(verdict),
        fix=None if both else _fix(ctx, ends.claim),
    )


def _ends(ctx: Context, pod: PodView, verdict: Verdict | None) -> Ends | None:
    """Return the requests whose devices are apart in the counterexample; None unless one claim of the bundle has both."""
    witness = verdict.witness if verdict and verdict.kind == MAY_CROSS else None
    if witness is None:
        return None
    places = [key for part in witness.crossed for key, devices in witness.placement.items() if part in devices]
    if len(places) != 2 or places[0].split("/")[0] != places[1].split("/")[0]:
        return None
    declared = pod.claim_named(places[0].split("/")[0])
    claim = ctx.claim_of(pod, declared) if declared else None
    found = [r for place in places for r in (claim.requests if claim else ()) if r.name == place.split("/")[1]]
    return Ends(claim, *found) if claim is not None and len(found) == 2 and found[0] is not found[1] else None


def _places(ctx: Context, claim: Claim, constraint: Constraint) -> bool:
    """Say whether a constraint is on an attribute that says where a device is."""
    name = constraint.match_attribute
    views = [ctx.driver_of(leaf) for request in claim.requests for leaf in request.leaves()]
    return bool(name) and any(view and view.roles(name or "") & set(PLACING_ROLES) for view in views)


def _fix(ctx: Context, claim: Claim) -> Fix | None:
    loose = ctx.untied(claim)
    if not loose or ctx.settings.alignment.strategy == "pin":
        return None
    group = loose[0].group
    return ctx.alignment_fix(
        f"tie {', '.join(request.name for request in group.requests)} by {group.attribute}",
        alignment.constraint(claim, group),
    )


_BUNDLE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: gpu-and-cpus
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
          selectors:
          - cel:
              expression: device.attributes["resource.kubernetes.io"].?numaNode.orValue(-1) == 0
      - name: cpus
        exactly:
          deviceClassName: dra.cpu
          selectors:
          - cel:
              expression: device.attributes["resource.kubernetes.io"].?numaNode.orValue(-1) == {node}
          capacity:
            requests:
              dra.cpu/cpu: "8"
---
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  resourceClaims:
  - name: devices
    resourceClaimTemplateName: gpu-and-cpus
  containers:
  - name: main
    image: registry.example.com/train:1.0
    resources:
      requests: {{cpu: 8, memory: 32Gi}}
      limits: {{cpu: 8, memory: 32Gi}}
      claims:
      - name: devices
"""

VALID = (Example("the same NUMA node", _BUNDLE.format(node=0)),)
INVALID = (
    Example(
        "selectors for different NUMA nodes",
        _BUNDLE.format(node=1),
        messages=("request 'cpus' must be on NUMA node 1, request 'gpu' of the same container on NUMA node 0",),
    ),
)
