"""Random documents in many manners of writing, random edits of them. All choices come from one ``random.Random``."""

from __future__ import annotations

from dralign.edit import Append, Insert, Remove, Rename, Set

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random

WORDS = ("a", "b", "name", "spec", "x.y/z", "gpu", "über", "long key", "n1", "on")
PLAIN = (
    "v",
    "two words",
    "4Gi",
    "a:b",
    "it's",
    "x#y",
    "naïve",
    "/dev/x",
    "a,b",
    "yes",
    "1",
    "0x1f",
    "1e3",
    "true",
    "null",
    "~",
)
NASTY = (
    "", " ", "y", "N", "yes", "off", "1e3", "0o17", "089", "0x1F", "1_000", "1:30", "2026-11-30", "=", "<<", "~", "null",
    "- a", "a: b", "a #b", "#a", "a:", " a", "a ", "'", '"', "\\", "a\tb", "\ta", "a\x07b", "é", "\u2028", "\ufeffx", "😀",
    "l1\nl2\n", "l1\nl2", "l1\n\nl2\n\n", "\n", "\nl", " l1\nl2\n", "l1\n  l2\n", "l1\n \nl2\n", "l1 \nl2\n", "l\n---\nm\n",
    "a\r\nb", "{}", "[a]", "*a", "&a", "!a", "%a", "@a", "`a", "|", ">", "?", "? a", "-", "---", "...", ".inf", ".5", "1.",
    "device.attributes['gpu.nvidia.com'].type == \"mig\"", "1g.5gb", "v1.2.3", "100m", "0", "-1", "+1", "a" * 90,
)  # fmt: skip


