"""What the two-variable comprehension macros of cel-go expand to."""

from __future__ import annotations

ROWS = (
    ("@mapInsert_map_key_value", "cel.@mapInsert", "(map(K, V), K, V) -> map(K, V)", "collections.map_insert", "one"),
    ("@mapInsert_map_map", "cel.@mapInsert", "(map(K, V), map(K, V)) -> map(K, V)", "collections.map_insert", "one"),
)
