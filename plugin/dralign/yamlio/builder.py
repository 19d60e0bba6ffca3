"""The fast way from events to plain data, for documents without anything unusual in them."""

from __future__ import annotations

from dralign.record import Record
from dralign.yamlio.limits import MAX_NESTING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


class Unusual(Exception):  # noqa: N818  no error: it sends the document to the thorough way
    """The document holds something that only the thorough way handles: an anchor, a tag, a merge, a doubled key."""


class Rules(Record):
    """How a reader takes scalars.

    Attributes:
        values: plain scalar -> value.
        keys: plain scalar -> key.
        odd_style: style of scalars that is left to the thorough way, or ``-`` for none.
        whole: whether a text with anything behind the document is left to it too.
    """

    values: Mapping[str, Any]
    keys: Mapping[str, str]
    odd_style: str
    whole: bool


_KEY_NEXT = object()


def build(text: str, api: Any, rules: Rules) -> Any:
    """Return the plain data of the first document of a text; None where there is none.

    Args:
        text: the text.
        api: the C module, with the parser and its event classes.
        rules: the reader's.

    Raises:
        Unusual: nothing is wrong, but this way is too simple for the document.
    """
    get_event = api.CParser(text).get_event
    get_event()
    event = get_event()
    if event.__class__ is api.StreamEndEvent:
        return None
    if event.version is not None:
        raise Unusual
    value = _document(get_event, api, rules, careful="&" in text or "!" in text)
    if rules.whole and get_event().__class__ is not api.StreamEndEvent:
        raise Unusual
    return value


def _document(get_event: Callable[[], Any], api: Any, rules: Rules, *, careful: bool) -> Any:  # noqa: PLR0912  one hot loop
    scalar, mapping, sequence = api.ScalarEvent, api.MappingStartEvent, api.SequenceStartEvent
    mapping_end, sequence_end, document_end = api.MappingEndEvent, api.SequenceEndEvent, api.DocumentEndEvent
    values, keys, odd_style = rules.values, rules.keys, rules.odd_style
    top: list[Any] = []
    container: Any = top
    key: Any = None
    parents: list[tuple[Any, Any]] = []
    while True:
        event = get_event()
        what = event.__class__
        if what is scalar:
            if careful and (event.anchor is not None or event.tag is not None):
                raise Unusual
            value = event.value
            style = event.style
            if style == odd_style:
                raise Unusual
            if key is _KEY_NEXT:
                key = value if style else keys[value]
                if key in container:
                    raise Unusual
                continue
            if not style:
                value = values[value]
        elif what is mapping or what is sequence:
            if key is _KEY_NEXT or (careful and (event.anchor is not None or event.tag is not None)):
                raise Unusual
            if len(parents) >= MAX_NESTING:
                raise Unusual
            parents.append((container, key))
            container, key = ({}, _KEY_NEXT) if what is mapping else ([], None)
            continue
        elif what is mapping_end or what is sequence_end:
            value = container
            container, key = parents.pop()
        elif what is document_end:
            return top[0]
        else:
            raise Unusual
        if key is None:
            container.append(value)
        else:
            container[key] = value
            key = _KEY_NEXT
