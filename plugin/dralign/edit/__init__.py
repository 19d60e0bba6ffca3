"""Edits of the input text: the text comes back with the edit in it, never dumped anew."""

from __future__ import annotations

from dralign.edit.applying import apply
from dralign.edit.data import plain
from dralign.edit.operations import Append, EditRefused, Insert, Remove, Rename, Set
from dralign.edit.render import Style, render

__all__ = [
    "Append",
    "EditRefused",
    "Insert",
    "Remove",
    "Rename",
    "Set",
    "Style",
    "apply",
    "plain",
    "render",
]
