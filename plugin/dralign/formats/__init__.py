"""One output format per file: FORMAT = Format(...). Formats see findings, never manifests, and decide nothing."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.finding import Outcome

STDIN = "-"
"""What stands for a file where the text came from standard input."""


class Format(Record):
    """A way to print an outcome. ``render`` returns the whole text, with its final newline if it has any text."""

    name: str
    render: Callable[[Outcome], str]
