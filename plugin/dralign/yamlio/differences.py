"""Where libyaml and go-yaml read a text differently: what to respell for libyaml, and what to refuse like go-yaml."""

from __future__ import annotations

from dralign.yamlio.dialects import KUBECTL
from dralign.yamlio.faults import DocumentError
from dralign.yamlio.limits import MAX_NESTING, TOO_DEEP
from dralign.yamlio.respelling import IN_TAG, NOT_IN_TAGS, TAG_CHARACTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.yamlio.composer import Composer
    from dralign.yamlio.nodes import Node
    from dralign.yamlio.respelling import Respelling

_ESCAPED_SLASH = "unknown escape '\\/' in double quotes: YAML 1.1 has no such escape, write '/'"
_VERSION = "a %YAML line other than 1.1 is refused by Kubernetes' readers"


def respell_error(respelling: Respelling, error: Any) -> bool:
    """Ask for the change that makes libyaml take what go-yaml takes; False where go-yaml refuses it too."""
    problem = getattr(error, "problem", None)
    if problem == "found unexpected ':'":
        at = respelling.text.index(":", error.problem_mark.index)
        respelling.change(at, 1, respelling.mark_for(":"))
        return True
    if problem == "did not find expected whitespace or line break" and error.context == "while scanning a tag":
        return _respell_tag(respelling, error.context_mark.index)
    return False


def respell_nodes(respelling: Respelling, root: Node) -> bool:
    """Ask for the changes that a tree shows to be needed; False where none is."""
    found = False
    for node, flow in _walk(root):
        if node.tag is not None and flow:
            found |= _respell_tag(respelling, respelling.text.index("!", node.prefix_start))
        if flow and node.kind == "scalar" and not node.style and "?" in node.value:
            if node.value[0] != "?":
                message = "'?' inside brackets ends a plain value: quote it"
                raise DocumentError(message, respelling.place(node.start))
            respelling.change(node.start + 1, 0, " ")
            found = True
    return found


def _respell_tag(respelling: Respelling, at: int) -> bool:
    text = respelling.text
    found = False
    while text[at + 1 : at + 2] != "<" and text[at : at + 1] in TAG_CHARACTERS:
        if text[at] in NOT_IN_TAGS:
            respelling.change(at, 1, IN_TAG)
            found = True
        at += 1
    return found


def refuse(composer: Composer, respelling: Respelling, dialect: str) -> None:
    """Refuse what libyaml takes and the reader does not.

    Raises:
        DocumentError: it does not.
    """
    text = composer.text
    if composer.version not in (None, (1, 1)):
        raise DocumentError(_VERSION, respelling.place(0))
    if dialect == KUBECTL and composer.deepest > MAX_NESTING:
        raise DocumentError(TOO_DEEP, respelling.place(0))
    if "?" not in text and "\\/" not in text:
        return
    slash = text.find("\\/", composer.root.end, _end_of_scan(text, composer))
    if slash >= 0:
        raise DocumentError(_ESCAPED_SLASH, respelling.place(slash))
    for node, _ in _walk(composer.root):
        escape = _escaped_slash(text, node) if node.style == '"' else None
        if escape is not None:
            raise DocumentError(_ESCAPED_SLASH, respelling.place(escape))
        if node.kind == "map" and _is_lone_question_mark(text, node):
            raise DocumentError("a '?' in a list in brackets needs a key behind it", respelling.place(node.start))


def _end_of_scan(text: str, composer: Composer) -> int:
    """How far go-yaml scans behind a root that may be a key: to the end of the line that the next token stands on."""
    if composer.root.style in ("block", "|", ">"):
        return composer.root.end
    return min(at if at >= 0 else len(text) for at in (text.find(mark, composer.end) for mark in "\n,"))


def _escaped_slash(text: str, node: Node) -> int | None:
    at = text.find("\\", node.start, node.end)
    while at >= 0:
        if text[at + 1] == "/":
            return at
        at = text.find("\\", at + 2, node.end)
    return None


def _is_lone_question_mark(text: str, node: Node) -> bool:
    """Whether a map is the pair of ``[? : 1]``: go-yaml loses the token behind such a question mark."""
    if node.style != "flow" or text[node.start] == "{":
        return False
    key = node.entries[0][0]
    return key.kind == "scalar" and key.prefix_start == key.end


def _walk(root: Node) -> Iterator[tuple[Node, bool]]:
    """Each node, and whether it stands inside brackets."""
    pending = [(root, False)]
    while pending:
        node, flow = pending.pop()
        yield node, flow
        inside = node.style == "flow"
        pending.extend((item, inside) for item in node.items)
        pending.extend((part, inside) for entry in node.entries for part in entry)
