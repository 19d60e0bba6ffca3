"""The lists extension of cel-go, version 3."""

from __future__ import annotations

ROWS = (
    ("list_slice", "slice", "list(T).(int, int) -> list(T)", "lists.slice", "list_slice"),
    ("list_reverse", "reverse", "list(T).() -> list(T)", "lists.reverse", "list_reverse"),
    ("list_distinct", "distinct", "list(T).() -> list(T)", "lists.distinct", "list_distinct"),
    ("list_int_sort", "sort", "list(int).() -> list(int)", "lists.sort", "sort"),
    ("list_uint_sort", "sort", "list(uint).() -> list(uint)", "lists.sort", "sort"),
    ("list_double_sort", "sort", "list(double).() -> list(double)", "lists.sort", "sort"),
    ("list_bool_sort", "sort", "list(bool).() -> list(bool)", "lists.sort", "sort"),
    ("list_google.protobuf.Duration_sort", "sort", "list(duration).() -> list(duration)", "lists.sort", "sort"),
    ("list_google.protobuf.Timestamp_sort", "sort", "list(timestamp).() -> list(timestamp)", "lists.sort", "sort"),
    ("list_string_sort", "sort", "list(string).() -> list(string)", "lists.sort", "sort_text"),
    ("list_bytes_sort", "sort", "list(bytes).() -> list(bytes)", "lists.sort", "sort_text"),
    (
        "list_int_sortByAssociatedKeys",
        "@sortByAssociatedKeys",
        "list(T).(list(int)) -> list(T)",
        "lists.sort_by_keys",
        "sort_by",
    ),
    (
        "list_uint_sortByAssociatedKeys",
        "@sortByAssociatedKeys",
        "list(T).(list(uint)) -> list(T)",
        "lists.sort_by_keys",
        "sort_by",
    ),
    (
        "list_double_sortByAssociatedKeys",
        "@sortByAssociatedKeys",
        "list(T).(list(double)) -> list(T)",
        "lists.sort_by_keys",
        "sort_by",
    ),
    (
        "list_bool_sortByAssociatedKeys",
        "@sortByAssociatedKeys",
        "list(T).(list(bool)) -> list(T)",
        "lists.sort_by_keys",
        "sort_by",
    ),
    (
        "list_google.protobuf.Duration_sortByAssociatedKeys",
        "@sortByAssociatedKeys",
        "list(T).(list(duration)) -> list(T)",
        "lists.sort_by_keys",
        "sort_by",
    ),
    (
        "list_google.protobuf.Timestamp_sortByAssociatedKeys",
        "@sortByAssociatedKeys",
        "list(T).(list(timestamp)) -> list(T)",
        "lists.sort_by_keys",
        "sort_by",
    ),
    (
        "list_string_sortByAssociatedKeys",
        "@sortByAssociatedKeys",
        "list(T).(list(string)) -> list(T)",
        "lists.sort_by_keys",
        "sort_by_text",
    ),
    (
        "list_bytes_sortByAssociatedKeys",
        "@sortByAssociatedKeys",
        "list(T).(list(bytes)) -> list(T)",
        "lists.sort_by_keys",
        "sort_by_text",
    ),
)
