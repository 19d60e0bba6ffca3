"""What a scalar becomes when kyaml writes a document and reads it again.

Sources: ``encode.go`` and ``emitterc.go`` of go.yaml.in/yaml v3.0.4. Most scalars come back as they were. Not so: an
empty value in flow style or as a key is written with quotes and comes back as a string; a time with a colon in flow
style likewise; folded text gains a line break before lines that are indented deeper and behind a kept end; a kept end
gains one more before the comment that ends the document.
"""

from __future__ import annotations

from dralign.yamlio.cparser import libyaml
from dralign.yamlio.faults import DocumentError
from dralign.yamlio.scalars import convert, resolve_v3
from dralign.yamlio.timestamps import ScalarError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.yamlio.nodes import Node

_BREAKS = "\n\u2028\u2029"
_INDENT = 2


def reread(node: Node, *, flow: bool, key: bool) -> tuple[str, Any]:
    """Return kind and value of a scalar.

    Args:
        node: the scalar.
        flow: whether it stands inside brackets.
        key: whether it is the key of an entry.

    Raises:
        DocumentError: the text is not what its tag says.
    """
    value = node.value
    if node.style in (">", "|") and not flow and not key and _can_be_block(value):
        if value[0] == "\t":
            raise DocumentError("kustomize cannot write a block of text that starts with a tab: quote it", node)
        kept = _chomping(value) == "+"
        value = refold(value) if node.style == ">" else value
        if kept and node.foot:
            value += "\n"
    try:
        if node.tag not in (None, "!"):
            return convert(node.tag, value, resolve_v3)
        if node.style or (not value and (flow or key)):
            return "str", value
        kind, found = resolve_v3(value)
    except ScalarError as error:
        raise DocumentError(str(error), node) from error
    return ("str", value) if kind == "timestamp" and flow and ":" in value else (kind, found)


def _can_be_block(text: str) -> bool:
    """Whether the emitter writes a text as a block scalar, not in double quotes."""
    if not text or text.endswith(" ") or any(f" {mark}" in text for mark in _BREAKS):
        return False
    return text.isascii() or all(character <= "\ufffd" and character != "\ufeff" for character in text)


def refold(text: str) -> str:
    """Return what a folded text reads as after go-yaml v3 wrote it."""
    api = libyaml()
    parser = api.CParser(_folded(text))
    for _ in range(2):
        parser.get_event()
    value: str = parser.get_event().value
    return value


def _folded(text: str) -> str:
    """Write a text as ``yaml_emitter_write_folded_scalar`` does, without a bound on the width."""
    hints = (str(_INDENT) if text[0] == " " or text[0] in _BREAKS else "") + _chomping(text)
    first = text.lstrip(_BREAKS)[:1]
    doubles = first not in ("", " ", "\t")
    parts = [">", hints, "\n"]
    after_break = leading_space = True
    for character in text:
        if character in _BREAKS:
            if character == "\n" and doubles and not after_break and not leading_space:
                parts.append("\n")
            parts.append(character)
            after_break = True
            continue
        if after_break:
            parts.append(" " * _INDENT)
            leading_space = character in " \t"
        parts.append(character)
        after_break = False
    return "".join(parts)


def _chomping(text: str) -> str:
    if text[-1] not in _BREAKS:
        return "-"
    return "+" if len(text) == 1 or text[-2] in _BREAKS else ""
