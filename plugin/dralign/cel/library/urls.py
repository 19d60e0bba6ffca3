"""URLs: a library of the API server."""

from __future__ import annotations

ROWS = (
    ("string_to_url", "url", "(string) -> kubernetes.URL", "urls.url", "url"),
    ("is_url_string", "isURL", "(string) -> bool", "urls.is_url", "one"),
    ("url_get_scheme", "getScheme", "kubernetes.URL.() -> string", "urls.get_scheme", "one"),
    ("url_get_host", "getHost", "kubernetes.URL.() -> string", "urls.get_host", "one"),
    ("url_get_hostname", "getHostname", "kubernetes.URL.() -> string", "urls.get_hostname", "one"),
    ("url_get_port", "getPort", "kubernetes.URL.() -> string", "urls.get_port", "one"),
    ("url_get_escaped_path", "getEscapedPath", "kubernetes.URL.() -> string", "urls.get_escaped_path", "one"),
    ("url_get_query", "getQuery", "kubernetes.URL.() -> map(string, list(string))", "urls.get_query", "one"),
)
