"""Sorts the errors of evaluations into kinds by their texts, which are all that cel-go gives."""

from __future__ import annotations

_STARTS = (
    ("internal error", "internal"),
    ("operation cancelled", "cost"),
    ("CEL result of type", "not_bool"),
    ("unsupported CEL return type", "derived_type"),
    ("unsupported list element type", "derived_type"),
    ("expected list element", "derived_type"),
    ("attribute ", "attribute_value"),
    ("no such key", "no_such_key"),
    ("no such overload", "no_such_overload"),
    ("no such field", "no_such_field"),
    ("optional.none() dereference", "optional_none"),
    ("division by zero", "division_by_zero"),
    ("modulus by zero", "modulus_by_zero"),
    ("integer overflow", "overflow"),
    ("unsigned integer overflow", "overflow"),
    ("timestamp overflow", "overflow"),
    ("index out of", "index"),
    ("cannot slice(", "index"),
    ("min called on empty list", "empty_list"),
    ("max called on empty list", "empty_list"),
    ("unsupported index", "unsupported_key_type"),
    ("error during formatting", "format"),
    ("could not parse formatting clause", "format"),
    ("error parsing regexp", "regex"),
    ("Illegal regex", "regex"),
    ("quantities must match", "quantity_value"),
    ("unable to parse numeric part of quantity", "quantity_value"),
    ("unable to parse quantity's suffix", "quantity_value"),
    ("cannot convert value to integer", "quantity_value"),
    ("Invalid character(s) found in", "semver_value"),
    ("No Major.Minor.Patch", "semver_value"),
    ("Major number", "semver_value"),
    ("Minor number", "semver_value"),
    ("Patch number", "semver_value"),
    ("Numeric PreRelease version", "semver_value"),
    ("Prerelease is empty", "semver_value"),
    ("Build meta data is empty", "semver_value"),
    ("Version string empty", "semver_value"),
    ("short version cannot contain", "semver_value"),
    ("strconv.", "conversion"),
    ("unsupported comprehension range type", "conversion"),
)

_PARTS = (
    ("expected iterable type", "not_iterable"),
    ("conversion", "conversion"),
    ("invalid ", "conversion"),
)


def kind_of(message: str) -> str:
    """Return the kind of an error: ``no_such_key``, ``cost``, ``overflow`` and so on, ``other`` for what is rare."""
    for start, kind in _STARTS:
        if message.startswith(start):
            return kind
    return next((kind for part, kind in _PARTS if part in message), "other")
