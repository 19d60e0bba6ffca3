"""A claim of a pod, as the allocator is asked for it."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.claim import ClaimSpec
    from dralign.model.node import NodeSelector


class PodClaim(Record):
    """A claim of a pod; ``name`` is ``namespace/name``.

    ``allocated``: it has its devices already; then ``reach`` says from which nodes, None from all.
    """

    name: str
    spec: ClaimSpec
    allocated: bool = False
    reach: NodeSelector | None = None
