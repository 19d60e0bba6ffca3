"""Authorization checks: a library of the API server. Device selectors have no authorizer to call them on."""

from __future__ import annotations

ROWS = (
    (
        "authorizer_path",
        "path",
        "kubernetes.authorization.Authorizer.(string) -> kubernetes.authorization.PathCheck",
        "authorization.refuse",
        "one",
    ),
    (
        "authorizer_group",
        "group",
        "kubernetes.authorization.Authorizer.(string) -> kubernetes.authorization.GroupCheck",
        "authorization.refuse",
        "one",
    ),
    (
        "authorizer_serviceaccount",
        "serviceAccount",
        "kubernetes.authorization.Authorizer.(string, string) -> kubernetes.authorization.Authorizer",
        "authorization.refuse",
        "one",
    ),
    (
        "groupcheck_resource",
        "resource",
        "kubernetes.authorization.GroupCheck.(string) -> kubernetes.authorization.ResourceCheck",
        "authorization.refuse",
        "one",
    ),
    (
        "resourcecheck_subresource",
        "subresource",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        "authorization.refuse",
        "one",
    ),
    (
        "resourcecheck_namespace",
        "namespace",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        "authorization.refuse",
        "one",
    ),
    (
        "resourcecheck_name",
        "name",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        "authorization.refuse",
        "one",
    ),
    (
        "pathcheck_check",
        "check",
        "kubernetes.authorization.PathCheck.(string) -> kubernetes.authorization.Decision",
        "authorization.refuse",
        "check",
    ),
    (
        "resourcecheck_check",
        "check",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.Decision",
        "authorization.refuse",
        "check",
    ),
    ("decision_allowed", "allowed", "kubernetes.authorization.Decision.() -> bool", "authorization.refuse", "one"),
    ("decision_reason", "reason", "kubernetes.authorization.Decision.() -> string", "authorization.refuse", "one"),
    ("decision_errored", "errored", "kubernetes.authorization.Decision.() -> bool", "authorization.refuse", "one"),
    ("decision_error", "error", "kubernetes.authorization.Decision.() -> string", "authorization.refuse", "one"),
    (
        "authorizer_fieldselector",
        "fieldSelector",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        "authorization.refuse",
        "selector",
    ),
    (
        "authorizer_labelselector",
        "labelSelector",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        "authorization.refuse",
        "selector",
    ),
)
