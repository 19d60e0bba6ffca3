"""Why a pod is not admitted: reason and message as they stand in the pod's status."""

from __future__ import annotations

UNEXPECTED = "UnexpectedAdmissionError"
TOPOLOGY = "TopologyAffinityError"
SMT = "SMTAlignmentError"
EMPTY_POOL = "EmptyPodSharedPoolError"


class Refusal(Exception):  # noqa: N818 - not an error of the program: the kubelet's answer
    """The pod is refused."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


def unexpected(cause: str) -> Refusal:
    """Return the refusal of a pod whose allocation failed."""
    return Refusal(UNEXPECTED, f"Allocate failed due to {cause}, which is unexpected")
