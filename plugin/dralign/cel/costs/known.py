"""What the estimate has found out about nodes and variables so far: paths, sizes, sizes of elements."""

from __future__ import annotations

from dralign.cel.ast import Ident, ListExpr, Literal, MapExpr
from dralign.cel.costs.call import Operand
from dralign.cel.costs.paths import NOWHERE, path_of
from dralign.cel.costs.sizes import ONE, UNKNOWN, union
from dralign.cel.declarations.shapes import limit_at
from dralign.cel.declarations.types import is_optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.ast import Comprehension, Expr
    from dralign.cel.checking.checker import Checked
    from dralign.cel.costs.paths import Path
    from dralign.cel.costs.sizes import Range
    from dralign.cel.declarations.types import Type

    Entry = tuple[str, Range, Range]
    """Sizes inside a list or map: its kind, size of the keys (or indices), size of the values."""

_ACCUMULATORS = ("@result", "__result__")
_SCALARS = ("bool", "double", "duration", "int", "timestamp", "uint")


class Local:
    """A variable of a comprehension: where its value lies, how large it and its elements are."""

    __slots__ = ("entry", "path", "size")

    def __init__(self, path: Path, size: Range | None, entry: Entry | None) -> None:
        self.path = path
        self.size = size
        self.entry = entry


class Known:
    """Facts by the ids of nodes, and the variables in scope."""

    __slots__ = ("_entries", "_locals", "_paths", "_shapes", "_sizes", "_types")

    def __init__(self, checked: Checked) -> None:
        self._types = checked.types
        self._shapes = checked.env.shapes
        self._paths: dict[int, Path] = {}
        self._sizes: dict[int, Range] = {}
        self._entries: dict[int, Entry] = {}
        self._locals: dict[str, list[Local]] = {}

    # --- variables

    def local(self, name: str) -> Local | None:
        """Return the innermost local variable of a name, or None."""
        stack = self._locals.get(name)
        return stack[-1] if stack else None

    def bind(self, name: str, node: Expr) -> None:
        """Declare a variable that has the value of a node."""
        self.declare(name, Local(self.path(node), self.size(node), self.entry(node)))

    def declare(self, name: str, local: Local) -> None:
        """Declare a variable."""
        self._locals.setdefault(name, []).append(local)

    def drop(self, name: str) -> None:
        """Forget the innermost variable of a name."""
        self._locals[name].pop()

    def enter_loop(self, node: Comprehension) -> None:
        """Declare the variables of a loop: key or index and value, or the one that a single variable means."""
        if node.iter_var2:
            self._declare_part(node, node.iter_var, value=False)
            self._declare_part(node, node.iter_var2, value=True)
        else:
            self._declare_part(node, node.iter_var, value=self._range_kind(node) == "list")

    def leave_loop(self, node: Comprehension) -> None:
        """Forget the variables of a loop."""
        self.drop(node.iter_var)
        if node.iter_var2:
            self.drop(node.iter_var2)

    def _declare_part(self, node: Comprehension, name: str, *, value: bool) -> None:
        entry = self.entry(node.iter_range)
        names = ("@indices", "@items") if self._range_kind(node) == "list" else ("@keys", "@values")
        size = None if entry is None else entry[1:][value]
        self.declare(name, Local(self.path(node.iter_range).append(names[value]), size, None))

    def _range_kind(self, node: Comprehension) -> str:
        entry = self.entry(node.iter_range)
        return self._types[node.iter_range.id].kind if entry is None else entry[0]

    # --- paths

    def path(self, node: Expr) -> Path:
        """Return where the value of a node lies below a variable."""
        if isinstance(node, Ident):
            local = self.local(node.name)
            if local is not None:
                return local.path
        return self._paths.get(node.id, NOWHERE)

    def keep_name(self, node: Expr, name: str) -> None:
        """Keep that a node is a variable."""
        local = self.local(name)
        self._paths[node.id] = path_of(name) if local is None else local.path

    def keep_step(self, node: Expr, operand: Expr, step: str) -> None:
        """Keep that a node is one step below its operand."""
        self._paths[node.id] = self.path(operand).append(step)

    # --- sizes

    def operand(self, node: Expr) -> Operand:
        """Return a node as the cost models see it."""
        path = self.path(node)
        if path.starts_in(_ACCUMULATORS):
            path = NOWHERE
        return Operand(node, path, self._types[node.id], self.size(node))

    def size(self, node: Expr) -> Range | None:
        """Return the size of a node's value, or None if nothing is known of it."""
        size = self._sizes.get(node.id)
        if size is None:
            size = _written_size(node)
        if size is not None:
            return size
        limit = limit_at(self._shapes, self.path(node).steps)
        if limit is not None:
            self._sizes[node.id] = (0, limit)
            return 0, limit
        if _is_scalar(self._types[node.id]):
            return ONE
        local = self.local(node.name) if isinstance(node, Ident) else None
        return None if local is None else local.size

    def size_or_unknown(self, node: Expr) -> Range:
        """Return the size of a node's value, any size if nothing is known of it."""
        size = self.size(node)
        return UNKNOWN if size is None else size

    def keep_size(self, node: Expr, size: Range | None) -> None:
        """Keep the size of a node's value, if there is one."""
        if size is not None:
            self._sizes[node.id] = size

    def copy_sizes(self, to: Expr, node: Expr) -> None:
        """Keep that one node has the value of another."""
        self.keep_size(to, self.size(node))
        self.keep_entry(to, self.entry(node))

    # --- elements

    def entry(self, node: Expr) -> Entry | None:
        """Return the sizes of the elements of a node's value, or None if nothing is known of them."""
        entry = self._entries.get(node.id)
        if entry is None and isinstance(node, Ident):
            local = self.local(node.name)
            entry = None if local is None else local.entry
        return entry

    def keep_entry(self, node: Expr, entry: Entry | None) -> None:
        """Keep the sizes of the elements of a node's value, if there are any."""
        if entry is not None:
            self._entries[node.id] = entry

    def join_entries(self, node: Expr, one: Expr, other: Expr) -> None:
        """Keep that the elements of a node's value come from two others."""
        mine, theirs = self.entry(one), self.entry(other)
        if mine is not None and theirs is not None:
            self._entries[node.id] = (mine[0], union(mine[1], theirs[1]), union(mine[2], theirs[2]))


def _written_size(node: Expr) -> Range | None:
    """Return the size of a literal or of a written list or map: characters, bytes, elements."""
    if isinstance(node, Literal):
        size = len(node.value) if isinstance(node.value, (str, bytes)) else 1
    elif isinstance(node, ListExpr):
        size = len(node.elements)
    elif isinstance(node, MapExpr):
        size = len(node.entries)
    else:
        return None
    return size, size


def _is_scalar(of: Type) -> bool:
    return _is_scalar(of.params[0]) if is_optional(of) and of.params else of.kind in _SCALARS
