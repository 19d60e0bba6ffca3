"""What is known of one attribute of a device: which values it may have, and whether it may be missing.

Everything here is a bound from above: a device that meets the expression lies within it, not the other way round. Where
a bound cannot be kept simply it is dropped.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Value = tuple[str, Any]
    """Kind (``bool``, ``number``, ``string``, ``bytes``, ``null``, ``version``, ``quantity``) and the value itself."""

_MOST_ALTERNATIVES = 16


class Bound(Record):
    """An end of a range: a number, version or quantity, and whether that itself is in the range."""

    value: Value
    inclusive: bool


class Values(Record):
    """A set of values that are there.

    Args:
        among: the values, None for any.
        without: values that are not in it.
        kinds: kinds of values, None for any.
        low, high: ends of a range.
        holds: for each set, the value is one of it or is a list that holds one of it.
    """

    among: frozenset[Value] | None = None
    without: frozenset[Value] = frozenset()
    kinds: frozenset[str] | None = None
    low: Bound | None = None
    high: Bound | None = None
    holds: tuple[frozenset[Value], ...] = ()

    def allows(self, value: Value) -> bool:
        """Say whether a scalar is in the set."""
        return (
            (self.among is None or value in self.among)
            and value not in self.without
            and (self.kinds is None or value[0] in self.kinds)
            and (self.low is None or _reaches(value, self.low, 1))
            and (self.high is None or _reaches(value, self.high, -1))
            and all(value in some for some in self.holds)
        )

    def pruned(self) -> Values | None:
        """Drop values that cannot be; None if nothing is left."""
        if self.among is not None:
            among = frozenset(value for value in self.among if self.allows(value))
            return Values(among=among) if among else None
        if self.kinds is not None and not self.kinds:
            return None
        return None if self._is_empty_range() else self

    def ends(self) -> tuple[Bound | None, Bound | None]:
        """Return the ends of the range; a single value is both."""
        if self.among is None or len(self.among) != 1:
            return self.low, self.high
        (value,) = self.among
        return Bound(value, inclusive=True), Bound(value, inclusive=True)

    def _is_empty_range(self) -> bool:
        if self.low is None or self.high is None:
            return False
        return not _reaches(self.high.value, Bound(self.low.value, self.low.inclusive and self.high.inclusive), 1)


ANY = Values()


def _reaches(value: Value, bound: Bound, direction: int) -> bool:
    """Say whether a value lies on the allowed side of a bound: above for 1, below for -1."""
    kind, number = value
    if kind != bound.value[0]:
        return False
    limit = bound.value[1]
    order = (number > limit) - (number < limit)
    return order == direction or (order == 0 and bound.inclusive)


def meet_values(a: Values, b: Values) -> Values | None:
    """Return what is in both, None if nothing."""
    kinds = _both(a.kinds, b.kinds)
    return Values(
        among=_both(a.among, b.among),
        without=a.without | b.without,
        kinds=kinds,
        low=_tighter(a.low, b.low, 1),
        high=_tighter(a.high, b.high, -1),
        holds=tuple(dict.fromkeys((*a.holds, *b.holds))),
    ).pruned()


def join_values(a: Values, b: Values) -> Values:
    """Return a set that holds both."""
    among = a.among | b.among if a.among is not None and b.among is not None else None
    kinds_a, kinds_b = _kinds(a), _kinds(b)
    pairs = [(x, y) for x in _held(a) for y in _held(b)]
    holds = {x | y for x, y in pairs} if among is None and len(pairs) <= _MOST_ALTERNATIVES else ()
    return Values(
        among=among,
        without=frozenset(value for value in a.without | b.without if not a.allows(value) and not b.allows(value)),
        kinds=kinds_a | kinds_b if kinds_a is not None and kinds_b is not None else None,
        low=_looser(a, b, 1),
        high=_looser(a, b, -1),
        holds=tuple(sorted(holds, key=repr)),
    )


def _both(a: frozenset[Any] | None, b: frozenset[Any] | None) -> frozenset[Any] | None:
    if a is None or b is None:
        return b if a is None else a
    return a & b


def _kinds(of: Values) -> frozenset[str] | None:
    return of.kinds if of.among is None else frozenset(kind for kind, _ in of.among)


def _held(of: Values) -> tuple[frozenset[Value], ...]:
    return of.holds if of.among is None else (of.among,)


def _tighter(a: Bound | None, b: Bound | None, direction: int) -> Bound | None:
    if a is None or b is None:
        return b if a is None else a
    return a if _reaches(a.value, b, direction) else b


def _looser(a: Values, b: Values, direction: int) -> Bound | None:
    one, two = (a.low, b.low) if direction == 1 else (a.high, b.high)
    if one is None or two is None or one.value[0] != two.value[0]:
        return None
    return two if _reaches(one.value, two, direction) else one


class Domain(Record):
    """What an attribute may be: missing or not, and the values it may have (None: it cannot be there)."""

    missing: bool = True
    values: Values | None = ANY

    @property
    def impossible(self) -> bool:
        """Whether nothing is left for it to be."""
        return not self.missing and self.values is None


UNKNOWN = Domain()
PRESENT = Domain(missing=False)
ABSENT = Domain(missing=True, values=None)


def meet(a: Domain, b: Domain) -> Domain:
    """Return what both allow."""
    values = meet_values(a.values, b.values) if a.values is not None and b.values is not None else None
    return Domain(a.missing and b.missing, values)


def join(a: Domain, b: Domain) -> Domain:
    """Return something that allows what either allows."""
    if a.values is None or b.values is None:
        values = b.values if a.values is None else a.values
    else:
        values = join_values(a.values, b.values)
    return Domain(a.missing or b.missing, values)
