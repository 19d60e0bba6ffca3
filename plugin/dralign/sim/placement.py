"""What becomes of a pod: it goes to a node with its devices, or it waits, and why."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from dralign.sim.extended import Mapped
    from dralign.sim.outcome import ClaimAllocation


class Special(Record):
    """The claim made for a pod's extended resources: what it got, and which container gets which of its requests."""

    allocation: ClaimAllocation
    mappings: tuple[Mapped, ...]


class Placed(Record):
    """The pod has a node. ``claims`` are those allocated for it now; ``special`` is for extended resources.

    ``ready`` False: the node is chosen and the devices are held, but conditions of a device must come true before the
    pod is bound (``bindingConditions``, KEP-5007).
    """

    node: str
    claims: tuple[ClaimAllocation, ...] = ()
    special: Special | None = None
    ready: bool = True


class Unplaced(Record):
    """The pod has no node.

    ``reason`` and ``message`` are those of its condition PodScheduled; with ``NoCondition`` the scheduler has not looked
    at it. ``refusals`` say per node what is against it. ``others`` are messages that are as likely as ``message``: of
    several nodes whose devices cannot be judged, chance decides which is met first.
    """

    reason: Reason
    message: str
    refusals: Mapping[str, tuple[str, ...]] | None = None
    others: tuple[str, ...] = ()


class Unknown(Record):
    """The search for devices was given up; neither answer is known."""

    why: str


if TYPE_CHECKING:
    Placement = Placed | Unplaced | Unknown
    Reason = Literal["Unschedulable", "SchedulerError", "SchedulingGated", "NoCondition"]
