"""One document to nodes, with the syntax of go-yaml."""

from __future__ import annotations

from dralign.yamlio.composer import Composer, UnknownAnchorError
from dralign.yamlio.cparser import libyaml
from dralign.yamlio.dialects import CUT_AT_LINES, KYAML, KYAML_NODE, prepared
from dralign.yamlio.differences import refuse, respell_error, respell_nodes
from dralign.yamlio.faults import DocumentError
from dralign.yamlio.limits import MAX_NESTING, TOO_DEEP, NestingError
from dralign.yamlio.respelling import respell
from dralign.yamlio.wording import explain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from dralign.yamlio.nodes import Node
    from dralign.yamlio.respelling import Respelling

_LOOK_AHEAD = (KYAML, KYAML_NODE)
_LOOK_AHEAD_TOKENS = 3
_ROUNDS = 100


def parse(text: str, build: Callable[[Callable[[], Any], Any], Any]) -> Any:
    """Run a builder on libyaml's events; libyaml's own bound on nesting, where it has one, is lifted to go-yaml's."""
    api = libyaml()
    try:
        return build(api.CParser(text).get_event, api)
    except api.YAMLError as error:
        if getattr(error, "problem", None) != "exceeded maximum nesting depth":
            raise
    before = api._get_max_nest_level()  # noqa: SLF001  PyYAML's own names
    api._set_max_nest_level(2 * MAX_NESTING + 2)  # noqa: SLF001
    try:
        return build(api.CParser(text).get_event, api)
    finally:
        api._set_max_nest_level(before)  # noqa: SLF001


def read_nodes(text: str, dialect: str, line: int) -> Node:
    """Return the root node of a document that starts on a line of its stream.

    Raises:
        DocumentError: its reader refuses it.
    """
    whole = prepared(text, dialect, line)
    start = whole.find("\n") + 1 if dialect in CUT_AT_LINES and whole.startswith("#--") else 0
    respelling = respell(whole[: len(text)], line, start, crlf=dialect in CUT_AT_LINES, added=whole[len(text) :])
    root = _read(respelling, dialect)
    respelling.restore(root)
    return root


def _read(respelling: Respelling, dialect: str) -> Node:
    for _ in range(_ROUNDS):
        composer = Composer(respelling.text)
        try:
            root: Node = parse(respelling.text, composer.run)
            if dialect in _LOOK_AHEAD:
                _scan_beyond(respelling.text, composer.end)
        except NestingError as error:
            raise DocumentError(TOO_DEEP, respelling.place(error.node.start)) from error
        except UnknownAnchorError as error:
            message = f"unknown anchor '{error.name}': an alias needs its anchor (&{error.name}) before it"
            raise DocumentError(message, respelling.place(error.mark.index)) from error
        except (libyaml().YAMLError, UnicodeEncodeError) as error:
            if not respell_error(respelling, error):
                raise explain(error, respelling) from error
        else:
            refuse(composer, respelling, dialect)
            if dialect in _LOOK_AHEAD:
                _mark_foot(composer)
            if not respell_nodes(respelling, root):
                return root
        respelling.apply()
    raise DocumentError("too many values of the form '[a:]': quote them", respelling.place(0))


def _scan_beyond(text: str, end: int) -> None:
    """Scan the three tokens behind a document, as go-yaml v3 does in search of comments: they may be wrong.

    It stops at brackets, behind which libyaml scans further than go-yaml.
    """
    api = libyaml()
    get_token = api.CParser(text).get_token
    left = _LOOK_AHEAD_TOKENS
    at = end
    while left and text[at:].lstrip()[:1] not in ("", "[", "{"):
        token = get_token()
        while token is not None and (token.start_mark.index < end or token.__class__ is api.BlockEndToken):
            token = get_token()
        if token is None:
            return
        left -= 1
        at = token.end_mark.index


def _mark_foot(composer: Composer) -> None:
    """Mark the last scalar where the comment behind it is the foot of the document, not of a key."""
    node = composer.root
    while node.items or node.entries:
        node = node.items[-1] if node.items else node.entries[-1][1]
    tail = composer.text[node.end : composer.end].expandtabs(1)
    comment = tail.lstrip(" \n\r")
    if node.style in ("|", ">") and comment.startswith("#"):
        column = len(tail) - len(comment) - (tail.rfind("\n", 0, len(tail) - len(comment)) + 1)
        node.foot = not column or not any(not line.strip() for line in comment.rstrip().split("\n"))
