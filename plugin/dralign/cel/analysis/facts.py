"""Static facts of device selectors: what they read, and what must hold of every device that meets them all.

Nothing here is guessed: all facts are bounds from above, and where an expression says nothing certain, neither do they.
An expression that does not parse contributes nothing.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.cel.analysis.domains import Bound, Domain
    from dralign.cel.analysis.implications import Domains, Never
    from dralign.cel.analysis.paths import Key
    from dralign.cel.analysis.reads import Read
    from dralign.cel.ast import Expr

ATTRIBUTES = "attributes"
CAPACITY = "capacity"

_MEMORY = 4096
"""Chains of expressions whose facts are remembered: bundles repeat a handful of them."""


class Facts(Record):
    """What holds of every device that meets a chain of expressions.

    Attributes and capacities are named ``domain/name``. Values are plain Python values (bool, int, float, str), or
    ``Semver`` and ``Quantity``.

    Args:
        domains: what is known of each attribute, capacity and the driver.
        reads: every place where the expressions read an attribute or a capacity, in order.
        impossible: no device can meet them all.
        conflict: the attribute, the capacity or ``driver`` of which they want what cannot be; None if there is none.
    """

    domains: Domains
    reads: tuple[Read, ...]
    impossible: bool = False
    conflict: str | None = None

    @property
    def driver(self) -> str | None:
        """The literal that ``device.driver`` must equal, or None."""
        among = self._among(("driver",))
        name = next(iter(among)) if among is not None and len(among) == 1 else None
        return name if isinstance(name, str) else None

    def values(self, name: str) -> frozenset[Any] | None:
        """Return the literals that an attribute must equal one of; None: not bounded, or it may be missing."""
        return self._among(_key(ATTRIBUTES, name))

    def elements(self, name: str) -> frozenset[Any] | None:
        """Return literals of which an attribute must be one, or hold one if it is a list; None: not bounded.

        What ``attribute.includes(literal)`` asks for; ``values`` count as well.
        """
        domain = self._domain(_key(ATTRIBUTES, name))
        if domain.missing or domain.values is None:
            return None
        held = domain.values.holds if domain.values.among is None else (domain.values.among,)
        return frozenset(value for _, value in min(held, key=len)) if held else None

    def bounds(self, name: str, kind: str = CAPACITY) -> tuple[Bound | None, Bound | None]:
        """Return the ends of the range in which a capacity (or attribute) must lie if it is there."""
        values = self._domain(_key(kind, name)).values
        return values.ends() if values is not None else (None, None)

    def is_present(self, name: str, kind: str = ATTRIBUTES) -> bool | None:
        """Say whether an attribute or capacity must be there (True), must be missing (False), or either (None)."""
        domain = self._domain(_key(kind, name))
        if not domain.missing:
            return True
        return False if domain.values is None else None

    def contradict(self, other: Facts) -> bool:
        """Say whether no device can meet both."""
        return self.impossible or other.impossible or _is_never(self.domains, other.domains)

    def conflict_with(self, other: Facts) -> str | None:
        """Return the first attribute, capacity or ``driver`` of which both together want what cannot be, or None."""
        from dralign.cel.analysis.implications import Never, both  # noqa: PLC0415  most runs meet no expression

        if self.impossible or other.impossible:
            return self.conflict or other.conflict
        joint = both(self.domains, other.domains)
        return _shown(joint) if isinstance(joint, Never) else None

    def _domain(self, key: Key) -> Domain:
        from dralign.cel.analysis.domains import UNKNOWN  # noqa: PLC0415

        return self.domains.get(key, UNKNOWN)

    def _among(self, key: Key) -> frozenset[Any] | None:
        domain = self._domain(key)
        if domain.missing or domain.values is None or domain.values.among is None:
            return None
        return frozenset(value for _, value in domain.values.among)


def _is_never(one: Domains, other: Domains) -> bool:
    from dralign.cel.analysis.implications import Never, both  # noqa: PLC0415

    return isinstance(both(one, other), Never)


def _key(kind: str, name: str) -> Key:
    domain, _, last = name.rpartition("/")
    return kind, domain, last


def _shown(never: Never) -> str | None:
    return "/".join(never.key[1:] or never.key) if never.key is not None else None


_known: dict[tuple[str, ...], Facts] = {}


def facts(expressions: tuple[str, ...]) -> Facts:
    """Return what holds where all expressions are true; they are evaluated in this order until one is false.

    Never raises: what cannot be parsed says nothing.
    """
    known = _known.get(expressions)
    if known is None:
        if len(_known) >= _MEMORY:
            _known.clear()
        known = _known[expressions] = _facts(expressions) if expressions else Facts({}, ())
    return known


def _facts(expressions: tuple[str, ...]) -> Facts:
    from dralign.cel.analysis.implications import Implications, Never, both  # noqa: PLC0415
    from dralign.cel.analysis.reads import Reader  # noqa: PLC0415
    from dralign.cel.depth import room_for_depth  # noqa: PLC0415

    domains: Domains | Never = {}
    reader = Reader()
    roots = [parsed(expression) for expression in expressions]  # all are kept: nodes are told apart by identity
    with room_for_depth():
        for root in roots:
            reader.add(root)
            if root is not None:
                domains = both(domains, Implications().of(root, True, {}))
    reads = tuple(sorted(reader.reads, key=lambda read: (read.expression_index, read.offset)))
    if isinstance(domains, Never):
        return Facts({}, reads, impossible=True, conflict=_shown(domains))
    return Facts(domains, reads)


def parsed(expression: str) -> Expr | None:
    """Return the root of an expression; None if it does not parse."""
    from dralign.cel.errors import CompileError  # noqa: PLC0415
    from dralign.cel.parsing.macros import table  # noqa: PLC0415
    from dralign.cel.parsing.parser import parse  # noqa: PLC0415
    from dralign.cel.parsing.syntax import Syntax  # noqa: PLC0415

    try:
        return parse(expression, Syntax(table("standard", "optionals", "bindings", "two-variable", "lists"))).root
    except CompileError:
        return None
