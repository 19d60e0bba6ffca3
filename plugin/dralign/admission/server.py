"""The API server that is asked, and the state of one answer while it is worked out."""

from __future__ import annotations

from dralign.admission import schema
from dralign.admission.causes import Objections, to_go_json
from dralign.admission.encode import encode
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol

    from dralign.admission.location import Location

    class Compiled(Protocol):
        """What compiling a CEL expression gives: the text of the refusal, None where it is accepted, and the cost."""

        @property
        def error(self) -> str | None:
            """The text of the refusal, None where it is accepted."""

        @property
        def internal(self) -> bool:
            """Whether the server itself failed."""

        @property
        def too_costly(self) -> bool:
            """Whether it is refused for what it may cost."""

        @property
        def max_cost(self) -> int | None:
            """The most that an evaluation can cost."""


class Server(Record):
    """An API server: its release and gates, and what it holds that objects refer to.

    ``compile_cel(expression, release, features, stored, derived)`` compiles an expression; ``stored`` says whether only
    the limits of stored ones apply, ``derived`` whether it is that of a derived attribute. Without it expressions are not
    judged. ``namespaces`` gives the labels of the namespaces that exist, ``priority_classes`` the preemption policy of
    each priority class, ``runtime_classes`` and ``nodes`` names, ``node_features`` what each node declares (none for those
    left out); None means that they are not known and nothing that depends on them is objected to. ``namespace`` is the one
    the request is sent to, None for the object's own.
    """

    release: str
    features: frozenset[str]
    compile_cel: Callable[[str, str, frozenset[str], bool, bool], Compiled] | None = None
    namespaces: Mapping[str, Mapping[str, str]] | None = None
    priority_classes: Mapping[str, str] | None = None
    nodes: frozenset[str] | None = None
    namespace: str | None = None
    runtime_classes: frozenset[str] | None = None
    node_features: Mapping[str, frozenset[str]] | None = None

    @property
    def minor(self) -> int:
        """The release as a number: 37 for 1.37."""
        return int(self.release.partition(".")[2])


class Check(Objections):
    """Objections to one object, with what decides them: the server, and the shape of the API version.

    ``package`` is that of the object's type (see ``schema``). ``flat`` is true for v1beta1, where the body of a request
    is not under ``exactly`` but that of a device is under ``basic``. ``declarative`` is true from 1.37 on, where rules
    generated from the API types replace older ones and word some things differently.
    """

    __slots__ = ("declarative", "features", "flat", "minor", "package", "server")

    def __init__(self, server: Server, package: str) -> None:
        super().__init__()
        self.package = package
        self.flat = package == "resource.v1beta1"
        self.server = server
        self.minor = server.minor
        self.features = server.features
        self.declarative = self.minor >= 37

    def list_of(self, at: Location, count: int, limit: int) -> bool:
        """Object to a list that is too long, and say whether its items are worth looking at."""
        if count <= limit:
            return True
        self.too_many(at, count, limit)
        return False

    def written(self, type_: str, value: dict[str, Any]) -> str:
        """Return the JSON of a decoded value of a type of this API version, as error messages quote it."""
        return self.written_from(self.package, type_, value)

    def written_from(self, package: str, type_: str, value: dict[str, Any]) -> str:
        """Return the JSON of a decoded value of a type of any package, as error messages quote it."""
        return to_go_json(encode(schema.struct(package, type_, self.minor), value, self.minor))
