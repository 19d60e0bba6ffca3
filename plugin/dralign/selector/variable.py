"""The variable ``device`` of a selector: a published device as CEL values.

Source: DeviceMatches in k8s.io/dynamic-resource-allocation/cel/compile.go. Names without a domain are filed under the
driver's; an unknown domain is an empty map. One attribute that cannot be converted makes every expression on its
device fail.
"""

from __future__ import annotations

from dralign.cel.values import Map
from dralign.model.device import Version
from dralign.values.semver import Semver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Any

    from dralign.model.device import Attribute, Device

_NO_ENTRIES = Map({}, native=True)

UNSUPPORTED = "unsupported attribute value"


def conversion_problem(unplain: Iterable[tuple[str, Attribute]], lists: bool) -> str | None:
    """Return what is said of the first attribute that cannot be converted, or None if all can.

    Args:
        unplain: as in ``Device``.
        lists: lists are known: always from 1.37 on, in 1.36 under the gate ``DRAListTypeAttributes``.
    """
    for name, value in unplain:
        problem = _problem(value, lists)
        if problem is not None:
            return f"attribute {name}: {problem}"
    return None


def device_variable(device: Device) -> Map:
    """Return the variable for a device without ``conversion_problem``."""
    attributes = _by_domain(device.driver, ((name, _value(value)) for name, value in device.attributes.items()))
    capacity = _by_domain(device.driver, ((name, amount.value) for name, amount in device.capacity.items()))
    return Map(
        {
            "driver": device.driver,
            "allowMultipleAllocations": bool(device.allow_multiple),
            "attributes": attributes,
            "capacity": capacity,
        },
        native=True,
    )


def _problem(value: Attribute, lists: bool) -> str | None:
    if value is None or (isinstance(value, tuple) and not lists):
        return UNSUPPORTED
    for text in value if isinstance(value, tuple) else (value,):
        version = version_of(text) if isinstance(text, Version) else None
        if isinstance(version, str):
            return f"parse semantic version: {version}"
    return None


_versions: dict[str, Semver | str] = {}


def version_of(text: str) -> Semver | str:
    """Return a semantic version, or what is wrong with its text; drivers publish the same few over and over."""
    version = _versions.get(text)
    if version is None:
        try:
            version = Semver.parse(text)
        except ValueError as error:
            version = str(error)
        _versions[text] = version
    return version


def _by_domain(driver: str, entries: Iterable[tuple[str, Any]]) -> Map:
    domains: dict[Hashable, dict[Hashable, Any]] = {}
    for name, value in entries:
        domain, slash, identifier = name.partition("/")
        if slash:
            domains.setdefault(domain, {})[identifier] = value
        else:
            domains.setdefault(driver, {})[name] = value
    outer: dict[Hashable, Any] = {domain: Map(values, native=True) for domain, values in domains.items()}
    return Map(outer, default=_NO_ENTRIES, native=True)


def _value(value: Attribute) -> Any:
    if isinstance(value, tuple):
        return [_value(element) for element in value]
    return version_of(value) if isinstance(value, Version) else value
