"""Bounds of the readers, and of ours."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.yamlio.nodes import Node

MAX_NESTING = 10_000
"""Levels of brackets, and of indentation, that go-yaml takes (max_flow_level, max_indents), and Go's JSON reader too."""

TOO_DEEP = f"more than {MAX_NESTING:,} levels of nesting, which no reader of Kubernetes takes"


class NestingError(Exception):
    """More than ``MAX_NESTING`` levels."""

    def __init__(self, node: Node) -> None:
        super().__init__(node)
        self.node = node
