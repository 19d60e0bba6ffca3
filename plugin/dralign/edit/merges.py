"""Merge keys (``<<``) of a mapping that is edited: its own keys must count, and what it loses must not come back.

An own key overrides a merged one, so setting a merged key adds an own one. To take a merged key out, all that the merges
bring is written out without it.
"""

from __future__ import annotations

from dralign.edit.draft import Draft, New

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.edit.reading import Reader


def is_merged(draft: Draft, name: str | int, reader: Reader) -> bool:
    """Whether the merges of a mapping bring a key, its own entries apart."""
    sources = [slot.value for slot in draft.merges() if not isinstance(slot.value, (Draft, New))]
    return any(name == merged for source in sources for merged in reader.merged_names(source))


def is_overruled(draft: Draft, name: str | int, reader: Reader) -> bool:
    """Whether a merge wins over the mapping's own entry for a key: with go-yaml v2 what stands later does."""
    own = draft.child(name) if isinstance(name, str) and not reader.own_keys_win else None
    return own is not None and draft.precedes_merge(own) and is_merged(draft, name, reader)


def write_out(draft: Draft, data: dict[str, Any], reader: Reader) -> None:
    """Put entries in the place of the merges of a mapping that is to read as ``data``."""
    for name in [name for name in data if is_overruled(draft, name, reader)]:
        slot = draft.child(name)
        if slot is not None:
            slot.value = New(data[name])
    at = draft.drop_merges()
    for name, value in data.items():
        if draft.child(name) is None:
            draft.add(name, New(value), at)
            at += 1
