"""How much of a document may come from aliases: go-yaml's answer to "billion laughs"."""

from __future__ import annotations

from dralign.yamlio.faults import DocumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.yamlio.nodes import Node

_FEW = 100
_SMALL = 1_000
_LOW, _HIGH = 400_000, 4_000_000
_MOST, _LEAST = 0.99, 0.10


class Budget:
    """Counts decoding steps as ``decode.go`` of go.yaml.in/yaml does: one for each node each time it is decoded.

    Attributes:
        steps: all steps so far.
        aliased: those of them inside an alias.
        depth: how many aliases the current step is inside of.
    """

    __slots__ = ("aliased", "depth", "steps")

    def __init__(self) -> None:
        self.steps = 1  # the document itself
        self.aliased = 0
        self.depth = 0

    def spend(self, node: Node, steps: int = 1) -> None:
        """Count steps spent on a node.

        Raises:
            DocumentError: more of the document comes from aliases than go-yaml allows.
        """
        self.steps += steps
        if self.depth:
            self.aliased += steps
        if self.aliased > _FEW and self.steps > _SMALL and self.aliased / self.steps > self._allowed():
            raise DocumentError("aliases expand this document beyond what Kubernetes' readers allow", node)

    def _allowed(self) -> float:
        if self.steps <= _LOW:
            return _MOST
        if self.steps >= _HIGH:
            return _LEAST
        return _MOST - (_MOST - _LEAST) * ((self.steps - _LOW) / (_HIGH - _LOW))
