"""Standard functions where cel-go 0.29 (Kubernetes 1.37) has others than 0.26."""

from __future__ import annotations

ROWS = (
    ("matches", "matches", "(string, string) -> bool", "regex.matches", "matches_function"),
    ("starts_with_string", "startsWith", "string.(string) -> bool", "strings.starts_with", "prefix"),
    ("ends_with_string", "endsWith", "string.(string) -> bool", "strings.ends_with", "prefix"),
)
