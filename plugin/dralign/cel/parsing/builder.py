"""Makes the AST of a syntax tree: numbers the nodes as cel-go does, reads literals, expands macros.

Ids are given in the order in which cel-go visits the tree; each node keeps the offset of the token that cel-go notes
for it. Of a broken expression the parts that are there are visited, too, since they may hold more problems.
"""

from __future__ import annotations

from dralign.cel.ast import (
    Call,
    Expr,
    Ident,
    ListExpr,
    Literal,
    MapEntry,
    MapExpr,
    Select,
    StructExpr,
    StructField,
)
from dralign.cel.errors import GAP, NO_PLACE, LimitReached
from dralign.cel.parsing.literals import READERS
from dralign.cel.parsing.macros import WrongUse
from dralign.cel.parsing.making import Maker
from dralign.cel.parsing.tokens import RESERVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ClassVar

    from dralign.cel.errors import Issues
    from dralign.cel.parsing.syntax import Syntax
    from dralign.cel.parsing.tokens import Token
    from dralign.cel.parsing.tree import Node

MAX_DEPTH = 250
MAX_COPIES = 100_000
"""Copies of nodes; no limit of cel-go, which takes minutes and gigabytes for a few hundred characters."""

_OPERATOR_NAMES = {text: f"_{text}_" for text in ("==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%")}
_OPERATOR_NAMES["in"] = "@in"

_COUNTED = frozenset(("expr", "binary", "select", "member_call", "index"))
"""What counts against ``MAX_DEPTH``."""

_WORDS = {"true": True, "false": False, "null": None}


