"""Recursion without Python's stack: documents may nest ten thousand levels deep."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    Task = Generator["Task", Any, Any]


def run(task: Task) -> Any:
    """Run a generator that yields the generators it waits for, and gets back what they return."""
    waiting = [task]
    result = None
    while waiting:
        try:
            waiting.append(waiting[-1].send(result))
            result = None
        except StopIteration as end:
            waiting.pop()
            result = end.value
    return result
