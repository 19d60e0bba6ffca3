"""ResourceSlices, read into devices.

``resource.k8s.io`` v1 and v1beta2 write a device's fields beside its name; v1beta1 and v1alpha3 nest them in ``basic``,
and v1alpha3 writes a capacity as a bare quantity. Wrong types are read as absent: saying so is the admission rules'
matter.
"""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.model.device import (
    NO_BINDING,
    NOWHERE,
    Binding,
    Capacity,
    Consumption,
    Device,
    Policy,
    Range,
    Scope,
    Version,
    taint_from,
)
from dralign.model.node import node_selector_from
from dralign.model.quantities import quantity_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from dralign.manifest import Manifest
    from dralign.model.device import Attribute, Scalar
    from dralign.values.quantity import Quantity

_BINDING_FIELDS = frozenset({"bindingConditions", "bindingFailureConditions", "bindsToNode"})
_ACCOUNTED = ("nodeAllocatableResources", "nodeAllocatableResourceMappings")
"""Fields of a device from 1.37 on and of 1.36."""

# What many devices have in common is kept once, by how it is written.
_names: dict[str, str] = {}
_capacity_of: dict[tuple[tuple[str, str], ...], dict[str, Capacity]] = {}
_counters_of: dict[tuple[tuple[str, str], ...], dict[str, Quantity]] = {}


class Slice:
    """One ResourceSlice: some devices, or some counter sets, of one generation of a pool.

    ``names_conditions``: a device has the field ``bindingConditions``. ``accounted``: resources of its node that a device
    says it takes (KEP-5517), so that containers need not ask for them. ``manifest`` is the object it was read from, where
    that can be shown.
    """

    __slots__ = (
        "accounted",
        "counter_sets",
        "devices",
        "driver",
        "generation",
        "manifest",
        "name",
        "names_conditions",
        "pool",
        "scope",
        "skip_operations",
        "slice_count",
    )

    name: str
    driver: str
    pool: str
    generation: int
    slice_count: int
    scope: Scope
    devices: tuple[Device, ...]
    counter_sets: tuple[tuple[str, Mapping[str, Quantity]], ...]
    skip_operations: tuple[str, ...]
    names_conditions: bool
    accounted: frozenset[str]
    manifest: Manifest | None

    def __repr__(self) -> str:
        return f"<Slice {self.name}: {len(self.devices)} devices of {self.driver}/{self.pool}>"


def slice_from(data: Mapping[str, Any]) -> Slice:
    """Read a ResourceSlice from plain data, of any API version."""
    spec = as_map(data.get("spec"))
    pool = as_map(spec.get("pool"))
    made = Slice()
    made.manifest = None
    made.name = as_text(as_map(data.get("metadata")).get("name")) or ""
    made.driver = _shared(as_text(spec.get("driver")) or "")
    made.pool = _shared(as_text(pool.get("name")) or "")
    made.generation = _whole(pool.get("generation"))
    made.slice_count = _whole(pool.get("resourceSliceCount"))
    made.scope = _scope(spec)
    made.counter_sets = tuple(
        (as_text(item.get("name")) or "", _counters(item)) for item in _maps(spec.get("sharedCounters"))
    )
    made.skip_operations = _texts(spec.get("skipNodeOperations"))
    bodies = [(item, _body(item)) for item in _maps(spec.get("devices"))]
    made.accounted = frozenset(name for _, body in bodies for key in _ACCOUNTED for name in as_map(body.get(key)))
    made.devices = tuple(_device(item, body, made) for item, body in bodies)
    made.names_conditions = any(device.binding.conditions is not None for device in made.devices)
    return made


def quantities_from(value: Any) -> dict[str, Quantity]:
    """Read a mapping of names to quantities; malformed ones are left out."""
    read = ((name, quantity_from(item)) for name, item in as_map(value).items())
    return {_shared(name): quantity for name, quantity in read if quantity is not None}


