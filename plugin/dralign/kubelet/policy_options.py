"""The options of the CPU manager's static policy and of the Topology Manager: a row each.

Letters of ``stages``: ``a`` alpha, ``b`` beta, ``s`` stable, one for each of 1.32 to 1.37. An alpha option needs the gate
``…PolicyAlphaOptions`` (off), a beta one ``…PolicyBetaOptions`` (on). Source: ``policy_options.go`` of both managers.
"""

from __future__ import annotations

from dralign.kubelet.strconv import atoi, parse_bool
from dralign.record import Record
from dralign.values.gotext import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from dralign.kubelet.gates import Gates

FIRST_MINOR = 32
DEFAULT_MOST_NODES = 8  # NUMA nodes that the Topology Manager takes on without being told otherwise


class Option(Record):
    """An option: its name, its stages, how its value is read, its value when it is not set."""

    name: str
    stages: str
    read: Callable[[str, str], Any]
    default: Any = False


def _read_bool(name: str, text: str) -> bool:
    try:
        return parse_bool(text)
    except ValueError as error:
        raise ValueError(f"bad value for option {quote(name)}: {error}") from None


def _read_most_nodes(name: str, text: str) -> int:
    try:
        number = atoi(text)
    except ValueError as error:
        raise ValueError(f"unable to convert policy option to integer {quote(name)}: {error}") from None
    if number < DEFAULT_MOST_NODES:
        raise ValueError(f"the minimum value of {quote(name)} should not be less than {DEFAULT_MOST_NODES}")
    return number


FULL_CORES = "full-pcpus-only"
SPREAD_NUMA = "distribute-cpus-across-numa"
BY_SOCKET = "align-by-socket"
SPREAD_CORES = "distribute-cpus-across-cores"
STRICT_RESERVATION = "strict-cpu-reservation"
BY_CACHE = "prefer-align-cpus-by-uncorecache"
CLOSEST = "prefer-closest-numa-nodes"
MOST_NODES = "max-allowable-numa-nodes"

CPU_OPTIONS = (
    Option(FULL_CORES, "bsssss", _read_bool),
    Option(SPREAD_NUMA, "abbbbb", _read_bool),
    Option(BY_SOCKET, "aaaaaa", _read_bool),
    Option(SPREAD_CORES, "aaaaaa", _read_bool),
    Option(STRICT_RESERVATION, "abbsss", _read_bool),
    Option(BY_CACHE, "aabbss", _read_bool),
)
TOPOLOGY_OPTIONS = (
    Option(CLOSEST, "ssssss", _read_bool),
    Option(MOST_NODES, "bbbsss", _read_most_nodes, DEFAULT_MOST_NODES),
)

CONFLICTS = (
    (FULL_CORES, SPREAD_CORES),
    (SPREAD_NUMA, SPREAD_CORES),
    (BY_CACHE, SPREAD_CORES),
    (BY_CACHE, SPREAD_NUMA),
)
"""Options of the CPU manager that cannot be used together."""


def cpu_options(settings: Mapping[str, str], gates: Gates) -> dict[str, bool]:
    """Return the CPU manager's options with their values. Raises ValueError with the kubelet's words."""
    found = {
        option.name: _value(option, settings, gates, "CPUManager", "CPU Manager Policy {}-level Options")
        for option in _checked(CPU_OPTIONS, settings, "CPU Manager")
    }
    for one, other in CONFLICTS:
        if found[one] and found[other]:
            raise ValueError(f"static policy options {one} and {other} can not be used at the same time")
    return found


def topology_options(settings: Mapping[str, str], gates: Gates) -> dict[str, Any]:
    """Return the Topology Manager's options with their values. Raises ValueError with the kubelet's words."""
    return {
        option.name: _value(option, settings, gates, "TopologyManager", "topology manager policy {}-level options")
        for option in _checked(TOPOLOGY_OPTIONS, settings, "Topology Manager")
    }


def _checked(rows: tuple[Option, ...], settings: Mapping[str, str], manager: str) -> tuple[Option, ...]:
    """Return the rows, once every option that is set is among them."""
    known = {option.name for option in rows}
    unknown = next((name for name in sorted(settings) if name not in known), None)
    if unknown is not None:
        raise ValueError(f"unknown {manager} Policy option: {quote(unknown)}")
    return rows


def _value(option: Option, settings: Mapping[str, str], gates: Gates, manager: str, wanted: str) -> Any:
    if option.name not in settings:
        return option.default
    stage = {"a": "Alpha", "b": "Beta"}.get(option.stages[gates.minor - FIRST_MINOR])
    if stage is not None and not gates.is_on(f"{manager}Policy{stage}Options"):
        level = wanted.format(stage if manager == "CPUManager" else stage.lower())
        raise ValueError(f"{level} not enabled, but option {quote(option.name)} provided")
    return option.read(option.name, settings[option.name])
