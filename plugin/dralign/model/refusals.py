"""What a driver refuses in vendor parameters, by the fields that it knows."""

from __future__ import annotations

from dralign.manifest import ROOT
from dralign.model.workload import quantity
from dralign.record import Record
from dralign.spelling import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.manifest import Path
    from dralign.model.parameters import Field, Kind


class Fault(Record):
    """What a driver refuses: where, in words, what to type instead, and the value to put there if that is sure."""

    path: Path
    message: str
    tip: str
    value: str | None = None


class Need(Record):
    """A value that a driver takes only with a gate of its own."""

    path: Path
    value: str
    gate: str


def faults(fields: tuple[Field, ...], data: dict[str, Any], at: Path = ROOT, *, strict: bool = True) -> Iterator[Fault]:
    """Yield what a driver refuses in an object of these fields; paths are relative to it.

    ``strict``: the driver refuses fields that it does not know. A field that is null counts as absent.
    """
    known = {field.name: field for field in fields}
    for name, value in data.items():
        field = known.get(name)
        if field is None:
            if strict:
                yield _unknown(name, tuple(known), at)
        elif value is not None:
            yield from _misplaced(field, known, data, at)
            yield from _of_value(field, value, at / name, strict=strict)
    for field in fields:
        if field.required and data.get(field.name) in (None, ""):
            wanted = f", want {_either(field.values)}" if field.values else ""
            yield Fault(at, f"{at / field.name} is missing{wanted}", f"add {at / field.name}")


def needs(fields: tuple[Field, ...], data: dict[str, Any], at: Path = ROOT) -> Iterator[Need]:
    """Yield the values of an object that a driver takes only with a gate of its own."""
    for field in fields:
        value = data.get(field.name)
        if isinstance(value, dict) and field.kind == "object":
            yield from needs(field.fields, value, at / field.name)
        for word, gate in field.needs:
            if value == word:
                yield Need(at / field.name, word, gate)


def _unknown(name: str, known: tuple[str, ...], at: Path) -> Fault:
    meant = _meant(name, known)
    hint = f", did you mean '{meant}'?" if meant else ""
    tip = f"write {meant}" if meant else f"take out {at / name}" + (f"; known are {', '.join(known)}" if known else "")
    return Fault(at / name, f"there is no field {at / name}{hint}", tip)


def _meant(word: str, known: tuple[str, ...]) -> str | None:
    same = {other.casefold(): other for other in known}
    return same.get(word.casefold()) or nearest(word, known)


def _misplaced(field: Field, known: dict[str, Field], data: dict[str, Any], at: Path) -> Iterator[Fault]:
    """Yield a fault where a field stands beside another setting than its own; a misspelt one is a fault of its own."""
    if field.beside is None:
        return
    sibling, wanted = field.beside
    got = data.get(sibling)
    if got != wanted and got in known[sibling].values:
        message = f"{at / field.name} goes with {sibling} {wanted}, and is refused beside {sibling} {got}"
        yield Fault(at / field.name, message, f"take out {at / field.name}, or write {sibling}: {wanted}")


def _of_value(field: Field, value: Any, at: Path, *, strict: bool) -> Iterator[Fault]:
    """Yield the faults of one value that stands at ``at``."""
    if not _is_kind(value, field.kind):
        yield Fault(at, f"{at} is {_told(value)}, want {_ARTICLE[field.kind]}", f"write {_ARTICLE[field.kind]}")
    elif field.kind == "object":
        yield from faults(field.fields, value, at, strict=strict)
    elif field.kind in {"list", "map"}:
        entries = enumerate(value) if isinstance(value, list) else value.items()
        one = field.replace(kind="object" if field.fields else field.items, required=False)
        for key, item in entries:
            if item is None:
                continue
            yield from _of_value(one, item, at / key, strict=strict)
    else:
        yield from _of_scalar(field, value, at)


def _of_scalar(field: Field, value: Any, at: Path) -> Iterator[Fault]:
    if field.values and value not in field.values:
        meant = _meant(str(value), field.values)
        hint = f", did you mean '{meant}'?" if meant else ""
        sure = meant if meant and meant.casefold() == str(value).casefold() else None
        tip = f"write {at[-1]}: {meant}" if meant else f"write one of {', '.join(field.values)}"
        yield Fault(at, f"{at} is '{value}', want {_either(field.values)}{hint}", tip, sure)
    if field.accepts is not None and value != "" and not field.accepts[0](str(value)):
        yield Fault(at, f"{at} is '{value}', want {field.accepts[1]}", f"write {field.accepts[1]}")
    low, high, amount = quantity(field.least), quantity(field.most), quantity(value)
    if amount is not None and ((low is not None and amount < low) or (high is not None and amount > high)):
        bounds = f"{field.least} to {field.most}" if low is not None and high is not None else f"at least {field.least}"
        yield Fault(at, f"{at} is {value}, want {bounds}", f"write {bounds}")


_ARTICLE = {
    "string": "a string",
    "int": "a whole number",
    "bool": "true or false",
    "quantity": "a quantity such as 10Gi",
    "object": "an object",
    "list": "a list",
    "map": "a map",
    "any": "anything",
}


_TYPES = {"string": str, "bool": bool, "int": int, "list": list, "object": dict, "map": dict, "any": object}


def _is_kind(value: Any, kind: Kind) -> bool:
    """Say whether a value decodes into a field of a kind, as JSON does in Go."""
    if kind == "quantity":
        return quantity(value) is not None
    return isinstance(value, _TYPES[kind]) and not (kind == "int" and isinstance(value, bool))


def _told(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f"the string '{value}'"
        case dict():
            return "an object"
        case list():
            return "a list"
        case _:
            return str(value)


def _either(words: tuple[str, ...]) -> str:
    return " or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
