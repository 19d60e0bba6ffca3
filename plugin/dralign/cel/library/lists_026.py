"""What is particular to the lists extension of cel-go 0.26: ranges of any length, a negative depth that lowers the cost.

Optionals are named without the type of their value.
"""

from __future__ import annotations

ROWS = (
    ("list_flatten", "flatten", "list(list(T)).() -> list(T)", "lists.flatten_026", "list_flatten"),
    ("list_flatten_int", "flatten", "list(dyn).(int) -> list(dyn)", "lists.flatten_026", "list_flatten_026"),
    ("lists_range", "lists.range", "(int) -> list(int)", "lists.range_to_any", "list_range"),
)
