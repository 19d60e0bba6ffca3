"""Plain data of a document as ``sigs.k8s.io/yaml`` gives it: go.yaml.in/yaml v2.4.4, then JSON.

Source: ``decode.go`` (mapping, merge, setMapIndex) and ``yaml.go`` (convertToJSONableObject).
"""

from __future__ import annotations

from dralign.record import Record
from dralign.yamlio.aliasing import Budget
from dralign.yamlio.faults import DocumentError
from dralign.yamlio.keys import key_text
from dralign.yamlio.scalars import TAG_PREFIX, convert, resolve_v2
from dralign.yamlio.timestamps import ScalarError
from dralign.yamlio.trampoline import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.yamlio.nodes import Node
    from dralign.yamlio.trampoline import Task

    Path = tuple["Path", str | int] | None

_WANT_MAPS = "a merge (<<) takes a map, or a list of maps"


class Doubled(Record):
    """A key that stands twice in one map: its name, the map's path, the two nodes, and whether strict decoding sees it.

    Strict decoding compares keys before they become strings: ``1`` and ``"1"`` pass, and either of them may win.
    """

    key: str
    path: Path
    first: Node
    second: Node
    strict: bool


class _Entry:
    """One entry of a map: its key as JSON has it, its value, and where the key stands."""

    __slots__ = ("key", "text", "value")

    def __init__(self, text: str | None, value: Any, key: Node) -> None:
        self.text = text
        self.value = value
        self.key = key


class _Unwritable:
    """Stands for a value that JSON cannot hold. It is an error only if nothing overrides it."""

    def __init__(self, message: str, node: Node) -> None:
        self.error = DocumentError(message, node)


