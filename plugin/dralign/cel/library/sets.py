"""The sets extension of cel-go."""

from __future__ import annotations

ROWS = (
    ("list_sets_contains_list", "sets.contains", "(list(T), list(T)) -> bool", "sets.contains", "sets"),
    ("list_sets_equivalent_list", "sets.equivalent", "(list(T), list(T)) -> bool", "sets.equivalent", "sets_twice"),
    ("list_sets_intersects_list", "sets.intersects", "(list(T), list(T)) -> bool", "sets.intersects", "sets"),
)
