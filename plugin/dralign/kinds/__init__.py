"""Which kinds make pods or claims, and where: tables, and how they are read.

Kinds are found by API group and kind, whatever the version. All functions take plain data (maps, lists, scalars) and
leave out what has not the shape that the table expects; they never raise on strange input.
"""

from __future__ import annotations

from dralign.kinds import general, serving, training
from dralign.kinds.claims import MAKERS, USERS
from dralign.kinds.row import AMOUNTS, GPU_COUNT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.kinds.claims import ClaimMaker
    from dralign.kinds.row import Pattern, PodTemplate, ResourceBlock, WorkloadKind

    Path = tuple[str | int, ...]
    Block = tuple[Path, dict[Any, Any]]

WORKLOADS: tuple[WorkloadKind, ...] = (*general.KINDS, *training.KINDS, *serving.KINDS)

_ROWS = {(row.group, row.kind): (row,) for row in WORKLOADS}
_MAKERS = {(maker.group, maker.kind): (maker,) for maker in MAKERS}
_USERS = {(user.group, user.kind): (user,) for user in USERS}

_LONGEST_NAME = 63
"""Longer child names are cut and hashed by knative.dev/pkg/kmeta.ChildName, and so cannot be foretold here."""


class FoundTemplate:
    """One pod template of an object.

    Attributes:
        template: the row's field it was found by.
        root: where the object that owns it stands; () but for objects inside of others.
        path: of the object that carries the pod's metadata.
        spec_path: of the pod spec.
        spec: the pod spec.
    """

    __slots__ = ("path", "root", "spec", "spec_path", "template")

    def __init__(self, template: PodTemplate, root: Path, path: Path, spec: dict[Any, Any]) -> None:
        self.template = template
        self.root = root
        self.path = path
        self.spec_path = path + template.spec
        self.spec = spec


def _key(api_version: Any, kind: Any) -> tuple[str, str]:
    group = api_version.rpartition("/")[0] if isinstance(api_version, str) else "?"
    return group, kind if isinstance(kind, str) else "?"


def rows_for(api_version: Any, kind: Any) -> tuple[WorkloadKind, ...]:
    """Return the table rows of a kind that makes pods: one, or none."""
    return _ROWS.get(_key(api_version, kind), ())


def expand(pattern: Pattern | Path, data: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield path and value of every place in ``data`` that a pattern means; paths begin with ``at``."""
    if not pattern:
        yield at, data
        return
    step, rest = pattern[0], pattern[1:]
    for key in _keys(step, data):
        yield from expand(rest, data[key], (*at, key))


def _keys(step: str | int, data: Any) -> Any:
    """Return the keys or indices of ``data`` that one step of a pattern or path means."""
    if isinstance(data, dict):
        if step == "*":
            return data
        return (step,) if step in data else ()
    if not isinstance(data, list):
        return ()
    indices = range(len(data))
    return indices if step == "*" else (step,) if step in indices else ()


def find_templates(row: WorkloadKind, data: Any, root: Path = ()) -> Iterator[FoundTemplate]:
    """Yield the pod templates of an object, in the order of its row; those of objects inside it last."""
    for template in row.templates:
        for path, holder in expand(template.path, data, root):
            for _, spec in expand(template.spec, holder):
                if isinstance(spec, dict):
                    yield FoundTemplate(template, root, path, spec)
    for pattern in row.objects:
        for path, inner in expand(pattern, data, root):
            if isinstance(inner, dict):
                for inner_row in rows_for(inner.get("apiVersion"), inner.get("kind")):
                    yield from find_templates(inner_row, inner, path)


def pod_templates(row: WorkloadKind, data: Any) -> Iterator[tuple[Path, Path, dict[Any, Any]]]:
    """Yield ``(path, spec_path, spec)`` of every pod template of an object.

    ``path`` is the object that carries the pod's metadata, ``spec_path`` its pod spec; for a Pod: ``()`` and
    ``("spec",)``. See :func:`find_templates` for containers, replicas and what else the table says.
    """
    for found in find_templates(row, data):
        yield found.path, found.spec_path, found.spec


def containers(found: FoundTemplate) -> Iterator[Block]:
    """Yield path and content of a template's containers, those that have a field of their own included."""
    return _blocks(found.template.containers, found)


def init_containers(found: FoundTemplate) -> Iterator[Block]:
    """Yield path and content of a template's init containers, sidecars (``restartPolicy: Always``) included."""
    return _blocks(found.template.init_containers, found)


def _blocks(patterns: tuple[Pattern, ...], found: FoundTemplate) -> Iterator[Block]:
    for pattern in patterns:
        for path, container in expand(pattern, found.spec, found.spec_path):
            if isinstance(container, dict):
                yield path, container


def replicas(found: FoundTemplate, data: Any) -> int | None:
    """Return how many pods an object makes of a template, at most; None if it does not say so in whole numbers.

    Args:
        found: the template.
        data: the whole object it was found in.
    """
    if found.template.replicas is None:
        return None
    total = 1
    for pattern in found.template.replicas:
        for _, count in expand(found.root + _along(pattern, found), data):
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                return None
            total *= count
    return total


def _along(pattern: Pattern, found: FoundTemplate) -> Path:
    """Return a pattern with the stars that it shares with the template's path replaced by where the template is."""
    own, concrete = found.template.path, found.path[len(found.root) :]
    shared = next((i for i, pair in enumerate(zip(pattern, own, strict=False)) if pair[0] != pair[1]), len(own))
    return concrete[:shared] + pattern[shared:]


def loose_resources(row: WorkloadKind, data: Any) -> Iterator[tuple[Path, str, Any]]:
    """Yield path, resource name and amount of every resource that an object takes outside of its pod templates."""
    for block in row.resources:
        for path, value in expand(block.path, data):
            yield from _amounts(block, path, value)


def _amounts(block: ResourceBlock, path: Path, value: Any) -> Iterator[tuple[Path, str, Any]]:
    if block.form == GPU_COUNT:
        if isinstance(value, dict) and "gpu" in value:
            yield (*path, "gpu"), value.get("gpuType") or "nvidia.com/gpu", value["gpu"]
        return
    sections: tuple[Path, ...] = ((),) if block.form == AMOUNTS else (("limits",), ("requests",))
    for section in sections:
        for at, amounts in expand(section, value, path):
            for name, amount in amounts.items() if isinstance(amounts, dict) else ():
                yield (*at, name), name, amount


def made_claims(api_version: Any, kind: Any, data: Any) -> Iterator[tuple[str, str, Path]]:
    """Yield what an object makes its controller create: ``ResourceClaim`` or ``ResourceClaimTemplate``, name, path.

    The path is the field that the name comes from. Names that a controller makes up at run time are not yielded.
    """
    for maker in _MAKERS.get(_key(api_version, kind), ()):
        if not maker.only_with or any(True for _ in expand(maker.only_with, data)):
            yield from _made(maker, data)


def _made(maker: ClaimMaker, data: Any) -> Iterator[tuple[str, str, Path]]:
    for path, name in expand(maker.name, data):
        if isinstance(name, str) and name and len(name + maker.suffix) <= _LONGEST_NAME:
            yield maker.makes, name + maker.suffix, path


def claim_entries(api_version: Any, kind: Any, data: Any) -> Iterator[Block]:
    """Yield path and content of entries that name claims or templates in kinds that are no workloads themselves."""
    for user in _USERS.get(_key(api_version, kind), ()):
        for path, entry in expand(user.entries, data):
            if isinstance(entry, dict):
                yield path, entry
