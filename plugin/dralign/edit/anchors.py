"""Anchors of what was edited or taken out: they move, with the old content, to the first alias that is left.

An edit must not change what other places read. So a node that changes may not keep an anchor that other places refer to;
the first of them takes over the anchor and the content as it was, the others go on referring to it.
"""

from __future__ import annotations

from dralign.edit.draft import Draft, New

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.edit.draft import Slot
    from dralign.edit.drafting import Drafting
    from dralign.yamlio import Node

_NOWHERE = object()


def move_anchors(drafting: Drafting) -> set[int]:
    """Write out, with the anchor, each first alias of a node that is no longer what it was.

    Returns:
        ``id`` of the nodes that lose their anchor so.
    """
    intact: set[int] = set()
    aliases: list[Node] = []
    _survey(drafting.root, intact, aliases)
    moved: set[int] = set()
    for alias in aliases:
        target = alias.target
        if target is not None and id(target) not in intact and id(target) not in moved:
            moved.add(id(target))
            _write_out(drafting, alias, target)
    return moved


def _survey(root: Slot, intact: set[int], aliases: list[Node]) -> None:
    """Collect, in the order of the text, the anchored nodes that stay what they are and the aliases that stay."""
    rest: list[Node | Draft | New] = [root.value]
    while rest:
        value = rest.pop()
        if isinstance(value, New):
            continue
        if isinstance(value, Draft):
            if value.node.anchor and not value.changed:
                intact.add(id(value.node))
            for slot in reversed(value.slots):
                rest.append(slot.value)
                if slot.key is not None and slot.new_key is None:
                    rest.append(slot.key)
            continue
        if value.anchor:
            intact.add(id(value))
        if value.kind == "alias":
            aliases.append(value)
        rest.extend(reversed(value.items))
        rest.extend(node for pair in reversed(value.entries) for node in reversed(pair))


def _write_out(drafting: Drafting, alias: Node, target: Node) -> None:
    """Put what an alias reads as, with the anchor, in its place, which is somewhere below the root."""
    slot = drafting.root
    before: Any = drafting.original
    while slot.value is not alias and slot.key is not alias:
        if not isinstance(slot.value, Draft):
            slot.value = Draft(slot.value, drafting.reader)  # type: ignore[arg-type]  # new data holds no alias
        draft = slot.value
        slot = next(inner for inner in draft.slots if _holds(inner, alias))
        before = _below(before, draft, slot)
    if slot.key is alias:
        slot.new_key = New(drafting.reader.resolve(target), target.anchor)
    else:
        data = drafting.reader.resolve(target) if before is _NOWHERE else before
        slot.value = New(data, target.anchor, target)


def _below(data: Any, draft: Draft, slot: Slot) -> Any:
    """Return what was read at a slot before all edits, if that is sure to be what stands there.

    In kyaml's eyes an alias to an empty value can be something else than that value.
    """
    if slot.key is None:
        return data[slot.origin] if isinstance(data, list) else _NOWHERE
    is_read = draft.child(slot.name or "") is slot and slot.new_key is None and not draft.merges()
    return data.get(slot.name, _NOWHERE) if is_read and isinstance(data, dict) else _NOWHERE


def _holds(slot: Slot, alias: Node) -> bool:
    if slot.key is alias:
        return True
    value = slot.value.node if isinstance(slot.value, Draft) else slot.value
    return not isinstance(value, New) and value.prefix_start <= alias.start < value.end
