"""Requests and limits made equal, and whole where a CPU is pinned.

Where a claim takes the CPUs of a container, its number counts. An amount is lowered only where a user allows what is
unsafe.
"""

from __future__ import annotations

from dralign.edit import Set
from dralign.finding import Fix, Patch
from dralign.model.qos import COMPUTE, has_pod_level, repaired_amount
from dralign.model.workload import quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.context import Context
    from dralign.model.workload import Container, PodView
    from dralign.values.quantity import Quantity


def guaranteed(ctx: Context, pod: PodView) -> tuple[Patch, ...] | None:
    """Return the patches that make a pod Guaranteed, with whole CPUs for containers that hold devices.

    None where an amount is not written at all, or where pod-level resources decide: nobody but the author knows those.
    """
    if has_pod_level(pod) or not pod.written:
        return None
    patches: list[Patch] = []
    for container in pod.containers:
        for resource in COMPUTE:
            made = tuple(_made_equal(ctx, pod, container, resource))
            if not made and container.limit(resource) is None:
                return None
            patches += made
    return tuple(patches)


def _made_equal(ctx: Context, pod: PodView, container: Container, resource: str) -> Iterator[Patch]:
    """Yield the patches for one resource of one container: its claimed CPUs count where that lowers nothing."""
    claimed = ctx.claimed_cpus(pod, container) if resource == "cpu" and ctx.cpu_accounting == "containers" else None
    if claimed is not None and not lowers(container, claimed):
        yield from _put(pod, container, "cpu", str(claimed))
    else:
        whole = resource == "cpu" and ctx.rounds_cpus and ctx.container_holds_devices(pod, container)
        yield from equal(pod, container, resource, whole=whole)


def equal(pod: PodView, container: Container, resource: str, *, whole: bool) -> Iterator[Patch]:
    """Yield the patches that make request and limit of one resource the larger of the two."""
    amount = repaired_amount(container, resource, whole=whole)
    if amount is not None:
        yield from _put(pod, container, resource, amount)


def mirrored(pod: PodView, container: Container, claimed: Quantity) -> Fix | None:
    """Return the fix that makes a container ask for the CPUs that its claim takes.

    It loses no node: the claim takes as many CPUs of the node with or without it.
    """
    if not pod.written:
        return None
    patches = tuple(_put(pod, container, "cpu", str(claimed)))
    title = f"ask for {claimed} CPUs, as the claim does"
    if lowers(container, claimed):
        return Fix(title, patches, "unsafe", "it lowers an amount, only with --unsafe")
    return Fix(title, patches)


def lowers(container: Container, claimed: Quantity) -> bool:
    """Say whether a container asks for more CPUs than that anywhere."""
    written = (quantity(amounts.get("cpu")) for amounts in (container.requests, container.limits))
    return any(amount is not None and amount > claimed for amount in written)


def _put(pod: PodView, container: Container, resource: str, amount: Any) -> Iterator[Patch]:
    """Yield the patches that write an amount into limits, and into requests where that section is not left out.

    A request that is not written defaults to the limit; amounts that are equal already stay as they are written.
    """
    wanted = quantity(amount)
    for section, amounts in (("requests", container.requests), ("limits", container.limits)):
        if section == "requests" and not amounts:
            continue
        if section == "requests" and resource not in amounts and resource in container.limits:
            continue
        if quantity(amounts.get(resource)) != wanted:
            yield Patch(pod.manifest, Set(container.resources_path / section / resource, amount))