class Builder:
    """Builds one AST. Problems go to ``issues``; what comes out is of use only if there are none."""

    def __init__(self, issues: Issues, syntax: Syntax) -> None:
        self.issues = issues
        self.syntax = syntax
        self._next_id = 1
        self._depth = 0
        self._copies = 0

    def new_id(self) -> int:
        """Return the next id."""
        number = self._next_id
        self._next_id = number + 1
        return number

    def copy_id(self) -> int:
        """Return the next id, for a copy: optMap copies its target, so that a chain of them doubles with each."""
        self._copies += 1
        if self._copies > MAX_COPIES:
            self.issues.add(NO_PLACE, f"macros would make more than {MAX_COPIES} copies", "recursion")
            raise LimitReached
        return self.new_id()

    def build(self, node: Node | None) -> Expr:
        """Make the expression of a syntax tree, or an empty one where the tree has a gap."""
        build = self._by_name.get(node[0]) if node is not None else None
        if node is None or build is None:
            return self._blank(GAP)
        if node[0] not in _COUNTED:
            return build(self, node)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.issues.add(NO_PLACE, "max recursion depth exceeded", "recursion")
            raise LimitReached
        made = build(self, node)
        self._depth -= 1
        return made

    def _blank(self, offset: int) -> Expr:
        blank = Expr()
        blank.id, blank.offset = self.new_id(), offset
        return blank

    def _wrong(self, offset: int, message: str, kind: str = "syntax") -> Expr:
        blank = self._blank(offset)
        self.issues.add(offset, message, kind)
        return blank

    # Operators

    def _conditional(self, node: Node) -> Expr:
        _, _, condition, operator, then, otherwise = node
        asked = self.build(condition)
        number = self.new_id()
        return Call(number, operator.offset, "_?_:_", None, [asked, self.build(then), self.build(otherwise)])

    def _logic(self, node: Node) -> Expr:
        name, _, first, operators, rest = node
        terms, numbers = [self.build(first)], []
        for term in rest:
            terms.append(self.build(term))
            numbers.append(self.new_id())
        function = "_||_" if name == "conditionalOr" else "_&&_"
        return _balance(function, terms, numbers, operators)

    def _binary(self, node: Node) -> Expr:
        _, _, left, operator, right = node
        first = self.build(left)
        number = self.new_id()
        return Call(number, operator.offset, _OPERATOR_NAMES[operator.text], None, [first, self.build(right)])

    def _prefix(self, node: Node) -> Expr:
        name, _, operators, operand = node
        if len(operators) % 2 == 0:
            return self.build(operand)
        number = self.new_id()
        function = "!_" if name == "not" else "-_"
        return Call(number, operators[0].offset, function, None, [self.build(operand)])

    def _broken_operand(self, node: Node) -> Expr:
        return Literal(self.new_id(), node[1].offset, "<<error>>")

    # Members

    def _select(self, node: Node) -> Expr:
        _, start, left, operator, optional, name = node
        operand = self.build(left)
        if name is None:
            return self._blank(start.offset)
        field = self._field_name(name, name[1])
        if optional is None:
            return Select(self.new_id(), operator.offset, operand, field)
        key = Literal(self.new_id(), name[1].offset, field)
        return Call(self.new_id(), operator.offset, "_?._", None, [operand, key])

    def _field_name(self, node: Node, place: Token) -> str:
        """Read the name of a field; one that cannot be read is reported at ``place``."""
        if node[0] == "name":
            return str(node[2].text)
        message = "unsupported ident kind"
        if node[0] == "escaped":
            if self.syntax.escaped_fields:
                return str(node[2].text[1:-1])
            message = "unsupported syntax: '`'"
        self._wrong(place.offset, message)
        return ""

    def _member_call(self, node: Node) -> Expr:
        _, start, left, name, opening, arguments = node
        target = self.build(left)
        if name is None or opening is None:
            return self._blank(start.offset)
        return self._call_or_macro(opening.offset, name.text, target, arguments)

    def _index(self, node: Node) -> Expr:
        _, _, left, operator, optional, key = node
        target = self.build(left)
        number = self.new_id()
        function = "_[_]" if optional is None else "_[?_]"
        return Call(number, operator.offset, function, None, [target, self.build(key)])

    # Names and calls

    def _ident(self, node: Node) -> Expr:
        _, start, dot, name = node
        if name.text in RESERVED:
            return self._wrong(start.offset, f"reserved identifier: {name.text}")
        return Ident(self.new_id(), name.offset, name.text if dot is None else f".{name.text}")

    def _call(self, node: Node) -> Expr:
        _, start, dot, name, opening, arguments = node
        if name.text in RESERVED:
            return self._wrong(start.offset, f"reserved identifier: {name.text}")
        function = name.text if dot is None else f".{name.text}"
        return self._call_or_macro(opening.offset, function, None, arguments)

    def _call_or_macro(self, offset: int, function: str, target: Expr | None, arguments: Node | None) -> Expr:
        number = self.new_id()
        args = [self.build(item) for item in arguments[2]] if arguments else []
        macro = self.syntax.macros.get((function, len(args), target is not None))
        if macro is not None:
            try:
                expanded = macro(Maker(self.new_id, self.copy_id, offset), target, args)
            except WrongUse as wrong:
                return self._wrong(wrong.offset, wrong.message, "macro")
            if expanded is not None:
                return expanded
        return Call(number, offset, function, target, args)

    # Lists, maps, messages

    def _list(self, node: Node) -> Expr:
        _, _, opening, elements = node
        number = self.new_id()
        items = elements[2] if elements else []
        made = [self.build(item[3]) for item in items]
        optional = frozenset(i for i, item in enumerate(items) if item[2] is not None)
        return ListExpr(number, opening.offset, made, optional)

    def _map(self, node: Node) -> Expr:
        _, _, opening, written = node
        number = self.new_id()
        entries = []
        _, _, keys, colons, values = written or (None, None, [], [], [])
        for i, colon in enumerate(colons):
            entry_number = self.new_id()
            if i >= len(values):
                break
            key = self.build(keys[i][3])
            value = self.build(values[i])
            entries.append(MapEntry(entry_number, colon.offset, key, value, keys[i][2] is not None))
        return MapExpr(number, opening.offset, entries)

    def _message(self, node: Node) -> Expr:
        _, start, dot, names, opening, written = node
        name = ".".join(part.text for part in names)
        number = self.new_id()
        fields = []
        _, first, keys, colons, values = written or (None, start, [], [], [])
        for i, (_, _, optional, key) in enumerate(keys):
            if i >= len(values):
                break
            field_number = self.new_id()
            reported = len(self.issues.found)
            field = self._field_name(key, first)
            if len(self.issues.found) == reported:
                fields.append(StructField(field_number, colons[i].offset, field, self.build(values[i]), bool(optional)))
        return StructExpr(number, opening.offset, name if dot is None else f".{name}", fields)

    # Literals

    def _number(self, node: Node) -> Expr:
        name, start, sign, token = node
        return self._read(name, start.offset, token.text if sign is None else f"-{token.text}")

    def _text(self, node: Node) -> Expr:
        name, start, token = node
        return self._read(name, start.offset, token.text)

    def _read(self, name: str, offset: int, text: str) -> Expr:
        try:
            value = READERS[name](text)
        except ValueError as wrong:
            return self._wrong(offset, str(wrong))
        return Literal(self.new_id(), offset, value)

    def _word(self, node: Node) -> Expr:
        return Literal(self.new_id(), node[1].offset, _WORDS[node[0]])

    _by_name: ClassVar[dict[str, Callable[[Builder, Node], Expr]]] = {
        "expr": _conditional,
        "conditionalOr": _logic,
        "conditionalAnd": _logic,
        "binary": _binary,
        "not": _prefix,
        "negate": _prefix,
        "unary": _broken_operand,
        "select": _select,
        "member_call": _member_call,
        "index": _index,
        "ident": _ident,
        "call": _call,
        "list": _list,
        "map": _map,
        "message": _message,
        "int": _number,
        "double": _number,
        "uint": _text,
        "string": _text,
        "bytes": _text,
        "true": _word,
        "false": _word,
        "null": _word,
    }


def _balance(function: str, terms: list[Expr], numbers: list[int], operators: list[Token]) -> Expr:
    """Make a chain of ``&&`` or ``||`` a tree of least depth, as cel-go does; order and ids of the operators stay."""

    def between(low: int, high: int) -> Expr:
        middle = (low + high + 1) // 2
        left = terms[middle] if middle == low else between(low, middle - 1)
        right = terms[middle + 1] if middle == high else between(middle + 1, high)
        return Call(numbers[middle], operators[middle].offset, function, None, [left, right])

    return between(0, len(numbers) - 1)
