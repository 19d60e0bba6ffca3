"""Random CEL expressions for comparing dralign with the real code: every function, every type, every macro.

Well-typed expressions are made from the very tables of overloads; others from them by giving a part the wrong type, by
damaging tokens, or by odd spacing.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "plugin"))

from dralign.cel.declarations import types
from dralign.cel.declarations.signature import parse_type
from dralign.cel.declarations.types import Type
from dralign.cel.library.row import Row
from dralign.model.device import Device, Version
from dralign.selector.environment import CONSUMABLE_CAPACITY, LIST_ATTRIBUTES, environment, setting

FEATURES = ([], [CONSUMABLE_CAPACITY], [CONSUMABLE_CAPACITY, LIST_ATTRIBUTES], [LIST_ATTRIBUTES])
RELEASES = ("1.37", "1.37", "1.37", "1.36", "1.35", "1.34")

_SIMPLE = (
    *map(
        parse_type,
        (
            *(
                "bool",
                "int",
                "uint",
                "double",
                "string",
                "bytes",
                "null",
                "duration",
                "timestamp",
                "kubernetes.Quantity",
            ),
            *("kubernetes.Semver", "net.IP", "net.CIDR", "kubernetes.URL", "kubernetes.NamedFormat", "list(int)"),
            *("list(string)", "map(string, int)", "optional(int)"),
        ),
    ),
    types.TYPE,
)

_LITERALS = {
    "bool": ("true", "false"),
    "int": (
        *("0", "1", "-1", "2", "3", "7", "10", "47", "63", "64", "100", "0x1F", "-5", "- 4"),
        *("9223372036854775807", "-9223372036854775808", "4294967296", "1970"),
    ),
    "uint": ("0u", "1u", "2u", "18446744073709551615u", "0x10u", "9u"),
    "double": (
        *("0.0", "1.0", "-1.5", "2.5e3", ".5", "1e308", "-0.0", "9223372036854775807.0", "1e-7", "3.0", "1e21"),
        *("123456789.125", "0.1"),
    ),
    "string": (
        *("'a'", '"gpu"', "'NVIDIA H100 80GB HBM3'", "''", "'1g.10gb'", "'mig'", "r'\\d+'", "'[a-z]+'", "'%d %s'"),
        *("'10.0.0.1'", "'fe80::1'", "'10.0.0.0/8'", "'https://a.example.com:80/p?q=1'", "'1.2.3'", "'40Gi'", "'500m'"),
        *("'2024-02-29T12:00:00Z'", "'1h30m'", "'-1.5s'", "'UTC'", "'America/New_York'", "'02:00'", "'pci0000:15'"),
        *(
            "'ß\\u00e9😀'",
            "'''x\ny'''",
            "'true'",
            "'1'",
            "'1.5'",
            "'a,b,,c'",
            "' x '",
            "'dns1123Label'",
            "'%.3f'",
            "'%x'",
        ),
        *(
            "'%%'",
            "'v1.2'",
            "'1.0.0-alpha.1+b'",
            "'gpu.nvidia.com'",
            "'numaNode'",
            "'(a)|(b)'",
            "'^[A-Z]+.*$'",
            "'A\\tb'",
        ),
    ),
    "bytes": ("b'a'", "b''", "b'\\xff\\x00'", "b'gpu'", "b'\\101'", "b'ß'"),
    "null": ("null",),
    "type": ("int", "string", "bool", "list", "map", "type", "null_type", "google.protobuf.Timestamp", "net.IP"),
    "duration": ("duration('1h')", "duration('-90s')", "duration('1.5ms')", "duration('0s')", "duration('2562047h')"),
    "timestamp": (
        *("timestamp('2024-02-29T12:34:56.789Z')", "timestamp(0)", "timestamp('1970-01-01T00:00:00+02:00')"),
        *("timestamp('9999-12-31T23:59:59Z')", "timestamp('0001-01-01T00:00:00Z')"),
    ),
    "kubernetes.Quantity": (
        *(
            "quantity('1Gi')",
            "quantity('500m')",
            "quantity('-2k')",
            "quantity('0')",
            "quantity('9Ei')",
            "quantity('1e3')",
        ),
        *("quantity('80Gi')", "quantity('1.5')", "quantity('1n')", "quantity('1024Mi')"),
    ),
    "kubernetes.Semver": (
        *("semver('1.2.3')", "semver('0.0.0')", "semver('2.0.0-rc.1')", "semver('v1.2', true)", "semver('550.54.15')"),
        "semver('1.2.3+build')",
    ),
    "net.IP": ("ip('10.0.0.1')", "ip('::1')", "ip('fe80::1')", "ip('0.0.0.0')", "ip('2001:db8::')"),
    "net.CIDR": ("cidr('10.0.0.0/8')", "cidr('2001:db8::/32')", "cidr('192.168.1.7/24')", "cidr('::/0')"),
    "kubernetes.URL": ("url('https://a.example.com:80/p?q=1&q=2')", "url('http://[::1]/')", "url('file:///x')"),
    "kubernetes.NamedFormat": ("format.dns1123Label()", "format.uuid()", "format.date()", "format.qualifiedName()"),
}

_INFIX = {
    f"_{operator}_": operator for operator in ("==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&&", "||")
}
_INFIX["@in"] = "in"

_JUNK = (
    *(
        "==",
        "!=",
        "in",
        "<",
        "&&",
        "||",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        ".",
        ",",
        "-",
        "!",
        "?",
        ":",
        "+",
        "*",
        "/",
        "%",
    ),
    *("true", "null", "1.5", "1", "2u", '"s"', "b'x'", "x", "`e s`", ".?", "[?", "has", "//c\n", "\n", "\t", "#", "é"),
    *(
        "😀",
        "&",
        "|",
        "=",
        "'",
        '"',
        '"""',
        "0x",
        "1e",
        "\\",
        "@",
        "$",
        ";",
        "device",
        "for",
        "--",
        "!!",
        "'\\q'",
        "Gi",
    ),
    *("99999999999999999999", "and", "or", "not", "<>", "===", "80g", "{}", "[]", "()", "if"),
)
_SPACES = (" ", "  ", "\n", "\t", " // note\n", "\r\n", "\f")

