"""Semantic versions: a library of the API server."""

from __future__ import annotations

ROWS = (
    ("string_to_semver", "semver", "(string) -> kubernetes.Semver", "versions.semver", "parse"),
    ("string_bool_to_semver", "semver", "(string, bool) -> kubernetes.Semver", "versions.semver", "parse"),
    ("is_semver_string", "isSemver", "(string) -> bool", "versions.is_semver", "parse"),
    ("is_semver_string_bool", "isSemver", "(string, bool) -> bool", "versions.is_semver", "parse"),
    (
        "semver_is_greater_than",
        "isGreaterThan",
        "kubernetes.Semver.(kubernetes.Semver) -> bool",
        "versions.is_greater_than",
        "one",
    ),
    (
        "semver_is_less_than",
        "isLessThan",
        "kubernetes.Semver.(kubernetes.Semver) -> bool",
        "versions.is_less_than",
        "one",
    ),
    (
        "semver_compare_to",
        "compareTo",
        "kubernetes.Semver.(kubernetes.Semver) -> int",
        "versions.compare_to",
        "one",
    ),
    ("semver_major", "major", "kubernetes.Semver.() -> int", "versions.major", "one"),
    ("semver_minor", "minor", "kubernetes.Semver.() -> int", "versions.minor", "one"),
    ("semver_patch", "patch", "kubernetes.Semver.() -> int", "versions.patch", "one"),
)
