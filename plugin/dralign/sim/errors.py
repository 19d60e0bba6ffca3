"""What the allocator reports as an error, rather than as a pod that does not fit."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.sim.outcome import ErrorKind


class AllocationError(Exception):
    """An error that ends the attempt for the pod, whatever other nodes there are."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
