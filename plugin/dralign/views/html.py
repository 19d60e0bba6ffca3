"""A simulation as one page for browsers: no scripts, nothing loaded, pictures in it, light or dark as the reader likes."""

from __future__ import annotations

from dralign.drawing.svg import STYLE as PICTURES
from dralign.drawing.svg import svg
from dralign.drawing.svg import text as escaped
from dralign.drawing.text import MEANING
from dralign.views import View
from dralign.views._words import closing, fit_words, heading, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.simulate import Case, Drawn, Simulated

STYLE = f"""\
:root {{ color-scheme: light dark;
  --ink: #1b1f24; --quiet: #57606a; --paper: #ffffff; --zone: #f3f5f7; --line: #a8b1bb;
  --taken: #c9ced4; --here: #cfe3ff; --here-line: #1f5fb8; --bad: #c4161c; }}
@media (prefers-color-scheme: dark) {{ :root {{
  --ink: #e6e9ec; --quiet: #9aa4ae; --paper: #14171a; --zone: #1d2226; --line: #56606a;
  --taken: #454c53; --here: #17395f; --here-line: #7db4ff; --bad: #ff7b72; }} }}
body {{ margin: 2rem auto; max-width: 62rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; }}
section {{ border-top: 1px solid var(--line); margin-top: 2rem; }}
h2 {{ font-size: 1.15rem; overflow-wrap: anywhere; }}
.verdict {{ border: 2px solid currentColor; border-radius: 4px; padding: 0 .4em; white-space: nowrap; }}
.bad {{ color: var(--bad); }}
figure {{ margin: 1rem 0; }}
figcaption, .legend {{ color: var(--quiet); font-size: .9rem; overflow-wrap: anywhere; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }}
dt {{ color: var(--quiet); }}
dd {{ margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }}
{PICTURES}"""

BAD = ("MAY CROSS", "UNSATISFIABLE", "DOES NOT REPRODUCE")


def render(simulated: Simulated) -> str:
    """Return the whole page."""
    legend = ", ".join(f"{mark} {word}" for mark, word in MEANING.items())
    body = [line for case in simulated.cases for line in _case(case, simulated)]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            "<title>dralign simulate</title>",
            f"<style>\n{STYLE}</style>",
            "<h1>What the nodes will do</h1>",
            f"<p>{escaped(closing(simulated))}</p>",
            f'<p class="legend">{escaped(legend)}</p>',
            *body,
            "</html>",
            "",
        ]
    )


def _case(case: Case, simulated: Simulated) -> Iterator[str]:
    word = heading(case)
    style = "verdict bad" if word in BAD else "verdict"
    yield "<section>"
    yield f'<h2>{escaped(case.name)} <span class="{style}">{word}</span></h2>'
    fit = f", {fit_words(case.fit)}" if case.fit is not None else ""
    yield f"<p>{escaped(f'per pod: {case.asks}{fit}')}</p>"
    for drawn in case.drawings:
        yield from _figure(drawn)
    yield "<dl>"
    for name, words in _joined(case, simulated):
        yield f"<dt>{escaped(name)}</dt><dd>{escaped(words)}</dd>"
    yield "</dl>"
    yield "</section>"


def _joined(case: Case, simulated: Simulated) -> Iterator[tuple[str, str]]:
    """Yield what is said of a case; lines without a name go on with the one before."""
    said: list[tuple[str, str]] = []
    for name, words in lines(case, simulated):
        if name or not said:
            said.append((name, words))
        else:
            said[-1] = (said[-1][0], f"{said[-1][1]}\n{words}")
    yield from said


def _figure(drawn: Drawn) -> Iterator[str]:
    alike = f" ({len(drawn.nodes)} nodes look like this)" if len(drawn.nodes) > 1 else ""
    crossing = f", {drawn.marks.crossing}" if drawn.marks.crossing else ""
    yield "<figure>"
    yield svg(drawn.picture, drawn.marks, drawn.link, f"node {drawn.picture.name}{crossing}")
    yield f"<figcaption>{escaped(f'{drawn.picture.name}{alike}{crossing}')}</figcaption>"
    yield "</figure>"


VIEW = View("html", render)
