"""A simulation for people: for each pod template a heading, the nodes that decide as drawings, and lines on why."""

from __future__ import annotations

from dralign.drawing import draw, header
from dralign.formats.text import HARMLESS
from dralign.views import View
from dralign.views._words import closing, fit_words, heading, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.simulate import Case, Drawn, Simulated

GAP = "     "


def render(simulated: Simulated) -> str:
    """Return one block for each case, and a line that counts."""
    blocks = [line for case in simulated.cases for line in (*_case(case, simulated), "")]
    return "\n".join(line.translate(HARMLESS) for line in (*blocks, closing(simulated))) + "\n"


def _case(case: Case, simulated: Simulated) -> Iterator[str]:
    fit = [fit_words(case.fit)] if case.fit is not None else []
    yield GAP.join([f"{case.name}: {heading(case)}", f"per pod: {case.asks}", *fit])
    for drawn in case.drawings:
        yield from _node(drawn)
    for name, text in lines(case, simulated):
        yield f"{name:<8} {text}".rstrip()


def _node(drawn: Drawn) -> Iterator[str]:
    body = draw(drawn.picture, drawn.marks)
    yield header(drawn.picture.name, len(drawn.nodes), body)
    yield from body.splitlines()


VIEW = View("text", render)
