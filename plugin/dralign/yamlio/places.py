"""Where a value stands in a document's text, without making nodes of the whole document."""

from __future__ import annotations

from dralign.yamlio.cparser import libyaml
from dralign.yamlio.dialects import JSON, KYAML, KYAML_NODE, prepared
from dralign.yamlio.memo import KEYS_V2, KEYS_V3
from dralign.yamlio.outline import OTHER_BREAKS, place_by_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any


ANY_LINE = 2
"""Whether a separator starts the stream makes no difference to places, only to what may stand behind it."""


def place(text: str, path: Iterable[str | int], dialect: str, data: Any) -> tuple[int, int] | None:
    """Return line and column, from 0, of what stands at ``path`` in a document that was read as ``data``.

    An entry of a map stands where its key does; what does not exist, where its nearest ancestor that does. None where
    aliases, merges or odd spellings are on the way: then only the nodes of the document can tell.
    """
    if dialect == JSON:
        return None
    return place_by_lines(text, data, path) or place_by_events(text, path, dialect)


def place_by_events(text: str, path: Iterable[str | int], dialect: str) -> tuple[int, int] | None:
    """Return the same of any YAML document, told by its events; None where libyaml would count lines that are none."""
    if not text.isascii() and any(mark in text for mark in OTHER_BREAKS):
        return None
    api = libyaml()
    keys = KEYS_V3 if dialect in (KYAML, KYAML_NODE) else KEYS_V2
    try:
        return _follow(api.CParser(prepared(text, dialect, ANY_LINE)).get_event, api, path, keys)
    except api.YAMLError:
        return None


def _follow(
    get: Callable[[], Any], api: Any, path: Iterable[str | int], keys: Mapping[str, str]
) -> tuple[int, int] | None:
    get()
    if get().__class__ is api.StreamEndEvent:
        return 0, 0
    event = get()
    shown = event
    for step in path:
        if event.__class__ is api.MappingStartEvent and isinstance(step, str):
            found = _entry(get, api, step, keys)
        elif event.__class__ is api.SequenceStartEvent and isinstance(step, int):
            found = _item(get, api, step)
        elif event.__class__ is api.AliasEvent:
            return None
        else:
            break
        if found is None:
            return None
        if not found:
            break
        shown, event = found
    return shown.start_mark.line, shown.start_mark.column


def _entry(get: Callable[[], Any], api: Any, name: str, keys: Mapping[str, str]) -> tuple[Any, ...] | None:
    """Return the key and value events of an entry, () if there is none, None if only nodes can tell."""
    while True:
        key = get()
        if key.__class__ is api.MappingEndEvent:
            return ()
        if key.__class__ is not api.ScalarEvent or (key.value == "<<" and not key.style):
            return None
        value = get()
        if (key.value if key.style else keys[key.value]) == name:
            return key, value
        _skip(value, get, api)


def _item(get: Callable[[], Any], api: Any, index: int) -> tuple[Any, ...]:
    """Return the event of an item, twice, or () if the sequence ends before it."""
    for _ in range(index):
        item = get()
        if item.__class__ is api.SequenceEndEvent:
            return ()
        _skip(item, get, api)
    item = get()
    return () if item.__class__ is api.SequenceEndEvent else (item, item)


def _skip(event: Any, get: Callable[[], Any], api: Any) -> None:
    """Read on to the end of a value that began with ``event``."""
    opening, closing = (api.MappingStartEvent, api.SequenceStartEvent), (api.MappingEndEvent, api.SequenceEndEvent)
    depth = 1 if event.__class__ in opening else 0
    while depth:
        what = get().__class__
        if what in opening:
            depth += 1
        elif what in closing:
            depth -= 1


def item_starts(text: str, key: str, dialect: str) -> list[tuple[int, int, int]]:
    """Return offset, line and column, from 0, of every item of the sequence at ``key`` of the root; [] if there is none.

    One pass over a long list, so that a place inside an item can be found in the item's own text.
    """
    if dialect == JSON:
        return []
    api = libyaml()
    keys = KEYS_V3 if dialect in (KYAML, KYAML_NODE) else KEYS_V2
    starts: list[tuple[int, int, int]] = []
    try:
        get = api.CParser(prepared(text, dialect, ANY_LINE)).get_event
        get()
        get()
        found = _entry(get, api, key, keys) if get().__class__ is api.MappingStartEvent else None
        if not found or found[1].__class__ is not api.SequenceStartEvent:
            return []
        while (event := get()).__class__ is not api.SequenceEndEvent:
            mark = event.start_mark
            starts.append((mark.index, mark.line, mark.column))
            _skip(event, get, api)
    except api.YAMLError:
        return []
    return starts
