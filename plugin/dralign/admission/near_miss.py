"""Hints: what was probably meant by a field or word that the server does not know.

The only texts in this package that are not the server's.
"""

from __future__ import annotations

from dralign.admission import schema
from dralign.admission.location import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dralign.admission.location import Location
    from dralign.admission.schema import Struct

    Owner = tuple[Struct, Location]

_DEPTH = 5  # how far below a struct a field is looked for: the pod of a CronJob is five structs away
_SLIP, _LIKE = 0.9, 0.75  # likeness as difflib measures it
_NOT_ENTERED = ("metadata", "status", "scheduling")
_GONE = {
    (
        "PodResourceClaim",
        "source",
    ): "since 1.31 `resourceClaimName` and `resourceClaimTemplateName` stand beside `name`",
    ("DeviceClassSpec", "suitableNodes"): "releases know `suitableNodes` up to 1.31",
    ("ResourceClaimSpec", "controller"): "releases know `controller` up to 1.31",
    ("ResourceClaimSpec", "resourceClassName"): "since v1alpha3 a claim names device classes in `devices.requests`",
    ("ResourceClaimSpec", "parametersRef"): "since v1alpha3 a claim has its parameters in `devices.config`",
}


def hint_for_field(root: Struct, at: Location, type_: Struct, minor: int) -> str | None:
    """Say what an unknown field was probably meant to be, None where nothing comes near.

    ``root`` is the type of the object, ``at`` the place of the field, ``type_`` the type that lacks it.
    """
    name = str(at[-1])
    return (
        _GONE.get((type_.name, name))
        or _below(type_, name, minor)
        or _in_other_release(type_, name)
        or _in_other_version(type_, name, minor)
        or _alike(name, type_.fields, _SLIP)
        or _above(root, at, name, minor)
        or _alike(name, type_.fields, _LIKE)
    )


def hint_for_word(word: str, known: Iterable[str]) -> str | None:
    """Say which word of an enumeration was probably meant."""
    return _alike(word, known, _LIKE)


def _alike(name: str, known: Iterable[str], likeness: float) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415  slow to import, needed for mistakes only

    by_letters = {other.lower(): other for other in known}
    close = get_close_matches(name.lower(), by_letters, 1, likeness)
    return f"did you mean `{by_letters[close[0]]}`?" if close else None


def _below(type_: Struct, name: str, minor: int) -> str | None:
    for owner, path in _structs_below(type_, minor):
        if name in owner.fields:
            return f"`{name}` belongs under `{render(path)}`"
    return None


def _structs_below(type_: Struct, minor: int) -> Iterator[Owner]:
    """Yield the structs that are reached without lists or maps, nearest first."""
    level: list[Owner] = [(type_, ())]
    for _ in range(_DEPTH):
        level = [
            (schema.struct(field.shape.package, field.shape.type, minor), (*at, field.name))
            for owner, at in level
            for field in owner.fields.values()
            if field.kind == schema.STRUCT and field.name not in _NOT_ENTERED
        ]
        yield from level


def _in_other_release(type_: Struct, name: str) -> str | None:
    releases = schema.releases_of(type_.package, type_.name, name)
    if not releases:
        return None
    known = f"from 1.{releases[0]} on" if releases[-1] == schema.NEWEST else f"up to 1.{releases[-1]}"
    return f"releases know `{name}` {known}"


def _in_other_version(type_: Struct, name: str, minor: int) -> str | None:
    versions = schema.versions_with(type_.package, type_.name, name, minor)
    if not versions:
        return None
    inner = schema.struct_of_field(versions[0], type_.name, name, minor)
    lifted = inner is not None and inner.fields.keys() <= type_.fields.keys()
    where = "; here its contents stand one level higher" if lifted else ""
    return f"`{name}` is a field of {' and '.join(versions)}{where}"


def _above(root: Struct, at: Location, name: str, minor: int) -> str | None:
    owners: list[Owner] = [(root, ())]
    type_ = root
    for index, step in enumerate(at[:-2]):
        shape = type_.fields[str(step)].shape if isinstance(step, str) and step in type_.fields else None
        while shape is not None and shape.item is not None:
            shape = shape.item
        if shape is not None and shape.kind == schema.STRUCT:
            type_ = schema.struct(shape.package, shape.type, minor)
            owners.append((type_, at[: index + 1]))
    for owner, path in reversed(owners):
        if name in owner.fields:
            return f"`{name}` belongs to `{render(path)}`" if path else f"`{name}` belongs beside `kind`"
    return None
