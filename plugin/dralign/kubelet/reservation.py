"""What a node keeps for itself: kubeReserved, systemReserved and the hard eviction thresholds, and their sum.

Source: ``parseResourceList``, ``hardEvictionReservation`` (kubelet), eviction/helpers.go (parseThresholdStatement).
"""

from __future__ import annotations

from dralign.kubelet.memory_nodes import MEMORY, hugepage_resource
from dralign.kubelet.strconv import float32, parse_float32
from dralign.values.gotext import quote
from dralign.values.quantity import BINARY_SI, DECIMAL_SI, Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.kubelet.machine import Machine
    from dralign.kubelet.pods import Amounts

CPU = "cpu"
STORAGE = "ephemeral-storage"
_RESERVABLE = (CPU, MEMORY, STORAGE, "pid")
_SIGNALS = {"memory.available": MEMORY, "nodefs.available": STORAGE}
_OTHER_SIGNALS = frozenset(
    (
        "nodefs.inodesFree",
        "imagefs.available",
        "imagefs.inodesFree",
        "containerfs.available",
        "containerfs.inodesFree",
        "pid.available",
        "allocatableMemory.available",
    )
)
_IGNORED = ("0%", "100%")
_MILLI = -3
_MICRO = -6


def capacity(machine: Machine) -> dict[str, Quantity]:
    """Return the capacity that the node reports, by resource."""
    pages: dict[int, int] = {}
    for node in machine.nodes:
        for size, count in node.hugepages.items():
            pages[size] = pages.get(size, 0) + count
    memory = sum(node.memory for node in machine.nodes)
    found = {CPU: Quantity.of(len(machine.cpus)), MEMORY: Quantity.of(memory, BINARY_SI)}
    if machine.storage:
        found[STORAGE] = Quantity.of(machine.storage, BINARY_SI)
    return found | {hugepage_resource(size): Quantity.of(size * count, BINARY_SI) for size, count in pages.items()}


def reserved(amounts: Mapping[str, str]) -> dict[str, Quantity]:
    """Read kubeReserved or systemReserved. Raises ValueError with the kubelet's words."""
    return {name: _reserved(name, text) for name, text in amounts.items()}


def _reserved(name: str, text: str) -> Quantity:
    if name not in _RESERVABLE:
        raise ValueError(f"cannot reserve {quote(name)} resource")
    try:
        amount = Quantity.parse(text)
    except ValueError as error:
        raise ValueError(f"failed to parse quantity {quote(text)} for {quote(name)} resource: {error}") from None
    if amount.sign < 0:
        raise ValueError(f"resource quantity for {quote(name)} cannot be negative: {text}")
    if name == CPU:
        return Quantity((amount.scaled_value(_MICRO) + 500) // 1000, _MILLI, amount.format, compact=True)
    return amount


def evicted(thresholds: Mapping[str, str], have: Amounts) -> dict[str, Quantity]:
    """Return what hard eviction keeps free of memory and storage. Raises ValueError with the kubelet's words."""
    found = {}
    for signal, text in sorted(thresholds.items()):
        threshold = _threshold(signal, text)
        resource = _SIGNALS.get(signal)
        if threshold is None or resource is None:
            continue
        if isinstance(threshold, Quantity):
            found[resource] = threshold
        elif resource in have:
            found[resource] = Quantity.of(int(float(have[resource].ceil()) * threshold), BINARY_SI)
    return found


def _threshold(signal: str, text: str) -> Quantity | float | None:
    """Read a threshold: an amount, a part of the capacity, or None for one that never counts."""
    if signal not in _SIGNALS and signal not in _OTHER_SIGNALS:
        raise ValueError(f"unsupported eviction signal {signal}")
    if text in _IGNORED:
        return None
    if text.endswith("%"):
        return _percentage(signal, text)
    amount = Quantity.parse(text)
    if amount.sign <= 0:
        raise ValueError(f"eviction threshold {signal} must be positive: {amount}")
    return amount


def _percentage(signal: str, text: str) -> float:
    part = float32(parse_float32(text.rstrip("%")) / 100)
    if part < 0:
        raise ValueError(f"eviction percentage threshold {signal} must be >= 0%: {text}")
    if part > 1:
        raise ValueError(f"eviction percentage threshold {signal} must be <= 100%: {text}")
    return part


def total(have: Amounts, *parts: Amounts) -> dict[str, Quantity]:
    """Add up reservations of the resources that the node has; those that come to nothing are left out."""
    found = {}
    for name in have:
        amount = Quantity.of(0, DECIMAL_SI)
        for part in parts:
            if name in part:
                amount += part[name]
        if amount:
            found[name] = amount
    return found
