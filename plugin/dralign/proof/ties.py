"""What keeps the devices of one container together, as the claims say it: constraints, derived attributes, literals."""

from __future__ import annotations

from dralign.cel.analysis import facts
from dralign.model.claim import ALL
from dralign.model.driver import SOCKET as SOCKET_ROLE
from dralign.model.topology import PLACING_ROLES
from dralign.model.verdict import DERIVED, ONE_CLAIM, ONE_DEVICE, PINNED
from dralign.proof.places import SOCKET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.model.catalogue import DriverView
    from dralign.model.claim import Constraint, Request
    from dralign.model.verdict import By
    from dralign.proof.known import Known
    from dralign.proof.question import ContainerUse, Question

    Serves = Callable[[Request, str], bool]


def proof_from_text(question: Question, known: Known) -> By | None:
    """Return what keeps every container's parts together whatever the cluster holds, None where the text does not say.

    It asks the catalogue how drivers publish an attribute at the stated version: as a scalar, and never as "not known".
    """
    if question.held or any(use.legacy is not None for use in question.containers):
        return None
    words = [_word_for(question, use, known) for use in question.containers if question.asked(use)]
    return words[0] if words and None not in words else None


def word_for(question: Question, use: ContainerUse, known: Known) -> By:
    """Return what keeps together what was found to be together on all nodes of a shape."""
    asked = tuple(request for _, request in question.asked(use))
    if not _claims_cpus(asked, known):
        return PINNED  # or its CPUs could be elsewhere
    tied = tied_by(question, use, lambda leaf, name: _places(known, leaf, name))
    return tied or (ONE_DEVICE if _is_one_device(asked) else PINNED)


def tied_by(question: Question, use: ContainerUse, serves: Serves) -> By | None:
    """Return whether constraints of one claim bind all of a container's devices, and of which kind; None if they do not.

    Constraints that share a request are one. ``serves(leaf, attribute)``: equal values put the leaf's devices together.
    """
    asked = question.asked(use)
    claims = {claim.name: claim for claim, _ in asked}
    if len(claims) != 1 or question.held.keys() & {name for name, _ in use.requests}:
        return None
    requests = tuple(request for _, request in asked)
    constraints = next(iter(claims.values())).spec.constraints
    used: list[Constraint] = []
    parts: list[set[str]] = []
    for constraint in constraints:
        name = constraint.match_attribute
        bound = [request for request in requests if constraint.covers(request)]
        if name and bound and all(serves(leaf, name) for request in bound for leaf in request.leaves()):
            names = {request.name for request in bound}
            joined = [part for part in parts if part & names]
            parts = [part for part in parts if not part & names] + [names.union(*joined)]
            used.append(constraint)
    if _is_one_device(requests) or {request.name for request in requests} not in parts:
        return None
    derived = {item.get("name") for request in requests for leaf in request.leaves() for item in leaf.derived}
    return DERIVED if any(constraint.match_attribute in derived for constraint in used) else ONE_CLAIM


def _word_for(question: Question, use: ContainerUse, known: Known) -> By | None:
    requests = tuple(request for _, request in question.asked(use))
    if not _claims_cpus(requests, known):
        return None  # the kubelet places its CPUs
    if _is_one_device(requests):
        return ONE_DEVICE
    tied = tied_by(question, use, lambda leaf, name: _surely_places(known, leaf, name))
    return tied or (PINNED if _is_pinned(requests, known) else None)


def _claims_cpus(requests: tuple[Request, ...], known: Known) -> bool:
    return any(all(_kind(known, leaf) == "cpu" for leaf in request.leaves()) for request in requests)


def _kind(known: Known, leaf: Request) -> str | None:
    view = known.views(leaf)
    return view.device if view is not None else None


def _is_one_device(requests: tuple[Request, ...]) -> bool:
    return len(requests) == 1 and all(leaf.mode != ALL and leaf.count == 1 for leaf in requests[0].leaves())


def _is_pinned(requests: tuple[Request, ...], known: Known) -> bool:
    """Say whether literals force the same NUMA node on all devices that the requests can get."""
    found: set[int] = set()
    for leaf in (leaf for request in requests for leaf in request.leaves()):
        view = known.views(leaf)
        names = dict.fromkeys((known.aim.attribute, *(view.attributes("numa") if view is not None else ())))
        values = next((v for v in (known.facts(leaf).values(name) for name in names) if v is not None), None)
        if values is None or len(values) != 1:
            return False
        found |= values
    return len(found) == 1 and all(isinstance(value, int) and value >= 0 for value in found)


def _places(known: Known, leaf: Request, name: str) -> bool:
    """Say whether equal values of an attribute can put devices on one NUMA node, as far as anybody knows."""
    view = known.views(leaf)
    roles = view.roles(name) if view is not None else frozenset()
    return not roles or bool(roles & _placing_roles(known))


def _surely_places(known: Known, leaf: Request, name: str) -> bool:
    """Say whether equal values of an attribute put devices on one NUMA node, at the stated version of their driver."""
    view = known.views(leaf)
    if view is None:
        return False
    return _publishes(known, view, _read_by(leaf, name) if _derives(leaf, name) else name)


def _publishes(known: Known, view: DriverView, name: str | None) -> bool:
    published = view.published(name) if name is not None else None
    if name is None or published is None or not view.roles(name) & _placing_roles(known):
        return False
    return published.form == "scalar" and published.unknown is None


def _placing_roles(known: Known) -> frozenset[str]:
    more = (SOCKET_ROLE,) if known.aim.level == SOCKET else ()
    return frozenset((*PLACING_ROLES, *more))


def _derives(leaf: Request, name: str) -> bool:
    return any(item.get("name") == name for item in leaf.derived)


def _read_by(leaf: Request, name: str) -> str | None:
    """Return the attribute that a derived one merely repeats; None where its expression does anything else."""
    text = next((item.get("expression") for item in leaf.derived if item.get("name") == name), None)
    if not isinstance(text, str):
        return None
    for read in facts((f"{text} == 0",)).reads:
        plain = f'device.attributes["{read.domain}"].{read.name}'
        if "".join(text.split()).replace("'", '"') == plain:
            return f"{read.domain}/{read.name}"
    return None
