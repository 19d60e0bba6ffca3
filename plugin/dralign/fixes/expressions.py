"""The right form of selectors that people and language models invent.

A cure is only offered where the result compiles for the target release, and reads what the driver publishes. It is a guess
at what was meant, so that nobody gets it unasked. What CEL cannot say at all, relating two devices or reading the node, is
taken out: the fix for that is a constraint.
"""

from __future__ import annotations

from dralign.edit import Remove, Set
from dralign.finding import Fix, Patch
from dralign.fixes import alignment
from dralign.manifest import as_list
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.context import Context, WrittenSelector
    from dralign.model.catalogue import DriverView


def repair(ctx: Context, written: WrittenSelector) -> Fix | None:
    """Return the fix that writes the right form of a selector into its place; None where there is none to offer."""
    cure = cured(written.expression, written.view, lambda expression: _is_right(ctx, written.view, expression))
    if cure is None:
        return None
    patches = [_put(written, cure.text)]
    if cure.needs_constraint and written.claim is not None:
        for untied in ctx.untied(written.claim):
            patches += alignment.constraint(written.claim, untied.group)
    title = f"write: {cure.text}" if cure.text else _TAKEN_OUT[len(patches) > 1]
    return Fix(title, tuple(patches), "unsafe", "a guess at what was meant, only with --unsafe")


_TAKEN_OUT = {
    True: "take the selector out: only a constraint can relate devices",
    False: "take the selector out: no selector sees the node, the pod or another device",
}


def _is_right(ctx: Context, view: DriverView | None, expression: str) -> bool:
    """Say whether the API server takes an expression, and the driver's devices have what it reads, in those types."""
    if not ctx.compiled(expression).ok:
        return False
    if view is None or view.profile is None:
        return True
    from dralign.cel.analysis import facts  # noqa: PLC0415 -- only wrong expressions come here

    reads = [read for read in facts((expression,)).reads if read.kind == "attributes"]
    return ctx.misuse(view, expression) is None and not any(ctx.lacks(view, read) for read in reads)


def _put(written: WrittenSelector, text: str) -> Patch:
    if text:
        return Patch(written.manifest, Set(written.path, text))
    item = written.path[:-2]  # .../selectors[i] of .../selectors[i].cel.expression
    alone = len(as_list(written.manifest.get(item[:-1]))) == 1
    return Patch(written.manifest, Remove(item[:-1] if alone else item))


class Cure(Record):
    """The right form of an expression. ``text`` is empty where nothing is left; ``needs_constraint``: a conjunct went."""

    text: str
    needs_constraint: bool


def cured(expression: str, view: DriverView | None, accepts: Callable[[str], bool]) -> Cure | None:
    """Return the right form of an expression; None if no known form leads to one that is accepted.

    Args:
        expression: the selector as written.
        view: whose devices it is asked on, None if nobody can tell.
        accepts: says whether an expression is right.
    """
    from dralign.fixes.attributes import as_published  # noqa: PLC0415 -- only wrong expressions come here
    from dralign.fixes.forms import in_one_line, in_words_of_cel, with_amounts, without_the_unsayable  # noqa: PLC0415

    line = in_one_line(expression)
    text, dropped = without_the_unsayable(in_words_of_cel(line))
    text = with_amounts(as_published(text, view))
    if text == line or (text and not accepts(text)):
        return None
    return Cure(text, dropped)
