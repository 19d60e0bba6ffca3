"""A request names a DeviceClass that is not there

What it does
  Looks up the class of every request, and of extended resources named deviceclass.resource.kubernetes.io/<class>, in the
  input and in the inventory. Classes that well-known drivers ship count as there, unless the inventory lists the
  cluster's classes itself.

Why it matters
  A claim of an unknown class is accepted and never allocated: the pod stays Pending.

What it needs to know
  A class that is in the cluster but neither in the input nor in the inventory looks the same, so that this is a warning.
  A name that is one slip away from a known class is an error.

What the fix does
  Writes the name of the class that is one slip away. It is a guess, so only --unsafe makes it.
"""

from __future__ import annotations

from dralign.edit import Rename, Set
from dralign.finding import ERROR, WARNING, Fix, Patch, Severities
from dralign.model.device_class import IMPLICIT_RESOURCE
from dralign.rule import Example, Rule
from dralign.spelling import is_slip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.context import Context, LegacyUse
    from dralign.finding import Finding
    from dralign.model.claim import Claim, Request

RULE = Rule(
    id="class-unknown",
    severities=Severities(None, WARNING, WARNING),
    summary="a request names a DeviceClass that is not there",
    tip="name a class of the cluster, or tell dralign of it: --inventory with the cluster's DeviceClasses",
    since="0.1",
)

NEVER = Severities(ERROR, ERROR, ERROR)
"""One slip away from a class that is there: nothing will ever make this one."""


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per claim and class, and one per container and resource, that names a class which is not there."""
    there = ctx.known_classes
    known = sorted(there)
    meant: dict[str, str | None] = {}
    where = (
        "in the input nor in the inventory" if ctx.lists_classes else "in the input nor shipped by a driver known here"
    )
    for claim in ctx.claims:
        leaves: dict[str, Request] = {}
        for leaf in claim.spec.leaves:
            if leaf.device_class is not None and leaf.device_class not in there:
                leaves.setdefault(leaf.device_class, leaf)
        for name, leaf in leaves.items():
            if name not in meant:
                meant[name] = _meant(name, known)
            yield _in_claim(ctx, claim, leaf, name, meant[name], where)
    for use in ctx.legacy_uses():
        name = use.resource.removeprefix(IMPLICIT_RESOURCE)
        if name not in (use.resource, *known):
            yield _in_container(use, name, _meant(name, known), where)


def _meant(name: str, known: Sequence[str]) -> str | None:
    """Return the class that a name was surely meant to be: but for one slip, or for dots and dashes, it is the same.

    ``pool-a`` and ``pool-b`` are two names.
    """
    for other in known:
        if _parts(name) == _parts(other):
            return other
        pairs = zip(_parts(name), _parts(other), strict=False)
        letters = any(one != two and len(one) == len(two) == 1 for one, two in pairs)
        if is_slip(name, other) and not letters:
            return other
    return None


def _parts(name: str) -> list[str]:
    return name.lower().replace("-", ".").replace("_", ".").split(".")


def _message(name: str, meant: str | None, where: str) -> str:
    told = f"DeviceClass '{name}' is neither {where}"
    return f"{told}, did you mean '{meant}'?" if meant else told


def _in_claim(ctx: Context, claim: Claim, leaf: Request, name: str, meant: str | None, where: str) -> Finding:
    place = leaf.body / "deviceClassName"
    asker = f"request '{leaf.name}': " if leaf.name else ""
    return RULE.finding(
        claim.manifest,
        place,
        f"{asker}{_message(name, meant, where)}",
        severities=NEVER if meant else None,
        label="no such class",
        tip=f"write deviceClassName: {meant}" if meant else None,
        related=ctx.users_of(claim),
        fix=_guess(meant, Patch(claim.manifest, Set(place, meant))) if meant else None,
    )


def _in_container(use: LegacyUse, name: str, meant: str | None, where: str) -> Finding:
    key = f"{IMPLICIT_RESOURCE}{meant}"
    return RULE.finding(
        use.manifest,
        use.path,
        f"{use.who} asks for a device of a class by '{use.resource}', and {_message(name, meant, where)}",
        severities=NEVER if meant else None,
        label="no such class",
        tip=f"write {key}" if meant else None,
        fix=_guess(meant, *_renamed(use, key)) if meant else None,
    )


def _renamed(use: LegacyUse, key: str) -> Iterator[Patch]:
    """Yield the patches that give the amount its right name, in limits and in requests."""
    container = use.container
    if container is None:
        return
    for section, amounts in (("limits", container.limits), ("requests", container.requests)):
        if use.resource in amounts and key not in amounts:
            yield Patch(use.manifest, Rename(container.resources_path / section / use.resource, key))


def _guess(meant: str, *patches: Patch) -> Fix:
    return Fix(f"name class '{meant}'", patches, "unsafe", "the name is a guess, only with --unsafe")


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: one
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: {name}
"""
_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
    resources:
      requests:
        cpu: "4"
        deviceclass.resource.kubernetes.io/{name}: 1
      limits:
        cpu: "4"
        deviceclass.resource.kubernetes.io/{name}: 1
"""
_CLASS = """\
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: cards.example.com
spec:
  selectors:
  - cel:
      expression: device.driver == "cards.example.com"
"""

VALID = (
    Example("a class that its driver ships", _CLAIM.format(name="gpu.nvidia.com")),
    Example("a class of the input", _CLAIM.format(name="cards.example.com") + _CLASS),
)
INVALID = (
    Example(
        "nobody makes it",
        _CLAIM.format(name="big-gpus"),
        messages=("request 'gpu': DeviceClass 'big-gpus' is neither in the input nor shipped by a driver known here",),
    ),
    Example(
        "a slip of the hand",
        _CLAIM.format(name="gpu.nvida.com"),
        messages=(
            "request 'gpu': DeviceClass 'gpu.nvida.com' is neither in the input nor shipped by a driver known here, did "
            "you mean 'gpu.nvidia.com'?",
        ),
        fixed=_CLAIM.format(name="gpu.nvidia.com"),
    ),
    Example(
        "a slip in an extended resource",
        _POD.format(name="gpu.nvida.com"),
        messages=(
            "container 'main' asks for a device of a class by 'deviceclass.resource.kubernetes.io/gpu.nvida.com', and "
            "DeviceClass 'gpu.nvida.com' is neither in the input nor shipped by a driver known here, did you mean "
            "'gpu.nvidia.com'?",
        ),
        fixed=_POD.format(name="gpu.nvidia.com"),
    ),
)