class SigsDecoder:
    """Decodes one document; ``doubled`` lists the keys that stand twice."""

    def __init__(self) -> None:
        self.doubled: list[Doubled] = []
        self._budget = Budget()
        self._open: set[Node] = set()
        self._done: dict[Node, tuple[Any, int]] = {}
        self._maps: dict[Node, dict[tuple[str, Any], _Entry]] = {}
        self._unwritable = False

    def decode(self, root: Node) -> Any:
        """Return the plain data.

        Raises:
            DocumentError: the reader refuses the document.
        """
        first = root.entries[0][0] if root.kind == "map" and root.style == "block" else root
        if first.start == root.start and first.style == "flow" and not (first.entries or first.items):
            # go-yaml v2 takes "[]: 1" for the empty list alone, and the rest of the document is lost
            root = first
        value = run(self._value(root, None))
        if self._unwritable:
            _refuse_unwritable(value)
        return value

    def _value(self, node: Node, path: Path) -> Task:
        kind = node.kind
        if kind == "scalar":
            return self._scalar_value(node)
        if kind == "alias":
            return (yield self._alias(node, path))
        steps = self._budget.steps
        self._budget.spend(node)
        self._open.add(node)
        value = yield (self._map_value(node, path) if kind == "map" else self._items(node, path))
        self._open.discard(node)
        if node.anchor is not None:
            self._done[node] = value, self._budget.steps - steps
        return value

    def _alias(self, node: Node, path: Path) -> Task:
        """Value of an alias; what its anchor stands for was decoded before, and is only counted again."""
        self._budget.spend(node)
        target = node.referent
        if target in self._open:
            raise DocumentError(f"anchor '{node.value}' contains itself", node)
        self._budget.depth += 1
        if target in self._done:
            value, steps = self._done[target]
            self._budget.spend(node, steps)
        else:
            value = yield self._value(target, path)
        self._budget.depth -= 1
        return value

    def _items(self, node: Node, path: Path) -> Task:
        items = []
        for index, item in enumerate(node.items):
            if item.kind == "scalar":
                items.append(self._scalar_value(item))
            else:
                items.append((yield self._value(item, (path, index))))
        return items

    def _map_value(self, node: Node, path: Path) -> Task:
        entries = yield self._entries(node, path)
        result: dict[str, Any] = {}
        seen: dict[str, Node] = {}
        for entry in entries.values():
            if entry.text is None:
                self._unwritable = True
                return _Unwritable(
                    f"key '{entry.key.value}' is neither text nor a number that fits: quote it", entry.key
                )
            if entry.text in seen:
                self.doubled.append(Doubled(entry.text, path, seen[entry.text], entry.key, strict=False))
            seen[entry.text] = entry.key
            result[entry.text] = entry.value
        return result

    def _entries(self, node: Node, path: Path) -> Task:
        """Entries by key as Go compares keys: 1, 1.0, true and "1" are four."""
        entries: dict[tuple[str, Any], _Entry] = {}
        for key, value in node.entries:
            if _is_merge(key):
                for source in _merged_maps(value):
                    yield self._merge(entries, source, key, path)
                continue
            kind, content = yield self._key(key, path)
            text = key_text(kind, content)
            identity = ("str" if kind in ("tagged", "timestamp") else kind), content
            child = (path, text or key.value)
            found = self._scalar_value(value) if value.kind == "scalar" else (yield self._value(value, child))
            self._set(entries, identity, _Entry(text, found, key), path)
        if node.anchor is not None:
            self._maps[node] = entries
        return entries

    def _merge(self, entries: dict[tuple[str, Any], _Entry], source: Node, key: Node, path: Path) -> Task:
        """Set the entries of another map; unlike YAML says, they win over those that stand before."""
        target = source.referent
        if target.anchor is None:
            self._budget.spend(target)
            merged = yield self._entries(target, path)
        else:
            yield self._value(source, path)
            merged = self._maps[target]
        for identity, entry in merged.items():
            self._set(entries, identity, _Entry(entry.text, entry.value, key), path)

    def _set(
        self, entries: dict[tuple[str, Any], _Entry], identity: tuple[str, Any], entry: _Entry, path: Path
    ) -> None:
        before = entries.get(identity)
        if before is not None:
            self.doubled.append(Doubled(entry.text or entry.key.value, path, before.key, entry.key, strict=True))
        entries[identity] = entry

    def _key(self, node: Node, path: Path) -> Task:
        """Kind and value of a key."""
        if node.kind != "scalar":
            yield self._value(node, path)
        target = node.referent
        if target.kind != "scalar":
            raise DocumentError("a map or a list cannot be a key", node)
        if node.kind == "scalar":
            self._budget.spend(node)
        return _scalar(target)

    def _scalar_value(self, node: Node) -> Any:
        self._budget.spend(node)
        kind, value = _scalar(node)
        if node.anchor is not None:
            self._done[node] = value, 1
        if kind == "float" and value - value != 0:
            self._unwritable = True
            return _Unwritable(f"'{node.value}' cannot be written as JSON", node)
        return value


def _scalar(node: Node) -> tuple[str, Any]:
    if node.tag is None:
        return ("str", node.value) if node.style else resolve_v2(node.value)
    try:
        return convert(node.tag, node.value, resolve_v2)
    except ScalarError as error:
        raise DocumentError(str(error), node) from error


def _is_merge(key: Node) -> bool:
    """Whether an entry's key is the merge key: ``<<`` without quotes or with the tag of merges."""
    if key.kind != "scalar" or key.value != "<<":
        return False
    return key.tag == "!" or (not key.style if key.tag is None else key.tag == TAG_PREFIX + "merge")


def _merged_maps(value: Node) -> list[Node]:
    """Return the maps to merge in the order they are set: the last of a list first, so that the first wins."""
    sources = value.items[::-1] if value.kind == "seq" else [value]
    for source in sources:
        if source.referent.kind != "map":
            raise DocumentError(_WANT_MAPS, source)
    return sources


def _refuse_unwritable(value: Any) -> None:
    pending = [value]
    seen: set[int] = set()
    while pending:
        found = pending.pop()
        if isinstance(found, _Unwritable):
            raise found.error
        if isinstance(found, (dict, list)) and id(found) not in seen:
            seen.add(id(found))
            pending.extend(found.values() if isinstance(found, dict) else found)
