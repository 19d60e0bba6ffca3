"""``includes`` as the device environment of 1.36 has it: lists longer than 48 elements are an error."""

from __future__ import annotations

ROWS = (("dra_includes_dyn_dyn", "includes", "dyn.(dyn) -> bool", "includes.includes_48", "includes_48"),)
