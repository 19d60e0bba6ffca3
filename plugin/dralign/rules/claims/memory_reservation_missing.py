"""A request for a partition says neither how much memory it needs nor how many compute units

What it does
  Looks at requests whose class hands out partitions (MIG devices, compute partitions) and reports those for which neither
  the request nor the class fixes memory and compute units: by the profile, by selectors on both capacities, or by
  capacity.requests. Silent while the class is not to be seen, since it may fix them.

Why it matters
  The scheduler takes the first partition that fits. Any fits: today it is half a card, tomorrow a seventh, and the model
  that loaded yesterday runs out of memory.

What it needs to know
  The class, from the input or the inventory.
"""

from __future__ import annotations

from dralign.finding import ERROR, Severities
from dralign.model import topology
from dralign.model.driver import COMPUTE, MEMORY, MODE, PARENT, PROFILE
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.cel.analysis import Facts
    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.catalogue import DriverView
    from dralign.model.claim import Request

RULE = Rule(
    id="memory-reservation-missing",
    severities=Severities(None, ERROR, ERROR),
    summary="a request for a partition says neither how much memory it needs nor how many compute units",
    tip="add a selector on the profile of the partition",
    since="0.1",
    standards=("B5",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per ask for a partition of any size."""
    for claim in ctx.claims:
        for leaf in claim.spec.leaves:
            view = ctx.driver_of(leaf)
            if view is None or not _is_partition(view) or leaf.admin_access or not _is_seen(ctx, leaf, view):
                continue
            open_ends = _open(ctx, leaf, view)
            if open_ends:
                yield RULE.finding(
                    claim.manifest,
                    leaf.body,
                    f"request '{leaf.name}' of class '{leaf.device_class}' {_taken(open_ends)}",
                    label="a partition of any size",
                    tip=_tip(view),
                    related=ctx.users_of(claim),
                )


def _taken(open_ends: Sequence[str]) -> str:
    if len(open_ends) == 1:
        return f"takes a partition, and nothing fixes its {open_ends[0]}"
    return f"takes a partition of any size: nothing fixes its {' and its '.join(open_ends)}"


def _is_partition(view: DriverView) -> bool:
    """Say whether an ask can get partitions only: what has a parent card."""
    return view.device_type is not None and bool(view.attributes(PARENT))


def _is_seen(ctx: Context, leaf: Request, view: DriverView) -> bool:
    """Say whether the class is there, and the selectors are such as the cluster can ask: else that comes first."""
    if leaf.device_class not in ctx.classes or not all(ctx.compiled(one.expression).ok for one in leaf.selectors):
        return False
    reads = (f"{read.domain}/{read.name}" for read in ctx.facts_of(leaf).reads if read.kind == "attributes")
    return all(view.published(name) is not None for name in reads)


def _open(ctx: Context, leaf: Request, view: DriverView) -> tuple[str, ...]:
    """Return what of a partition's size is open, in words."""
    facts = ctx.facts_of(leaf)
    if topology.names_devices(leaf, ctx.driver_of, ctx.facts_of) or _says_profile(view, facts):
        return ()
    wanted = {MEMORY: "memory", COMPUTE: "compute units"}
    return tuple(word for role, word in wanted.items() if not _says_capacity(view, facts, leaf, role))


def _says_profile(view: DriverView, facts: Facts) -> bool:
    modes = view.attributes(MODE)
    if modes and all(facts.values(name) is not None for name in modes):
        return True
    return any(facts.values(name) is not None for name in view.attributes(PROFILE))


def _says_capacity(view: DriverView, facts: Facts, leaf: Request, role: str) -> bool:
    """Say whether a capacity has a lower bound, or an amount of it is asked for."""
    known = view.profile.capacities if view.profile else ()
    names = [capacity.name for capacity in known if capacity.role == role]
    asked = {*leaf.capacity, *(f"{view.driver}/{name}" for name in leaf.capacity if "/" not in name)}
    return any(facts.bounds(name)[0] is not None or name in asked for name in names)


def _tip(view: DriverView) -> str:
    names = view.attributes(PROFILE)
    if not names:
        return RULE.tip
    domain, _, name = names[0].rpartition("/")
    return f'add a selector such as device.attributes["{domain}"].{name} == "<profile>"'


_CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: mig.nvidia.com
spec:
  selectors:
  - cel:
      expression: device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'
---
"""
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
"""
_SELECTOR = """\
        selectors:
        - cel:
            expression: {}
"""
_MEMORY = "device.capacity['gpu.nvidia.com'].memory.isGreaterThan(quantity('19Gi'))"
_UNITS = "device.capacity['gpu.nvidia.com'].multiprocessors.isGreaterThan(quantity('27'))"

VALID = (
    Example(
        "the profile fixes both",
        _CLASS + _CLAIM + _SELECTOR.format("device.attributes['gpu.nvidia.com'].profile == '3g.40gb'"),
    ),
    Example("both capacities", _CLASS + _CLAIM + _SELECTOR.format(f"{_MEMORY} && {_UNITS}")),
    Example("the class is not here, and may fix them", _CLAIM),
)
INVALID = (
    Example(
        "any MIG device",
        _CLASS + _CLAIM,
        messages=(
            "request 'mig' of class 'mig.nvidia.com' takes a partition of any size: nothing fixes its memory and its "
            "compute units",
        ),
    ),
    Example(
        "compute units alone",
        _CLASS + _CLAIM + _SELECTOR.format(_UNITS),
        messages=("request 'mig' of class 'mig.nvidia.com' takes a partition, and nothing fixes its memory",),
    ),
)
