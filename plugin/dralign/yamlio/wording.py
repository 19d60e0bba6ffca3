"""libyaml's complaints in plain words: what is wrong, and what was wanted."""

from __future__ import annotations

from dralign.yamlio.faults import DocumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.yamlio.respelling import Respelling

_TAB = "a tab cannot indent: use spaces"
_DIRECTIVE = "malformed '%' line: Kubernetes' readers know %YAML 1.1 and %TAG alone"
_TAG = "malformed tag: quote the value if it is meant to start with '!'"
_VERSION = "a %YAML line other than 1.1 is refused by Kubernetes' readers"

# libyaml's problem -> our words, said at the place of the problem. {open} is the line where what is unfinished began,
# {found} the character at the place.
_AT_PROBLEM = {
    "did not find expected ',' or ']'": "the '[' on line {open} is not closed: ',' or ']' is wanted here",
    "did not find expected ',' or '}'": "the '{{' on line {open} is not closed: ',' or '}}' is wanted here",
    "did not find expected key": "wrong indentation or stray text: the map from line {open} wants a key here",
    "did not find expected '-' indicator": "wrong indentation or stray text: the list from line {open} wants '- ' here",
    "did not find expected node content": "a value is wanted here, not {found}",
    "did not find expected <document start>": "a '%' line needs a '---' line behind it",
    "mapping values are not allowed in this context": "': ' cannot stand here: quote a value that holds it, "
    "else check the indentation and the line before",
    "block sequence entries are not allowed in this context": "a list cannot start here: put its '- ' on a line of its own",
    "mapping keys are not allowed in this context": "'? ' cannot stand here: quote a value that starts with it",
    "found a tab character where an indentation space is expected": _TAB,
    "found a tab character that violates indentation": _TAB,
    "did not find expected hexdecimal number": "an escape with \\x, \\u or \\U needs 2, 4 or 8 hexadecimal digits",
    "found invalid Unicode character escape code": "this escape is no character: YAML knows no surrogate pairs, "
    "write the character itself",
    "found an indentation indicator equal to 0": "the digit behind '|' or '>' must be 1 to 9",
    "found incompatible YAML document": _VERSION,
    "found duplicate %YAML directive": "a second %YAML line",
    "found duplicate %TAG directive": "a second %TAG line for the same handle",
    "found undefined tag handle": "unknown tag handle: no %TAG line declares it",
}
# libyaml's context -> our words, where the problem says too little; said at the start of what is scanned
_AT_CONTEXT = {
    "while scanning an anchor": "an anchor needs a name of letters, digits, '-' and '_': "
    "quote a value that starts with '&'",
    "while scanning an alias": "an alias needs a name of letters, digits, '-' and '_': quote a value that starts with '*'",
    "while scanning a block scalar": "only a digit, '+' or '-' and a comment may follow '|' or '>'",
    "while scanning a tag": _TAG,
    "while parsing a tag": _TAG,
    "while scanning a directive": _DIRECTIVE,
    "while scanning a %YAML directive": _DIRECTIVE,
    "while scanning a %TAG directive": _DIRECTIVE,
}
"""What else libyaml says is passed on as it is."""


def explain(error: Any, respelling: Respelling) -> DocumentError:
    """Return the fault that libyaml found in a text."""
    problem = getattr(error, "problem", None)
    if problem is None:
        return unreadable(respelling)
    problem_at = error.problem_mark.index
    context_at = error.context_mark.index if error.context_mark is not None else problem_at
    message, at = _explanation(problem, error.context, respelling, problem_at, context_at)
    return DocumentError(message, respelling.place(at))


def _explanation(problem: str, context: str | None, respelling: Respelling, at: int, start: int) -> tuple[str, int]:
    text = respelling.text
    if problem in _AT_PROBLEM:
        found = "the end of the document" if at >= len(text) else f"'{text[at]}'"
        return _AT_PROBLEM[problem].format(open=respelling.line_of(start), found=found), at
    if problem == "found character that cannot start any token":
        return _no_start(text[at]), at
    if problem == "found unknown escape character":
        return f"unknown escape '{text[at : at + 2]}' in double quotes: '\\\\' is a backslash", at
    if problem in ("found unexpected end of stream", "found unexpected document indicator"):
        end = "the end" if problem.endswith("stream") else f"the separator on line {respelling.line_of(at)}"
        return f"unclosed quote: no closing {text[start]} before {end}", start
    if problem == "could not find expected ':'":
        return _no_colon(text, start), start
    return _AT_CONTEXT.get(context or "", f"no YAML: {problem}"), start


def _no_start(character: str) -> str:
    return _TAB if character == "\t" else f"a value cannot start with '{character}': quote it"


def _no_colon(text: str, start: int) -> str:
    if text.startswith("---", start):
        return "malformed separator: only a comment may follow '---', after a space"
    return "no ': ' on this line, which the map it stands in needs"


def unreadable(respelling: Respelling) -> DocumentError:
    """Return the fault of a text with a character that no reader takes."""
    from dralign.yamlio.decoding import control_character, refusal  # noqa: PLC0415  decoding finds it before, mostly

    at = control_character(respelling.text) or 0
    return DocumentError(refusal(respelling.text[at]), respelling.place(at))
