"""The Topology Manager's policies: which NUMA nodes a container or pod gets, and whether it may start at all.

Source: topologymanager (policy_*.go, numa_info.go).
"""

from __future__ import annotations

from dralign.kubelet import hints, masks
from dralign.kubelet.policy_options import CLOSEST, MOST_NODES, topology_options
from dralign.record import Record
from dralign.values.gotext import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dralign.kubelet.gates import Gates
    from dralign.kubelet.hints import Hint
    from dralign.kubelet.machine import Machine

NONE = "none"
SINGLE_NUMA_NODE = "single-numa-node"
POD_SCOPE = "pod"


class Policy(Record):
    """``refuses``: a result that not every provider prefers. ``keep``: the hints that count."""

    refuses: bool
    keep: Callable[[Hint], bool] = lambda _: True


def _is_single(hint: Hint) -> bool:
    mask, preferred = hint
    return preferred and (mask is None or mask.bit_count() == 1)


POLICIES = {
    "best-effort": Policy(refuses=False),
    "restricted": Policy(refuses=True),
    SINGLE_NUMA_NODE: Policy(refuses=True, keep=_is_single),
}


class Affinity(Record):
    """What the Topology Manager decided: NUMA nodes (None: any), whether all prefer them, whether the pod may start."""

    mask: int | None
    preferred: bool
    admitted: bool = True


class TopologyManager:
    """A policy on a machine. Raises ValueError, with the kubelet's words, where the kubelet would not start."""

    __slots__ = ("_cost", "_everything", "_policy", "policy", "scope")

    def __init__(self, policy: str, scope: str, settings: Mapping[str, str], machine: Machine, gates: Gates) -> None:
        self.policy = policy
        self.scope = scope if policy != NONE else NONE
        self._everything = masks.mask_of(node.id for node in machine.nodes)
        if policy == NONE:
            return
        options = topology_options(settings, gates)
        if options[CLOSEST] and not all(node.distances for node in machine.nodes):
            raise ValueError("cannot discover NUMA topology: error getting NUMA distances from cadvisor")
        if len(machine.nodes) > options[MOST_NODES]:
            raise ValueError(f"unsupported on machines with more than {options[MOST_NODES]} NUMA Nodes")
        if policy not in POLICIES:
            raise ValueError(f"unknown policy: {quote(policy)}")
        self._policy = POLICIES[policy]
        by_distance = options[CLOSEST] and policy != SINGLE_NUMA_NODE
        self._cost = _Closeness(machine) if by_distance else masks.width

    def decide(self, answers: Sequence[Sequence[Sequence[Hint]]]) -> Affinity:
        """Merge the hints of all providers (``hints.gathered`` says what an answer is)."""
        if self.policy == NONE:
            return Affinity(None, preferred=False)
        mask, preferred = hints.merge(self._kept(answers), self._everything, self._cost)
        admitted = preferred or not self._policy.refuses
        if self.policy == SINGLE_NUMA_NODE and mask == self._everything:
            return Affinity(None, preferred, admitted)
        return Affinity(mask, preferred, admitted)

    def acceptable(self, answers: Sequence[Sequence[Sequence[Hint]]]) -> set[int] | None:
        """Return every set of NUMA nodes that could be decided on without a refusal; None if nothing is refused."""
        if self.policy == NONE or not self._policy.refuses:
            return None
        return hints.preferred_by_all(self._kept(answers), self._everything)

    def _kept(self, answers: Sequence[Sequence[Sequence[Hint]]]) -> list[list[Hint]]:
        return [[hint for hint in found if self._policy.keep(hint)] for found in hints.gathered(answers)]


class _Closeness:
    """Orders masks of as many nodes by the distances between their nodes, then lower nodes first."""

    __slots__ = ("_distances",)

    def __init__(self, machine: Machine) -> None:
        self._distances = {node.id: node.distances for node in machine.nodes}

    def __call__(self, mask: int) -> tuple[int, int, int]:
        nodes = masks.nodes_of(mask)
        return len(nodes), sum(self._distances[one][other] for one in nodes for other in nodes), mask
