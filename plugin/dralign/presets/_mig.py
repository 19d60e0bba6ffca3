"""MIG partitions: those that somebody made beforehand, and all that the driver could make (its gate DynamicMIG).

Source: kubernetes-sigs/dra-driver-nvidia-gpu cmd/gpu-kubelet-plugin/{partitions,mig,nvlib,driver}.go @0545e9e.
"""

from __future__ import annotations

from dralign.drivers.nvidia import DRIVER
from dralign.presets._objects import MOST_COUNTER_SETS, amounts, cut, pool, slices, written
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from dralign.model.partition import PartitionProfile

    Values = Mapping[str, Any]

MIG_OFF, DYNAMIC, BALANCED = "off", "dynamic", "all-balanced"
SINCE = "25.12"
"""First release of the driver that makes partitions on demand."""

# Layouts of the MIG manager's all-balanced: slices of compute, and where they begin.
_BALANCED = {8: ((2, 0), (1, 2), (1, 3), (3, 4)), 4: ((2, 0), (1, 2), (1, 3))}


class _Place(Record):
    """A partition at one place of a card."""

    profile: PartitionProfile
    start: int


def modes(product: str) -> tuple[str, ...]:
    """Return the values of the parameter ``mig`` for cards of a product; () if they cannot be divided."""
    card = DRIVER.card(product)
    if card is None:
        return ()
    plain = tuple(f"all-{item.profile}" for item in card.profiles if _is_plain(item))
    return (MIG_OFF, *plain, BALANCED, DYNAMIC)


def _is_plain(profile: PartitionProfile) -> bool:
    """Say whether a partition comes without special engines."""
    return profile.profile.endswith("gb")


def _layout(product: str, mode: str) -> list[_Place]:
    """Return how a mode of the MIG manager divides a card: as many of one profile as fit, or one of everything."""
    card = DRIVER.card(product)
    profiles = card.profiles if card else ()
    if mode != BALANCED:
        profile = next(item for item in profiles if mode == f"all-{item.profile}")
        size = profile.memory_slices[0]
        return [_Place(profile, start) for start in profile.starts if start % size == 0]
    whole = profiles[0].memory_slices[1]
    first = {item.compute[0]: item for item in reversed(profiles) if _is_plain(item)}
    return [_Place(first[compute], start) for compute, start in _BALANCED[whole]]


def static(
    node: str, cards: Sequence[Values], units: int, mode: str, version: str, features: Collection[str]
) -> Iterator[dict[str, Any]]:
    """Yield slices of cards that were divided beforehand: their partitions, no card as a whole."""
    devices = []
    for minor, values in enumerate(cards):
        for place in _layout(values["gpu.nvidia.com/productName"], mode):
            last = range(place.start, place.start + place.profile.memory_slices[0])
            taken = {f"memorySlice{number}": 1 for number in last}
            own = {**values, "gpu.nvidia.com/uuid": _uuid(values, place)}
            devices.append(
                {
                    "name": _name(minor, place),
                    "attributes": _attributes(own, place, version, features),
                    "capacity": amounts(_capacity(values, place.profile, units) | taken),
                }
            )
    yield from slices(DRIVER, node, devices)


def dynamic(
    node: str, cards: Sequence[Values], units: int, version: str, features: Collection[str], *, whole: bool
) -> Iterator[dict[str, Any]]:
    """Yield slices of all partitions that could be made: counters first, then the devices of each card by name."""
    sets, groups = [], []
    for minor, values in enumerate(cards):
        card = DRIVER.card(values["gpu.nvidia.com/productName"])
        profiles = card.profiles if card else ()
        most = _most(values, profiles, units)
        counters = amounts(_counters(most, range(profiles[0].memory_slices[1])))
        sets.append({"name": f"gpu-{minor}-counter-set", "counters": counters})
        devices = [
            _partition(minor, values, _Place(profile, start), units, version, features)
            for profile in profiles
            for start in profile.starts
        ]
        if whole:
            attributes = written(DRIVER, "gpu", version, features, {**values, "gpu.nvidia.com/type": "gpu"})
            devices.append(_device(minor, f"gpu-{minor}", attributes, most, counters))
        groups.append({"devices": sorted(devices, key=lambda device: str(device["name"]))})
    yield from pool(DRIVER, node, [*({"sharedCounters": list(part)} for part in cut(sets, MOST_COUNTER_SETS)), *groups])


