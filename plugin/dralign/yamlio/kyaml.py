"""Plain data of a document as kyaml's ``MarshalJSON`` gives it: go.yaml.in/yaml v3.0.4, written anew, read, then JSON.

Sources: ``decode.go`` (mapping, merge, isStringMap) of go-yaml v3, and ``RNode.MarshalJSON`` of kyaml v0.21.1, which
writes the document out and reads it again: what that does to scalars is in ``rewriting.py``.
"""

from __future__ import annotations

from dralign.yamlio.aliasing import Budget
from dralign.yamlio.faults import DocumentError
from dralign.yamlio.rewriting import reread
from dralign.yamlio.trampoline import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.yamlio.nodes import Node
    from dralign.yamlio.trampoline import Task

WANT_MAPS = "a merge (<<) takes a map, or a list of maps"
_KEY_OF_TEXT = "kustomize takes only strings as keys below the top level: quote this one"


class KyamlDecoder:
    """Decodes one document."""

    def __init__(self) -> None:
        self._budget = Budget()
        self._open: set[Node] = set()
        self._done: dict[tuple[Node, bool], tuple[Any, int]] = {}
        self._flow: dict[Node, bool] = {}

    def decode(self, root: Node) -> Any:
        """Return the plain data.

        Raises:
            DocumentError: the reader refuses the document.
        """
        if root.kind == "scalar":
            kind, _ = reread(root, flow=False, key=False)
            if kind != "null":
                raise DocumentError("a Kubernetes object is a map; this document is one plain value", root)
            return None
        return run(self._value(root, flow=False, top=True))

    def _value(self, node: Node, *, flow: bool, top: bool = False) -> Task:
        if node.kind == "scalar":
            return self._scalar_value(node, flow=flow)
        if node.kind == "alias":
            return (yield self._alias(node))
        flow = flow or node.style == "flow"
        known = self._done.get((node, flow))
        if known is not None:
            return self._again(node, *known)
        steps = self._budget.steps
        self._budget.spend(node)
        self._open.add(node)
        self._flow[node] = flow
        value = yield (self._map(node, flow=flow, top=top) if node.kind == "map" else self._items(node, flow=flow))
        self._open.discard(node)
        self._done[node, flow] = value, self._budget.steps - steps
        return value

    def _again(self, node: Node, value: Any, steps: int) -> Any:
        self._budget.depth += 1
        self._budget.spend(node, steps)
        self._budget.depth -= 1
        return value

    def _alias(self, node: Node) -> Task:
        self._budget.spend(node)
        target = node.referent
        if target in self._open:
            raise DocumentError(f"anchor '{node.value}' contains itself", node)
        self._budget.depth += 1
        value = yield self._value(target, flow=self._flow.get(target, False))
        self._budget.depth -= 1
        return value

    def _items(self, node: Node, *, flow: bool) -> Task:
        items = []
        for item in node.items:
            if item.kind == "scalar":
                items.append(self._scalar_value(item, flow=flow))
            else:
                items.append((yield self._value(item, flow=flow)))
        return items

    def _scalar_value(self, node: Node, *, flow: bool) -> Any:
        self._budget.spend(node)
        self._flow[node] = flow
        kind, value = reread(node, flow=flow, key=False)
        if kind == "float" and value - value != 0:
            raise DocumentError(f"'{node.value}' cannot be written as JSON", node)
        return value

    def _map(self, node: Node, *, flow: bool, top: bool) -> Task:
        _refuse_doubled(node)
        result: dict[str, Any] = {}
        merge = None
        for key, value in node.entries:
            if is_merge(key):
                merge = value
                continue
            text = self._key(key, flow=flow, top=top)
            if text is not None:
                result[text] = yield self._value(value, flow=flow)
        if merge is not None:
            merged = {_in_go(*self._identity(key, flow=flow)) for key, _ in node.entries}
            yield self._merge(result, merge, merged, flow=flow)
        return result

    def _key(self, key: Node, *, flow: bool, top: bool) -> str | None:
        """Text of a key; None where go-yaml drops the entry: a null at the top level, or in a merged map."""
        kind, value = self._identity(key, flow=flow)
        if not top and kind != "str":
            raise DocumentError(_KEY_OF_TEXT, key)
        if kind == "null":
            return None
        return str(value) if kind in ("str", "tagged") else key.referent.value

    def _identity(self, key: Node, *, flow: bool) -> tuple[str, Any]:
        self._budget.spend(key)
        target = key.referent
        if target.kind != "scalar":
            raise DocumentError("a map or a list cannot be a key", key)
        return reread(target, flow=flow, key=key is target)

    def _merge(self, result: dict[str, Any], value: Node, merged: set[tuple[str, Any]], *, flow: bool) -> Task:
        """Set what other maps have and this one has not."""
        for source in value.items if value.kind == "seq" else [value]:
            yield self._merge_map(result, source, merged, flow=flow)

    def _merge_map(self, result: dict[str, Any], source: Node, merged: set[tuple[str, Any]], *, flow: bool) -> Task:
        target = source.referent
        if target.kind != "map":
            raise DocumentError(WANT_MAPS, source)
        if target in self._open:
            raise DocumentError(f"anchor '{source.value}' contains itself", source)
        flow = self._flow.get(target, flow or target.style == "flow")
        self._budget.spend(source)
        self._budget.depth += source is not target
        _refuse_doubled(target)
        self._open.add(target)
        further = None
        for key, value in target.entries:
            if is_merge(key):
                further = value
                continue
            text = self._key(key, flow=flow, top=True)
            if text is None or ("str", text) in merged:
                continue
            merged.add(("str", text))
            result[text] = yield self._value(value, flow=flow)
        if further is not None:
            yield self._merge(result, further, merged, flow=flow)
        self._open.discard(target)
        self._budget.depth -= source is not target


def _in_go(kind: str, value: Any) -> tuple[str, Any]:
    return ("str" if kind == "tagged" else kind), value


def is_merge(key: Node) -> bool:
    """Whether a key is ``<<``, plain or with the tag of merges."""
    if key.kind != "scalar" or key.value != "<<":
        return False
    return not key.style if key.tag in (None, "!") else key.tag in ("tag:yaml.org,2002:merge", "!!merge")


def _refuse_doubled(node: Node) -> None:
    """Refuse a map with two keys of one spelling, whatever their quotes and tags."""
    seen: dict[tuple[str, str], Node] = {}
    for key, _ in node.entries:
        name = key.kind, key.value
        if name in seen:
            raise DocumentError(f"key '{key.value}' stands twice in this map", key, seen[name])
        seen[name] = key
