"""A pod shares a device without a reservation of its own

What it does
  Finds claims whose parameters share a device: time-slicing, or MPS without limits on memory and threads; and requests
  for a share of a device that reserve no memory of it. Partitions (MIG) have memory and engines of their own, and are no
  sharing.

Why it matters
  Whoever shares the device can fill its memory and hold its engines. The others run out of memory or miss their
  deadlines, without a word in their manifests.

What it needs to know
  Work that is marked as serving or training (label dralign.dev/workload-class, or workloadClass in the configuration)
  makes this an error.
"""

from __future__ import annotations

from dralign.context.opaque import opaque_entries
from dralign.finding import ERROR, WARNING, Related, Severities
from dralign.manifest import dig
from dralign.model import topology
from dralign.model.driver import MEMORY, SHARES
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import ClaimUse, Context
    from dralign.context.opaque import OpaqueEntry
    from dralign.finding import Finding
    from dralign.manifest import Manifest, Path
    from dralign.model.claim import Claim, Request
    from dralign.model.parameters import Sharing

RULE = Rule(
    id="shared-device",
    severities=Severities(None, WARNING, ERROR, explicit=ERROR),
    summary="a pod shares a device without a reservation of its own",
    tip="claim a partition (class mig.nvidia.com, with a profile) or a whole device",
    since="0.1",
    standards=("B3",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per set of parameters that shares devices, and one per request for a share without memory."""
    for entry in opaque_entries(ctx):
        sharing = _chosen(ctx, entry)
        missing = _missing(entry, sharing) if sharing else ()
        if sharing and missing:
            yield _finding(
                _users(ctx, entry),
                entry.manifest,
                (entry.at / "parameters").join(sharing.path),
                f"{_who(entry)} share a device by {sharing.name} without {' and '.join(missing)} of their own",
                _tip(entry, sharing),
                ctx=ctx,
            )
    for claim in ctx.claims:
        for leaf in claim.spec.leaves:
            yield from _of_leaf(ctx, claim, leaf)


def _chosen(ctx: Context, entry: OpaqueEntry) -> Sharing | None:
    """Return the way to share devices that parameters choose; None where they choose none."""
    profile = ctx.catalogue.driver(entry.driver)
    configs = profile.configs if profile is not None else ()
    ways = (way for config in configs if config.is_of(entry.parameters) for way in config.shares)
    return next((way for way in ways if dig(entry.parameters, way.path) == way.value), None)


def _missing(entry: OpaqueEntry, sharing: Sharing) -> tuple[str, ...]:
    """Return what nothing reserves for each user, in words."""
    wanted = (("memory", sharing.memory), ("compute units", sharing.compute))
    return tuple(word for word, paths in wanted if all(dig(entry.parameters, path) is None for path in paths))


def _who(entry: OpaqueEntry) -> str:
    if entry.claim is None:
        return f"users of class '{entry.manifest.ref.name}'"
    names = dict.fromkeys(f"'{leaf.name}'" for leaf in entry.leaves)
    return f"users of {'request' if len(names) == 1 else 'requests'} {', '.join(names)}"


def _users(ctx: Context, entry: OpaqueEntry) -> tuple[ClaimUse, ...]:
    """Return the pods that get the devices: of the claim, or of all claims that ask for the class."""
    if entry.claim is not None:
        return ctx.uses_of(entry.claim)
    name = entry.manifest.ref.name
    claims = (claim for claim in ctx.claims if any(leaf.device_class == name for leaf in claim.spec.leaves))
    return tuple(use for claim in claims for use in ctx.uses_of(claim))


def _tip(entry: OpaqueEntry, sharing: Sharing) -> str:
    unset = (paths for paths in (sharing.memory, sharing.compute) if not any(dig(entry.parameters, p) for p in paths))
    fields = [paths[0][-1] for paths in unset if paths]
    return f"set {' and '.join(fields)}, or {RULE.tip}" if fields else RULE.tip


def _of_leaf(ctx: Context, claim: Claim, leaf: Request) -> Iterator[Finding]:
    """Yield a finding where an ask takes a share of an accelerator and reserves no memory of it."""
    view = ctx.driver_of(leaf)
    if view is None or view.profile is None or view.device not in topology.ACCELERATORS:
        return
    asked = {name if "/" in name else f"{view.driver}/{name}" for name in leaf.capacity}
    taken = [capacity for capacity in view.profile.capacities if capacity.consumable and capacity.name in asked]
    memory = [capacity.name for capacity in view.profile.capacities if capacity.role == MEMORY]
    divided = any(capacity.consumable and capacity.role == MEMORY for capacity in view.profile.capacities)
    if any(capacity.role == SHARES or divided for capacity in taken) and not asked & set(memory):
        yield _finding(
            ctx.uses_of(claim),
            claim.manifest,
            leaf.body / "capacity" / "requests",
            f"request '{leaf.name}' takes a share of a device by {taken[0].name}, and reserves no memory of it",
            f"ask for memory too: {memory[0]} in capacity.requests" if memory else RULE.tip,
            ctx=ctx,
        )


def _finding(
    uses: tuple[ClaimUse, ...], manifest: Manifest, place: Path, message: str, tip: str, *, ctx: Context
) -> Finding:
    return RULE.finding(
        manifest,
        place,
        message,
        label="shared",
        tip=tip,
        related=tuple(Related(use.pod.manifest, use.entry.reference, "uses it") for use in uses),
        marked=any(ctx.is_marked(use.pod) for use in uses),
    )


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: shared
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
"""
_CONFIG = """\
    config:
    - requests: [gpu]
      opaque:
        driver: gpu.nvidia.com
        parameters:
          apiVersion: resource.nvidia.com/v1beta1
          kind: GpuConfig
          sharing:
            strategy: {}
"""
_LIMITS = """\
            mpsConfig:
              defaultActiveThreadPercentage: 50
              defaultPinnedDeviceMemoryLimit: 10Gi
"""

VALID = (
    Example("a device of its own", _CLAIM),
    Example("MPS with limits", _CLAIM + _CONFIG.format("MPS") + _LIMITS),
    Example(
        "a share with memory",
        _CLAIM + "        capacity: {requests: {gpu.nvidia.com/shares: 1, gpu.nvidia.com/memory: 10Gi}}\n",
    ),
)
INVALID = (
    Example(
        "time-slicing",
        _CLAIM + _CONFIG.format("TimeSlicing"),
        messages=(
            "users of request 'gpu' share a device by time-slicing without memory and compute units of their own",
        ),
    ),
    Example(
        "MPS without limits",
        _CLAIM + _CONFIG.format("MPS"),
        messages=("users of request 'gpu' share a device by MPS without memory and compute units of their own",),
    ),
    Example(
        "a share of any size",
        _CLAIM + "        capacity: {requests: {gpu.nvidia.com/shares: 1}}\n",
        messages=("request 'gpu' takes a share of a device by gpu.nvidia.com/shares, and reserves no memory of it",),
    ),
)
