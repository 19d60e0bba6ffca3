"""Optional values: a library of cel-go."""

from __future__ import annotations

ROWS = (
    ("optional_of", "optional.of", "(V) -> optional(V)", "optionals.of", "one"),
    ("optional_ofNonZeroValue", "optional.ofNonZeroValue", "(V) -> optional(V)", "optionals.of_non_zero_value", "one"),
    ("optional_none", "optional.none", "() -> optional(V)", "optionals.none", "one"),
    ("optional_value", "value", "optional(V).() -> V", "optionals.value", "one"),
    ("optional_hasValue", "hasValue", "optional(V).() -> bool", "optionals.has_value", "one"),
    ("optional_or_optional", "or", "optional(V).(optional(V)) -> optional(V)", "", "one"),
    ("optional_orValue_value", "orValue", "optional(V).(V) -> V", "", "one"),
    ("select_optional_field", "_?._", "(dyn, string) -> optional(V)", "", "one"),
    ("list_optindex_optional_int", "_[?_]", "(list(V), int) -> optional(V)", "", "one"),
    (
        "optional_list_optindex_optional_int",
        "_[?_]",
        "(optional(list(V)), int) -> optional(V)",
        "",
        "one",
    ),
    ("map_optindex_optional_value", "_[?_]", "(map(K, V), K) -> optional(V)", "", "one"),
    (
        "optional_map_optindex_optional_value",
        "_[?_]",
        "(optional(map(K, V)), K) -> optional(V)",
        "",
        "one",
    ),
    ("list_last", "last", "list(V).() -> optional(V)", "optionals.last", "one"),
    ("list_first", "first", "list(V).() -> optional(V)", "optionals.first", "one"),
    ("optional_unwrap", "optional.unwrap", "(list(optional(V))) -> list(V)", "optionals.unwrap", "one"),
    ("optional_unwrapOpt", "unwrapOpt", "list(optional(V)).() -> list(V)", "optionals.unwrap", "one"),
    ("optional_list_index_int", "_[_]", "(optional(list(V)), int) -> optional(V)", "", "one"),
    ("optional_map_index_value", "_[_]", "(optional(map(K, V)), K) -> optional(V)", "", "one"),
)
