"""Reading one document: as plain data, or as nodes."""

from __future__ import annotations

import gc

from dralign.errors import InputError
from dralign.record import Record
from dralign.yamlio.builder import Unusual, build
from dralign.yamlio.cparser import libyaml
from dralign.yamlio.dialects import JSON, KYAML, KYAML_NODE, prepared
from dralign.yamlio.memo import V2, V3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.yamlio.faults import DocumentError
    from dralign.yamlio.nodes import Node
    from dralign.yamlio.sigs import Doubled

_V3 = (KYAML, KYAML_NODE)
_TEMPLATE = "; '{{ }}' is a Helm template: check what 'helm template' makes of it, not the chart's source"


class Duplicate(Record):
    """A key that stands twice in one map.

    Attributes:
        key: the key, as the reader understands it.
        path: field path of it, like ``spec.containers[0].image``.
        steps: the same as keys and indices.
        line, column: of the second one, 1-based, in the file.
        first_line: of the first one.
        strict: whether Kubernetes' strict decoding refuses it. It lets ``1`` and ``"1"`` pass, of which either may win.
    """

    key: str
    path: str
    steps: tuple[str | int, ...]
    line: int
    column: int
    first_line: int
    strict: bool


class Loaded(Record):
    """Plain data of a document (dict with str keys, list, str, int, float, bool, None), and keys that stand twice."""

    value: Any
    duplicates: tuple[Duplicate, ...] = ()


def load(text: str, dialect: str, file: str, line: int = 1) -> Loaded:
    """Return the plain data of one document, the first of the text.

    Args:
        text: the document, with the ``---`` line it begins with.
        dialect: whose rules it is read by.
        file: name for errors.
        line: 1-based line of the text in that file.

    Raises:
        InputError: the reader refuses the document.
        UsageError: PyYAML is missing, or has no libyaml.
    """
    if dialect == JSON:
        from dralign.yamlio.jsonvalues import load_json  # noqa: PLC0415  JSON streams are rare

        return Loaded(load_json(text, file, line))
    was_on = gc.isenabled()
    gc.disable()
    try:
        return Loaded(_fast(text, dialect, line))
    except Unusual:
        return _thorough(text, dialect, file, line)
    finally:
        if was_on:
            gc.enable()


def compose(text: str, dialect: str, file: str, line: int = 1) -> Node:
    """Return the root node of the same document; offsets are those of the text given.

    A text without a document gives an empty plain scalar that ends at 0. Arguments and errors are those of ``load``.
    """
    if dialect == JSON:
        from dralign.yamlio.jsonvalues import compose_json  # noqa: PLC0415  JSON streams are rare

        return compose_json(text, file, line)
    from dralign.yamlio.faults import DocumentError  # noqa: PLC0415  not on the fast path
    from dralign.yamlio.reading import read_nodes  # noqa: PLC0415  likewise

    try:
        return read_nodes(text, dialect, line)
    except DocumentError as error:
        raise _input_error(error, text, file, line) from error


def resolve(node: Node, dialect: str) -> Any:
    """Return the plain data of a node: what ``load`` gives for the document it is the root of.

    Raises:
        InputError: the reader refuses it.
    """
    from dralign.yamlio.faults import DocumentError  # noqa: PLC0415  not on the fast path

    try:
        return _values(node, dialect)[0]
    except DocumentError as error:
        raise _input_error(error, "", None, 1) from error


def _fast(text: str, dialect: str, line: int) -> Any:
    if "\\/" in text or ("\r" in text and "\r\r\n" in text) or (not text.isascii() and "\ufeff" in text):
        raise Unusual
    v3 = dialect in _V3
    if v3 and ("<<" in text or "\t" in text or "|+" in text):
        raise Unusual
    api = libyaml()
    try:
        value = build(prepared(text, dialect, line), api, V3 if v3 else V2)
    except (api.YAMLError, UnicodeEncodeError) as error:
        raise Unusual from error
    if v3 and not isinstance(value, (dict, list)):
        raise Unusual
    return value


def _thorough(text: str, dialect: str, file: str, line: int) -> Loaded:
    from dralign.yamlio.faults import DocumentError  # noqa: PLC0415  not on the fast path
    from dralign.yamlio.reading import read_nodes  # noqa: PLC0415  likewise

    try:
        value, doubled = _values(read_nodes(text, dialect, line), dialect)
    except DocumentError as error:
        raise _input_error(error, text, file, line) from error
    return Loaded(value, tuple(_duplicate(double, line) for double in doubled))


def _values(root: Node, dialect: str) -> tuple[Any, list[Doubled]]:
    if dialect == JSON:
        from dralign.yamlio.jsonnodes import node_value  # noqa: PLC0415  JSON streams are rare

        return node_value(root), []
    if dialect in _V3:
        from dralign.yamlio.kio import is_null, write_out  # noqa: PLC0415  not on the fast path
        from dralign.yamlio.kyaml import KyamlDecoder  # noqa: PLC0415  likewise

        if dialect == KYAML:
            return (None if is_null(root) else KyamlDecoder().decode(write_out(root))), []
        return KyamlDecoder().decode(root), []
    from dralign.yamlio.sigs import SigsDecoder  # noqa: PLC0415  not on the fast path

    decoder = SigsDecoder()
    return decoder.decode(root), decoder.doubled


def _duplicate(double: Doubled, line: int) -> Duplicate:
    place = double.second
    chain = (double.path, double.key)
    return Duplicate(
        double.key,
        field_path(chain),
        field_steps(chain),
        line + place.line,
        place.column + 1,
        line + double.first.line,
        double.strict,
    )


def field_path(path: Any) -> str:
    """Print a chain of (chain before, key or index) as ``spec.containers[0].image``."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in field_steps(path))
    return "".join(parts).removeprefix(".")


def field_steps(path: Any) -> tuple[str | int, ...]:
    """Return a chain of (chain before, key or index) as a tuple."""
    steps: list[str | int] = []
    while path is not None:
        path, step = path
        steps.append(step)
    return tuple(reversed(steps))


def _input_error(error: DocumentError, text: str, file: str | None, line: int) -> InputError:
    message = error.message
    if error.first is not None:
        message = f"{message} (first on line {line + error.first.line})"
    lines = text.split("\n")
    around = (error.place.line, error.place.line - 1, error.first.line if error.first else 0)
    if any("{{" in lines[at] for at in around if 0 <= at < len(lines)):
        message += _TEMPLATE
    return InputError(message, file, line + error.place.line, error.place.column + 1)
