"""``includes`` as the lists library of the API server has it since 1.37: equal to, or an element of."""

from __future__ import annotations

ROWS = (("list_includes_dyn_dyn", "includes", "dyn.(dyn) -> bool", "includes.includes", "includes"),)
