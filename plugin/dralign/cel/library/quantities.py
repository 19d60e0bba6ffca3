"""Kubernetes quantities: a library of the API server."""

from __future__ import annotations

ROWS = (
    ("string_to_quantity", "quantity", "(string) -> kubernetes.Quantity", "quantities.quantity", "parse"),
    ("is_quantity_string", "isQuantity", "(string) -> bool", "quantities.is_quantity", "parse"),
    ("quantity_sign", "sign", "(kubernetes.Quantity) -> int", "quantities.sign", "one"),
    ("quantity_get_int", "asInteger", "kubernetes.Quantity.() -> int", "quantities.as_integer", "one"),
    ("quantity_is_integer", "isInteger", "kubernetes.Quantity.() -> bool", "quantities.is_integer", "one"),
    (
        "quantity_get_float",
        "asApproximateFloat",
        "kubernetes.Quantity.() -> double",
        "quantities.as_approximate_float",
        "one",
    ),
    (
        "quantity_add",
        "add",
        "kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity",
        "quantities.add",
        "one",
    ),
    ("quantity_add_int", "add", "kubernetes.Quantity.(int) -> kubernetes.Quantity", "quantities.add", "one"),
    (
        "quantity_sub",
        "sub",
        "kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity",
        "quantities.sub",
        "one",
    ),
    ("quantity_sub_int", "sub", "kubernetes.Quantity.(int) -> kubernetes.Quantity", "quantities.sub", "one"),
    (
        "quantity_is_greater_than",
        "isGreaterThan",
        "kubernetes.Quantity.(kubernetes.Quantity) -> bool",
        "quantities.is_greater_than",
        "one",
    ),
    (
        "quantity_is_less_than",
        "isLessThan",
        "kubernetes.Quantity.(kubernetes.Quantity) -> bool",
        "quantities.is_less_than",
        "one",
    ),
    (
        "quantity_compare_to",
        "compareTo",
        "kubernetes.Quantity.(kubernetes.Quantity) -> int",
        "quantities.compare_to",
        "one",
    ),
)
