"""The Go types of the Kubernetes API as far as DRA and pods reach, one table row each, per release.

A row is ``Type field=shape field=shape ...`` or ``Alias:shape``, under a ``[package]`` heading. A shape is

    string bool byte int32 int64 float64 bytes Quantity Time IntOrString RawExtension UID, or the name of a type
    *shape        a pointer: absent and zero are different things
    []shape       a list
    {Key}shape    a map; without a name the key is a plain string
    shape!        written out even when it is empty (no ``omitempty``)
    shape?        a value that is left out when it is zero (``omitzero``)
    shape^Inner   a field of the embedded struct Inner; Go names it when it complains
    shape@35-36   in these releases of the type only (1.35 and 1.36); ``@35``, ``@-36`` are open

The older versions of a group list only the types in which they differ from v1.
"""

from __future__ import annotations

from dralign.admission import schema_core, schema_meta, schema_resource, schema_workload

STRING, BOOL, INTEGER, FLOAT, BYTES, QUANTITY, TIME, INT_OR_STRING, RAW, STRUCT, LIST, MAP = range(12)
_SCALARS = {
    "string": STRING,
    "bool": BOOL,
    "byte": INTEGER,
    "int32": INTEGER,
    "int64": INTEGER,
    "float64": FLOAT,
    "bytes": BYTES,
    "Quantity": QUANTITY,
    "Time": TIME,
    "IntOrString": INT_OR_STRING,
    "RawExtension": RAW,
    "UID": STRING,
}
# The bits of an integer type: values outside are refused while decoding.
BITS = {"byte": 8, "int32": 32, "int64": 64}
_GO_NAMES = {
    "Quantity": "resource.Quantity",
    "Time": "v1.Time",
    "IntOrString": "intstr.IntOrString",
    "RawExtension": "runtime.RawExtension",
    "bytes": "[]uint8",
    "byte": "uint8",
    "UID": "types.UID",
}
_FALLBACK = {
    "resource.v1beta2": "resource.v1",
    "resource.v1beta1": "resource.v1",
    "resource.v1alpha3": "resource.v1",
}
_PACKAGES = {
    "v1": "core",
    "apps/v1": "apps",
    "batch/v1": "batch",
    "resource.k8s.io/v1": "resource.v1",
    "resource.k8s.io/v1beta2": "resource.v1beta2",
    "resource.k8s.io/v1beta1": "resource.v1beta1",
    "resource.k8s.io/v1alpha3": "resource.v1alpha3",
}
OLDEST, NEWEST = 32, 37  # the minor releases that the tables cover
_ALL = range(100)


class Shape:
    """What a value must look like.

    ``kind`` is one of the constants above, ``go`` the Go name for messages, ``item`` the shape of the items of a list
    or map, ``bits`` the width of an integer, ``type`` the name of a struct in its package.
    """

    __slots__ = ("bits", "go", "item", "kind", "package", "type")

    def __init__(self, kind: int, go: str, *, item: Shape | None = None, bits: int = 0, type_: str = "") -> None:
        self.kind = kind
        self.go = go
        self.item = item
        self.bits = bits
        self.type = type_
        self.package = ""


class Field:
    """A field of a struct: its shape, whether it is a pointer, and whether it is written out when empty."""

    __slots__ = ("embedded", "keep", "kind", "name", "omit_zero", "pointer", "shape")

    def __init__(self, name: str, shape: Shape, *, pointer: bool, keep: bool, omit_zero: bool, embedded: str) -> None:
        self.name = name
        self.embedded = embedded
        self.shape = shape
        self.kind = shape.kind
        self.pointer = pointer
        self.keep = keep
        self.omit_zero = omit_zero


class Struct:
    """A struct type in one release: its Go name and its fields in the order of the Go source."""

    __slots__ = ("fields", "name", "package")

    def __init__(self, package: str, name: str, fields: dict[str, Field]) -> None:
        self.package = package
        self.name = name
        self.fields = fields


_rows: dict[str, dict[str, str]] = {}
_structs: dict[tuple[str, str, int], Struct] = {}
_shapes: dict[tuple[str, str], Shape] = {}


def kind_of(group_version: str, kind: str, minor: int) -> Struct | None:
    """Return the type of an object in release 1.minor, None for kinds whose fields are not in the tables."""
    package = _PACKAGES.get(group_version)
    if package is None or _row(package, kind) is None:
        return None
    found = struct(package, kind, minor)
    return found if "apiVersion" in found.fields else None