_WRONG_TYPE = 0.12
_MOST_DEPTH = 5


class Generator:
    """Makes expressions; the same seed makes the same ones."""

    def __init__(self, seed: str, known: dict[str, Device]) -> None:
        self.random = random.Random(seed)  # noqa: S311  no secrets
        env = environment(setting("1.37", FEATURES[2], stored=True))
        self._rows = [row for name in env.functions() for row in env.rows(name) if _is_written(row)]
        self._reads = _reads(known)
        self._mutating = False

    def expression(self) -> tuple[str, str]:
        """Return a tag and an expression."""
        pick = self.random.random()
        self._mutating = pick >= 0.55
        wanted = types.BOOL if self.random.random() < 0.93 else self._type()
        text = self._make(wanted, self.random.randint(1, _MOST_DEPTH), {})
        if pick < 0.45:
            return "well-typed", text
        if pick < 0.55:
            return "spacing", self._respaced(text)
        return ("mutated-type", text) if pick < 0.75 else ("damaged", self._damaged(text))

    # Types and literals

    def _type(self) -> Type:
        return self.random.choice(_SIMPLE)

    def _literal(self, wanted: Type, depth: int, variables: dict[str, Type]) -> str:
        if wanted.kind == "list":
            items = [
                self._element(wanted.params[0], depth, variables) for _ in range(self.random.choice((0, 1, 1, 2, 3)))
            ]
            return f"[{', '.join(items)}{',' if items and self.random.random() < 0.05 else ''}]"
        if wanted.kind == "map":
            entries = []
            for _ in range(self.random.choice((0, 1, 1, 2))):
                key, value = self._make(wanted.params[0], 0, {}), self._element(wanted.params[1], depth, variables)
                entries.append(f"?{key}: {value[1:]}" if value.startswith("?") else f"{key}: {value}")
            return "{" + ", ".join(entries) + "}"
        if wanted.name == "optional_type":
            inner = self._make(wanted.params[0], depth - 1, variables)
            return self.random.choice((f"optional.of({inner})", f"optional.of({inner})", "optional.none()"))
        known = _LITERALS.get(wanted.kind) or _LITERALS.get(wanted.name)
        if known is None:
            known = ("dyn(1)", "dyn('a')", "dyn([1])", "dyn(null)")
        return self.random.choice(known)

    def _element(self, wanted: Type, depth: int, variables: dict[str, Type]) -> str:
        """Make an element of a list or map, now and then an optional one."""
        if self.random.random() < 0.1:
            return f"?{self._make(Type('opaque', 'optional_type', (wanted,)), depth - 1, variables)}"
        return self._make(wanted, depth - 1, variables)

    # Expressions

    def _make(self, wanted: Type, depth: int, variables: dict[str, Type]) -> str:
        if self._mutating and self.random.random() < _WRONG_TYPE:
            wanted = self._type()
            if self.random.random() < 0.6:  # the checker lets it pass, and it is met when the expression runs
                return f"dyn({self._make(wanted, depth, variables)})"
        if wanted.kind in ("dyn", "any", "param"):
            wanted = self._type()
        pick = self.random.random()
        named = [name for name, of in variables.items() if of.is_assignable(wanted) or of.kind in ("dyn", "any")]
        if named and pick < 0.4:
            return self.random.choice(named)
        if pick < 0.25:
            read = self._read(wanted)
            if read is not None:
                return read
        if depth <= 0 or pick < 0.3:
            return self._literal(wanted, depth, variables)
        if pick < 0.5:
            made = self._macro(wanted, depth, variables)
            if made is not None:
                return made
        return self._called(wanted, depth, variables)

    def _called(self, wanted: Type, depth: int, variables: dict[str, Type]) -> str:
        for _ in range(40):
            row = self.random.choice(self._rows)
            bound: dict[str, Type] = {}
            if _unify(row.result, wanted, bound):
                args = [self._make(self._filled(of, bound), depth - 1, variables) for of in row.params]
                return self._written(row, args)
        return self._literal(wanted, depth, variables)

    def _filled(self, of: Type, bound: dict[str, Type]) -> Type:
        if of.kind == "param":
            return bound.setdefault(of.name, self._type())
        if not of.free:
            return of
        return Type(of.kind, of.name, tuple(self._filled(param, bound) for param in of.params), of.nullable)

    def _written(self, row: Row, args: list[str]) -> str:
        name = row.function
        if name == "lists.range":  # before 1.37 it makes lists of any length, and takes all memory for them
            args = [self.random.choice(("0", "3", "10", "-1"))]
        if name in _INFIX:
            text = f"{args[0]} {_INFIX[name]} {args[1]}"
            return f"({text})" if self.random.random() < 0.8 else text
        special: dict[str, Callable[[], str]] = {
            "!_": lambda: f"!{args[0]}" if self.random.random() < 0.3 else f"!({args[0]})",
            "-_": lambda: f"-({args[0]})",
            "_?_:_": lambda: f"({args[0]} ? {args[1]} : {args[2]})",
            "_[_]": lambda: f"{args[0]}[{args[1]}]",
            "_[?_]": lambda: f"{args[0]}[?{args[1]}]",
            "_?._": lambda: f"{args[0]}.?{self.random.choice(('numaNode', 'a', 'x', 'gpu'))}",
        }
        if name in special:
            return special[name]()
        if row.member:
            return f"{args[0]}.{name}({', '.join(args[1:])})"
        return f"{name}({', '.join(args)})"

    def _read(self, wanted: Type) -> str | None:
        """Read something of the device: what fits the type, or anything."""
        fitting = self._reads.get(wanted.name if wanted.kind in ("opaque", "struct") else wanted.kind)
        if fitting is None or self.random.random() < 0.08:
            fitting = self.random.choice(list(self._reads.values()))
        kind, domain, name = self.random.choice(fitting)
        if not kind:
            return f"device.{name}"
        text = self._path(kind, domain, name)
        if kind == "attributes" and self.random.random() < 0.15:
            default = self._literal(wanted, 0, {})
            text = f"{self._path(kind, domain, name, optional=True)}.orValue({default})"
        return text

    def _path(self, kind: str, domain: str, name: str, *, optional: bool = False) -> str:
        quote = self.random.choice(("'", '"'))
        place = f"device.{kind}[{quote}{domain}{quote}]"
        if optional:
            return f"{place}.?{name}" if self.random.random() < 0.7 else f"{place}[?'{name}']"
        return f"{place}.{name}" if self.random.random() < 0.85 else f"{place}['{name}']"

    # Macros

    def _macro(self, wanted: Type, depth: int, variables: dict[str, Type]) -> str | None:
        makers = {"bool": self._quantified, "list": self._mapped, "map": self._transformed, "opaque": self._opt_mapped}
        if self.random.random() < 0.15:
            return self._bound(wanted, depth, variables)
        make = makers.get(wanted.kind)
        return make(wanted, depth, variables) if make is not None else None

    def _name(self, variables: dict[str, Type]) -> str:
        return f"v{len(variables)}" if self.random.random() < 0.95 else self.random.choice(("x", "device", "int"))

    def _range(self, depth: int, variables: dict[str, Type]) -> tuple[str, Type, Type]:
        """Return something to iterate over, with the types of index and element (key and value)."""
        element = self._type()
        if self.random.random() < 0.3:
            return self._make(types.map_of(types.STRING, element), depth - 1, variables), types.STRING, element
        if self.random.random() < 0.15:
            return self._path("attributes", *self.random.choice(self._reads["any"])[1:]), types.DYN, types.DYN
        return self._make(types.list_of(element), depth - 1, variables), types.INT, element

    def _quantified(self, _wanted: Type, depth: int, variables: dict[str, Type]) -> str:
        if self.random.random() < 0.25:
            kind, domain, name = self.random.choice(self._reads["any"])
            return f"has({self._path(kind, domain, name).replace('[', '[')})"
        over, index, element = self._range(depth, variables)
        macro = self.random.choice(("all", "exists", "exists_one", "existsOne"))
        name = self._name(variables)
        if self.random.random() < 0.25:
            inner = variables | {f"{name}i": index, name: element}
            return f"{over}.{macro}({name}i, {name}, {self._make(types.BOOL, depth - 1, inner)})"
        inner = variables | {name: index if over.startswith("{") else element}
        return f"{over}.{macro}({name}, {self._make(types.BOOL, depth - 1, inner)})"

    def _mapped(self, wanted: Type, depth: int, variables: dict[str, Type]) -> str:
        over, index, element = self._range(depth, variables)
        name = self._name(variables)
        inner = variables | {name: element}
        result = self._make(wanted.params[0], depth - 1, inner)
        pick = self.random.random()
        if pick < 0.35:
            return f"{over}.map({name}, {result})"
        condition = self._make(types.BOOL, depth - 1, inner)
        if pick < 0.5:
            return f"{over}.map({name}, {condition}, {result})"
        if pick < 0.7:
            return f"{self._make(wanted, depth - 1, variables)}.filter({name}, {condition})"
        if pick < 0.85:
            both = variables | {f"{name}i": index, name: element}
            return f"{over}.transformList({name}i, {name}, {self._make(wanted.params[0], depth - 1, both)})"
        return (
            f"{self._make(wanted, depth - 1, variables)}.sortBy({name}, {self._make(self._type(), depth - 1, inner)})"
        )

    def _transformed(self, wanted: Type, depth: int, variables: dict[str, Type]) -> str:
        over, index, element = self._range(depth, variables)
        name = self._name(variables)
        inner = variables | {f"{name}i": index, name: element}
        value = self._make(wanted.params[1], depth - 1, inner)
        condition = f"{self._make(types.BOOL, depth - 1, inner)}, " if self.random.random() < 0.4 else ""
        if self.random.random() < 0.5:
            return f"{over}.transformMap({name}i, {name}, {condition}{value})"
        key = self._make(wanted.params[0], depth - 1, inner)
        return f"{over}.transformMapEntry({name}i, {name}, {condition}{{{key}: {value}}})"

    def _opt_mapped(self, wanted: Type, depth: int, variables: dict[str, Type]) -> str | None:
        if wanted.name != "optional_type":
            return None
        source = self._type()
        name = self._name(variables)
        if self.random.random() < 0.5:
            over = self._path(*self.random.choice(self._reads["any"]), optional=True)
        else:
            over = self._make(Type("opaque", "optional_type", (source,)), depth - 1, variables)
        inner = variables | {name: source}
        if self.random.random() < 0.6:
            return f"{over}.optMap({name}, {self._make(wanted.params[0], depth - 1, inner)})"
        return f"{over}.optFlatMap({name}, {self._make(wanted, depth - 1, inner)})"

    def _bound(self, wanted: Type, depth: int, variables: dict[str, Type]) -> str:
        of, name = self._type(), self._name(variables)
        value = self._make(of, depth - 1, variables)
        return f"cel.bind({name}, {value}, {self._make(wanted, depth - 1, variables | {name: of})})"

    # Damage

    def _tokens(self, text: str) -> list[str]:
        from dralign.cel.parsing.lexer import LexError, lex

        pieces = list(lex(text))
        return [
            text[piece.offset : piece.end] if isinstance(piece, LexError) else piece.text
            for piece in pieces[:-1]  # the last one is the end
        ]

    def _damaged(self, text: str) -> str:
        parts = self._tokens(text)
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            at, pick = self.random.randrange(len(parts) + 1), self.random.random()
            if pick < 0.35 and parts:
                del parts[min(at, len(parts) - 1)]
            elif pick < 0.7:
                parts.insert(at, self.random.choice((self.random.choice(_JUNK), self.random.choice(parts or ["1"]))))
            elif parts:
                parts[min(at, len(parts) - 1)] = self.random.choice(_JUNK)
        return self.random.choice(("", " ")).join(parts)

    def _respaced(self, text: str) -> str:
        return "".join(part + self.random.choice(("", "", *_SPACES)) for part in self._spaced_words(text))

    def _spaced_words(self, text: str) -> list[str]:
        """Tokens with the spaces that they need between words."""
        return [f"{part} " if part[-1:].isalnum() or part[-1:] in "_'\"" else part for part in self._tokens(text)]