def _partition(
    minor: int, values: Values, place: _Place, units: int, version: str, features: Collection[str]
) -> dict[str, Any]:
    capacity = _capacity(values, place.profile, units)
    taken = range(place.start, place.start + place.profile.memory_slices[0])
    attributes = _attributes({**values, "gpu.nvidia.com/uuid": None}, place, version, features)
    return _device(minor, _name(minor, place), attributes, capacity, amounts(_counters(capacity, taken)))


def _device(minor: int, name: str, attributes: Values, capacity: Values, counters: Values) -> dict[str, Any]:
    return {
        "name": name,
        "attributes": attributes,
        "capacity": amounts(capacity),
        "consumesCounters": [{"counterSet": f"gpu-{minor}-counter-set", "counters": counters}],
    }


def _attributes(values: Values, place: _Place, version: str, features: Collection[str]) -> dict[str, Any]:
    own = {
        "gpu.nvidia.com/type": "mig",
        "gpu.nvidia.com/profile": place.profile.profile,
        "gpu.nvidia.com/parentUUID": values["gpu.nvidia.com/parentUUID"],
        "gpu.nvidia.com/parentIndex": values["gpu.nvidia.com/index"],
    }
    return written(DRIVER, "mig", version, features, {**values, **own})


def _name(minor: int, place: _Place) -> str:
    profile = place.profile.profile.replace(".", "").replace("+", "-")
    return f"gpu-{minor}-mig-{profile}-{place.profile.number}-{place.start}"


def _uuid(values: Values, place: _Place) -> str:
    tail = str(values["gpu.nvidia.com/parentUUID"]).removeprefix("GPU-")
    return f"MIG-{tail[:-12]}{tail[-8:]}{place.start:02x}{place.profile.memory_slices[0]:02x}"


def _capacity(values: Values, profile: PartitionProfile, units: int) -> dict[str, Any]:
    """Return what a partition has; where nobody wrote it down, its share of the card."""
    part, of = profile.compute
    memory = profile.memory or values["memory"] * profile.memory_slices[0] // profile.memory_slices[1]
    engines = profile.engines
    return {
        "memory": f"{memory}Mi",
        "multiprocessors": profile.units or units * part // of,
        "copyEngines": engines.copy if engines else part,
        "decoders": engines.decoders if engines else 0,
        "encoders": engines.encoders if engines else 0,
        "jpegEngines": engines.jpeg if engines else 0,
        "ofaEngines": engines.ofa if engines else 0,
    }


def _most(values: Values, profiles: Sequence[PartitionProfile], units: int) -> dict[str, Any]:
    """Return the greatest capacity of any partition, name by name: what the card as a whole is said to have."""
    found = [_capacity(values, profile, units) for profile in profiles]
    return {name: max((item[name] for item in found), key=_number) for name in found[0]}


def _number(amount: Any) -> int:
    return int(str(amount).removesuffix("Mi"))


_COUNTERS = {
    "copyEngines": "copy-engines",
    "jpegEngines": "jpeg-engines",
    "ofaEngines": "ofa-engines",
}


def _counters(capacity: Mapping[str, Any], taken: range) -> dict[str, Any]:
    """Return what is counted: the capacities, and each memory slice."""
    counted = {_COUNTERS.get(name, name): amount for name, amount in capacity.items()}
    return counted | {f"memory-slice-{number}": 1 for number in taken}
