"""The strings extension of cel-go, version 2."""

from __future__ import annotations

ROWS = (
    ("string_char_at_int", "charAt", "string.(int) -> string", "strings.char_at", "one"),
    ("string_format", "format", "string.(list(dyn)) -> string", "formatting.format_text", "format"),
    ("string_index_of_string", "indexOf", "string.(string) -> int", "strings.index_of", "aggregate"),
    ("string_index_of_string_int", "indexOf", "string.(string, int) -> int", "strings.index_of", "aggregate"),
    ("list_join", "join", "list(string).() -> string", "strings.join", "join"),
    ("list_join_string", "join", "list(string).(string) -> string", "strings.join", "join"),
    ("string_last_index_of_string", "lastIndexOf", "string.(string) -> int", "strings.last_index_of", "aggregate"),
    (
        "string_last_index_of_string_int",
        "lastIndexOf",
        "string.(string, int) -> int",
        "strings.last_index_of",
        "aggregate",
    ),
    ("string_lower_ascii", "lowerAscii", "string.() -> string", "strings.lower_ascii", "transform"),
    ("string_replace_string_string", "replace", "string.(string, string) -> string", "strings.replace", "replace"),
    (
        "string_replace_string_string_int",
        "replace",
        "string.(string, string, int) -> string",
        "strings.replace",
        "replace",
    ),
    ("string_split_string", "split", "string.(string) -> list(string)", "strings.split", "split"),
    ("string_split_string_int", "split", "string.(string, int) -> list(string)", "strings.split", "split"),
    ("strings_quote", "strings.quote", "(string) -> string", "strings.quote", "quote"),
    ("string_substring_int", "substring", "string.(int) -> string", "strings.substring", "transform"),
    ("string_substring_int_int", "substring", "string.(int, int) -> string", "strings.substring", "transform"),
    ("string_trim", "trim", "string.() -> string", "strings.trim", "transform"),
    ("string_upper_ascii", "upperAscii", "string.() -> string", "strings.upper_ascii", "transform"),
)
