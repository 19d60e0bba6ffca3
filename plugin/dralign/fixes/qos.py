"""Requests and limits made equal, and whole where a CPU is pinned. No amount is ever lowered."""

from __future__ import annotations

from dralign.edit import Set
from dralign.finding import Patch
from dralign.model.qos import COMPUTE, has_pod_level, repaired_amount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.model.workload import Container, PodView


def guaranteed(ctx: Context, pod: PodView) -> tuple[Patch, ...] | None:
    """Return the patches that make a pod Guaranteed, with whole CPUs for containers that hold devices.

    None where an amount is not written at all, or where pod-level resources decide: nobody but the author knows those.
    """
    if has_pod_level(pod) or not pod.written:
        return None
    patches: list[Patch] = []
    for container in pod.containers:
        for resource in COMPUTE:
            whole = resource == "cpu" and ctx.rounds_cpus and ctx.container_holds_devices(pod, container)
            made = tuple(equal(pod, container, resource, whole=whole))
            if not made and container.limit(resource) is None:
                return None
            patches += made
    return tuple(patches)


def equal(pod: PodView, container: Container, resource: str, *, whole: bool) -> Iterator[Patch]:
    """Yield the patches that make request and limit of one resource the larger of the two.

    A request that is not written stays so where the limit needs no change: it defaults to the limit.
    """
    amount = repaired_amount(container, resource, whole=whole)
    if amount is None:
        return
    sections = (("requests", container.requests), ("limits", container.limits))
    for section, amounts in sections:
        missing = resource not in amounts
        if missing and section == "requests":
            continue
        if missing or amounts[resource] != amount:
            yield Patch(pod.manifest, Set(container.resources_path / section / resource, amount))
