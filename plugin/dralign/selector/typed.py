"""Operations that fail on every device: an accepted selector, checked again with the types that its attributes have.

The API server takes an attribute for a value of any type, so that ``driverVersion >= '550'`` passes; on a device, where it
is a version, there is no such operation, and the scheduling attempt ends.
"""

from __future__ import annotations

from dralign.cel.analysis.paths import key_of, path_of
from dralign.cel.ast import Call, Select
from dralign.cel.checking.checker import Checker
from dralign.cel.declarations.signature import parse_type
from dralign.cel.declarations.types import BOOL, is_optional, optional_of
from dralign.cel.depth import room_for_depth
from dralign.cel.errors import Issues, Source
from dralign.cel.parsing.parser import parse
from dralign.record import Record
from dralign.selector.compiled import language_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.cel.ast import Expr, StructField
    from dralign.cel.declarations.types import Type
    from dralign.selector.compiled import Compiled


class Misuse(Record):
    """An operation that the values of an attribute do not have.

    Args:
        line, column: where it stands in the expression, as in ``cel.errors.Issue``.
        message: what the checker says of it.
        attribute: ``domain/name``.
    """

    line: int
    column: int
    message: str
    attribute: str


def misuse(compiled: Compiled, types: Mapping[str, str]) -> Misuse | None:
    """Return the first operation of a selector that fails on every device that it is asked on; None if there is none.

    Args:
        compiled: the selector; a refused one has none, nor has one that asks for types itself.
        types: attributes (``domain/name``) and their types in CEL's words, such as ``kubernetes.Semver`` or ``list(int)``.
    """
    if not compiled.ok or not types:
        return None
    with room_for_depth():
        checker = _TypedChecker(compiled, types)
        checker.check_result(parse(compiled.expression, language_of(compiled.setting).syntax).root)
    return None if checker.asks_for_types else checker.found


class _TypedChecker(Checker):
    """The checker, which knows more of attributes and notes the first operation that they do not have."""

    __slots__ = ("asks_for_types", "attributes", "found", "given", "source")

    def __init__(self, compiled: Compiled, given: Mapping[str, str]) -> None:
        self.source = Source(compiled.expression)
        super().__init__(language_of(compiled.setting).environment, Issues(self.source))
        self.given = given
        self.attributes: dict[int, str] = {}
        self.found: Misuse | None = None
        self.asks_for_types = False

    def check(self, node: Expr) -> Type:
        """Check a node; an attribute whose type is known gets it."""
        of = super().check(node)
        self.asks_for_types |= isinstance(node, Call) and node.function == "type"
        known = self._known(node) if isinstance(node, (Call, Select)) else None
        if known is not None:
            of = self.types[node.id] = known
        return of

    def check_result(self, root: Expr) -> None:
        """Check an expression, which must give true or false."""
        of = self.check(root)
        if root.id in self.attributes and of is not BOOL:
            self.problem(root, f"the result is {of}, and must be bool", "output_type")

    def problem(self, node: Expr | StructField, message: str, kind: str) -> None:
        """Note the first problem that is one at run time, too, if it is an attribute's."""
        super().problem(node, message, kind)
        if self.found is None and not self._is_harmless(node):
            attribute = self._attribute_of(node)
            if attribute is not None:
                self.found = Misuse(*self.source.place(node.offset), message, attribute)

    def _known(self, node: Call | Select) -> Type | None:
        """Return the type of a node that reads an attribute of which more is known."""
        path = path_of(node, {})
        key = key_of(path)
        if path is None or key is None or path.default is not None or key[0] != "attributes":
            return None
        name = "/".join(key[1:])
        if name not in self.given:
            return None
        self.attributes[node.id] = name
        of = parse_type(self.given[name])
        return optional_of(of) if path.optional else of

    def _is_harmless(self, node: Expr | StructField) -> bool:
        """Say whether what the checker refuses is no error at run time: what is only asked for just is not there."""
        if isinstance(node, Select):
            return node.test_only or is_optional(self.types[node.operand.id])
        return isinstance(node, Call) and (node.function == "_?._" or self._takes_anything(node))

    def _takes_anything(self, call: Call) -> bool:
        """Say whether a function has an overload for all types: nobody looks at them when it is evaluated.

        But a version on the left of ``==`` does (apiserver/pkg/cel/semver.go); ``!=`` turns its error into true.
        """
        if call.function == "_==_" and self.types[call.args[0].id].name == "kubernetes.Semver":
            return False
        return any(param.free for row in self.env.rows(call.function) for param in row.params)

    def _attribute_of(self, node: Expr | StructField) -> str | None:
        """Return the attribute that a node is, or that stands right below it."""
        operands: tuple[Expr | StructField | None, ...] = (node,)
        if isinstance(node, Call):
            operands = (node, node.target, *node.args)
        elif isinstance(node, Select):
            operands = (node, node.operand)
        names = (self.attributes.get(operand.id) for operand in operands if operand is not None)
        return next((name for name in names if name is not None), None)
