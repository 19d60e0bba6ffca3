"""What is particular to the lists extension of cel-go 0.29: ranges have a limit, a negative depth costs like 1."""

from __future__ import annotations

ROWS = (
    ("list_flatten", "flatten", "list(list(T)).() -> list(T)", "lists.flatten", "list_flatten"),
    ("list_flatten_int", "flatten", "list(dyn).(int) -> list(dyn)", "lists.flatten", "list_flatten"),
    ("lists_range", "lists.range", "(int) -> list(int)", "lists.range_to", "list_range"),
)
