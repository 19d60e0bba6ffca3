"""CPUs that claims take, and the containers that get them.

dra.cpu pins what a claim takes; scheduler and kubelet know the amounts of the containers only. So both must say the same
number, unless the driver's devices tell the scheduler what they take of the node (KEP-5517).
"""

from __future__ import annotations

from dralign.context.devices import Devices
from dralign.context.stock import is_slice, read
from dralign.lazy import lazy
from dralign.model.claim import ALL
from dralign.model.driver import CPUS
from dralign.model.quantities import quantity_from
from dralign.record import Record
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from dralign.model.claim import Claim, Request
    from dralign.model.slice import Slice
    from dralign.model.workload import Container, PodClaim, PodView

ACCOUNTING_GATE = "DRANodeAllocatableResources"


class CpuAsk(Record):
    """One request of a claim that brings CPUs: ``entry`` is the pod's, ``amount`` None where nobody can tell."""

    entry: PodClaim
    claim: Claim
    request: Request
    amount: Quantity | None

    @property
    def key(self) -> tuple[str, str]:
        """What tells the asks of one pod apart."""
        return self.entry.name, self.request.name


class CpuShare(Record):
    """Requests for CPUs, and the containers that get them: with one request in common they share all of theirs."""

    asks: tuple[CpuAsk, ...]
    containers: tuple[Container, ...]

    @property
    def claimed(self) -> Quantity | None:
        """How many CPUs the claims take; None where nobody can tell."""
        amounts = [ask.amount for ask in self.asks]
        known = [amount for amount in amounts if amount is not None]
        return sum(known, Quantity.of(0)) if len(known) == len(amounts) else None

    @property
    def running(self) -> tuple[Container, ...]:
        """The containers that run at the same time; those that run before them only where there are no others."""
        return tuple(item for item in self.containers if item.kind != "init") or self.containers[:1]

    @property
    def requested(self) -> Quantity:
        """How many CPUs the containers ask for."""
        amounts = (container.request("cpu") for container in self.running)
        return sum((amount for amount in amounts if amount is not None), Quantity.of(0))


class Cpus(Devices):
    """The bundle with the CPUs that its claims take."""

    def cpu_shares(self, pod: PodView) -> tuple[CpuShare, ...]:
        """Return which containers of a pod get which claimed CPUs; containers that get none are in no share."""
        shares: list[CpuShare] = []
        for container in pod.containers:
            asks = {ask.key: ask for ask in self._cpu_asks(pod, container)}
            if not asks:
                continue
            joined = [share for share in shares if any(ask.key in asks for ask in share.asks)]
            for share in joined:
                shares.remove(share)
                asks = {ask.key: ask for ask in share.asks} | asks
            containers = (*(item for share in joined for item in share.containers), container)
            shares.append(CpuShare(tuple(asks.values()), containers))
        return tuple(shares)

    def claimed_cpus(self, pod: PodView, container: Container) -> Quantity | None:
        """Return how many CPUs claims take for one container alone; None where there are none, or nobody can tell."""
        own = [share for share in self.cpu_shares(pod) if container in share.containers]
        return own[0].claimed if own and own[0].running == (container,) else None

    def _cpu_asks(self, pod: PodView, container: Container) -> Iterator[CpuAsk]:
        for used in container.claims:
            entry = pod.claim_named(used.name)
            claim = self.claim_of(pod, entry) if entry else None
            if entry is None or claim is None:
                continue
            for request in claim.requests:
                brings = [self._is_cpu(leaf) for leaf in request.leaves()]
                if used.request in (None, request.name) and any(brings):
                    amount = None if self._is_shared(pod, entry, claim) else self._amount(request)
                    yield CpuAsk(entry, claim, request, amount)

    def _is_cpu(self, leaf: Request) -> bool:
        view = self.driver_of(leaf)
        return view is not None and view.device == "cpu" and not leaf.admin_access

    def _is_shared(self, pod: PodView, entry: PodClaim, claim: Claim) -> bool:
        """Say whether several pods may use one claim, so that no pod alone must ask for all of it."""
        return entry.template_name is None and (pod.replicas != 1 or len(self.uses_of(claim)) > 1)

    def _amount(self, request: Request) -> Quantity | None:
        """Return how many CPUs a request takes, whichever alternative is chosen; None where nobody can tell."""
        amounts = [self._amount_of(leaf) for leaf in request.leaves()]
        return amounts[0] if len(set(amounts)) == 1 else None

    def _amount_of(self, leaf: Request) -> Quantity | None:
        view = self.driver_of(leaf)
        if view is None or view.profile is None or leaf.mode == ALL:
            return None
        capacity = view.profile.capacity(CPUS)
        names = (capacity.name, capacity.name.rpartition("/")[2]) if capacity else ()
        written = next((leaf.capacity[name] for name in names if name in leaf.capacity), None)
        if written is None:
            alone = view.device_type == "individual" or self.cpus_come_singly
            return Quantity.of(leaf.count) if alone else None
        one = quantity_from(written)
        return None if one is None else Quantity(one.unscaled * leaf.count, one.scale, one.format, compact=one.compact)

    @lazy
    def cpu_accounting(self) -> Literal["containers", "devices", "unknown"]:
        """Who tells the scheduler how many CPUs a claim takes: the containers repeat it, or the devices themselves do.

        ``unknown`` where the gate that lets devices do it is on, and no slice with CPUs is at hand.
        """
        slices = self._cpu_slices
        if any("cpu" in piece.accounted for piece in slices):
            return "devices"
        return "unknown" if not slices and ACCOUNTING_GATE in self.gates else "containers"

    @lazy
    def _cpu_slices(self) -> tuple[Slice, ...]:
        """Slices of drivers of CPUs; those that the API server refuses tell how the driver works, too."""
        others = (read(manifest) for manifest in (*self.inventory, *self.bundle.manifests) if is_slice(manifest))
        return tuple(piece for piece in (*self.slices, *others) if self._gives_cpus(piece.driver))

    @lazy
    def cpus_come_singly(self) -> bool:
        """Whether every known device with CPUs is one CPU: those have no capacity to share."""
        devices = [device for piece in self._cpu_slices for device in piece.devices]
        return bool(devices) and not any(device.capacity for device in devices)

    def _gives_cpus(self, driver: str) -> bool:
        profile = self.catalogue.driver(driver)
        return profile is not None and profile.device == "cpu"