def struct(package: str, name: str, minor: int) -> Struct:
    """Return a struct type in release 1.minor. KeyError if there is no such type."""
    found = _structs.get((package, name, minor))
    if found is None:
        found = _structs[package, name, minor] = _read_struct(package, name, minor)
    return found


def releases_of(package: str, type_: str, field: str) -> list[int]:
    """Return the minor releases from 1.32 to 1.37 in which a type has a field."""
    row = _row(package, type_) or ""
    forms = [part.partition("=")[2] for part in row.split() if part.startswith(f"{field}=")]
    return [minor for minor in range(OLDEST, NEWEST + 1) if any(minor in _releases(form) for form in forms)]


def versions_with(package: str, type_: str, field: str, minor: int) -> list[str]:
    """Return the other versions of a group, newest first, in which a type has a field and differs from this version."""
    group = package.partition(".")[0]
    return [
        group_version
        for group_version, other in _PACKAGES.items()
        if other != package
        and other.partition(".")[0] == group
        and type_ in _rows[other]
        and field in struct(other, type_, minor).fields
    ]


def struct_of_field(group_version: str, type_: str, field: str, minor: int) -> Struct | None:
    """Return the struct that a field holds, None for a field of another shape."""
    shape = struct(_PACKAGES[group_version], type_, minor).fields[field].shape
    return struct(shape.package, shape.type, minor) if shape.kind == STRUCT else None


def _row(package: str, name: str) -> str | None:
    if not _rows:
        for table in (schema_meta.TABLE, schema_core.TABLE, schema_workload.TABLE, schema_resource.TABLE):
            _read_table(table)
    own = _rows[package].get(name)
    if own is None and package in _FALLBACK:
        return _rows[_FALLBACK[package]].get(name)
    return own


def _read_table(table: str) -> None:
    rows: dict[str, str] = {}
    for line in table.replace("\n  ", " ").splitlines():
        if line.startswith("["):
            rows = _rows[line[1:-1]] = {}
        else:
            head = line.partition(" ")[0]
            name, colon, alias = head.partition(":")
            rows[name] = f":{alias}" if colon else line[len(head) :]


def _read_struct(package: str, name: str, minor: int) -> Struct:
    row = _row(package, name)
    if row is None:
        raise KeyError(f"{package}.{name}")
    fields = {}
    for part in row.split():
        field, _, specification = part.partition("=")
        if minor in _releases(specification):
            fields[field] = _read_field(package, field, specification.partition("@")[0])
    return Struct(package, name, fields)


def _read_field(package: str, name: str, specification: str) -> Field:
    marked, _, embedded = specification.partition("^")
    text = marked.rstrip("?!")
    return Field(
        name,
        _shape(package, text.lstrip("*")),
        pointer=text.startswith("*"),
        keep=marked.endswith("!"),
        omit_zero=marked.endswith("?"),
        embedded=embedded,
    )


def _releases(specification: str) -> range:
    _, at, releases = specification.partition("@")
    if not at:
        return _ALL
    since, _, until = releases.partition("-")
    return range(int(since or 0), int(until or 98) + 1)


def _shape(package: str, text: str) -> Shape:
    found = _shapes.get((package, text))
    if found is None:
        found = _shapes[package, text] = _read_shape(package, text)
    return found


def _read_shape(package: str, text: str) -> Shape:
    if text in _SCALARS:
        return Shape(_SCALARS[text], _GO_NAMES.get(text, text), bits=BITS.get(text, 0))
    if text.startswith("[]"):
        item = _shape(package, text[2:].lstrip("*"))
        return Shape(LIST, f"[]{item.go}", item=item)
    if text.startswith("{"):
        key, _, rest = text[1:].partition("}")
        item = _shape(package, rest.lstrip("*"))
        return Shape(MAP, f"map[{_go_name(package, key) if key else 'string'}]{item.go}", item=item)
    home, dot, name = text.rpartition(".")
    if not dot:
        home = package
    row = _row(home, name) or ""
    if row.startswith(":"):
        alias = _shape(home, row[1:])
        return Shape(alias.kind, _go_name(home, name), item=alias.item, bits=alias.bits)
    shape = Shape(STRUCT, _go_name(home, name), type_=name)
    shape.package = home
    return shape


def _go_name(package: str, name: str) -> str:
    home, dot, bare = name.rpartition(".")
    home = home if dot else package
    version = home.partition(".")[2] or ("v1alpha3" if home == "scheduling" else "v1")
    return f"{version}.{bare}"