def _is_written(row: Row) -> bool:
    """Whether an overload can be called by name, not only by a macro."""
    return "@" not in row.function or row.function == "@in"


def _unify(pattern: Type, wanted: Type, bound: dict[str, Type]) -> bool:
    if pattern.kind == "param":
        known = bound.setdefault(pattern.name, wanted)
        return known.is_equivalent(wanted)
    if pattern.kind in ("dyn", "any"):
        return True
    if pattern.kind != wanted.kind or pattern.name != wanted.name or len(pattern.params) != len(wanted.params):
        return False
    return all(_unify(mine, theirs, bound) for mine, theirs in zip(pattern.params, wanted.params, strict=True))


_KIND_OF_VALUE = {bool: "bool", int: "int", str: "string", Version: "kubernetes.Semver", tuple: "list"}


def _reads(known: dict[str, Device]) -> dict[str, list[tuple[str, str, str]]]:
    """What can be read of the devices, by kind of value: map, domain, name."""
    found: dict[str, set[tuple[str, str, str]]] = {
        "string": {("", "", "driver")},
        "bool": {("", "", "allowMultipleAllocations")},
        "any": {("attributes", "nope.example.com", "x"), ("attributes", "gpu.nvidia.com", "nope")},
        "kubernetes.Quantity": {("capacity", "nope.example.com", "x")},
    }
    for device in known.values():
        for name, value in device.attributes.items():
            domain, _, last = name.rpartition("/")
            if last.isidentifier():
                read = ("attributes", domain or device.driver, last)
                found.setdefault(_KIND_OF_VALUE.get(type(value), "any"), set()).add(read)
                found["any"].add(read)
        for name in device.capacity:
            domain, _, last = name.rpartition("/")
            found["kubernetes.Quantity"].add(("capacity", domain or device.driver, last))
    return {kind: sorted(reads) for kind, reads in found.items()}
