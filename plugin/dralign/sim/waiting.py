"""Pods that no node takes: when the scheduler tries them again.

Source: the queueing hints of the plugins in k8s.io/kubernetes/pkg/scheduler. Here nothing is ever freed, so that two things
are left: a claim that the pod shares gets its devices, or a pod arrives that it wants to be near to or spread from.
"""

from __future__ import annotations

from dralign.sim.placement import Unplaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.sim.podspec import PodSpec
    from dralign.sim.simulation import Decision


class WaitingPod:
    """One pod without a node. ``number`` is its caller's."""

    __slots__ = ("_allocated", "decision", "number", "pod")

    def __init__(self, number: int, pod: PodSpec, decision: Decision) -> None:
        self.number = number
        self.pod = pod
        self.decision = decision
        self._allocated = self._allocated_now()

    @property
    def is_due(self) -> bool:
        """Whether something has happened, or may have, that makes another attempt worth while."""
        return bool(self.pod.near or self.pod.spreads) or self._allocated != self._allocated_now()

    @property
    def failed(self) -> bool:
        """Whether an error ended the attempt: such pods are tried again and again."""
        placement = self.decision.placement
        return isinstance(placement, Unplaced) and placement.reason == "SchedulerError"

    def _allocated_now(self) -> int:
        return sum(state.allocated for state in self.decision.claims.states or ())


class Waiting:
    """The pods that wait, in the order in which they came."""

    __slots__ = ("_pods",)

    def __init__(self) -> None:
        self._pods: list[WaitingPod] = []

    def __iter__(self) -> Iterator[WaitingPod]:
        return iter(tuple(self._pods))

    def add(self, number: int, pod: PodSpec, decision: Decision) -> None:
        """Keep a pod if the scheduler has tried it, in the place of its number."""
        self._pods = [item for item in self._pods if item.number != number]
        placement = decision.placement
        if isinstance(placement, Unplaced) and placement.reason in ("Unschedulable", "SchedulerError"):
            self._pods.append(WaitingPod(number, pod, decision))
            self._pods.sort(key=lambda item: item.number)
