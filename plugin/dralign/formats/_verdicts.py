"""Verdicts in words for people."""

from __future__ import annotations

from dralign.model.verdict import ALIGNED, KUBELET, MAY_CROSS, SPANS, UNDECIDED, UNSATISFIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.finding import VerdictReport
    from dralign.model.verdict import Refusal, RequestRefusal, ShapeRefusal

WORDS = {
    ALIGNED: "aligned",
    SPANS: "spans",
    MAY_CROSS: "may cross",
    UNDECIDED: "undecided",
    UNSATISFIABLE: "unsatisfiable",
}


def counted(reports: Sequence[VerdictReport]) -> list[str]:
    """Return how many pod templates have which verdict, in words, the best first."""
    by_kubelet = sum(report.verdict.by == (KUBELET,) for report in reports)
    counts = {kind: sum(report.verdict.kind == kind for report in reports) for kind in WORDS}
    words = [(WORDS[kind], number - by_kubelet * (kind == ALIGNED)) for kind, number in counts.items()]
    words.insert(1, ("aligned by the kubelet", by_kubelet))
    return [f"{word} {number}" for word, number in words if number]


def refusal_lines(refusal: Refusal) -> Iterator[str]:
    """Yield the reason tree as lines, two blanks for each level."""
    yield f"{refusal.word}: {refusal.nearest}" if refusal.nearest else refusal.word
    for shape in refusal.shapes:
        yield from (f"  {line}" for line in _shape_lines(shape))
    for change in refusal.changes:
        yield f"would fit: {change}"


def _shape_lines(shape: ShapeRefusal) -> Iterator[str]:
    more = f" and {len(shape.nodes) - 1} more like it" if shape.nodes[1:] else ""
    yield f"{shape.nodes[0] if shape.nodes else 'every node'}{more}"
    if shape.error:
        yield f"  {shape.error}"
    for request in shape.requests:
        yield from (f"  {line}" for line in _request_lines(request))
    if shape.together:
        yield f"  together: {shape.together}"


def _request_lines(request: RequestRefusal) -> Iterator[str]:
    yield f"{request.claim}/{request.request}: needs {request.needed}, {request.left} of {request.seen} devices left"
    for removed in request.removed:
        yield f"  {len(removed.devices)} by {removed.test}: {removed.detail}"
