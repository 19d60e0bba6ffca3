"""What a pod asks of the CPU manager and of the memory manager: whole CPUs, and bytes per kind of memory.

Only Guaranteed pods are served. Of a pod with pod-level resources only containers that are Guaranteed by themselves get
CPUs and memory of their own, and nothing at all is done for it without the gate PodLevelResourceManagers (KEP-5526, off by
default in 1.37). Source: guaranteedCPUs, podGuaranteedCPUs (cpumanager), getPodRequestedResources (memorymanager).
"""

from __future__ import annotations

from dralign.kubelet.pods import GUARANTEED, HUGEPAGES, qos_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dralign.kubelet.gates import Gates
    from dralign.kubelet.pods import Amounts, Container, Pod, Qos

    Bytes = Mapping[str, int]


class Uncountable(ValueError):  # noqa: N818 - a refusal, named for what it says
    """An amount of memory that is no whole number in an int64."""

    def __init__(self) -> None:
        super().__init__("[memorymanager] failed to represent quantity as int64")


class Demand:
    """A pod under the gates of a kubelet.

    ``served``: the managers look at it at all. ``by_level``: pod-level resources are what counts.
    """

    __slots__ = ("by_level", "pod", "qos", "served")

    def __init__(self, pod: Pod, gates: Gates) -> None:
        self.pod = pod
        self.qos: Qos = qos_class(pod, gates)
        managed = gates.is_on("PodLevelResourceManagers") and gates.is_on("PodLevelResources")
        self.by_level = pod.has_level and managed
        self.served = self.qos == GUARANTEED and (managed or not pod.has_level)

    def cpus(self, container: Container) -> int:
        """Return the CPUs a container is to own; 0 for a share of the common ones."""
        return _whole_cpus(container.requests) if self._may_own(container) else 0

    def memory(self, container: Container) -> Bytes:
        """Return the memory a container is to own, by resource. Raises Uncountable."""
        return _bytes_of(container.requests) if self._may_own(container) else {}

    def pod_cpus(self) -> int:
        """Return the CPUs of the whole pod: the most that run at one time."""
        if not self.served:
            return 0
        if self.by_level:
            level = self.pod.level
            return _whole_cpus(level.requests) if level else 0
        return _peak(self.pod, self.cpus)

    def pod_memory(self) -> Bytes:
        """Return the memory of the whole pod, by resource: the most that is used at one time. Raises Uncountable."""
        if not self.served:
            return {}
        if self.by_level:
            level = self.pod.level
            return {name: size for name, size in _bytes_of(level.requests).items() if size > 0} if level else {}
        asked = {container.name: self.memory(container) for container in self.pod.containers}
        kept = {name: None for c in self.pod.containers if c.kind == "container" for name in asked[c.name]}
        return {name: _peak(self.pod, _amounts_of(name, asked)) for name in kept}

    def _may_own(self, container: Container) -> bool:
        return self.served and (container.is_guaranteed or not self.pod.has_level)


def _peak(pod: Pod, amount: Callable[[Container], int]) -> int:
    """Return the most that is asked for at one time: init containers run one by one, beside the sidecars before them."""
    sidecars, highest, together = 0, 0, 0
    for container in pod.containers:
        asked = amount(container)
        if container.kind == "sidecar":
            sidecars += asked
        elif container.kind == "init":
            highest = max(highest, sidecars + asked)
        else:
            together += asked
    return max(highest, sidecars + together)


def _amounts_of(name: str, asked: Mapping[str, Bytes]) -> Callable[[Container], int]:
    return lambda container: asked[container.name].get(name, 0)


def _whole_cpus(requests: Amounts) -> int:
    amount = requests.get("cpu")
    return amount.ceil() if amount is not None and amount.is_whole else 0


def _bytes_of(requests: Amounts) -> dict[str, int]:
    found = {}
    for name, amount in requests.items():
        if name == "memory" or name.startswith(HUGEPAGES):
            size = amount.as_int64()
            if size is None:
                raise Uncountable
            found[name] = size
    return found
