"""Nodes as text: NUMA nodes, PCIe roots and devices, with marks on what is taken."""

from __future__ import annotations

from dralign.drawing.marks import marks_of, marks_with
from dralign.drawing.picture import Item, Picture, Root, Supply, Zone, picture_of
from dralign.drawing.text import BLOCKED, FREE, HERE, TAKEN, Marks, draw, header

__all__ = [
    "BLOCKED",
    "FREE",
    "HERE",
    "TAKEN",
    "Item",
    "Marks",
    "Picture",
    "Root",
    "Supply",
    "Zone",
    "draw",
    "header",
    "marks_of",
    "marks_with",
    "picture_of",
]
