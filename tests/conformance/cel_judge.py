"""Compares what dralign says of CEL expressions, quantities and versions with recorded answers of Kubernetes.

The format of the rows is described beside the recorded answers (conformance/cel/README.md). A row is judged in points,
since one wrong answer must not hide another.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "plugin"))

from dralign.model.device import Device, Version  # noqa: E402  the path comes first
from dralign.model.slice import slice_from  # noqa: E402
from dralign.selector import Compiled, compile_selector  # noqa: E402
from dralign.selector.plain import plain_answer  # noqa: E402
from dralign.selector.writing import Doubt, NotPlain  # noqa: E402
from dralign.values.quantity import Quantity  # noqa: E402
from dralign.values.semver import Semver  # noqa: E402

Row = dict[str, Any]
Point = tuple[str, bool, str]
"""Name of the point, whether it agrees, and what to show if not."""

FLOORS = {"positions of syntax errors": 0.97, "text of refusals": 0.97, "text of evaluation errors": 0.97}
"""Points of which a share may differ; all others must agree in every row."""

# What an error message begins with (or holds, where it starts with "…"), and the class that the recorded rows give it.
_RUN_TIME_CLASSES = (
    ("no such key: ", "no_such_key"),
    ("no such overload", "no_such_overload"),
    ("CEL result of type", "not_bool"),
    ("expected list element", "derived_type"),
    ("unsupported list element", "derived_type"),
    ("unsupported CEL return", "derived_type"),
    ("attribute ", "attribute_value"),
    ("operation cancelled: actual cost", "cost"),
    ("integer overflow", "overflow"),
    ("unsigned integer overflow", "overflow"),
    ("timestamp overflow", "overflow"),
    ("error during formatting", "format"),
    ("internal error", "internal"),
    ("type conversion error", "conversion"),
    ("invalid substring range", "conversion"),
    ("invalid qualifier type", "conversion"),
    ("unsupported comprehension range", "conversion"),
    ("strconv.", "conversion"),
    ("… error during conversion", "conversion"),
    ("unsupported index", "unsupported_key_type"),
    ("optional.none() dereference", "optional_none"),
    ("…expected iterable type", "not_iterable"),
    ("quantities must match", "quantity_value"),
    ("unable to parse", "quantity_value"),
    ("cannot convert value to integer", "quantity_value"),
    ("No Major.Minor.Patch elements", "semver_value"),
    ("Invalid character(s) found", "semver_value"),
    ("short version cannot", "semver_value"),
    ("…must not contain leading zero", "semver_value"),
    ("Version string empty", "semver_value"),
    ("index out of", "index"),
    ("cannot slice", "index"),
    ("division by zero", "division_by_zero"),
    ("modulus by zero", "modulus_by_zero"),
    ("… called on empty list", "empty_list"),
    ("error parsing regexp", "regex"),
    ("no such field", "no_such_field"),
)

RECORDED = 600
"""Characters after which the recorded texts of evaluation errors end."""

GO_NAMES = ("types.", "cel.", "ref.Val", "[]int64", "float64", "uint64")
"""In the text of an error these are Go's names of types, which need not agree."""


def run_time_class(error: str) -> str:
    """The class of a run-time error, by its text."""
    for words, name in _RUN_TIME_CLASSES:
        if words[1:] in error if words.startswith("…") else error.startswith(words):
            return name
    return "other"


def rows(folder: Path, name: str) -> Iterator[Row]:
    """The rows of a file, plain or compressed; none if there is no such file."""
    plain, packed = folder / f"{name}.jsonl", folder / f"{name}.jsonl.gz"
    if not plain.exists() and not packed.exists():
        return
    with plain.open("rb") if plain.exists() else gzip.open(packed, "rb") as lines:
        for line in lines:
            yield json.loads(line)


def names(folder: Path) -> list[str]:
    """The names of all files with rows."""
    return sorted({path.name.removesuffix(".gz").removesuffix(".jsonl") for path in folder.glob("*.jsonl*")})


