"""Named formats of Kubernetes: a library of the API server."""

from __future__ import annotations

ROWS = (
    ("format-named", "format.named", "(string) -> optional(kubernetes.NamedFormat)", "formats.named", "one"),
    ("format.byte", "format.byte", "() -> kubernetes.NamedFormat", "formats.byte", "one"),
    ("format.date", "format.date", "() -> kubernetes.NamedFormat", "formats.date", "one"),
    ("format.datetime", "format.datetime", "() -> kubernetes.NamedFormat", "formats.datetime", "one"),
    ("format.dns1035Label", "format.dns1035Label", "() -> kubernetes.NamedFormat", "formats.dns1035_label", "one"),
    (
        "format.dns1035LabelPrefix",
        "format.dns1035LabelPrefix",
        "() -> kubernetes.NamedFormat",
        "formats.dns1035_label_prefix",
        "one",
    ),
    ("format.dns1123Label", "format.dns1123Label", "() -> kubernetes.NamedFormat", "formats.dns1123_label", "one"),
    (
        "format.dns1123LabelPrefix",
        "format.dns1123LabelPrefix",
        "() -> kubernetes.NamedFormat",
        "formats.dns1123_label_prefix",
        "one",
    ),
    (
        "format.dns1123Subdomain",
        "format.dns1123Subdomain",
        "() -> kubernetes.NamedFormat",
        "formats.dns1123_subdomain",
        "one",
    ),
    (
        "format.dns1123SubdomainPrefix",
        "format.dns1123SubdomainPrefix",
        "() -> kubernetes.NamedFormat",
        "formats.dns1123_subdomain_prefix",
        "one",
    ),
    ("format.labelValue", "format.labelValue", "() -> kubernetes.NamedFormat", "formats.label_value", "one"),
    ("format.qualifiedName", "format.qualifiedName", "() -> kubernetes.NamedFormat", "formats.qualified_name", "one"),
    ("format.uri", "format.uri", "() -> kubernetes.NamedFormat", "formats.uri", "one"),
    ("format.uuid", "format.uuid", "() -> kubernetes.NamedFormat", "formats.uuid", "one"),
    (
        "format-validate",
        "validate",
        "kubernetes.NamedFormat.(string) -> optional(list(string))",
        "formats.validate",
        "validate",
    ),
)
