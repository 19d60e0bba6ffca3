"""Pods to whose resources nobody could object, told without the tables of the API server.

Most pods that ask for devices by resource name write whole numbers and equal or lower requests. The tables, and the time
to read them, are for all others, and for every pod with claims.
"""

from __future__ import annotations

from dralign.manifest import as_list, content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_SECTIONS = ("initContainers", "containers")
_AMOUNTS = ("limits", "requests")
_COMPUTE = ("cpu", "memory", "ephemeral-storage")
_UNITS = ("", "m", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti")
_MOST_DIGITS = 9


def is_plain(spec: Mapping[str, Any], known: set[bytes | None]) -> bool:
    """Say whether a pod spec has no claims, no pod-level resources, and only plain resources of containers.

    What reads like a misspelt field of either kind is not plain. ``known`` are the contents of resources found plain so
    far: most containers of a stream have one of a few.
    """
    if any("laim" in key or "esource" in key for key in spec):
        return False
    containers = [item for section in _SECTIONS for item in as_list(spec.get(section))]
    return all(isinstance(item, dict) and _is_plain_container(item, known) for item in containers)


def _is_plain_container(container: Mapping[str, Any], known: set[bytes | None]) -> bool:
    if any(("laim" in key or "esource" in key) and key not in ("resources", "resizePolicy") for key in container):
        return False
    resources = container.get("resources", {})
    words = content(resources)
    if words in known:
        return True
    plain = _are_plain_resources(resources)
    if plain:
        known.add(words)  # which are not None: plain resources are two levels deep
    return plain


def _are_plain_resources(resources: Any) -> bool:
    if not isinstance(resources, dict) or not resources.keys() <= set(_AMOUNTS):
        return False
    limits, requests = (resources.get(key, {}) for key in _AMOUNTS)
    if not isinstance(limits, dict) or not isinstance(requests, dict):
        return False
    return all(_is_plain_pair(name, limits, requests) for name in limits | requests)


def _is_plain_pair(name: str, limits: Mapping[str, Any], requests: Mapping[str, Any]) -> bool:
    limit, request = (_amount(amounts[name]) if name in amounts else None for amounts in (limits, requests))
    if (name in limits and limit is None) or (name in requests and request is None):
        return False
    if name not in _COMPUTE:
        domain, slash, resource = name.partition("/")
        known = bool(slash and resource) and not domain.endswith("kubernetes.io") and _is_name(domain + resource)
        return known and limit is not None and limit[1] == "" and request in (None, limit)
    if limit is None or request is None:
        return True
    return request == limit or (request[1] == limit[1] and request[0] <= limit[0])


def _amount(value: Any) -> tuple[int, str] | None:
    """Return number and unit of a plain amount; None for any other."""
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not text.isascii():
        return None
    unit = text.lstrip("0123456789")
    digits = text.removesuffix(unit) if unit else text
    fits = 0 < len(digits) <= _MOST_DIGITS and unit in _UNITS and (digits == "0" or digits[0] != "0")
    return (int(digits), unit) if fits else None


def _is_name(text: str) -> bool:
    return (
        text.replace(".", "").replace("-", "").replace("_", "").isalnum() and text.isascii() and len(text) <= _LONGEST
    )


_LONGEST = 60
