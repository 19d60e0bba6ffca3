"""What selectors say about the devices that they can match, read from their text alone."""

from __future__ import annotations

from dralign.cel.analysis.facts import Facts, facts
from dralign.cel.analysis.reads import Read

__all__ = ["Facts", "Read", "facts"]
