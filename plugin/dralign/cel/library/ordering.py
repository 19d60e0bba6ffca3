"""The four ordering operators; since Kubernetes 1.28 numbers of different types can be compared."""

from __future__ import annotations

_OPERATORS = (
    ("less", "_<_"),
    ("less_equals", "_<=_"),
    ("greater", "_>_"),
    ("greater_equals", "_>=_"),
)

_OPERANDS = (
    ("bool", "bool", "bool", "one"),
    ("int64", "int", "int", "one"),
    ("int64_double", "int", "double", "one"),
    ("int64_uint64", "int", "uint", "one"),
    ("uint64", "uint", "uint", "one"),
    ("uint64_double", "uint", "double", "one"),
    ("uint64_int64", "uint", "int", "one"),
    ("double", "double", "double", "one"),
    ("double_int64", "double", "int", "one"),
    ("double_uint64", "double", "uint", "one"),
    ("string", "string", "string", "compare"),
    ("bytes", "bytes", "bytes", "compare"),
    ("timestamp", "timestamp", "timestamp", "one"),
    ("duration", "duration", "duration", "one"),
)

ROWS = tuple(
    (f"{name}_{operands}", operator, f"({left}, {right}) -> bool", f"ordering.{name}", cost)
    for name, operator in _OPERATORS
    for operands, left, right, cost in _OPERANDS
)
