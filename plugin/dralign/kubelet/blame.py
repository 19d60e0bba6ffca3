"""Which field of a configuration a refusal is about, and which fields there are beside one that does not exist.

The kubelet's messages name most fields; the rest follows from the step that failed.
"""

from __future__ import annotations

import re

from dralign.kubelet.fields import ROOT, fields_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from dralign.kubelet.configuration import Reading

    Keys = tuple[str | int, ...]

_WORD = re.compile(r"[A-Za-z]\w*(?:\.\w+)*")
_NUMA_NODE = re.compile(r"NUMA node (-?\d+)")
_UNNAMED = {
    "reserved memory": "reservedMemory",
    "the limit type": "reservedMemory",
    "invalid taint": "registerWithTaints",
    "taint.TimeAdded": "registerWithTaints",
    "pod logs path": "podLogsDir",
}
"""Messages of the validation that name no field."""

_STEPS = (
    ("topologyManager", "NUMA Nodes", "topologyManagerPolicy"),
    ("topologyManager", "unknown policy", "topologyManagerPolicy"),
    ("topologyManager", "", "topologyManagerPolicyOptions"),
    ("cpuManager", "unknown policy", "cpuManagerPolicy"),
    ("cpuManager", "unable to determine", "cpuManagerPolicy"),
    ("cpuManager", "unable to reserve", "kubeReserved"),
    ("cpuManager", "", "cpuManagerPolicyOptions"),
    ("memoryManager", "unknown policy", "memoryManagerPolicy"),
    ("memoryManager", "not available", "memoryManagerPolicy"),
    ("memoryManager", "", "reservedMemory"),
    ("nodeAllocatable", "", "kubeReserved"),
)
"""Steps of the start, what the message then holds, and the field; other steps are called as their field."""

_RESERVATIONS = ("reservedSystemCPUs", "kubeReserved", "systemReserved", "evictionHard")


def of_reading(reading: Reading, data: Mapping[str, Any]) -> Iterator[tuple[str, Keys]]:
    """Yield every reason why a kubelet refuses a configuration, with the field it is about."""
    for message in reading.errors:
        if reading.stage == "decode":
            yield message, keys_of(reading.at, data) or _of_type(message)
        elif reading.stage == "gates":
            yield message, _within(("featureGates",), message, data)
        else:
            yield message, _named(message, data)


def of_start(step: str, message: str, data: Mapping[str, Any]) -> Keys:
    """Return the field because of which a step of the start fails."""
    field = next((name for at, mark, name in _STEPS if at == step and mark in message), step)
    if field == "kubeReserved" and step != field:
        resource = message.partition('"')[2].partition('"')[0] if step == "nodeAllocatable" else "cpu"
        field = _reservation(resource, data) or field
    return _within((field,), message, data)


def keys_of(written: str, data: Any) -> Keys:
    """Return the keys of a field that is written with dots and brackets; keys of the data may hold dots themselves."""
    keys: list[str | int] = []
    rest = written
    while rest:
        if rest.startswith("["):
            number, _, rest = rest[1:].partition("]")
            keys.append(int(number))
        else:
            fitting = [str(key) for key in (data if isinstance(data, dict) else ()) if _leads(str(key), rest)]
            key = max(fitting, key=len, default=rest)
            keys.append(key)
            rest = rest[len(key) :]
        last = keys[-1]
        known = isinstance(data, dict) or (isinstance(data, list) and isinstance(last, int))
        data = data[last] if known and (isinstance(last, int) or last in data) else None
        rest = rest.removeprefix(".")
    return tuple(keys)


def beside(keys: Keys) -> tuple[str, ...]:
    """Return the names of the fields that exist where a field was looked for."""
    struct = ROOT
    for key in keys[:-1]:
        if isinstance(key, str):
            struct = fields_of(struct)[key].lstrip("*[]{}")
    return tuple(fields_of(struct))


def _leads(key: str, written: str) -> bool:
    return written == key or written.startswith((f"{key}.", f"{key}["))


def _of_type(message: str) -> Keys:
    """Return the field that keeps an object from being told to be a configuration."""
    return ("kind",) if "'Kind'" in message or ".kind" in message else ("apiVersion",)


def _named(message: str, data: Mapping[str, Any]) -> Keys:
    """Return the first field that a message of the validation names."""
    field = next((name for start, name in _UNNAMED.items() if start in message), None)
    if field is None:
        known = fields_of(ROOT)
        words = (match.group().split(".") for match in _WORD.finditer(message))
        found = next((word for word in words if word[0] in known), None)
        if found is None:
            return ()
        return tuple(found) if _exists(found, data) else (found[0],)
    return _within((field,), message, data)


def _exists(keys: list[str], data: Any) -> bool:
    for key in keys:
        if not isinstance(data, dict) or key not in data:
            return False
        data = data[key]
    return True


def _within(field: Keys, message: str, data: Mapping[str, Any]) -> Keys:
    """Return the entry of a map or list that a message names, the field itself where it names none."""
    value = data.get(str(field[0]))
    if isinstance(value, dict):
        for key in sorted(value, key=len, reverse=True):
            if isinstance(key, str) and key and re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", message):
                return (*field, key)
    node = _NUMA_NODE.search(message)
    if isinstance(value, list) and node is not None:
        places = [i for i, entry in enumerate(value) if _numa_node(entry) == int(node.group(1))]
        return (*field, places[-1]) if places else field
    return field


def _numa_node(entry: Any) -> Any:
    return entry.get("numaNode", 0) if isinstance(entry, dict) else None


def _reservation(resource: str, data: Mapping[str, Any]) -> str | None:
    """Return the field that reserves a resource; of several the first."""
    for field in _RESERVATIONS:
        value = data.get(field)
        if field == "reservedSystemCPUs" and value and resource == "cpu":
            return field
        if isinstance(value, dict) and resource in value:
            return field
    return None
