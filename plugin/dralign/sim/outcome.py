"""What an attempt to allocate a pod's claims on one node comes to: four classes, to be told apart with ``match``."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from dralign.model.device import Device
    from dralign.model.node import NodeTerm
    from dralign.values.quantity import Quantity


class Result(Record):
    """One device of a claim. ``request`` is ``main/sub`` for an alternative of ``firstAvailable``.

    ``consumed`` are the amounts given to a share, by capacity name; empty for a device that is handed out whole.
    """

    request: str
    device: Device
    shared: bool
    admin_access: bool
    consumed: Mapping[str, Quantity]
    tolerations: tuple[Any, ...]
    binding_conditions: tuple[str, ...]
    binding_failure_conditions: tuple[str, ...]
    skip_operations: tuple[str, ...]


class ConfigEntry(Record):
    """Configuration for the driver: ``body`` is the entry as written, ``requests`` empty means all."""

    source: Literal["FromClass", "FromClaim"]
    requests: tuple[str, ...]
    body: Mapping[str, Any]


class ClaimAllocation(Record):
    """What one claim gets. ``node_selector`` None: its devices can be reached from every node."""

    name: str
    results: tuple[Result, ...]
    config: tuple[ConfigEntry, ...]
    node_selector: NodeTerm | None


class Allocated(Record):
    """All claims fit: one entry per claim, in their order."""

    node: str
    claims: tuple[ClaimAllocation, ...]


class Reason(Record):
    """Why a device cannot serve a request: what refused it, and with which values.

    ``device`` None: about the request as a whole (``count``, ``pool``), or about all requests (``combination``).
    """

    claim: str
    request: str
    device: Device | None
    test: Test
    detail: str


class NoFit(Record):
    """The claims do not fit on this node; ``Allocator.explain`` says why."""

    node: str


class Undecided(Record):
    """The search was given up; neither answer is known."""

    node: str
    why: str


class Failed(Record):
    """The allocator reports an error. With scope ``pod`` the attempt ends for all nodes, with ``node`` for this one."""

    node: str
    kind: ErrorKind
    scope: Literal["pod", "node"]
    message: str


if TYPE_CHECKING:
    Outcome = Allocated | NoFit | Undecided | Failed
    Test = Literal[
        "node",
        "pool",
        "driver",
        "class selector",
        "request selector",
        "capacity",
        "counter",
        "taint",
        "feature",
        "in use",
        "constraint",
        "count",
        "combination",
    ]
    ErrorKind = Literal[
        "cel-runtime",
        "cel-compile",
        "class",
        "all-incomplete",
        "all-invalid",
        "all-constraint",
        "too-many-devices",
        "feature",
        "derived",
        "capacity",
        "empty-constraint",
        "mode",
        "node-selector",
        "invalid-pools",
    ]
