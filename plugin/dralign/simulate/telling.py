"""What there is to say of a verdict: why it is so, what to add where nobody knows, how far it was looked."""

from __future__ import annotations

from dralign.model.verdict import (
    ALIGNED,
    CPUS,
    DERIVED,
    KUBELET,
    MAY_CROSS,
    MEMORY,
    ONE_CLAIM,
    ONE_DEVICE,
    PINNED,
    SINGLE_NODE,
    SPANS,
    UNDECIDED,
    UNSATISFIABLE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.model.claim import Request
    from dralign.model.verdict import By, Verdict, Witness
    from dralign.model.workload import PodView
    from dralign.proof import Question
    from dralign.sim.pod_claim import PodClaim

BY: dict[By, str] = {
    ONE_CLAIM: "one claim holds all of it, tied by a constraint",
    PINNED: "selectors pin all of it to one NUMA node",
    DERIVED: "one claim holds all of it, tied by a derived attribute",
    SINGLE_NODE: "the node has one NUMA node with CPUs",
    KUBELET: "the kubelet aligns devices of its plugins with whole CPUs (static, single-numa-node)",
    ONE_DEVICE: "it gets one device, and no CPUs or memory of its own that could be elsewhere",
}

WHAT_TO_ADD = "--inventory FILE, as 'dralign inventory capture' writes it, or --preset NAME"


def name_of(context: Context, pod: PodView) -> str:
    """Return a pod template in words: its object, and where in it, if that has several."""
    ref = pod.manifest.ref
    scale = f" \N{MULTIPLICATION SIGN}{pod.replicas}" if pod.replicas is not None and pod.replicas > 1 else ""
    inside = f" {pod.path}" if len(context.pods_of(pod.manifest)) > 1 else ""
    return f"{ref} ({ref.kind}{scale}){inside}"


def lines_of(ctx: Context, question: Question | str, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Yield the lines below a picture, as name and text."""
    proof, reach = ctx.proof_line(verdict), ctx.reach_line(verdict)
    if proof is not None:
        yield "proof", proof
    if reach is not None:
        yield "reach", reach
    for text in _why(question, verdict):
        yield "why", text
    if verdict.kind == UNDECIDED and not ctx.has_slices and not isinstance(question, str):
        yield "add", WHAT_TO_ADD
    if verdict.once_free is not None:
        yield "else", f"on an empty cluster: {verdict.once_free.kind}"
    bounds = _bounds(verdict)
    if bounds:
        yield "bounds", bounds


def _why(question: Question | str, verdict: Verdict) -> Iterator[str]:
    if verdict.kind == ALIGNED:
        where = f" ({_on(len(verdict.nodes))})" if verdict.nodes else ""
        yield from (f"{BY[by]}{where}" for by in verdict.by)
    elif verdict.kind == MAY_CROSS and verdict.witness is not None and not isinstance(question, str):
        yield _apart(question, verdict.witness)
    elif verdict.kind == SPANS:
        yield from verdict.reasons or ("no NUMA node holds that much",)
    elif verdict.kind != UNSATISFIABLE:
        yield from verdict.reasons


def _on(count: int) -> str:
    return f"{count} node{'' if count == 1 else 's'}"


def _bounds(verdict: Verdict) -> str:
    """Say how far it was looked; nothing where there was nothing to look at."""
    if not verdict.shapes:
        nodes = len(verdict.nodes)
        if verdict.kind == UNDECIDED:
            return _on(nodes) if nodes else ""
        return f"complete, {_on(nodes)}" if nodes else "from the text alone, for all nodes"
    nodes = sum(len(shape.nodes) for shape in verdict.shapes)
    shapes = len(verdict.shapes)
    done = "" if verdict.kind == UNDECIDED else "complete, "
    return f"{done}{_on(nodes)}, {shapes} shape{'' if shapes == 1 else 's'}"


def _apart(question: Question, witness: Witness) -> str:
    """Say what leaves the two parts of a counterexample apart."""
    kinds = [next((what for what in (CPUS, MEMORY) if key.startswith(what)), None) for key in witness.crossed]
    use = next((item for item in question.containers if item.name == witness.container), None)
    if CPUS in kinds and use is not None and not use.cpus:
        return f"container '{use.name}' asks for no CPUs: it runs on any that the kubelet leaves it, near the devices or not"
    if CPUS in kinds:
        name = f"'{witness.container}'"
        return f"CPUs of container {name} are left to the kubelet, which does not see where the claim's devices are"
    if MEMORY in kinds:
        return f"the kubelet gives memory to container '{witness.container}' without a look at the claim's devices"
    one, other = (_request_of(question, witness, key) for key in witness.crossed)
    if one is None or other is None:
        return "nothing ties them"
    (claim, first), (second_claim, second) = one, other
    if claim.name != second_claim.name:
        return (
            f"'{claim.name}' and '{second_claim.name}' are two claims, each allocated for itself: a constraint ties one"
        )
    return _untied(claim, first, second)


def _request_of(question: Question, witness: Witness, device: str) -> tuple[PodClaim, Request] | None:
    """Return the claim and request that a device of a counterexample was given for."""
    for key, devices in witness.placement.items():
        if device in devices:
            name, _, request = key.partition("/")
            main = request.partition("/")[0]
            return next(
                (
                    (claim, asked)
                    for claim in question.claims
                    if claim.name == name
                    for asked in claim.spec.requests
                    if asked.name == main
                ),
                None,
            )
    return None


def _untied(claim: PodClaim, first: Request, second: Request) -> str:
    both = f"'{first.name}' and '{second.name}'" if first.name != second.name else f"the devices of '{first.name}'"
    ties = [tie for tie in claim.spec.constraints if tie.match_attribute]
    for tie in ties:
        if tie.covers(first) and tie.covers(second):
            return f"{tie.path[-2]}[{tie.path[-1]}] ({tie.match_attribute}) holds for {both}, and leaves this open"
    for tie in ties:
        if tie.covers(first) or tie.covers(second):
            names = ", ".join(tie.requests)
            return f"{tie.path[-2]}[{tie.path[-1]}] ({tie.match_attribute}) ties [{names}] only; {_FIRST}"
    return f"no constraint ties {both}; {_FIRST}"


_FIRST = "the scheduler takes the first devices that fit"
