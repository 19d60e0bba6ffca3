"""What one pod asks for, in words: ``1 GPU + 8 CPUs``."""

from __future__ import annotations

from dralign.model.claim import ALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.model.claim import Claim, Request
    from dralign.model.workload import PodClaim, PodView

NAMES = {"gpu": "GPU", "nic": "NIC", "npu": "accelerator", "cpu": "CPU", "fabric": "fabric channel"}
"""Words for kinds of devices; others are called as they are."""

ORDER = ("gpu", "npu", "nic")


def asks_of(ctx: Context, pod: PodView) -> str:
    """Return the devices that a pod claims or gets of a plugin, and its CPUs; of alternatives the first."""
    counts: dict[str, int] = {}
    whole = [f"claim '{entry.name}'" for entry in pod.claims if _is_unknown(ctx, pod, entry)]
    for kind, count in (*_claimed(ctx, pod), *_legacy(ctx, pod)):
        if count is None:
            whole.append(f"all {plural(kind)}")
        else:
            counts[kind] = counts.get(kind, 0) + count
    order = sorted(counts, key=lambda kind: ORDER.index(kind) if kind in ORDER else len(ORDER))
    words = [f"{counts[kind]} {plural(kind) if counts[kind] != 1 else word(kind)}" for kind in order]
    return " + ".join([*dict.fromkeys(whole), *words, *_cpus(ctx, pod)]) or "no devices"


def word(kind: str) -> str:
    """Return the word for a kind of devices; full names of classes and extended resources stay as they are."""
    return kind if _is_name(kind) else NAMES.get(kind, f"{kind} device".lstrip())


def plural(kind: str) -> str:
    """Return the word for several of a kind."""
    return word(kind) if _is_name(kind) else f"{word(kind)}s"


def _is_name(kind: str) -> bool:
    return "." in kind or "/" in kind


def _is_unknown(ctx: Context, pod: PodView, entry: PodClaim) -> bool:
    return not ctx.is_made(pod, entry) and ctx.any_claim_of(pod, entry) is None


def _claimed(ctx: Context, pod: PodView) -> Iterator[tuple[str, int | None]]:
    for entry in pod.claims:
        claim = ctx.any_claim_of(pod, entry)
        for leaf in _first_leaves(claim) if claim is not None else ():
            view = ctx.driver_of(leaf)
            kind = (view.device if view is not None else None) or leaf.device_class or ""
            if kind != "cpu":
                yield kind, None if leaf.mode == ALL else leaf.count


def _first_leaves(claim: Claim) -> Iterator[Request]:
    for request in claim.requests:
        leaf = request.leaves()[0]
        if not leaf.admin_access:
            yield leaf


def _legacy(ctx: Context, pod: PodView) -> Iterator[tuple[str, int | None]]:
    for container in pod.containers:
        for resource in ctx.legacy_resources(container):
            amount = container.request(resource)
            if amount:
                yield resource, amount.scaled_value()


def _cpus(ctx: Context, pod: PodView) -> Iterator[str]:
    """Yield claimed CPUs, or those that containers with devices ask for."""
    shares = ctx.cpu_shares(pod)
    claimed = [share.claimed for share in shares]
    if shares and None not in claimed:
        total = sum(amount.scaled_value() for amount in claimed if amount is not None)
        yield f"{total} CPU{'' if total == 1 else 's'}"
        return
    holders = [item for item in pod.containers if ctx.container_holds_devices(pod, item)]
    left = sum(amount.scaled_value() for item in holders if (amount := item.request("cpu")) is not None)
    if left:
        yield f"{left} CPU{'' if left == 1 else 's'}"
