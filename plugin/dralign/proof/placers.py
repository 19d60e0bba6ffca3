"""Where CPUs and memory that no claim holds may end up: the interface, and two answers to it.

Without a known kubelet configuration CPUs may be on any NUMA node with room, and memory is where its CPUs first touch it.
With one, the kubelet's own model says what can be, and finds the state in which it is.
"""

from __future__ import annotations

from dralign.kubelet.crossing import find_crossing
from dralign.kubelet.machine import machine_of_counts
from dralign.kubelet.placement import possible
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, Protocol

    from dralign.kubelet.configuration import Configuration
    from dralign.kubelet.placement import Possible
    from dralign.kubelet.pods import Pod
    from dralign.model.numa import NumaLayout
    from dralign.proof.question import ContainerUse

    What = Literal["cpus", "memory"]

    class Placer(Protocol):
        """Says where CPUs or memory of a container can lie outside the NUMA nodes that are wished for."""

        def outside(self, container: ContainerUse, wished: frozenset[int], what: What) -> Outside | str | None:
            """Return a state in which it does, None if that cannot be, or why nobody knows."""


class Outside(Record):
    """A state of a node, and where the thing in question then lies; ``cpus`` and ``memory`` are what others own."""

    nodes: tuple[int, ...]
    cpus: Mapping[int, int]
    memory: Mapping[int, int]


UNKNOWN_LAYOUT = "nobody knows how many NUMA nodes {node} has: add its NodeResourceTopology, or dra.cpu slices"


class AnyRoom:
    """CPUs may be on any NUMA node with room for them; memory follows."""

    def __init__(self, layout: NumaLayout) -> None:
        self._cpus = layout.cpus

    def outside(self, container: ContainerUse, wished: frozenset[int], what: What) -> Outside | str | None:
        """Fill the wished NUMA nodes, so that the CPUs go to another; those of no node of its own go anywhere."""
        others = [node for node in sorted(self._cpus) if node not in wished]
        if what == "memory" or not others:
            return None
        full = {node: count for node, count in self._cpus.items() if node in wished}
        roomy = [node for node in others if self._cpus[node] >= container.cpus]
        if roomy:
            return Outside((roomy[0],), full, {})
        return Outside(tuple(sorted(self._cpus)), {}, {})


class ByKubelet:
    """What a kubelet with a known configuration does."""

    def __init__(self, config: Configuration, layout: NumaLayout, pod: Pod, node: str) -> None:
        self._config = config
        self._machine = machine_of_counts(layout.cpus, layout.memory or None)
        self._pod = pod
        self._node = node
        self._possible: Mapping[str, Possible] | str | None = None

    def outside(self, container: ContainerUse, wished: frozenset[int], what: What) -> Outside | str | None:
        """Ask the kubelet's model."""
        found = self._places()
        if isinstance(found, str):
            return found
        places = found[container.name].cpus if what == "cpus" else found[container.name].memory
        if (what == "memory" and not places.owned) or places.nodes <= wished:
            return None
        witness = find_crossing(self._config, self._machine, self._pod, container.name, wished, what)
        if witness is None:
            return f"the kubelet of {self._node} may place {what} of {container.name} elsewhere, but no such state was found"
        return Outside(tuple(sorted(witness.nodes)), witness.taken.cpus, witness.taken.memory)

    def _places(self) -> Mapping[str, Possible] | str:
        if self._possible is None:
            try:
                self._possible = possible(self._config, self._machine, self._pod)
            except ValueError as error:
                self._possible = f"nobody can tell what the kubelet of {self._node} does: {error}"
        return self._possible


def placer_for(
    layout: NumaLayout | None, config: Configuration | None, pod: Pod | None, node: str
) -> AnyRoom | ByKubelet | str:
    """Return what says where CPUs may be on a node, or why nobody knows."""
    if layout is None:
        return UNKNOWN_LAYOUT.format(node=node)
    if config is not None and pod is not None:
        return ByKubelet(config, layout, pod, node)
    return AnyRoom(layout)