def _body(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return where the fields of a device stand."""
    basic = item.get("basic")
    return basic if isinstance(basic, dict) else item


def _device(item: Mapping[str, Any], fields: Mapping[str, Any], owner: Slice) -> Device:
    multiple = fields.get("allowMultipleAllocations")
    made = Device()
    made.name = as_text(item.get("name")) or ""
    made.driver = owner.driver
    made.slice = owner
    made.number = -1
    made.attributes = {_shared(name): _attribute(value) for name, value in as_map(fields.get("attributes")).items()}
    made.unplain = _unplain(made.attributes)
    made.capacity = _capacity(as_map(fields.get("capacity")))
    made.allow_multiple = multiple if isinstance(multiple, bool) else None
    made.consumes = tuple(
        Consumption(as_text(part.get("counterSet")) or "", _counters(part), _texts(part.get("compatibilityGroups")))
        for part in _maps(fields.get("consumesCounters"))
    )
    made.taints = tuple(taint_from(taint) for taint in _maps(fields.get("taints")))
    made.scope = _scope(fields) if owner.scope.per_device else NOWHERE
    made.binding = _binding(fields)
    return made


def _attribute(value: Any) -> Attribute:
    """Read an attribute by the first of its kinds that is there, lists first, as Kubernetes does."""
    written = as_map(value)
    for key in _KINDS if len(written) > 1 else written:
        kind, make = _KINDS.get(key, _UNKNOWN)
        found = written.get(key)
        if isinstance(found, list):
            return tuple(make(item) for item in found if isinstance(item, kind))
        if isinstance(found, kind):
            scalar: Scalar = make(found)
            return scalar
    return None


def _kept(text: str) -> str:
    """Return one object for most equal texts: models and versions stand on all devices, JSON makes each anew."""
    if len(_texts_seen) >= _ENOUGH:
        _texts_seen.clear()
    return _texts_seen.setdefault(text, text)


def _unplain(attributes: Mapping[str, Attribute]) -> tuple[tuple[str, Attribute], ...]:
    found = tuple(pair for pair in attributes.items() if pair[1].__class__ not in _PLAIN)
    if len(_unplain_seen) >= _ENOUGH:
        _unplain_seen.clear()
    return _unplain_seen.setdefault(found, found)


_ENOUGH = 20_000
_texts_seen: dict[str, str] = {}
_unplain_seen: dict[tuple[tuple[str, Attribute], ...], tuple[tuple[str, Attribute], ...]] = {}
_PLAIN = frozenset({bool, int, str})

_KINDS: dict[str, tuple[type, Callable[[Any], Any]]] = {
    "ints": (int, int),
    "bools": (bool, bool),
    "strings": (str, str),
    "versions": (str, Version),
    "int": (int, int),
    "bool": (bool, bool),
    "string": (str, _kept),
    "version": (str, Version),
}
_UNKNOWN = (type(None), type(None))


def _capacity(data: Mapping[str, Any]) -> dict[str, Capacity]:
    """Read capacities; equal ones without policies, as those of all devices of a model, are one object."""
    key = _amounts(data)
    if key is None:
        return dict(_capacities(data))
    known = _capacity_of.get(key)
    if known is None:
        known = _capacity_of[key] = dict(_capacities(data))
    return known


def _amounts(data: Mapping[str, Any]) -> tuple[tuple[str, str], ...] | None:
    """Return names and texts of amounts that are written as nothing else; None where one is not."""
    key = []
    for name, item in data.items():
        if item.__class__ is not dict or len(item) != 1:
            return None
        text = item.get("value")
        if text.__class__ is not str:
            return None
        key.append((name, text))
    return tuple(key)


def _capacities(data: Mapping[str, Any]) -> Iterator[tuple[str, Capacity]]:
    for name, item in data.items():
        body = item if isinstance(item, dict) else {"value": item}
        value = quantity_from(body.get("value"))
        if value is not None:
            policy = body.get("requestPolicy")
            yield _shared(name), Capacity(value, _policy(policy) if isinstance(policy, dict) else None)


def _policy(data: Mapping[str, Any]) -> Policy:
    values = (quantity_from(item) for item in as_list(data.get("validValues")))
    bounds = data.get("validRange")
    return Policy(
        quantity_from(data.get("default")),
        tuple(value for value in values if value is not None),
        Range(*(quantity_from(bounds.get(key)) for key in ("min", "max", "step")))
        if isinstance(bounds, dict)
        else None,
    )


def _counters(data: Mapping[str, Any]) -> dict[str, Quantity]:
    written = as_map(data.get("counters"))
    key = _amounts(written)
    known = _counters_of.get(key) if key is not None else None
    if known is None:
        known = quantities_from({name: as_map(counter).get("value") for name, counter in written.items()})
        if key is not None:
            _counters_of[key] = known
    return known


def _scope(fields: Mapping[str, Any]) -> Scope:
    return Scope(
        as_text(fields.get("nodeName")),
        fields.get("allNodes") is True,
        node_selector_from(fields.get("nodeSelector")),
        fields.get("perDeviceNodeSelection") is True,
    )


def _binding(fields: Mapping[str, Any]) -> Binding:
    if _BINDING_FIELDS.isdisjoint(fields):
        return NO_BINDING
    conditions = fields.get("bindingConditions")
    return Binding(
        _texts(conditions) if isinstance(conditions, list) else None,
        _texts(fields.get("bindingFailureConditions")),
        fields.get("bindsToNode") is True,
    )


def _maps(value: Any) -> Iterable[dict[str, Any]]:
    return (item for item in as_list(value) if isinstance(item, dict))


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(item for item in as_list(value) if isinstance(item, str))


def _shared(name: str) -> str:
    """Return one object for equal names: the same few stand on every device."""
    return _names.setdefault(name, name)


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
