"""Parses right expressions quickly, by recursive descent; operators by precedence climbing.

The grammar and its trees are those of grammar.py and tree.py.
"""

from __future__ import annotations

from dralign.cel.parsing import tokens
from dralign.cel.parsing.lexer import lex
from dralign.cel.parsing.tokens import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.parsing.tree import Node

_MAX_NESTING = 24
"""The fast parser recurses; with so little nesting no rule comes near cel-go's limit of 250 levels."""

_RELATIONS = frozenset(range(tokens.EQUALS, tokens.GREATER + 1))
_LEVELS = dict.fromkeys(_RELATIONS, 1) | {
    tokens.PLUS: 2,
    tokens.MINUS: 2,
    tokens.STAR: 3,
    tokens.SLASH: 3,
    tokens.PERCENT: 3,
}
"""How tightly binary operators bind."""

_LITERALS = {
    tokens.UINT: "uint",
    tokens.STRING: "string",
    tokens.BYTES: "bytes",
    tokens.TRUE: "true",
    tokens.FALSE: "false",
    tokens.NULL: "null",
}
_PREFIXES = {tokens.NOT: "not", tokens.MINUS: "negate"}
_NUMBERS = {tokens.INT: "int", tokens.FLOAT: "double"}
_NAMES = {tokens.IDENT: "name", tokens.ESCAPED_IDENT: "escaped"}


class Unsure(Exception):  # noqa: N818
    """The fast parser leaves the expression to the other one."""


def parse_right(text: str) -> Node:
    """Parse an expression.

    Raises:
        Unsure: something is wrong with it, or it is nested very deeply.
    """
    return _Parser(text).parse()


