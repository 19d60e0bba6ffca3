"""How simulations are shown: one file each, with a ``VIEW`` of the file's name."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.simulate import Simulated


class View(Record):
    """A way to show a simulation, as text."""

    name: str
    render: Callable[[Simulated], str]
