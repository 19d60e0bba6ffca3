"""A pod's claims made ready for the search: what does not depend on the node, errors included.

A claim is a list of asks. An ask has one leaf, or several alternatives (``firstAvailable``), of which the first that
leads to a solution is taken. Errors are kept where the allocator would meet them, since an earlier one wins.
"""

from __future__ import annotations

from dralign.model.claim import ALL, EXACT_COUNT
from dralign.model.slice import quantities_from
from dralign.sim.errors import AllocationError
from dralign.sim.expressions import ClassSelection, Expression, blind_to_sharing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from dralign.model.claim import Constraint as WrittenConstraint
    from dralign.model.claim import Request
    from dralign.model.device import Attribute, Device
    from dralign.model.inventory import ClassSpec
    from dralign.sim.behaviour import Behaviour
    from dralign.sim.evaluation import Selectors
    from dralign.sim.outcome import ErrorKind
    from dralign.sim.pod_claim import PodClaim
    from dralign.values.quantity import Quantity

MOST_DEVICES = 32
"""``AllocationResultsMaxSize``: the most devices one claim may hold."""


class Leaf:
    """What can be allocated: a request, or one alternative of it. ``name`` is ``main/sub`` for an alternative.

    ``admin``: access beside others' use. ``wants_all``: mode All.
    """

    __slots__ = (
        "admin",
        "capacity",
        "claim",
        "derived",
        "in_class",
        "main_name",
        "name",
        "request",
        "selectors",
        "spec",
        "tolerations",
        "wants_all",
    )

    def __init__(self, claim: PodClaim, request: Request, main: Request, spec: ClassSpec) -> None:
        self.claim = claim.name
        self.request = request
        self.main_name = main.name
        self.name = request.name if request is main else f"{main.name}/{request.name}"
        self.spec = spec
        self.wants_all = request.mode == ALL
        self.admin = request.admin_access
        self.tolerations = request.tolerations
        self.capacity: Mapping[str, Quantity] = quantities_from(request.capacity) if request.capacity else {}
        self.derived: dict[str, Callable[[Device], Attribute]] = {}
        self.in_class = ClassSelection(())
        self.selectors: tuple[Expression, ...] = ()

    def bound_by(self, written: WrittenConstraint) -> bool:
        """Say whether a constraint covers this leaf: by the request's name or its own."""
        return not written.requests or self.main_name in written.requests or self.name in written.requests

    def error(self, kind: ErrorKind, text: str) -> AllocationError:
        """Return an error that names claim and request."""
        return AllocationError(kind, f"claim {self.claim}, request {self.request.name}: {text}")


class Ask:
    """One request of a claim. ``error`` is met before its leaves; in ``leaves`` an error may stand for a leaf."""

    __slots__ = ("claim_number", "error", "leaves", "name", "optional")

    def __init__(self, claim_number: int, name: str, *, optional: bool) -> None:
        self.claim_number = claim_number
        self.name = name
        self.optional = optional
        self.leaves: list[Leaf | AllocationError] = []
        self.error: AllocationError | None = None


class ClaimPlan:
    """One claim: its asks, and the error of its constraints, which is met after them."""

    __slots__ = ("asks", "claim", "error")

    def __init__(self, claim: PodClaim, asks: list[Ask], error: AllocationError | None) -> None:
        self.claim = claim
        self.asks = asks
        self.error = error


class Planner:
    """Makes plans; expressions of a class are shared by all leaves that name it."""

    __slots__ = ("_classes", "_compile", "_how", "_selections", "_selectors")

    def __init__(self, classes: Mapping[str, ClassSpec], selectors: Selectors, how: Behaviour) -> None:
        self._classes = classes
        self._selectors = selectors
        self._compile = selectors.selector if how.shows_sharing else blind_to_sharing(selectors)
        self._how = how
        self._selections: dict[str, ClassSelection] = {}

    def plan(self, claims: Sequence[PodClaim]) -> tuple[ClaimPlan, ...]:
        """Return the plan of claims that are not allocated yet, in the pod's order."""
        return tuple(self._claim(number, claim) for number, claim in enumerate(claims))

    def _claim(self, number: int, claim: PodClaim) -> ClaimPlan:
        asks = [self._ask(number, claim, request) for request in claim.spec.requests]
        for index, written in enumerate(claim.spec.constraints):
            known = written.match_attribute is not None or (
                written.distinct_attribute is not None and self._how.distinct
            )
            if not known:
                text = f"claim {claim.name}, constraint #{index}: empty constraint (unsupported constraint type?)"
                return ClaimPlan(claim, asks, AllocationError("empty-constraint", text))
        return ClaimPlan(claim, asks, None)

    def _ask(self, number: int, claim: PodClaim, request: Request) -> Ask:
        ask = Ask(number, request.name, optional=bool(request.alternatives))
        if ask.optional and not self._how.prioritized:
            text = "has subrequests, but the DRAPrioritizedList feature is disabled"
            ask.error = _error(claim, request, "feature", text)
        elif self._how.refuses_capacity and not self._how.consumable and any(r.capacity for r in request.leaves()):
            text = "has capacity requests, but the DRAConsumableCapacity feature is disabled"
            ask.error = _error(claim, request, "feature", text)
        else:
            ask.leaves = [self._leaf(claim, leaf, request) for leaf in request.leaves()]
        return ask

    def _leaf(self, claim: PodClaim, request: Request, main: Request) -> Leaf | AllocationError:
        spec = self._classes.get(request.device_class or "")
        if request.derived and self._how.knows_1_37_fields and not self._how.derived:
            text = "cannot handle request with derived attributes, the feature is disabled"
            return _error(claim, request, "feature", text)
        if request.admin_access and not self._how.admin_access:
            return _error(claim, request, "feature", "admin access is requested, but the feature is disabled")
        if spec is None:
            text = f"could not retrieve device class {request.device_class}: not found"
            return _error(claim, request, "class", text)
        if request.mode not in (ALL, EXACT_COUNT):
            return _error(claim, request, "mode", f"unsupported count mode {request.mode}")
        leaf = Leaf(claim, request, main, spec)
        leaf.in_class = self._of_class(spec)
        leaf.selectors = self._of_request(claim, request)
        if self._how.derived:
            leaf.derived = dict(self._derived(request))
        return leaf

    def _of_class(self, spec: ClassSpec) -> ClassSelection:
        known = self._selections.get(spec.name)
        if known is None:
            expressions = self._expressions(f"class {spec.name}", spec.expressions)
            known = self._selections[spec.name] = ClassSelection(expressions)
        return known

    def _of_request(self, claim: PodClaim, request: Request) -> tuple[Expression, ...]:
        texts = tuple(selector.expression for selector in request.selectors)
        return self._expressions(f"claim {claim.name}", texts)

    def _expressions(self, owner: str, texts: tuple[str, ...]) -> tuple[Expression, ...]:
        return tuple(
            Expression(text, f"{owner}: selector #{number}", self._compile, "selector")
            for number, text in enumerate(texts)
        )

    def _derived(self, request: Request) -> Iterator[tuple[str, Expression]]:
        for item in request.derived:
            name, text = item.get("name"), item.get("expression")
            if isinstance(name, str) and isinstance(text, str):
                where = f"evaluate derived attribute {name}"
                yield name, Expression(text, where, self._selectors.derived, "derived")


def _error(claim: PodClaim, request: Request, kind: ErrorKind, text: str) -> AllocationError:
    return AllocationError(kind, f"claim {claim.name}, request {request.name}: {text}")