class _Parser:
    """Recursive descent; operators by precedence climbing. Each method reads one rule and returns its tree."""

    def __init__(self, text: str) -> None:
        self._tokens: list[Token] = []
        for piece in lex(text):
            if not isinstance(piece, Token):
                raise Unsure
            self._tokens.append(piece)
        self._at = 0
        self._nesting = 0
        self._has_braces = "{" in text

    def parse(self) -> Node:
        tree = self._expr()
        self._expect(tokens.EOF)
        return tree

    def _take(self, kind: int) -> Token | None:
        """Take the next token if it is of a kind."""
        token = self._tokens[self._at]
        if token.kind != kind:
            return None
        self._at += 1
        return token

    def _expect(self, kind: int) -> Token:
        token = self._tokens[self._at]
        if token.kind != kind:
            raise Unsure
        self._at += 1
        return token

    # Operators

    def _expr(self) -> Node:
        self._nesting += 1
        if self._nesting > _MAX_NESTING:
            raise Unsure
        start = self._tokens[self._at]
        tree = self._either()
        operator = self._take(tokens.QUESTION)
        if operator is not None:
            then = self._either()
            self._expect(tokens.COLON)
            tree = ("expr", start, tree, operator, then, self._expr())
        self._nesting -= 1
        return tree

    def _either(self) -> Node:
        return self._chain("conditionalOr", tokens.OR, self._both)

    def _both(self) -> Node:
        return self._chain("conditionalAnd", tokens.AND, self._binary)

    def _chain(self, name: str, kind: int, operand: Callable[[], Node]) -> Node:
        start = self._tokens[self._at]
        first = operand()
        operator = self._take(kind)
        if operator is None:
            return first
        operators, rest = [], []
        while operator is not None:
            operators.append(operator)
            rest.append(operand())
            operator = self._take(kind)
        return (name, start, first, operators, rest)

    def _binary(self, level: int = 1) -> Node:
        start = self._tokens[self._at]
        tree = self._unary()
        while True:
            operator = self._tokens[self._at]
            tightness = _LEVELS.get(operator.kind, 0)
            if tightness < level:
                return tree
            self._at += 1
            tree = ("binary", start, tree, operator, self._binary(tightness + 1))

    def _unary(self) -> Node:
        start = self._tokens[self._at]
        kind = start.kind
        if kind not in _PREFIXES or (kind == tokens.MINUS and self._tokens[self._at + 1].kind in _NUMBERS):
            return self._member()
        operators = []
        operator = self._take(kind)
        while operator is not None:
            operators.append(operator)
            operator = self._take(kind)
        return (_PREFIXES[kind], start, operators, self._member())

    # Members

    def _member(self) -> Node:
        start = self._tokens[self._at]
        tree = self._primary()
        while True:
            operator = self._tokens[self._at]
            if operator.kind == tokens.DOT:
                tree = self._selection(start, tree)
            elif operator.kind == tokens.OPEN_BRACKET:
                self._at += 1
                optional = self._take(tokens.QUESTION)
                tree = ("index", start, tree, operator, optional, self._expr())
                self._expect(tokens.CLOSE_BRACKET)
            else:
                return tree

    def _selection(self, start: Token, tree: Node) -> Node:
        operator = self._expect(tokens.DOT)
        optional = self._take(tokens.QUESTION)
        name = self._tokens[self._at]
        if optional is None and name.kind == tokens.IDENT:
            opening = self._tokens[self._at + 1]
            if opening.kind == tokens.OPEN_PAREN:
                self._at += 2
                return ("member_call", start, tree, name, opening, self._arguments())
        return ("select", start, tree, operator, optional, self._field_name())

    def _field_name(self) -> Node:
        token = self._tokens[self._at]
        if token.kind not in _NAMES:
            raise Unsure
        self._at += 1
        return (_NAMES[token.kind], token, token)

    def _arguments(self) -> Node | None:
        """Read what follows an opening parenthesis, the closing one included."""
        if self._take(tokens.CLOSE_PAREN) is not None:
            return None
        start = self._tokens[self._at]
        items = [self._expr()]
        while self._take(tokens.COMMA) is not None:
            items.append(self._expr())
        self._expect(tokens.CLOSE_PAREN)
        return ("exprList", start, items)

    # Primaries

    def _primary(self) -> Node:
        start = self._tokens[self._at]
        kind = start.kind
        if kind in (tokens.IDENT, tokens.DOT):
            return self._name(start)
        self._at += 1
        if kind in _LITERALS:
            return (_LITERALS[kind], start, start)
        if kind in _NUMBERS:
            return (_NUMBERS[kind], start, None, start)
        if kind == tokens.MINUS:
            return self._negative(start)
        return self._bracketed(start)

    def _negative(self, sign: Token) -> Node:
        number = self._tokens[self._at]
        if number.kind not in _NUMBERS:
            raise Unsure
        self._at += 1
        return (_NUMBERS[number.kind], sign, sign, number)

    def _bracketed(self, opening: Token) -> Node:
        if opening.kind == tokens.OPEN_PAREN:
            tree = self._expr()
            self._expect(tokens.CLOSE_PAREN)
            return tree
        if opening.kind == tokens.OPEN_BRACKET:
            return ("list", opening, opening, self._items("listInit", tokens.CLOSE_BRACKET))
        if opening.kind == tokens.OPEN_BRACE:
            return ("map", opening, opening, self._items("mapInitializerList", tokens.CLOSE_BRACE))
        raise Unsure

    def _name(self, start: Token) -> Node:
        dot = self._take(tokens.DOT)
        if self._has_braces and self._is_message():
            return self._message(start, dot)
        name = self._expect(tokens.IDENT)
        opening = self._take(tokens.OPEN_PAREN)
        if opening is not None:
            return ("call", start, dot, name, opening, self._arguments())
        return ("ident", start, dot, name)

    def _is_message(self) -> bool:
        """Look whether dotted names end in an opening brace."""
        at = self._at
        while self._tokens[at].kind == tokens.IDENT:
            at += 1
            if self._tokens[at].kind != tokens.DOT:
                return self._tokens[at].kind == tokens.OPEN_BRACE
            at += 1
        return False

    def _message(self, start: Token, dot: Token | None) -> Node:
        names = [self._expect(tokens.IDENT)]
        while self._take(tokens.DOT) is not None:
            names.append(self._expect(tokens.IDENT))
        opening = self._expect(tokens.OPEN_BRACE)
        return ("message", start, dot, names, opening, self._items("fieldInitializerList", tokens.CLOSE_BRACE))

    def _items(self, name: str, close: int) -> Node | None:
        """Read the elements of a list, map or message up to its closing bracket; a comma may stand before that."""
        start = self._tokens[self._at]
        keys: list[Node] = []
        colons: list[Token] = []
        values: list[Node] = []
        more = start.kind not in (tokens.COMMA, close)
        while more:
            first = self._tokens[self._at]
            optional = self._take(tokens.QUESTION)
            if name == "fieldInitializerList":
                keys.append(("optField", first, optional, self._field_name()))
            else:
                keys.append(("optExpr", first, optional, self._expr()))
            if name != "listInit":
                colons.append(self._expect(tokens.COLON))
                values.append(self._expr())
            more = self._tokens[self._at].kind == tokens.COMMA and self._tokens[self._at + 1].kind != close
            self._at += more
        self._take(tokens.COMMA)
        self._expect(close)
        if not keys:
            return None
        return (name, start, keys) if name == "listInit" else (name, start, keys, colons, values)
