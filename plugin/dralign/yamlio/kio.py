"""Aliases and merges written out as kustomize does before anything else.

Source: ``RNode.DeAnchor`` of sigs.k8s.io/kustomize/kyaml v0.21.1 (``deAnchor``, ``removeMergeTags``, ``mergeAll``). It
works on copies: what an anchor stands for is written out only where an alias asks for it, and a merge takes it as it is
at that moment. Every map goes through it, which doubles a null key and drops an entry whose key is a quoted ``<<``.
"""

from __future__ import annotations

from dralign.yamlio.aliasing import Budget
from dralign.yamlio.faults import DocumentError
from dralign.yamlio.kyaml import WANT_MAPS
from dralign.yamlio.scalars import resolve_v3
from dralign.yamlio.timestamps import ScalarError
from dralign.yamlio.trampoline import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.yamlio.nodes import Node
    from dralign.yamlio.trampoline import Task

    Entry = tuple[Node, Node]


def write_out(root: Node) -> Node:
    """Return the document without aliases; what an anchor stands for is one node in all its places.

    Raises:
        DocumentError: kustomize refuses the document, or would not come to an end.
    """
    writer = _Writer()
    node: Node = run(writer.node(root))
    return node


class _Writer:
    def __init__(self) -> None:
        self._targets: dict[Node, Node] = {}
        self._open: set[Node] = set()
        self._sources: list[Node] = []
        self._budget = Budget()

    def node(self, node: Node) -> Task:
        if node.kind == "scalar":
            return node
        if node.kind == "alias":
            return (yield self._target(node))
        self._budget.spend(node, 1 + len(node.items) + 2 * len(node.entries))
        copy = node.copy()
        if node.kind == "seq":
            for item in node.items:
                copy.items.append((yield self.node(item)))
            return copy
        entries, sources = self._merged(node)
        self._sources.extend(sources)
        for key, value in entries:
            copy.entries.append(((yield self.node(key)), (yield self.node(value))))
        if sources:
            del self._sources[-len(sources) :]
        return copy

    def _target(self, alias: Node) -> Task:
        target = alias.referent
        if target in self._open:
            raise DocumentError(f"anchor '{alias.value}' contains itself", alias)
        if target not in self._targets:
            self._open.add(target)
            self._targets[target] = yield self.node(target)
            self._open.discard(target)
        return self._targets[target]

    def _merged(self, node: Node) -> tuple[list[Entry], list[Node]]:
        """Entries of a map after its merge, and the raw maps that were merged."""
        sources = [self._source(node, alias) for alias in _merge_sources(_merge_value(node))]
        own = _without_merge(node.entries)
        entries = list(own)
        places: dict[str, int] = {}
        for at, (key, _) in enumerate(entries):
            places.setdefault(key.value, at)
        self._budget.depth += 1
        self._budget.spend(node, 2 * sum(len(source.entries) for source in sources))
        self._budget.depth -= 1
        for source in [*sources, None]:
            for entry in _by_name(own if source is None or source is node else source.entries):
                _set(entries, places, entry)
        return entries, [source for source in sources if source is not node]

    def _source(self, node: Node, source: Node) -> Node:
        if source.kind != "alias":
            return source
        target = source.referent
        if target.kind != "map":
            raise DocumentError(WANT_MAPS, source)
        if target in self._sources or (target in self._open and target is not node):
            raise DocumentError(f"anchor '{source.value}' contains itself", source)
        return self._targets.get(target, target)


def _set(entries: list[Entry], places: dict[str, int], entry: Entry) -> None:
    name = "" if is_null(entry[0]) else entry[0].value
    at = places.get(name)
    if at is None:
        places.setdefault(entry[0].value, len(entries))
        entries.append(entry)
        return
    entries[at] = entry
    if entry[0].value != name:
        # the place now answers to the spelling of the null key
        del places[name]
        places.setdefault(entry[0].value, at)


def _by_name(entries: list[Entry]) -> list[Entry]:
    """Return, for each entry, the first one of its name."""
    first: dict[str, Entry] = {}
    for entry in entries:
        first.setdefault(entry[0].value, entry)
    return [first[key.value] for key, _ in entries]


def is_null(node: Node) -> bool:
    """Whether a node is null to kyaml: by its tag, whatever its text, or as a plain scalar without one."""
    if node.tag not in (None, "!"):
        return node.tag in ("tag:yaml.org,2002:null", "!!null")
    if node.kind != "scalar" or node.style:
        return False
    try:
        return resolve_v3(node.value)[0] == "null"
    except ScalarError:
        return False


def _is_merge(key: Node) -> bool:
    if key.tag not in (None, "!"):
        return key.tag in ("tag:yaml.org,2002:merge", "!!merge")
    return key.kind == "scalar" and not key.style and key.value == "<<"


def _merge_value(node: Node) -> Node | None:
    found: Entry | None = None
    for key, value in node.entries:
        if _is_merge(key):
            if found is not None:
                raise DocumentError("key '<<' stands twice in this map", key, found[0])
            found = key, value
    return found[1] if found else None


def _merge_sources(value: Node | None) -> list[Node]:
    """Return the maps of a merge in the order they are set: the last of a list first."""
    if value is None:
        return []
    sources = value.items[::-1] if value.kind == "seq" else [value]
    for source in sources:
        if source.kind not in ("map", "alias"):
            raise DocumentError(WANT_MAPS, source)
    return sources


def _without_merge(entries: list[Entry]) -> list[Entry]:
    at = next((at for at, (key, _) in enumerate(entries) if key.value == "<<"), None)
    return entries if at is None else entries[:at] + entries[at + 1 :]
