"""Regular expressions beyond ``matches``: a library of the API server."""

from __future__ import annotations

ROWS = (
    ("string_find_string", "find", "string.(string) -> string", "regex.find", "find"),
    ("string_find_all_string", "findAll", "string.(string) -> list(string)", "regex.find_all", "find"),
    ("string_find_all_string_int", "findAll", "string.(string, int) -> list(string)", "regex.find_all", "find"),
)
