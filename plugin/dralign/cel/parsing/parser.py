"""From the text of an expression to its AST.

A hand-written parser reads right expressions (descent.py). It gives up at the first thing that is wrong or nested very
deeply; then the text is read again by the parser that knows what cel-go reports (recovery.py). Both make the same
syntax trees (tree.py), and one builder makes the AST of them (builder.py).
"""

from __future__ import annotations

from dralign.cel.ast import Ast
from dralign.cel.depth import room_for_depth
from dralign.cel.errors import NO_PLACE, Issues, LimitReached, Source
from dralign.cel.parsing.builder import Builder
from dralign.cel.parsing.descent import Unsure, parse_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.ast import Expr
    from dralign.cel.parsing.syntax import Syntax
    from dralign.cel.parsing.tree import Node

MAX_SIZE = 100_000
"""Code points of an expression; cel-go parses no longer one."""


def parse(text: str, syntax: Syntax) -> Ast:
    """Parse an expression.

    Args:
        text: the source.
        syntax: what the release knows.

    Raises:
        CompileError: it is no expression; holds every problem that cel-go reports.
    """
    issues = Issues(Source(text))
    if len(text) > MAX_SIZE:
        message = f"expression code point size exceeds limit: size: {len(text)}, limit {MAX_SIZE}"
        issues.add(NO_PLACE, message, "other")
        raise issues.error()
    try:
        with room_for_depth():
            root = _root(text, issues, syntax)
    except LimitReached:
        root = None
    if root is None or issues:
        raise issues.error()
    return Ast(text, root)


def _root(text: str, issues: Issues, syntax: Syntax) -> Expr:
    tree: Node | None
    try:
        tree = parse_right(text)
    except Unsure:
        from dralign.cel.recovery.parser import parse_broken  # noqa: PLC0415  right expressions do not need it

        tree = parse_broken(text, issues)
    return Builder(issues, syntax).build(tree)
