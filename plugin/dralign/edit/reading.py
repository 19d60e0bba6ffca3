"""How the reader in question understands nodes: values, keys, merges."""

from __future__ import annotations

from dralign.edit.scalars import is_plain
from dralign.yamlio import KYAML, KYAML_NODE, Node, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_MERGE_TAGS = ("tag:yaml.org,2002:merge", "!!merge", "!")


class _Nowhere:
    """Mark of a node that stands in no text."""

    index = line = column = 0


_NULL = Node("scalar", _Nowhere)


class Reader:
    """Answers for the nodes of one text.

    Attributes:
        own_keys_win: whether a mapping's own keys win over merged ones wherever they stand. With go-yaml v2 the later
            one does.
    """

    def __init__(self, text: str, dialect: str) -> None:
        self.text = text
        self.dialect = dialect
        self.own_keys_win = dialect in (KYAML, KYAML_NODE)

    def resolve(self, node: Node) -> Any:
        """Return the plain data of a node, which kyaml would not take as a whole document if it is a scalar."""
        alone = Node("seq", _Nowhere)
        alone.items.append(node)
        return resolve(alone, self.dialect)[0]

    def key(self, node: Node) -> str | None:
        """Return a key as data; readers turn ``1e3`` or ``on`` into other strings, or drop a null key (None)."""
        if node.kind == "scalar" and node.tag is None and (node.style or is_plain(node.value, flow=False)):
            return node.value
        pair = Node("map", _Nowhere)
        pair.entries.append((node, _NULL))
        return next(iter(resolve(pair, self.dialect)), None)

    def is_merge(self, key: Node) -> bool:
        """Whether a key is ``<<``, which brings the entries of other mappings."""
        return key.value == "<<" and key.kind == "scalar" and (key.tag in _MERGE_TAGS if key.tag else not key.style)

    def merged_names(self, value: Node) -> Iterator[str]:
        """Yield the keys that the value of a merge key brings."""
        source = value.target or value
        if source.kind == "map":
            for key, inner in source.entries:
                if self.is_merge(key):
                    yield from self.merged_names(inner)
                else:
                    yield self.key(key) or ""
        for item in source.items:
            yield from self.merged_names(item)

    def is_bare_pair(self, node: Node) -> bool:
        """Whether a node is the mapping without braces in ``[key: value]``."""
        return node.kind == "map" and node.style == "flow" and self.text[node.start] != "{"


def last_scalar(node: Node) -> Node:
    """Return what a node ends with: a scalar, an alias or an empty collection."""
    while node.items or node.entries:
        node = node.items[-1] if node.items else node.entries[-1][1]
    return node
