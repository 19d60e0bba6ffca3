"""How large the values of a variable can get: what the cost estimate knows beside the text of the expression."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Shape(Record):
    """Upper bound of the size of a value, and the shapes of its parts.

    Args:
        limit: most elements of a list or map, most characters of a string.
        key: shape of the keys of a map.
        element: shape of the values of a map or list.
        fields: shapes of the fields of an object.
        any_field: a field of any name has the shape of ``element``: a map whose keys are written as fields.
    """

    limit: int
    key: Shape | None = None
    element: Shape | None = None
    fields: Mapping[str, Shape] | None = None
    any_field: bool = False

    def part(self, name: str) -> Shape | None:
        """Return the shape of one part: ``@items``, ``@values``, ``@keys`` or the name of a field."""
        if name in ("@items", "@values"):
            return self.element
        if name == "@keys":
            return self.key
        if self.fields is not None and name in self.fields:
            return self.fields[name]
        return self.element if self.any_field else None


def limit_at(shapes: Mapping[str, Shape], path: Sequence[str]) -> int | None:
    """Return the limit of the value at a path that begins with a variable, or None if nothing is known of it."""
    shape = shapes.get(path[0]) if path else None
    for name in path[1:]:
        if shape is None:
            return None
        shape = shape.part(name)
    return None if shape is None else shape.limit
