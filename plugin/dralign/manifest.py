"""Manifests: one Kubernetes object each, as plain data that never forgets the document it came from."""

from __future__ import annotations

import marshal

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from dralign.document import Document


class Path(tuple["str | int", ...]):
    """Field path inside an object: keys and indices. Prints as Kubernetes prints it, ``spec.containers[0].name``."""

    __slots__ = ()

    def __truediv__(self, key: str | int) -> Path:
        return Path((*self, key))

    def join(self, tail: Iterable[str | int]) -> Path:
        """Return this path with ``tail`` behind it."""
        return Path((*self, *tail))

    def starts_with(self, head: tuple[str | int, ...]) -> bool:
        """Say whether ``head`` is this path or one of its ancestors."""
        return self[: len(head)] == head

    def __str__(self) -> str:
        text = ""
        for key in self:
            if isinstance(key, int) or not key.replace("-", "").replace("_", "").isalnum():
                text += f"[{key}]"
            else:
                text += f".{key}" if text else key
        return text


ROOT = Path()


ORIGIN_ANNOTATIONS = (
    "config.kubernetes.io/origin",
    "internal.config.kubernetes.io/path",
    "config.kubernetes.io/path",
    "postrenderer.helm.sh/postrender-filename",
)


INDEX_ANNOTATIONS = ("internal.config.kubernetes.io/index", "config.kubernetes.io/index")


DEFAULT_NAMESPACE = "default"


class Ref(Record):
    """What names an object: prints as ``team-a/gpus`` or ``gpus``; kind and group stand apart."""

    api_version: str
    kind: str
    namespace: str | None
    name: str | None

    def __str__(self) -> str:
        name = self.name or "(no name)"
        return f"{self.namespace}/{name}" if self.namespace else name

    @property
    def home(self) -> str:
        """The namespace that an object lands in: ``default`` where it names none, as kubectl has it."""
        return self.namespace or DEFAULT_NAMESPACE

    @property
    def kind_and_name(self) -> str:
        """``Kind/name``, as kubectl prints objects."""
        return f"{self.kind}/{self.name or '(no name)'}"


class Location(Record):
    """A place in the text that was read; line and column count from 1, columns in characters."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Manifest:
    """Read-only view of one Kubernetes object.

    ``kept`` is for what follows from the object alone and takes long to work out, by a key that says all it depends on.
    """

    __slots__ = ("_data", "base", "document", "kept", "ref")

    def __init__(self, document: Document, base: Path, data: dict[str, Any]) -> None:
        self.document = document
        self.base = base
        self._data: dict[str, Any] | None = data
        self.kept: dict[object, Any] = {}
        metadata = as_map(data.get("metadata"))
        self.ref = Ref(
            as_text(data.get("apiVersion")) or "",
            as_text(data.get("kind")) or "",
            as_text(metadata.get("namespace")),
            as_text(metadata.get("name")) or as_text(metadata.get("generateName")),
        )

    @property
    def data(self) -> dict[str, Any]:
        """The object as plain data; once let go, it is read again each time."""
        if self._data is not None:
            return self._data
        return {"apiVersion": self.ref.api_version, "kind": self.ref.kind, **dig(self.document.data, self.base)}

    def let_go(self) -> None:
        """Keep neither data nor text in memory, where the document can be read again: few are asked for a second time."""
        if self.document.let_go(self.base):
            self._data = None

    @property
    def group(self) -> str:
        """API group; empty for the core group."""
        head, slash, _ = self.ref.api_version.partition("/")
        return head if slash else ""

    @property
    def version(self) -> str:
        """API version without its group."""
        return self.ref.api_version.rpartition("/")[2]

    @property
    def annotations(self) -> Mapping[str, Any]:
        """``metadata.annotations``; empty where there are none."""
        return as_map(as_map(self.data.get("metadata")).get("annotations"))

    @property
    def labels(self) -> Mapping[str, Any]:
        """``metadata.labels``; empty where there are none."""
        return as_map(as_map(self.data.get("metadata")).get("labels"))

    @property
    def origin(self) -> str | None:
        """File that the object came from, as its annotations say (kustomize, kpt, Helm 4); None where they don't."""
        for key in ORIGIN_ANNOTATIONS:
            value = as_text(self.annotations.get(key))
            if value is not None:
                return value.partition("path: ")[2].partition("\n")[0] if key.endswith("/origin") else value
        return None

    @property
    def index(self) -> int:
        """Place of the object in the file that it came from, from 0, as its annotations say."""
        text = next((str(self.annotations[key]) for key in INDEX_ANNOTATIONS if key in self.annotations), "")
        return int(text) if text.isdecimal() else 0

    def get(self, path: Iterable[str | int]) -> Any:
        """Return the value at ``path``, or None where there is none."""
        return dig(self.data, path)

    def location(self, path: Path) -> Location:
        """Return where ``path`` stands in the text, or its nearest ancestor that is written."""
        return self.document.locate(self.base.join(path))

    def __repr__(self) -> str:
        return f"<Manifest {self.ref.kind} {self.ref}>"


def dig(data: Any, path: Iterable[str | int]) -> Any:
    """Return what stands at ``path`` in plain data, or None."""
    for key in path:
        if isinstance(data, dict):
            data = data.get(key)
        elif isinstance(data, list) and isinstance(key, int) and 0 <= key < len(data):
            data = data[key]
        else:
            return None
    return data


def content(data: Any) -> bytes | None:
    """Return what plain data says as bytes, the same for equal data in equal order and for no other.

    None where it is nested too deep for that (some 2,000 levels): nobody writes such data twice.
    """
    try:
        return marshal.dumps(data, _WITHOUT_REFERENCES)
    except ValueError:
        return None


_WITHOUT_REFERENCES = 2
"""The last version of the marshal format in which equal data gives equal bytes, whatever of it is shared."""


def as_map(value: Any) -> dict[str, Any]:
    """Return ``value`` if it is a mapping, else an empty one: wrong types are the admission rules' matter."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return ``value`` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str | None:
    """Return ``value`` if it is a non-empty string, else None."""
    return value if isinstance(value, str) and value else None
