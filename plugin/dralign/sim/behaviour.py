"""How the allocator of one release behaves with one set of feature gates.

Kubernetes holds three versions of its allocator side by side and runs the first that supports every enabled feature
(``structured/allocator.go``). Ours is one, told apart by the fields below. Sources: k8s.io/dynamic-resource-allocation
v0.36.6 and v0.37.2, ``structured/internal/{stable,incubating,experimental}``. Releases before 1.36 are taken as 1.36.
"""

from __future__ import annotations

from dralign.record import Record

ADMIN_ACCESS = "DRAAdminAccess"
BINDING = "DRADeviceBindingConditions"
CONSUMABLE = "DRAConsumableCapacity"
DERIVED = "DRADerivedAttributes"
FRACTIONAL = "DRAFractionalCapacityRange"
GROUPS = "DRADeviceCompatibilityGroups"
LISTS = "DRAListTypeAttributes"
NODE_OPERATIONS = "DRAOptionalNodeOperations"
PARTITIONABLE = "DRAPartitionableDevices"
PRIORITIZED = "DRAPrioritizedList"
TAINTS = "DRADeviceTaints"
TAINT_RULES = "DRADeviceTaintRules"

_STABLE = frozenset({ADMIN_ACCESS, PRIORITIZED, PARTITIONABLE, TAINTS})
_INCUBATING = {36: _STABLE | {BINDING, CONSUMABLE}, 37: _STABLE | {BINDING, CONSUMABLE, FRACTIONAL}}
_EXPERIMENTAL = {36: frozenset({LISTS}), 37: frozenset({LISTS, NODE_OPERATIONS, DERIVED, GROUPS})}


class Behaviour(Record):
    """Gates first, then what differs between versions of the allocator and between releases."""

    admin_access: bool
    binding: bool
    consumable: bool
    derived: bool
    fractional: bool
    groups: bool
    lists: bool
    node_operations: bool
    partitionable: bool
    prioritized: bool
    taints: bool
    taint_rules: bool

    newest: bool
    """The version for alpha gates: it heeds ``skipNodeOperations``, which the others overlook."""
    distinct: bool
    """Whether ``distinctAttribute`` is known."""
    shows_sharing: bool
    """Whether selectors see ``allowMultipleAllocations``, rather than always false."""
    refuses_capacity: bool
    """Whether capacity requests are refused while their gate is off, rather than overlooked."""
    ordered: bool
    """Whether slices are visited by name and pools with binding conditions last; pool order is random otherwise."""
    combinations: bool
    """Whether the next device of a request is looked for behind the last one, rather than from the start."""
    heeds_binds_to_node: bool
    """Whether a device with ``bindsToNode`` ties its claim to the node."""
    counters_everywhere: bool
    """Whether slices with counter sets belong to every node."""

    knows_1_37_fields: bool
    """Derived attributes, compatibility groups and ``skipNodeOperations`` are dropped before 1.37."""
    capacity_errors: bool
    """Whether an amount that cannot be computed with is an error, rather than a device that does not do."""
    all_leaves_out_full: bool
    """Whether mode All leaves out devices whose capacity is used up, rather than failing for them."""
    shares_count_without_capacity: bool
    """Whether a device with shares but without capacities counts as one whose counters are charged already."""
    tidy_config: bool
    """Whether a claim's configuration is listed once, and without requests where it is for all of them."""
    hints: bool
    """Whether the scheduler says what to do about a key that a device does not have."""
    undo_defects: bool
    """1.36: ``distinctAttribute`` remembers one device per request, and a list match is not undone on backtracking."""


def behaviour(release: str, features: frozenset[str]) -> Behaviour:
    """Return how the allocator of ``release`` (``"1.37"``) behaves with the gates in ``features`` on."""
    minor = 37 if int(release.partition(".")[2]) >= 37 else 36
    known = _INCUBATING[minor] | _EXPERIMENTAL[minor]
    on = features & known
    stable, newest, current = on <= _STABLE, not on <= _INCUBATING[minor], minor == 37
    return Behaviour(
        admin_access=ADMIN_ACCESS in on,
        binding=BINDING in on,
        consumable=CONSUMABLE in on,
        derived=DERIVED in on,
        fractional=FRACTIONAL in on,
        groups=GROUPS in on,
        lists=LISTS in on,
        node_operations=NODE_OPERATIONS in on,
        partitionable=PARTITIONABLE in on,
        prioritized=PRIORITIZED in on,
        taints=TAINTS in on,
        taint_rules=TAINT_RULES in features,
        newest=newest,
        distinct=not stable,
        shows_sharing=not stable,
        refuses_capacity=not stable,
        ordered=not stable,
        combinations=not stable,
        heeds_binds_to_node=not stable,
        counters_everywhere=stable or not current,
        knows_1_37_fields=current,
        capacity_errors=current,
        all_leaves_out_full=not current,
        shares_count_without_capacity=current,
        tidy_config=current,
        hints=current,
        undo_defects=not current,
    )
