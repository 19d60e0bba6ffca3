"""cel-go's grammar as a network of states, the form in which ANTLR's parsers think.

Only broken (or very deep) expressions are parsed with it: what ANTLR reports, and where, depends on the states it was
in. Right expressions go through the hand-written parser, which knows the same grammar:

    start       expr EOF
    expr        conditionalOr ('?' conditionalOr ':' expr)?
    relation    calc, or relation ('<' | '<=' | '>=' | '>' | '==' | '!=' | 'in') relation
    calc        unary, or calc ('*' | '/' | '%') calc, or calc ('+' | '-') calc
    unary       member, '!'+ member, '-'+ member
    member      primary, member '.' '?'? name, member '.' IDENTIFIER '(' arguments? ')', member '[' '?'? expr ']'
    primary     name, call, '(' expr ')', list, map, message, literal

Left recursion is unrolled as ANTLR does it: the first operand, then a loop whose ways name the least precedence from
which they may be taken.
"""

from __future__ import annotations

from dralign.cel.parsing import tokens
from dralign.cel.recovery.states import (
    BLOCK,
    CALL,
    LOOP,
    LOOP_BACK,
    LOOP_BODY,
    NAME,
    PLUS,
    PLUS_BACK,
    PRECEDENCE,
    TOKEN,
    Rule,
    State,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Piece = Callable[[Rule, State], State]


def _sequence(pieces: tuple[Piece, ...], rule: Rule, after: State) -> State:
    for piece in reversed(pieces):
        after = piece(rule, after)
    return after


def _token(*kinds: int, label: str = "") -> Piece:
    def build(rule: Rule, after: State) -> State:
        state = State(TOKEN, rule, after, label)
        state.kinds = frozenset(kinds)
        return state

    return build


def _call(name: str, label: str, level: int = 0) -> Piece:
    def build(rule: Rule, after: State) -> State:
        state = State(CALL, rule, after, label, level)
        state.callee = RULES[name]
        state.callee.callers.append(state)
        return state

    return build


def _optional(*pieces: Piece) -> Piece:
    def build(rule: Rule, after: State) -> State:
        state = State(BLOCK, rule)
        state.ways = [_sequence(pieces, rule, after), after]
        return state

    return build


def _named(name: str, *pieces: Piece) -> Piece:
    """One alternative of a rule, and what the tree node becomes by it."""

    def build(rule: Rule, after: State) -> State:
        return State(NAME, rule, _sequence(pieces, rule, after), name)

    return build


def _binary(name: str, level: int, *pieces: Piece) -> Piece:
    """One way of a left-recursive rule to go on: the tree so far becomes the ``left`` of a new node."""

    def build(rule: Rule, after: State) -> State:
        return State(PRECEDENCE, rule, _sequence(pieces, rule, after), name, level)

    return build


def _one_of(*alternatives: Piece, adaptive: bool = True) -> Piece:
    def build(rule: Rule, after: State) -> State:
        state = State(BLOCK, rule)
        state.ways = [alternative(rule, after) for alternative in alternatives]
        state.adaptive = adaptive
        return state

    return build


def _repeat(*pieces: Piece, adaptive: bool = False) -> Piece:
    """Repeat a sequence any number of times."""

    def build(rule: Rule, after: State) -> State:
        entry = State(LOOP, rule)
        back = State(LOOP_BACK, rule, entry)
        entry.ways = [_sequence(pieces, rule, back), after]
        entry.adaptive = adaptive
        return entry

    return build


def _grow(*alternatives: Piece) -> Piece:
    """Repeat: one of the ways in which a left-recursive rule goes on."""

    def build(rule: Rule, after: State) -> State:
        rule.left_recursive = True
        entry = State(LOOP, rule)
        back = State(LOOP_BACK, rule, entry)
        body = State(LOOP_BODY, rule)
        body.ways = [alternative(rule, back) for alternative in alternatives]
        body.adaptive = True
        entry.ways = [body if len(alternatives) > 1 else body.ways[0], after]
        entry.adaptive = True
        return entry

    return build


def _some(piece: Piece, *, adaptive: bool = False) -> Piece:
    """Repeat a piece at least once."""

    def build(rule: Rule, after: State) -> State:
        block, back = State(PLUS, rule), State(PLUS_BACK, rule)
        block.ways = [piece(rule, back)]
        back.ways = [block, after]
        back.adaptive = adaptive
        return block

    return build


def _list_of(*pieces: Piece, adaptive: bool) -> tuple[Piece, Piece]:
    """Make what comma-separated lists look like."""
    return (lambda rule, after: _sequence(pieces, rule, after)), _repeat(
        _token(tokens.COMMA), *pieces, adaptive=adaptive
    )


_leading_dot = _optional(_token(tokens.DOT, label="dot"))
_question = _optional(_token(tokens.QUESTION, label="optional"))
_arguments = (
    _token(tokens.OPEN_PAREN, label="open"),
    _optional(_call("exprList", "arguments")),
    _token(tokens.CLOSE_PAREN),
)
_sign = _optional(_token(tokens.MINUS, label="sign"))


def _ends(close: int) -> tuple[Piece, Piece]:
    return _optional(_token(tokens.COMMA)), _token(close)


_GRAMMAR: dict[str, tuple[Piece, ...]] = {
    "start": (_call("expr", "only"), _token(tokens.EOF)),
    "expr": (
        _call("conditionalOr", "condition"),
        _optional(
            _token(tokens.QUESTION, label="operator"),
            _call("conditionalOr", "then"),
            _token(tokens.COLON),
            _call("expr", "otherwise"),
        ),
    ),
    "conditionalOr": (
        _call("conditionalAnd", "first"),
        _repeat(_token(tokens.OR, label="operators*"), _call("conditionalAnd", "rest*")),
    ),
    "conditionalAnd": (
        _call("relation", "first"),
        _repeat(_token(tokens.AND, label="operators*"), _call("relation", "rest*")),
    ),
    "relation": (
        _call("calc", "only"),
        _grow(_binary("binary", 1, _token(*range(1, 8), label="operator"), _call("relation", "right", 2))),
    ),
    "calc": (
        _call("unary", "only"),
        _grow(
            _binary(
                "binary",
                2,
                _token(tokens.STAR, tokens.SLASH, tokens.PERCENT, label="operator"),
                _call("calc", "right", 3),
            ),
            _binary("binary", 1, _token(tokens.PLUS, tokens.MINUS, label="operator"), _call("calc", "right", 2)),
        ),
    ),
    "unary": (
        _one_of(
            _named("only", _call("member", "only")),
            _named("not", _some(_token(tokens.NOT, label="operators*")), _call("member", "operand")),
            _named(
                "negate", _some(_token(tokens.MINUS, label="operators*"), adaptive=True), _call("member", "operand")
            ),
        ),
    ),
    "member": (
        _call("primary", "only"),
        _grow(
            _binary("select", 3, _token(tokens.DOT, label="operator"), _question, _call("escapeIdent", "name")),
            _binary("member_call", 2, _token(tokens.DOT), _token(tokens.IDENT, label="name"), *_arguments),
            _binary(
                "index",
                1,
                _token(tokens.OPEN_BRACKET, label="operator"),
                _question,
                _call("expr", "key"),
                _token(tokens.CLOSE_BRACKET),
            ),
        ),
    ),
    "primary": (
        _one_of(
            _named("ident", _leading_dot, _token(tokens.IDENT, label="name")),
            _named("call", _leading_dot, _token(tokens.IDENT, label="name"), *_arguments),
            _named("only", _token(tokens.OPEN_PAREN), _call("expr", "only"), _token(tokens.CLOSE_PAREN)),
            _named(
                "list",
                _token(tokens.OPEN_BRACKET, label="open"),
                _optional(_call("listInit", "elements")),
                *_ends(tokens.CLOSE_BRACKET),
            ),
            _named(
                "map",
                _token(tokens.OPEN_BRACE, label="open"),
                _optional(_call("mapInitializerList", "entries")),
                *_ends(tokens.CLOSE_BRACE),
            ),
            _named(
                "message",
                _leading_dot,
                _token(tokens.IDENT, label="names*"),
                _repeat(_token(tokens.DOT), _token(tokens.IDENT, label="names*")),
                _token(tokens.OPEN_BRACE, label="open"),
                _optional(_call("fieldInitializerList", "fields")),
                *_ends(tokens.CLOSE_BRACE),
            ),
            _named("only", _call("literal", "only")),
        ),
    ),
    "exprList": _list_of(_call("expr", "items*"), adaptive=False),
    "listInit": _list_of(_call("optExpr", "items*"), adaptive=True),
    "fieldInitializerList": _list_of(
        _call("optField", "keys*"), _token(tokens.COLON, label="colons*"), _call("expr", "values*"), adaptive=True
    ),
    "optField": (_question, _call("escapeIdent", "name")),
    "mapInitializerList": _list_of(
        _call("optExpr", "keys*"), _token(tokens.COLON, label="colons*"), _call("expr", "values*"), adaptive=True
    ),
    "escapeIdent": (
        _one_of(
            _named("name", _token(tokens.IDENT, label="token")),
            _named("escaped", _token(tokens.ESCAPED_IDENT, label="token")),
            adaptive=False,
        ),
    ),
    "optExpr": (_question, _call("expr", "value")),
    "literal": (
        _one_of(
            _named("int", _sign, _token(tokens.INT, label="token")),
            _named("uint", _token(tokens.UINT, label="token")),
            _named("double", _sign, _token(tokens.FLOAT, label="token")),
            _named("string", _token(tokens.STRING, label="token")),
            _named("bytes", _token(tokens.BYTES, label="token")),
            _named("true", _token(tokens.TRUE, label="token")),
            _named("false", _token(tokens.FALSE, label="token")),
            _named("null", _token(tokens.NULL, label="token")),
        ),
    ),
}

RULES = {name: Rule(name) for name in _GRAMMAR}
for _rule in RULES.values():
    _rule.start = _sequence(_GRAMMAR[_rule.name], _rule, _rule.stop)
