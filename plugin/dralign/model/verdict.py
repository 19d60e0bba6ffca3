"""Verdicts: what is proved of one pod template, with the counterexample or the reasons.

Devices are named ``driver/pool/device``, NUMA nodes by their number. A verdict is plain data: it can be written out and a
witness read back and replayed.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal

    from dralign.values.quantity import Quantity

    Kind = Literal["aligned", "spans", "may-cross", "unsatisfiable", "undecided"]
    By = Literal["one claim", "pinned", "derived attributes", "single NUMA node", "the kubelet", "one device"]

ALIGNED: Kind = "aligned"
SPANS: Kind = "spans"
MAY_CROSS: Kind = "may-cross"
UNSATISFIABLE: Kind = "unsatisfiable"
UNDECIDED: Kind = "undecided"

WORST_FIRST: tuple[Kind, ...] = (UNSATISFIABLE, MAY_CROSS, UNDECIDED, SPANS, ALIGNED)
"""An object with several pod templates carries the first of these that any of them has."""

ONE_CLAIM: By = "one claim"
PINNED: By = "pinned"
DERIVED: By = "derived attributes"
SINGLE_NODE: By = "single NUMA node"
KUBELET: By = "the kubelet"
ONE_DEVICE: By = "one device"
"""What keeps things together, in the words that people see; the last: there is nothing else to be near to."""

CPUS = "cpus/"
MEMORY = "memory/"
"""Before the name of a container: the key of its CPUs or memory in ``Witness.numa``."""


class Held(Record):
    """A device that others hold when the pod comes: all of it, or shares that add up to ``consumed``."""

    device: str
    consumed: Mapping[str, Quantity] | None = None


class Placement(Record):
    """Where a pod ends up on a node.

    Attributes:
        node: the node.
        placement: devices by ``claim/request``; of an alternative ``claim/request/alternative``.
        numa: NUMA nodes of every device that says so, and of ``cpus/<container>`` and ``memory/<container>`` if they matter.
    """

    node: str
    placement: Mapping[str, tuple[str, ...]]
    numa: Mapping[str, tuple[int, ...]]


class Witness(Placement):
    """A state of a node in which the pod ends up on several NUMA nodes, and where exactly.

    Attributes:
        taken: devices that others hold.
        exclusive_cpus: CPUs that containers of other pods own, by NUMA node.
        exclusive_memory: bytes of memory that the Static memory manager has given away, by NUMA node.
        container: the container whose parts are apart.
        crossed: two keys of ``numa`` that are apart.
    """

    taken: tuple[Held, ...]
    exclusive_cpus: Mapping[int, int]
    exclusive_memory: Mapping[int, int]
    container: str
    crossed: tuple[str, str]


class Removed(Record):
    """Devices that one test takes from a request; ``test`` as in ``sim.outcome.Test``, ``detail`` with the values."""

    test: str
    detail: str
    devices: tuple[str, ...]


class RequestRefusal(Record):
    """Why a request of a claim goes short: of the devices ``seen`` on the node, what is ``left`` and what took the rest."""

    claim: str
    request: str
    needed: int
    seen: int
    left: int
    removed: tuple[Removed, ...]


class ShapeRefusal(Record):
    """Why the claims do not fit on nodes that look alike.

    Attributes:
        nodes: their names.
        requests: one entry for every request and alternative.
        error: what the allocator reports where it reports an error; empty if the pod just does not fit.
        together: why requests that could each be served alone cannot be served together; empty where one goes short.
    """

    nodes: tuple[str, ...]
    requests: tuple[RequestRefusal, ...]
    error: str = ""
    together: str = ""


class Refusal(Record):
    """Why no eligible node can serve the claims, as a tree.

    Attributes:
        lasting: not even an empty cluster can ("never"); else it is what others hold ("not now").
        shapes: by node shape, the nearest miss first.
        nearest: the nearest miss in words.
        changes: single changes each of which would make it fit, in words.
    """

    lasting: bool
    shapes: tuple[ShapeRefusal, ...]
    nearest: str = ""
    changes: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """``never`` or ``not now``."""
        return "never" if self.lasting else "not now"


class ShapeVerdict(Record):
    """What is proved for nodes that look alike; those that cannot serve the pod are unsatisfiable."""

    nodes: tuple[str, ...]
    kind: Kind
    by: tuple[By, ...] = ()
    reasons: tuple[str, ...] = ()


class Verdict(Record):
    """What is proved of one pod template.

    Attributes:
        kind: the verdict.
        by: what keeps it together where it is aligned; several where nodes differ.
        nodes: nodes on which the verdict rests: for ``aligned`` and ``spans`` all that can serve the pod, for ``may-cross``
            those that look like the witness's, for ``unsatisfiable`` all that were tried. Empty: from the text alone.
        shapes: what holds for each node shape.
        witness: the counterexample of ``may-cross``.
        example: what the pod gets now, or on an empty cluster if nothing is left; None where nobody knows.
        reasons: why, in words.
        refusal: the reason tree of ``unsatisfiable``.
        once_free: the verdict on an empty cluster where this one is "not now".
    """

    kind: Kind
    by: tuple[By, ...] = ()
    nodes: tuple[str, ...] = ()
    shapes: tuple[ShapeVerdict, ...] = ()
    witness: Witness | None = None
    example: Placement | None = None
    reasons: tuple[str, ...] = ()
    refusal: Refusal | None = None
    once_free: Verdict | None = None


def worst(verdicts: Iterable[Verdict]) -> Verdict | None:
    """Return the worst verdict, the first of equals; None of none."""
    return min(verdicts, key=lambda verdict: WORST_FIRST.index(verdict.kind), default=None)
