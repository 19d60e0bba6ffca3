"""Partitions that asks name: which of them no card has."""

from __future__ import annotations

from dralign.model.driver import PROFILE
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.cel.analysis import Facts
    from dralign.context import Context
    from dralign.model.catalogue import DriverView
    from dralign.model.partition import Card

PRODUCT = "productName"
ALIKE = 0.05
"""Names of one partition in two tables differ by less than this part of its memory: firmware rounds differently."""


class Strange(Record):
    """A profile that selectors ask for and no card has.

    ``product``: the card that they ask for beside it, which has other profiles; None where no card at all is known to
    have this one. ``known``: profiles that there are. ``sure``: no card can have it; else it may be one that the tables
    do not know. ``alone``: it is the only one asked for.
    """

    profile: str
    product: str | None
    known: tuple[str, ...]
    sure: bool
    alone: bool


def strange_profiles(ctx: Context, view: DriverView | None, facts: Facts) -> Iterator[Strange]:
    """Yield the profiles among those that selectors ask for which no card of catalogue and inventory has."""
    if view is None or view.profile is None:
        return
    cards = view.profile.partitions()
    for attribute in view.attributes(PROFILE) if cards else ():
        wanted = facts.values(attribute) or ()
        there = {device.attribute(attribute) for device in ctx.devices_of_driver(view.driver)} if wanted else set()
        card = _card(view, facts)
        for profile in sorted(value for value in wanted if isinstance(value, str) and value not in there):
            if all(item.profile(profile) is None for item in cards):
                known = dict.fromkeys(item.profile for one in cards for item in one.profiles)
                yield Strange(profile, None, tuple(known), _is_impossible(profile, cards), len(wanted) == 1)
            elif card is not None and card[1].profile(profile) is None:
                known = dict.fromkeys(item.profile for item in card[1].profiles)
                yield Strange(profile, card[0], tuple(known), card[1].complete, len(wanted) == 1)


def _card(view: DriverView, facts: Facts) -> tuple[str, Card] | None:
    """Return the one product that selectors ask for, and its card, if the catalogue can divide it."""
    products = facts.values(f"{view.driver}/{PRODUCT}") or ()
    product = next(iter(products)) if len(products) == 1 else None
    card = view.profile.card(product) if view.profile is not None and isinstance(product, str) else None
    return (str(product), card) if card is not None else None


def _is_impossible(profile: str, cards: tuple[Card, ...]) -> bool:
    """Say whether no card whose table has gaps could call a partition of its own so."""
    size = _size(profile)
    if size is None:
        return False
    near = (_size(item.profile) for card in cards if not card.complete for item in card.profiles)
    return not any(other and other[0] == size[0] and abs(other[1] - size[1]) <= ALIKE * other[1] for other in near)


def _size(profile: str) -> tuple[int, int] | None:
    """Return compute slices and gigabytes of a MIG profile; None for names of another kind."""
    slices, dot, memory = profile.partition("g.")
    gigabytes = memory.partition("gb")[0]
    return (int(slices), int(gigabytes)) if dot and slices.isdecimal() and gigabytes.isdecimal() else None