def devices(folder: Path) -> dict[str, Device]:
    """The devices that the rows speak of, by name."""
    return {name: device_from(data) for name, data in json.loads((folder / "devices.json").read_text("utf-8")).items()}


def device_from(data: Row) -> Device:
    """Make a device of a row's form; there a capacity is a plain string."""
    fields = data | {"name": "device", "capacity": {k: {"value": v} for k, v in data.get("capacity", {}).items()}}
    return slice_from({"spec": {"driver": data["driver"], "devices": [fields]}}).devices[0]


def judge_expression(row: Row, known: dict[str, Device]) -> Iterator[Point]:
    """Compile and evaluate the expression of a row."""
    asked = (row["expr"], row["release"], tuple(row["features"]))
    derived = row["family"] == "derived"
    new = compile_selector(*asked, derived=derived)
    yield from judge_refusal("", row["compile"], new)
    if row["compile"].get("maxCost") is not None:
        yield "estimated cost", new.max_cost == row["compile"]["maxCost"], f"got {new.max_cost}"
    stored = compile_selector(*asked, stored=True, derived=derived)
    if "storedCompile" in row:
        yield from judge_refusal("stored: ", row["storedCompile"], stored)
    for wanted in row["evals"]:
        yield from judge_evaluation(wanted, stored, known[wanted["device"]])


def judge_refusal(which: str, wanted: Row, got: Compiled) -> Iterator[Point]:
    """Compare the verdict of an environment."""
    verdict = (got.ok, got.too_long, got.too_costly, got.internal)
    same = verdict == (wanted["ok"], *(wanted.get(key, False) for key in ("tooLong", "tooCostly", "internal")))
    yield f"{which}verdict", same, f"got {verdict} {got.error}"
    if wanted.get("type") is not None:
        yield f"{which}type", got.type == wanted["type"], f"got {got.type}"
    if wanted["ok"] or not same or not wanted.get("error") or wanted.get("tooLong") or wanted.get("tooCostly"):
        return
    text = got.error or ""
    if wanted.get("sourceLinesCut"):
        text = "\n".join(line for line in text.split("\n") if not line.startswith(" | "))
    if wanted.get("cutAt"):
        text = text[: len(wanted["error"])]
    worded = text == wanted["error"]
    if wanted["class"] != "panic":
        yield "text of refusals", worded, f"got {got.error}"
    kinds = [issue.kind for issue in got.issues]
    yield f"{which}class", worded or kinds[:1] == [wanted["class"]], f"got {kinds} {got.error}"
    if "pos" in wanted:
        places = [f"{issue.line}:{issue.column}" for issue in got.issues]
        yield f"{which}first position", places[:1] == wanted["pos"][:1], f"got {places}"
        syntax = "positions of syntax errors" if wanted["class"] == "syntax" else f"{which}positions"
        yield syntax, places == wanted["pos"], f"got {places}"


def judge_evaluation(wanted: Row, stored: Compiled, device: Device) -> Iterator[Point]:
    """Compare what the scheduler gets on a device."""
    if not stored.ok:
        yield "result", False, f"on {wanted['device']}: refused: {stored.error}"
        return
    got = stored.evaluate(device)
    shown = f"on {wanted['device']}: got {got}, want {wanted}"
    value = kind_and_value(got.value) if "value" in wanted else got.value
    if not wanted["ok"]:
        yield "result", got.error is not None, shown
    else:
        yield "result", got.error is None and _equal(value, wanted.get("value", wanted.get("match"))), shown
    if not wanted["ok"] and got.error is not None:
        text = wanted.get("error")
        yield "class of evaluation errors", text == got.error or run_time_class(got.error) == wanted["class"], shown
        if text is not None and wanted["class"] != "internal" and not any(name in text for name in GO_NAMES):
            whole = got.error[:RECORDED] if len(text) == RECORDED else got.error
            yield "text of evaluation errors", text == whole, shown
    if not wanted.get("costVaries"):
        yield "cost of evaluation", got.cost == wanted.get("cost"), shown
    quick = quick_answer(stored, device) if got.cost is not None else None
    if quick is not None:
        yield "quick answer", wanted["ok"] and quick == wanted.get("match"), f"got {quick}, want {wanted}"


