"""All cost models by the names that the tables of ``cel.library`` use."""

from __future__ import annotations

from dralign.cel.costs import apiserver, collections, language

ESTIMATES = language.MODELS | apiserver.MODELS | collections.MODELS
"""Estimates of a call alone; the cost of its operands comes on top."""

WHOLE = language.WHOLE
"""Estimates that hold what counts of the operands."""
