"""How a pod with pod-level resources shares what it was given among its containers (KEP-5526, topology scope pod).

Containers that are Guaranteed by themselves own their part; the others share the rest, which must not be empty. An init
container has all but what the sidecars before it own. Source: AllocatePod and validatePodScopeResources of both managers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from dralign.kubelet.demand import Bytes, Demand

    Cpus = frozenset[int]
    Pick = Callable[[AbstractSet[int], int], Cpus]


def starved_for_cpus(demand: Demand) -> str | None:
    """Say why containers of the pod would be left without CPUs; None if none would."""
    asked = {
        container.name: {"cpu": count} if (count := demand.cpus(container)) else {}
        for container in demand.pod.containers
    }
    found = _starved(demand, asked, {"cpu": demand.pod_cpus()})
    if found is None:
        return None
    if found[0] == "init":
        return "pod rejected, pod has shared init containers but no cpus available for them"
    return (
        "pod rejected, sum of exclusive container cpu requests equals pod budget, leaving no cpus for shared containers"
    )


def starved_for_memory(demand: Demand) -> str | None:
    """Say why containers of the pod would be left without memory; None if none would. Raises Uncountable."""
    asked = {container.name: demand.memory(container) for container in demand.pod.containers}
    found = _starved(demand, asked, demand.pod_memory())
    if found is None:
        return None
    kind, resource = found
    if kind == "init":
        return f"pod rejected, pod has shared init containers but no {resource} available for them"
    return (
        f"pod rejected, sum of exclusive container {resource} requests equals pod budget, leaving no memory for shared "
        "containers"
    )


def _starved(demand: Demand, asked: Mapping[str, Bytes], budget: Bytes) -> tuple[str, str] | None:
    """Return which kind of sharing container finds which resource used up by those that run beside it."""
    owned = dict.fromkeys(budget, 0)
    sharing = False
    for container in demand.pod.containers:
        amounts = asked[container.name]
        if container.kind == "init":
            used_up = _used_up(owned, budget)
            if not amounts and used_up is not None:
                return "init", used_up
        elif amounts:
            for name, amount in amounts.items():
                owned[name] = owned.get(name, 0) + amount
        else:
            sharing = True
    used_up = _used_up(owned, budget)
    return ("container", used_up) if sharing and used_up is not None else None


def _used_up(owned: Bytes, budget: Bytes) -> str | None:
    return next((name for name, total in budget.items() if owned.get(name, 0) >= total), None)


def cpu_shares(demand: Demand, bubble: Cpus, pick: Pick) -> dict[str, Cpus]:
    """Return the CPUs of every container of a pod that was given ``bubble``. ``pick`` may raise ValueError."""
    shares: dict[str, Cpus] = {}
    left = bubble
    for container in demand.pod.containers:
        count = demand.cpus(container)
        if container.kind == "init":
            shares[container.name] = pick(left, count) if count else left
        elif count:
            shares[container.name] = pick(left, count)
            left -= shares[container.name]
    return {container.name: shares.get(container.name, left) for container in demand.pod.containers}


def memory_shares(demand: Demand, budget: Bytes) -> dict[str, Bytes]:
    """Return the memory of every container of a pod that was given ``budget``, by resource. Raises Uncountable."""
    shares: dict[str, Bytes] = {}
    left = dict(budget)
    for container in demand.pod.containers:
        asked = demand.memory(container)
        if container.kind == "init":
            shares[container.name] = _positive(asked or left)
        elif asked:
            shares[container.name] = _positive(asked)
            left = {name: total - asked.get(name, 0) for name, total in left.items()}
    return {container.name: shares.get(container.name, _positive(left)) for container in demand.pod.containers}


def _positive(amounts: Bytes) -> Bytes:
    return {name: amount for name, amount in amounts.items() if amount > 0}