class Writer:
    """Writes one random document."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.eol = "\r\n" if self.chance(0.15) else "\n"
        self.rich = self.chance(0.6)  # comments, blank lines, odd spacing
        self.anchors: dict[str, str] = {}  # name -> kind of what it now stands for
        self.open_anchors: list[str] = []
        self.anchored = self.chance(0.5)
        self.step = self.pick((2, 2, 2, 4, 3, 1))
        self.flush = self.chance(0.5)
        self.size = self.pick((4, 8, 16, 30))

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def pick(self, choices):
        return choices[self.rng.randrange(len(choices))]

    # --- documents

    def document(self) -> str:
        lines: list[str] = []
        if self.chance(0.2):
            self.noise(lines, 0)
        if self.chance(0.3):
            lines.append("---" + self.comment())
        how = self.rng.random()
        if how < 0.6:
            self.block_map(lines, self.margin_of_root(), "")
        elif how < 0.7:
            self.block_seq(lines, self.margin_of_root(), "")
        elif how < 0.96:
            lines += self.json_document()
        else:
            lines += self.pick(
                ([], ["# nothing"], ["{}"], ["[]"], ["word # c"], ['"q"'], ["null"], ["- "], ["{ # c", "}"])
            )
        if self.chance(0.2):
            self.noise(lines, 0)
        if self.chance(0.1):
            lines += ["..."]
        text = self.eol.join(lines) + self.eol
        return text.removesuffix(self.eol) if self.chance(0.2) else text

    def margin_of_root(self) -> int:
        return self.pick((0,) * 9 + (2,))

    # --- trimmings

    def comment(self) -> str:
        if not self.rich or not self.chance(0.25):
            return ""
        return self.pick(("  # note", " # it's: a [comment], {x}", "\t# tab", " #", "   # - a: b"))

    def noise(self, lines: list[str], column: int) -> None:
        """Comment lines and blank lines."""
        if not self.rich:
            return
        margin = " " * column
        kinds = (margin + "# a comment", "# flush: comment", margin + "   # - deep", "", "   ", margin + "#")
        lines.extend(self.pick(kinds) for _ in range(self.pick((0, 0, 0, 1, 1, 2))))

    def space(self) -> str:
        return self.pick((" ", " ", " ", "  ", "\t", "    ")) if self.rich else " "

    def properties(self, kind: str) -> str:
        """Anchor or tag for a value, with the space behind it; or nothing."""
        parts = []
        if self.anchored and self.chance(0.25):
            name = self.pick(("x", "y", "a-1"))
            if name not in self.open_anchors:
                self.anchors.pop(name, None)
                parts.append("&" + name)
        if self.chance(0.05):
            parts.append({"map": "!!map", "seq": "!!seq", "scalar": "!!str"}[kind])
        if len(parts) == 2 and self.chance(0.5):
            parts.reverse()
        return " ".join(parts)

    def enter(self, properties: str) -> None:
        self.open_anchors.append(next((part[1:] for part in properties.split() if part[0] == "&"), ""))

    def leave(self, kind: str) -> None:
        name = self.open_anchors.pop()
        if name:
            self.anchors[name] = kind

    def alias(self, kinds: tuple[str, ...]) -> str | None:
        names = [name for name, kind in self.anchors.items() if kind in kinds and name not in self.open_anchors]
        return "*" + self.pick(names) if names and self.chance(0.5) else None

    # --- block context

    def key(self, used: set[str]) -> str | None:
        word = self.pick(WORDS)
        if word in used or (word == "on" and self.chance(0.8)):
            return None
        used.add(word)
        return self.pick((word, word, word, f'"{word}"', f"'{word}'"))

    def block_map(self, lines: list[str], column: int, head: str) -> None:
        """Entries at ``column``; the first goes behind ``head`` if that is not empty."""
        used: set[str] = set()
        merged = False
        for _ in range(self.pick((1, 2, 3, 4))):
            if lines and not head:
                self.noise(lines, column)
            prefix = head or " " * column
            if self.anchored and not merged and self.chance(0.2):
                merge = self.merge()
                if merge:
                    lines.append(prefix + "<<: " + merge + self.comment())
                    merged, head = True, ""
                    continue
            key = self.key(used)
            if key is None:
                continue
            head = ""
            if self.chance(0.05):
                self.explicit(lines, prefix, key, column)
                continue
            if self.chance(0.04):
                key = self.key_properties() + key
            self.size -= 1
            self.value(lines, prefix + key + ":", column, "key")
        if not used and not merged:
            lines.append((head or " " * column) + "only: 1")

    def key_properties(self) -> str:
        name = self.pick(("x", "y", "a-1"))
        if not self.anchored or name in self.open_anchors:
            return ""
        self.anchors[name] = "scalar"
        return f"&{name} "

    def explicit(self, lines: list[str], prefix: str, key: str, column: int) -> None:
        lines.append(prefix + "? " + key + self.comment())
        if self.chance(0.8):
            self.noise(lines, column)
            self.value(lines, " " * column + ":", column, "key")

    def merge(self) -> str | None:
        sources = [alias for alias in (self.alias(("map",)), self.alias(("map",))) if alias]
        if not sources:
            return self.pick(("{m1: 1, a: 2}", None))
        return sources[0] if self.chance(0.7) else f"[{', '.join(sources)}]"

    def block_seq(self, lines: list[str], column: int, head: str) -> None:
        gap = self.pick((" ",) * 6 + ("   ",))
        for _ in range(self.pick((1, 2, 3))):
            if lines and not head:
                self.noise(lines, column)
            self.size -= 1
            self.value(lines, (head or " " * column) + "-", column, "dash", gap)
            head = ""

    def value(self, lines: list[str], head: str, column: int, place: str, gap: str = " ") -> None:
        """One value behind ``head``, which ends with ``:`` or ``-``."""
        how = self.rng.random()
        if self.size <= 0:
            how = 0.5 + how / 2
        alias = self.alias(("map", "seq", "scalar")) if self.chance(0.2) else None
        if alias:
            lines.append(head + " " + alias + self.comment())
        elif how < 0.25:
            self.collection("map", lines, head, column, place, gap)
        elif how < 0.45:
            self.collection("seq", lines, head, column, place, gap)
        elif how < 0.62:
            self.flow_value(lines, head, column, place, gap)
        else:
            self.scalar(lines, head, column, place, gap)

    def collection(self, kind: str, lines: list[str], head: str, column: int, place: str, gap: str) -> None:
        properties = self.properties(kind)
        self.enter(properties)
        write = self.block_map if kind == "map" else self.block_seq
        if place == "dash" and not properties and self.chance(0.9):
            write(lines, column + 1 + len(gap), " " * 0 + head + gap)
        else:
            lines.append(head + (" " + properties if properties else "") + self.comment())
            self.noise(lines, column + 1)
            flush = kind == "seq" and place == "key" and (self.flush if self.chance(0.8) else self.chance(0.5))
            step = self.step if self.chance(0.9) else self.pick((1, 2, 5))
            write(lines, column + (0 if flush else step), "")
        self.leave(kind)

    def flow_value(self, lines: list[str], head: str, column: int, place: str, gap: str) -> None:
        kind = self.pick(("map", "seq"))
        properties = self.properties(kind)
        self.enter(properties)
        manner = self.pick(("line", "line", "spaced", "spread", "json", "wrapped"))
        text = self.flow(kind, column + self.step + 1, manner, 2)
        space = gap if place == "dash" else self.space()
        lines.extend((head + space + (properties + " " if properties else "") + text + self.comment()).split("\n"))
        self.leave(kind)

    def scalar(self, lines: list[str], head: str, column: int, place: str, gap: str) -> None:
        properties = self.properties("scalar")
        self.enter(properties)
        space = gap if place == "dash" else self.space()
        head += space + properties + " " if properties else ""
        start = "" if properties else space
        how = self.rng.random()
        if how < 0.1:
            lines.append((head.rstrip() if self.chance(0.7) else head) + self.comment())
        elif how < 0.25:
            self.literal(lines, head + start, column)
        elif how < 0.3:
            lines += [head + start + "one", " " * (column + 2) + "two" + self.comment()]
        elif how < 0.35:
            lines += [head + start + '"one', "", " " * (column + 2) + 'two"' + self.comment()]
        elif how < 0.4 and place == "key":
            lines.append(head.rstrip() + self.comment())
            self.noise(lines, column + 1)
            lines.append(" " * (column + 2) + self.word() + self.comment())
        else:
            lines.append(head + start + self.word() + self.comment())
        self.leave("scalar")

    def word(self) -> str:
        plain = self.pick(PLAIN)
        quoted = self.pick(("q", "a: b", "#x", "", "1", "it''s"))
        return self.pick((plain, plain, f"'{quoted}'", '"d\\n\\"e\\u00e9"', '"' + quoted + '"'))

    def literal(self, lines: list[str], head: str, column: int) -> None:
        style = self.pick("||>")
        chomp = self.pick(("", "", "-", "+"))
        indent = self.pick((1, 2, 2, 4))
        explicit = self.chance(0.2)
        comment = self.pick(("", "", " # note")) if self.rich else ""
        # an indicator counts from the container's own column
        lines.append(head + style + (str(indent) if explicit else "") + chomp + comment)
        margin = " " * (column + indent)
        content = [
            [margin + "text"],
            [margin + "one", "", margin + "  # two", margin + "three "],
            [margin + "k: v", margin + "- x"],
            [],
        ]
        lines += self.pick(content)
        if self.rich and self.chance(0.3):
            lines += [""] * self.pick((1, 2))

    # --- flow context

    def json_document(self) -> list[str]:
        manner = self.pick(("json", "json-spread", "json-spread", "tight", "line", "spread"))
        text = self.flow(self.pick(("map", "map", "map", "seq")), 0, manner, 3)
        return (text + self.comment()).split("\n")

    def flow(self, kind: str, column: int, manner: str, depth: int) -> str:
        json = manner in ("json", "json-spread", "tight")
        parts = self.flow_parts(kind, column, manner, depth, json=json)
        left, right = "{}" if kind == "map" else "[]"
        if not parts:
            return left + self.pick(("", "", " ")) + right
        trailing = "," if not json and self.chance(0.15) else ""
        if manner == "tight":
            return left + ",".join(parts) + right
        if manner in ("spread", "json-spread"):
            inner = "\n" + " " * (column + 2)
            between = [self.comma_and_comment(json=json) + inner for _ in parts[1:]] + [""]
            body = "".join(part + comma for part, comma in zip(parts, between, strict=True))
            end = trailing + ("" if json else self.comment())
            return left + inner + body + end + "\n" + " " * column + right
        if manner == "wrapped" and len(parts) > 1:
            return (
                left
                + parts[0]
                + ("" if self.chance(0.5) else " # c" * 0)
                + ",\n"
                + " " * column
                + ", ".join(parts[1:])
                + trailing
                + right
            )
        pad = " " if manner == "spaced" else ""
        return left + pad + ", ".join(parts) + trailing + pad + right

    def comma_and_comment(self, *, json: bool) -> str:
        if json:
            return ","
        comment = self.comment()
        own = "\n  # own line" if comment and self.chance(0.3) else ""
        return "," + comment + own

    def flow_parts(self, kind: str, column: int, manner: str, depth: int, *, json: bool) -> list[str]:
        used: set[str] = set()
        parts = []
        inner = column + 2 if manner in ("spread", "json-spread") else column
        for _ in range(self.pick((0, 1, 2, 3))):
            self.size -= 1
            if kind == "seq":
                parts.append(self.flow_child(inner, manner, depth, json=json))
                continue
            key = self.flow_key(used, json=json)
            if key is None:
                continue
            how = self.rng.random()
            if json or how < 0.85:
                colon = ":" if manner == "tight" else ": "
                parts.append(key + colon + self.flow_child(inner, manner, depth, json=json))
            elif how < 0.9:
                parts.append(key)
            elif how < 0.95:
                parts.append(key + ": ")
            else:
                parts.append("? " + key + " : v")
        return parts

    def flow_key(self, used: set[str], *, json: bool) -> str | None:
        word = self.pick(WORDS)
        if word in used or word == "on":
            return None
        used.add(word)
        return f'"{word}"' if json else self.pick((word, word, f"'{word}'"))

    def flow_child(self, column: int, manner: str, depth: int, *, json: bool) -> str:
        how = self.rng.random()
        if depth and how < 0.3:
            kind = self.pick(("map", "seq"))
            properties = "" if json else self.properties(kind)
            self.enter(properties)
            inner = manner if json or self.chance(0.7) else "line"
            text = self.flow(kind, column, inner, depth - 1)
            self.leave(kind)
            return properties + " " + text if properties else text
        if json:
            return self.pick(("1", "1.5", "true", "null", '"s"', '"a\\nb"', '""', '"é"'))
        alias = self.alias(("map", "seq", "scalar"))
        if alias:
            return alias + " "
        if manner == "line" and how > 0.95:
            return self.pick(("p: 1", "v"))
        return self.pick(("v", "1", "two words", "'q'", '"d"', "true", "~", "4Gi"))


def document(rng: random.Random) -> str:
    """Return the text of a random document; a few are not well-formed."""
    return Writer(rng).document()


def value(rng: random.Random, depth: int = 2):
    """Return random plain data."""
    how = rng.random()
    if depth and how < 0.2:
        return {rng.choice((*WORDS, "k 2", "1", "y")): value(rng, depth - 1) for _ in range(rng.randrange(4))}
    if depth and how < 0.4:
        return [value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if how < 0.8:
        return rng.choice(NASTY)
    return rng.choice((None, True, False, 0, 1, -5, 12345678901234567890, 1.5, 1e16, "v"))


def paths(data, above=()):
    """Yield the paths of all values below the root, and of the root."""
    yield above
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, child in steps:
        yield from paths(child, (*above, step))


def operation(rng: random.Random, data):
    """Return a random operation that fits the data."""
    every = list(paths(data))
    path = rng.choice(every)
    found = data
    for step in path:
        found = found[step]
    kind = rng.choice(("set", "set", "add", "add", "append", "insert", "remove", "remove", "rename"))
    if kind == "set" and path:
        return Set(path, value(rng))
    if kind == "set" and rng.random() < 0.1:
        return Set((), rng.choice(({}, [], {"a": value(rng)}, [value(rng)])))
    if kind in ("add", "set") and isinstance(found, dict):
        return Set((*path, rng.choice(("new", "y", "a", "1")), *rng.choice(((), ("deep",)))), value(rng))
    if kind == "add" and found is None:
        return Set((*path, "made"), value(rng))
    if kind == "append" and (found is None or isinstance(found, list)):
        return Append(path, value(rng))
    if kind == "append" and isinstance(found, dict):
        return Append((*path, "list"), value(rng))
    if kind == "insert" and isinstance(found, list):
        return Insert((*path, rng.randrange(len(found) + 1)), value(rng))
    if kind == "rename" and path and isinstance(path[-1], str):
        return Rename(path, rng.choice(("new", "y", "b", "renamed key", "1e3", "#")))
    return Remove(path) if path else Set(("top",), value(rng))
