"""Why no device matches a request: the first of its selectors that none meets, and what the devices have instead."""

from __future__ import annotations

from dralign.cel.analysis.facts import ATTRIBUTES
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dralign.cel.analysis import Read
    from dralign.context import Ask, Context
    from dralign.manifest import Path
    from dralign.model.device import Device

SHOWN = 3
"""Values of an attribute that are named, before the rest is counted."""


class Mismatch(Record):
    """Where to look (None: at all selectors of the request), and in words what the devices are or have instead."""

    place: Path | None
    words: str


def mismatch(ctx: Context, ask: Ask, devices: Sequence[Device]) -> Mismatch:
    """Return why none of a driver's devices matches a request; of one whose selectors raise no error on them."""
    of_class = [device for device in devices if all(_meets(ctx, text, device) for text in ask.class_expressions)]
    if not of_class:
        return Mismatch(None, f": none is of class '{ask.request.device_class}'")
    for index, selector in enumerate(ask.request.selectors, len(ask.class_expressions)):
        if not any(_meets(ctx, selector.expression, device) for device in of_class):
            reads = (read for read in ctx.facts_of(ask.request).reads if read.expression_index == index)
            return Mismatch(selector.path, "".join(f": {words}" for words in _words(reads, of_class)))
    return Mismatch(None, ": each of them is met by some, and no device meets all")


def _meets(ctx: Context, expression: str, device: Device) -> bool:
    return bool(ctx.compiled(expression, stored=True).evaluate(device).value)


def _words(reads: Iterable[Read], devices: Sequence[Device]) -> Iterator[str]:
    """Yield what the devices have of the first entry that they have at all."""
    for read in reads:
        values = dict.fromkeys(value for device in devices for value in _values(read, device))
        if values:
            named = ", ".join(list(values)[:SHOWN])
            more = f" and {len(values) - SHOWN} more" if len(values) > SHOWN else ""
            yield f"their {read.name} is {named}{more}"
            return


def _values(read: Read, device: Device) -> Iterator[str]:
    name = f"{read.domain}/{read.name}"
    if read.kind == ATTRIBUTES:
        value = device.attribute(name)
        if value is not None:
            yield f"'{value}'" if isinstance(value, str) else f"{list(value) if isinstance(value, tuple) else value}"
        return
    amount = device.capacity.get(name) or (device.capacity.get(read.name) if read.domain == device.driver else None)
    if amount is not None:
        yield str(amount.value)
