"""What of the language a release of Kubernetes knows."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.cel.parsing.macros import Expansion, Key


class Syntax(Record):
    """Options of the parser.

    Args:
        macros: those that are known, see :func:`dralign.cel.parsing.macros.table`.
        escaped_fields: whether field names may stand in backticks (cel-go 0.29, Kubernetes 1.37).
    """

    macros: Mapping[Key, Expansion]
    escaped_fields: bool = True
