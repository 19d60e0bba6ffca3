"""CPUs, and memory where nodes offer it, claimed beside the devices of a container (strategy ``cpu-claim``).

dra.cpu pins what a claim takes. Its nodes need a kubelet with ``cpuManagerPolicy: none``, since two that pin would fight;
a claim with CPUs is for one container alone; and the container repeats the number in requests and limits
(kubernetes-sigs/dra-driver-cpu, docs/user/workload-requirements.md).
"""

from __future__ import annotations

from dralign.context.offers import capacity_name
from dralign.edit import Append
from dralign.finding import Patch
from dralign.fixes import alignment
from dralign.model.topology import ACCELERATORS
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.context import Context
    from dralign.finding import Fix
    from dralign.model.claim import Claim
    from dralign.model.workload import Container

CPU_CLASS, MEMORY_CLASS = "dra.cpu", "dra.memory"
CAPACITY_GATE = "DRAConsumableCapacity"
"""Without it the API server drops the amount, and a claim takes all CPUs of a NUMA node."""

NODES_NEED = "its nodes need cpuManagerPolicy: none"


class Beside(Record):
    """CPUs or memory as a request: an amount of a capacity, or so many devices of one CPU each."""

    name: str
    device_class: str
    capacity: str
    amount: str
    count: int

    def request(self, *, nested: bool) -> dict[str, Any]:
        """Return the request; ``nested`` in versions that write ``exactly``."""
        body: dict[str, Any] = {"deviceClassName": self.device_class}
        if self.count > 1:
            body["count"] = self.count
        if self.capacity:
            body["capacity"] = {"requests": {self.capacity: self.amount}}
        return {"name": self.name} | ({"exactly": body} if nested else body)


def are_claimed(ctx: Context) -> bool:
    """Say whether CPUs are to be claimed with devices."""
    return ctx.settings.alignment.strategy == "cpu-claim"


def beside(ctx: Context, container: Container) -> tuple[Beside, ...]:
    """Return what of a container's CPUs and memory can be claimed; nothing where that is not asked for, or cannot be.

    An inventory without CPUs as devices is one of a cluster without that driver. Memory is claimed only where nodes of the
    inventory offer it.
    """
    cpus = container.request("cpu")
    if not are_claimed(ctx) or not cpus:
        return ()
    if ctx.has_slices and not ctx.devices_of_driver(CPU_CLASS):
        return ()
    number = cpus.ceil()
    if ctx.cpus_come_singly:
        return (Beside("cpus", CPU_CLASS, "", "", number),)
    if CAPACITY_GATE not in ctx.gates:
        return ()
    found = [Beside("cpus", CPU_CLASS, capacity_name(ctx, CPU_CLASS, "cpu") or "dra.cpu/cpu", str(number), 1)]
    memory, size = container.request("memory"), capacity_name(ctx, MEMORY_CLASS, "size")
    if memory and size:
        written = container.requests.get("memory", container.limits.get("memory"))
        found.append(Beside("memory", MEMORY_CLASS, size, str(written), 1))
    return tuple(found)


def extend(ctx: Context, claim: Claim) -> Fix | None:
    """Return the fix that adds the CPUs of its container to a claim with an accelerator, and ties both.

    None where that was not asked for, or one claim cannot hold what its containers need: it has several users with
    different amounts or several containers, or no attribute is common to its devices and CPUs.
    """
    if not are_claimed(ctx):
        return None
    return ctx.shared_fix(("cpu-claim", id(claim)), lambda: _extend(ctx, claim))


def _extend(ctx: Context, claim: Claim) -> Fix | None:
    wanted = {beside(ctx, container) for container in _users(ctx, claim)}
    found = wanted.pop() if len(wanted) == 1 else ()
    names = {request.name for request in claim.requests}
    if not found or any(item.name in names for item in found):
        return None
    leaves = [leaf for request in claim.requests for leaf in request.leaves()]
    views = [ctx.driver_of(leaf) for leaf in leaves]
    devices = sum(leaf.count for leaf in leaves if leaf.mode == "ExactCount")
    if (
        not any(view is not None and view.device in ACCELERATORS for view in views)
        or devices > alignment.MOST_ON_ONE_NODE
    ):
        return None
    attribute = ctx.common_numa_attribute(
        [leaf.device_class or "" for leaf in leaves] + [i.device_class for i in found]
    )
    if attribute is None:
        return None
    at = claim.spec.path / "devices" / "requests"
    patches = [Patch(claim.manifest, Append(at, item.request(nested=claim.nested))) for item in found]
    patches += alignment.tied(
        claim, attribute, [*(request.name for request in claim.requests), *(item.name for item in found)]
    )
    what = " and ".join("CPUs" if item.name == "cpus" else item.name for item in found)
    return ctx.alignment_fix(f"claim the {what} of its container too ({NODES_NEED})", patches)


def _users(ctx: Context, claim: Claim) -> list[Container]:
    """Return the one container of each pod template that gets the whole claim; nothing where there is more than one."""
    users: list[Container] = []
    for use in ctx.uses_of(claim):
        holders = [
            (container, entry)
            for container in use.pod.containers
            for entry in container.claims
            if entry.name == use.entry.name
        ]
        if len(holders) != 1 or holders[0][1].request is not None:
            return []
        if use.entry.template_name is None and (use.pod.replicas != 1 or len(ctx.uses_of(claim)) > 1):
            return []
        users.append(holders[0][0])
    return users
