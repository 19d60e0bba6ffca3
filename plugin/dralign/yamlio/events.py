"""The events that libyaml's parser makes, with no more in them than is read here.

Stands in for ``yaml.events`` (see ``cparser``): names and order of the arguments are PyYAML's. A document makes hundreds of
events, and each takes a third less time than one that keeps all it is given in a dictionary. Where the real package was
imported first, its events serve as well.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HOME = "yaml.events"
"""The classes say that they live there, so that a later ``import yaml`` finds the real ones to put in their place."""


class Event:
    """Anything that the parser meets, from ``start_mark`` to ``end_mark``."""

    __module__ = _HOME
    __slots__ = ("end_mark", "start_mark")

    def __init__(self, start_mark: Any, end_mark: Any, _: Any = None) -> None:
        self.start_mark = start_mark
        self.end_mark = end_mark


class StreamStartEvent(Event):
    """The first event of a text."""

    __module__ = _HOME
    __slots__ = ()


class StreamEndEvent(Event):
    """The last event of a text."""

    __module__ = _HOME
    __slots__ = ()


class DocumentStartEvent(Event):
    """A document begins; ``version`` is that of its ``%YAML`` directive, or None."""

    __module__ = _HOME
    __slots__ = ("version",)

    def __init__(self, start_mark: Any, end_mark: Any, _explicit: Any, version: Any, _tags: Any) -> None:
        super().__init__(start_mark, end_mark)
        self.version = version


class DocumentEndEvent(Event):
    """A document ends."""

    __module__ = _HOME
    __slots__ = ()


class AliasEvent(Event):
    """An alias; ``anchor`` is its name."""

    __module__ = _HOME
    __slots__ = ("anchor",)

    def __init__(self, anchor: str, start_mark: Any, end_mark: Any) -> None:
        super().__init__(start_mark, end_mark)
        self.anchor = anchor


class ScalarEvent:
    """A scalar with its anchor and tag, None where it has none; ``style`` is its quote, or empty."""

    __module__ = _HOME
    __slots__ = ("anchor", "end_mark", "start_mark", "style", "tag", "value")

    def __init__(
        self, anchor: Any, tag: Any, _implicit: Any, value: str, start_mark: Any, end_mark: Any, style: Any
    ) -> None:
        self.anchor = anchor
        self.tag = tag
        self.value = value
        self.start_mark = start_mark
        self.end_mark = end_mark
        self.style = style


class CollectionStartEvent:
    """A map or list begins; anchor and tag as for scalars."""

    __module__ = _HOME
    __slots__ = ("anchor", "end_mark", "flow_style", "start_mark", "tag")

    def __init__(self, anchor: Any, tag: Any, _implicit: Any, start_mark: Any, end_mark: Any, flow_style: Any) -> None:
        self.anchor = anchor
        self.tag = tag
        self.start_mark = start_mark
        self.end_mark = end_mark
        self.flow_style = flow_style


class MappingStartEvent(CollectionStartEvent):
    """A map begins."""

    __module__ = _HOME
    __slots__ = ()


class SequenceStartEvent(CollectionStartEvent):
    """A list begins."""

    __module__ = _HOME
    __slots__ = ()


class MappingEndEvent(Event):
    """A map ends."""

    __module__ = _HOME
    __slots__ = ()


class SequenceEndEvent(Event):
    """A list ends."""

    __module__ = _HOME
    __slots__ = ()
