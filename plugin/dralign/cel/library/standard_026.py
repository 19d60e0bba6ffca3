"""Standard functions where cel-go 0.26 (Kubernetes 1.34 to 1.36) has others than 0.29.

Its run-time cost of the prefix tests goes by the text that is tested, not by the prefix, and the global ``matches`` is
taken to cost nothing.
"""

from __future__ import annotations

ROWS = (
    ("int64_to_duration", "duration", "(int) -> duration", "conversions.to_duration", "one"),
    ("matches", "matches", "(string, string) -> bool", "regex.matches", "one"),
    ("starts_with_string", "startsWith", "string.(string) -> bool", "strings.starts_with", "prefix_by_text"),
    ("ends_with_string", "endsWith", "string.(string) -> bool", "strings.ends_with", "prefix_by_text"),
)
