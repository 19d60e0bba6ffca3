"""Edits of the input text: the text comes back with the edit in it, never dumped anew."""

from __future__ import annotations

from dralign.edit.operations import Append, EditRefused, Insert, Lift, Nest, Remove, Rename, Set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.edit.applying import apply
    from dralign.edit.data import plain
    from dralign.edit.rendering import Style, render
else:
    _HOMES = {"apply": "applying", "plain": "data", "Style": "rendering", "render": "rendering"}

    def __getattr__(name: str) -> object:
        """Import what edits text when it is asked for: most runs only name operations, or none."""
        if name not in _HOMES:
            raise AttributeError(name)
        module = __import__(f"{__name__}.{_HOMES[name]}", fromlist=[name])
        return globals().setdefault(name, getattr(module, name))


__all__ = [
    "Append",
    "EditRefused",
    "Insert",
    "Lift",
    "Nest",
    "Remove",
    "Rename",
    "Set",
    "Style",
    "apply",
    "plain",
    "render",
]
