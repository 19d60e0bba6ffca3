"""A request asks for a partition that no card has, or gives one process two of them

What it does
  Looks up the profiles that selectors ask for (MIG, compute partitions) in the tables of the catalogue and among the
  devices of the inventory, together with the product that they name beside it. Also reports containers that get two MIG
  devices.

Why it matters
  A profile that no card can be cut into is never allocated: the pod stays Pending. Two MIG devices in one container are
  allocated, and a CUDA process uses one of them: tensor parallelism over MIG devices does not start.

What it needs to know
  Tables of new cards have gaps; a name that could belong to such a card is a warning. So is a dead profile among others
  that are there, or in one alternative of firstAvailable.
"""

from __future__ import annotations

from dralign.context.partitions import strange_profiles
from dralign.finding import ERROR, WARNING, Related, Severities
from dralign.manifest import ROOT
from dralign.model import topology
from dralign.model.driver import PROFILE
from dralign.rule import Example, Rule
from dralign.spelling import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.context.partitions import Strange
    from dralign.finding import Finding
    from dralign.manifest import Manifest, Path
    from dralign.model.catalogue import DriverView
    from dralign.model.claim import Claim, Request, Selector
    from dralign.model.workload import Container, PodView

RULE = Rule(
    id="partition-profile-unknown",
    severities=Severities(None, ERROR, ERROR),
    summary="a request asks for a partition that no card has, or gives one process two of them",
    tip="write the name of a profile of your card",
    since="0.1",
    standards=("B5",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per profile that no card has, and one per container with two partitions for one process."""
    for known in ctx.classes.values():
        view = ctx.class_view(known)
        place = _place(known.selectors, view) if ctx.is_input(known.manifest) else None
        for strange in strange_profiles(ctx, view, ctx.class_facts(known)) if place else ():
            yield _unknown(known.manifest, place, f"class '{known.name}'", strange)
    for claim in ctx.claims:
        alternatives = {id(leaf) for request in claim.requests for leaf in request.alternatives}
        for leaf in claim.spec.leaves:
            view = ctx.driver_of(leaf)
            place = _place(leaf.selectors, view)
            for strange in strange_profiles(ctx, view, ctx.facts_of(leaf)) if place else ():
                who = f"request '{leaf.name}'"
                yield _unknown(claim.manifest, place, who, strange, dead_branch=id(leaf) in alternatives)
    for pod in ctx.pods:
        for container in pod.containers:
            yield from _of_container(ctx, pod, container)


def _place(selectors: tuple[Selector, ...], view: DriverView | None) -> Path | None:
    """Return where the first selector stands that says which profiles there may be."""
    from dralign.cel.analysis import facts  # noqa: PLC0415 -- most bundles hold no expression

    names = view.attributes(PROFILE) if view is not None else ()
    bounding = (one for one in selectors for name in names if facts((one.expression,)).values(name) is not None)
    return next((one.path for one in bounding), None)


def _unknown(
    manifest: Manifest, place: Path | None, who: str, strange: Strange, *, dead_branch: bool = False
) -> Finding:
    meant = nearest(strange.profile, strange.known)
    whose = f"{strange.product} has no such profile" if strange.product else "no card known here has such a profile"
    hint = f", did you mean '{meant}'?" if meant else ""
    sure = strange.sure and strange.alone and not dead_branch
    return RULE.finding(
        manifest,
        place or ROOT,
        f"{who} asks for partition '{strange.profile}': {whose}{hint}",
        severities=RULE.severities if sure else RULE.severities.at_most(WARNING),
        label="no such partition",
        tip=f"write {meant}, or another profile of your card" if meant else None,
    )


def _of_container(ctx: Context, pod: PodView, container: Container) -> Iterator[Finding]:
    """Yield a finding where a container gets several partitions of a sort of which a process can use one."""
    parts = [(request, claim) for claim, request in _partitions(ctx, pod, container)]
    count = sum(topology.least_devices(request) for request, _ in parts)
    if count > 1:
        kind = next(_single(ctx, leaf) for leaf in parts[0][0].leaves()) or ""
        claims = {id(claim): claim for _, claim in parts}
        yield RULE.finding(
            pod.manifest,
            container.claims[0].path,
            f"container '{container.name}' gets {count} {kind.upper()} devices, and a process can use one of them",
            severities=RULE.severities.at_most(WARNING),
            label=f"{count} partitions for one container",
            tip="claim whole cards (class gpu.nvidia.com, count: 2), or give each process a container with one request",
            related=tuple(Related(one.manifest, one.spec.path / "devices", "asks for them") for one in claims.values()),
        )


def _partitions(ctx: Context, pod: PodView, container: Container) -> Iterator[tuple[Claim, Request]]:
    """Yield the requests that bring a container partitions of which a process can use one."""
    for entry in container.claims:
        declared = pod.claim_named(entry.name)
        claim = ctx.claim_of(pod, declared) if declared else None
        for request in claim.requests if claim else ():
            if claim and entry.request in (None, request.name) and all(_single(ctx, leaf) for leaf in request.leaves()):
                yield claim, request


def _single(ctx: Context, leaf: Request) -> str | None:
    """Return the device type of an ask if a process can use one such device only."""
    view = ctx.driver_of(leaf)
    types = view.profile.types if view is not None and view.profile is not None and not leaf.admin_access else ()
    return next((one.name for one in types if view and one.name == view.device_type and one.one_per_process), None)


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: part
spec:
  devices:
    requests:
    - name: mig
      exactly:
        deviceClassName: mig.nvidia.com
        count: {count}
        selectors:
        - cel:
            expression: device.attributes["gpu.nvidia.com"].profile == "{profile}"{more}
"""
_POD = """\
---
apiVersion: v1
kind: Pod
metadata:
  name: serve
spec:
  resourceClaims:
  - name: part
    resourceClaimName: part
  containers:
  - name: main
    image: registry.example.com/serve:1.0
    resources:
      claims:
      - name: part
"""
_ON_H200 = ' && device.attributes["gpu.nvidia.com"].productName == "NVIDIA H200"'

VALID = (
    Example("a profile that cards have", _CLAIM.format(count=1, profile="3g.40gb", more="") + _POD),
    Example("a profile of the product", _CLAIM.format(count=1, profile="3g.71gb", more=_ON_H200)),
)
INVALID = (
    Example(
        "no card is cut like this",
        _CLAIM.format(count=1, profile="3g.99gb", more=""),
        messages=(
            "request 'mig' asks for partition '3g.99gb': no card known here has such a profile, did you mean '3g.93gb'?",
        ),
    ),
    Example(
        "a profile of another card than the one asked for",
        _CLAIM.format(count=1, profile="3g.40gb", more=_ON_H200),
        messages=(
            "request 'mig' asks for partition '3g.40gb': NVIDIA H200 has no such profile, did you mean '3g.71gb'?",
        ),
    ),
    Example(
        "two MIG devices for one process",
        _CLAIM.format(count=2, profile="3g.40gb", more="") + _POD,
        messages=("container 'main' gets 2 MIG devices, and a process can use one of them",),
    ),
)
