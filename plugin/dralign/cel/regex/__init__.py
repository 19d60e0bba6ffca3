"""Regular expressions of RE2, as Go's regexp package reads and matches them.

``syntax`` reads a pattern and refuses what Go refuses, in its words; ``python`` writes it anew for Python's ``re``,
which is used where its backtracking cannot take long; ``matcher`` takes over where it might.
"""

from __future__ import annotations

from dralign.cel.regex.pattern import Pattern, compile_pattern
from dralign.cel.regex.syntax import RegexError

__all__ = ["Pattern", "RegexError", "compile_pattern"]