def quick_answer(stored: Compiled, device: Device) -> bool | None:
    """What the function says that is made for many devices; None where it leaves the answer to evaluation.

    It may not be asked about devices that cannot be converted.
    """
    full_names = (name.startswith(f"{device.driver}/") for name in (*device.attributes, *device.capacity))
    if stored.derived or stored.checked is None or any(full_names):
        return None
    try:
        return plain_answer(stored.checked.ast.root, stored.constants, device.driver)(device)
    except (Doubt, KeyError, NotPlain):
        return None


def _equal(got: Any, wanted: Any) -> bool:
    """Equal as JSON: true is not 1."""
    return json.dumps(got, sort_keys=True) == json.dumps(wanted, sort_keys=True)


def kind_and_value(value: Any) -> Row:
    """Write a value of a derived attribute as the rows do."""
    many = isinstance(value, tuple)
    kinds = {_kind(item) for item in value} if many else {_kind(value)}
    kind = kinds.pop() if kinds else "string"
    return {f"{kind}s": list(value)} if many else {kind: value}


def _kind(value: Any) -> str:
    return "version" if isinstance(value, Version) else {bool: "bool", int: "int", str: "string"}[type(value)]


def judge_quantity(row: Row) -> Iterator[Point]:
    """Read a quantity."""
    try:
        quantity = Quantity.parse(row["s"])
    except ValueError as error:
        yield "quantity", not row["ok"] and str(error) == row["error"], f"refused: {error}"
        return
    got = {
        "ok": True,
        "string": str(quantity),
        "format": quantity.format,
        "sign": quantity.sign,
        "isInteger": quantity.as_int64() is not None,
        "approx": quantity.approximate(),
        "value": quantity.scaled_value(),
        "milli": quantity.scaled_value(-3),
        "decimal": Decimal(f"{quantity.unscaled}e{quantity.scale}") == Decimal(row.get("decimal", "NaN")),
    }
    wanted = {key: row.get(key) for key in got} | {"decimal": True, "approx": float(row.get("approx", "nan"))}
    yield "quantity", got == wanted, f"got {got}"


def judge_quantity_pair(row: Row) -> Iterator[Point]:
    """Compare, add and subtract two quantities."""
    a, b = Quantity.parse(row["a"]), Quantity.parse(row["b"])
    got = {"cmp": a.compare(b), "add": str(a + b), "sub": str(a - b)}
    wanted = {key: row[key] for key in got}
    yield "pair of quantities", got == wanted and (a == b) == (row["cmp"] == 0), f"got {got}"


def judge_version(row: Row) -> Iterator[Point]:
    """Read a version."""
    try:
        version = Semver.parse(row["s"], normalize=row.get("normalize", False))
    except ValueError as error:
        yield "version", not row["ok"] and str(error) == row["error"], f"refused: {error}"
        return
    got = {"major": version.major, "minor": version.minor, "patch": version.patch, "canonical": str(version)}
    yield "version", row["ok"] and got == {key: row[key] for key in got}, f"got {got}"


def judge_version_pair(row: Row) -> Iterator[Point]:
    """Compare two versions."""
    try:
        a, b = Semver.parse(row["a"]), Semver.parse(row["b"])
    except ValueError as error:
        yield "pair of versions", not row["ok"], f"refused: {error}"
        return
    got = {"ok": True, "cmp": a.compare(b), "equal": a == b}
    yield "pair of versions", got == {key: row.get(key) for key in got}, f"got {got}"


_JUDGES = {
    "quantity": judge_quantity,
    "quantity-compare": judge_quantity_pair,
    "semver": judge_version,
    "semver-compare": judge_version_pair,
}


def judge(name: str, row: Row, known: dict[str, Device]) -> Iterable[Point]:
    """Judge a row of a file; a crash is a disagreement in one point."""
    try:
        yield from _JUDGES[name](row) if name in _JUDGES else judge_expression(row, known)
    except Exception as error:  # noqa: BLE001  whatever it is, it must be counted and shown
        yield "crash", False, f"{type(error).__name__}: {error}"
