"""Asks the real readers about random texts and compares.

usage: fuzz_yaml.py ORACLE [--count N] [--seed N] [--kind KIND]    ORACLE answers one JSON line for each JSON line it is sent
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from run_yaml import ERROR, READERS, Answer, agrees, answered, shown

SHOWN = 40
BATCH = 200
HERE = Path(__file__).resolve().parent

WORDS = ["a", "b", "key", "x1", "nvidia.com/gpu", "é", "on", "y", "No", "true", "null", "~", "<<", "=", "😀"]
NUMBERS = ["0", "1", "-3", "017", "0o17", "0x1F", "1_000", "1e3", ".5", "1.", ".inf", "1:30", "18446744073709551616"]
TIMES = ["2001-12-14", "2001-1-2", "2001-12-14T21:59:43.10-05:00", "2001-12-14 21:59:43.10", "2001-12-14t1:2:3Z"]
TAGS = [
    "!!str ",
    "!!int ",
    "!!float ",
    "!!null ",
    "!!bool ",
    "!!binary ",
    "!!timestamp ",
    "! ",
    "!x ",
    "!!merge ",
    "!!set ",
]
MARKS = [
    "- ",
    "? ",
    ": ",
    ", ",
    "[",
    "]",
    "{",
    "}",
    "# c",
    " #",
    "|",
    ">",
    "'",
    '"',
    "&x ",
    "*x",
    "%",
    "@",
    "`",
    "\\",
    "?",
]
SPACE = [" ", "  ", "    ", "\t", "\n", "\n", "\n  ", "\r\n", "\n\n", "\n    "]
RARE = [
    "\ufeff",
    "\u2028",
    "\x85",
    "\r",
    "\x07",
    "---\n",
    "...\n",
    "--- ",
    "%YAML 1.1\n",
    "%TAG ! tag:x,2026:\n",
    "!<x> ",
]
PIECES = [
    *WORDS,
    *NUMBERS,
    *TIMES,
    *TAGS,
    *MARKS,
    *MARKS,
    *SPACE,
    *SPACE,
    *RARE,
    "a: ",
    "b: ",
    "c:\n  ",
    "- ",
    "<<: *x",
]

SPELLED = "0123456789+-_.:eExXoObBaAfFnNtTyYsSlLuU~zZ ,/%!&*?#'\"[]{}|>@`=<\t"


def soup(draw: random.Random) -> str:
    return "".join(draw.choice(PIECES) for _ in range(draw.randint(1, 12)))


def scalar_text(draw: random.Random) -> str:
    """A spelling near the borders between the types."""
    if draw.random() < 0.5:
        text = draw.choice([*NUMBERS, *TIMES, *WORDS])
        for _ in range(draw.randint(0, 2)):
            at = draw.randint(0, len(text))
            text = text[:at] + draw.choice(SPELLED) + text[at + draw.randint(0, 1) :]
        return text
    return "".join(draw.choice(SPELLED[:34]) for _ in range(draw.randint(1, 7)))


def scalar(draw: random.Random) -> str:
    forms = list(json.loads((HERE / "yaml" / "forms.json").read_text("utf-8")).values())
    text = scalar_text(draw)
    single = "'" + text.replace("'", "''") + "'"
    double = '"' + text.replace('"', '\\"') + '"'
    written: str = draw.choice(forms).format(s=text, q=single, d=double)
    return written


def block_scalar(draw: random.Random, indent: str) -> str:
    hints = draw.choice(["", "", "-", "+", "2", "1-", "+4"])
    lines = [
        draw.choice(["x", "y z", "", "", " deeper", "  deep", "\tt", "# no", "a: b", "é"])
        for _ in range(draw.randint(0, 5))
    ]
    margin = indent + draw.choice(["  ", "  ", " ", "    "])
    end = draw.choice(["\n", "\n", "\n\n", ""])
    return (
        draw.choice("|>")
        + hints
        + draw.choice(["", "", " # c"])
        + "\n"
        + "\n".join(margin + line for line in lines)
        + end
    )


def inline(draw: random.Random, depth: int) -> str:
    """A value on one line."""
    kind = draw.random()
    if depth and kind < 0.2:
        return "[" + ", ".join(inline(draw, depth - 1) for _ in range(draw.randint(0, 3))) + "]"
    if depth and kind < 0.45:
        pairs = [
            f"{key(draw)}{draw.choice([': ', ':', ''])}{inline(draw, depth - 1)}" for _ in range(draw.randint(0, 3))
        ]
        return "{" + ", ".join(pairs) + "}"
    if kind < 0.52:
        return draw.choice(["*x", "*x", "*y"])
    anchor = draw.choice(["", "", "", "", "&x ", "&y "])
    tag = draw.choice(TAGS) if draw.random() < 0.1 else ""
    text = draw.choice([*WORDS, *NUMBERS, *TIMES, "", "a b", "a\n   b", "x: y", "it's"])
    quoted = draw.choice([text, text, "'" + text.replace("'", "''") + "'", '"' + text + '"'])
    return anchor + tag + quoted


def key(draw: random.Random) -> str:
    if draw.random() < 0.06:
        return "<<"
    text = draw.choice([*WORDS, *WORDS, *NUMBERS, *TIMES[:2], ""])
    return draw.choice([text, text, text, f'"{text}"', f"'{text}'", f"? {text}\n"])


def block(draw: random.Random, indent: str, depth: int) -> str:
    """Lines of a map or list at an indentation."""
    lines = []
    listed = draw.random() < 0.3
    for _ in range(draw.randint(1, 4)):
        head = "-" if listed else f"{key(draw)}:"
        kind = draw.random()
        if depth and kind < 0.35:
            deeper = indent + draw.choice(["  ", "  ", "    ", " ", ""])
            anchor = draw.choice(["", "", " &x", " &y", " !!map", " # c"])
            lines.append(f"{indent}{head}{anchor}\n{block(draw, deeper, depth - 1)}")
        elif kind < 0.5:
            lines.append(f"{indent}{head} {block_scalar(draw, indent)}")
        else:
            comment = draw.choice(["", "", "", "", " # c"])
            lines.append(f"{indent}{head} {inline(draw, 2)}{comment}\n")
        if draw.random() < 0.1:
            lines.append(draw.choice(["\n", "# c\n", f"{indent}# c\n", "    # c\n", "\t\n"]))
    return "".join(lines)


def tree(draw: random.Random) -> str:
    text = block(draw, "", 3) if draw.random() < 0.85 else inline(draw, 3)
    text = draw.choice(["", "", "", "# c\n", "---\n", "--- # c\n", "\n"]) + text
    return text.replace("\n", "\r\n") if draw.random() < 0.05 else text


def stream(draw: random.Random) -> str:
    marks = [
        "---\n",
        "---\n",
        "--- # c\n",
        "---",
        "--- \n",
        "---\r\n",
        "...\n",
        "---# c\n",
        "--- x\n",
        "---\n---\n",
        "\n",
    ]
    bodies = [
        "a: 1\n",
        "b: [1]\n",
        "# c\n",
        "",
        "\n",
        "null\n",
        '{"a": 1}\n',
        "{a: 1}\n",
        "x: |\n  y\n",
        "é: 1",
        "\ufeffa: 1\n",
    ]
    return "".join(draw.choice(draw.choice([marks, bodies])) for _ in range(draw.randint(1, 6)))


def json_stream(draw: random.Random) -> str:
    values = [
        '{"a": 1}',
        '{"a": [1, 2.50, -0, 1e3]}',
        '{"a": "\\u00e9\\ud83d\\ude00"}',
        '{"a": "b\\/c"}',
        "[1]",
        "null",
        '"s"',
    ]
    between = ["", " ", "\n", "\n\n", "\n---\n", ",", "x", "\n--- \n", "  \n", "a: 1\n", "\t"]
    parts = [draw.choice(["", "", " ", "\n"]), draw.choice(values[:4])]
    for _ in range(draw.randint(0, 4)):
        parts += draw.choice(between), draw.choice(values)
    return "".join([*parts, draw.choice(between)])


def drawn(kind: Callable[[random.Random], str], seed: int) -> str:
    """One text, the same for the same seed."""
    return kind(random.Random(seed))  # noqa: S311  reproducible, not secret


KINDS: dict[str, Callable[[random.Random], str]] = {
    "soup": soup,
    "scalar": scalar,
    "tree": tree,
    "stream": stream,
    "json": json_stream,
}
SHARES = {"soup": 3, "scalar": 4, "tree": 6, "stream": 1, "json": 1}


def would_not_end(data: bytes) -> bool:
    """Whether an anchor contains itself, which overflows the stack of kustomize's reader."""
    if b"*" not in data or b"&" not in data:
        return False
    got = answered("kio", data)
    return got == ERROR


def ask(oracle: subprocess.Popen[bytes], texts: list[bytes]) -> list[dict[str, Answer]]:
    assert oracle.stdin is not None
    assert oracle.stdout is not None
    lines = []
    for text in texts:
        skip = ["kio", "emit"] if would_not_end(text) else []
        lines.append(json.dumps({"id": "", "b64": base64.b64encode(text).decode(), "skip": skip}).encode() + b"\n")
    oracle.stdin.write(b"".join(lines))
    oracle.stdin.flush()
    return [json.loads(oracle.stdout.readline()) for _ in texts]


def wanted(answer: dict[str, Answer]) -> dict[str, list[Answer]]:
    lists = {"json": [answer["sigs"]], "strict": [answer["strict"]], "kubectl": answer["kubectl"] or []}
    return {**lists, "kyaml": [answer["kyaml"]], "kio": answer["kio"] or []}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("oracle")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS)
    options = parser.parse_args(arguments)
    draw = random.Random(options.seed)  # noqa: S311  reproducible, not secret
    kinds = [options.kind] if options.kind else list(KINDS)
    weights = [1] if options.kind else list(SHARES.values())
    wrong = 0
    with subprocess.Popen([options.oracle], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as oracle:
        for _ in range(0, options.count, BATCH):
            texts = [KINDS[draw.choices(kinds, weights)[0]](draw).encode() for _ in range(BATCH)]
            for data, answer in zip(texts, ask(oracle, texts), strict=True):
                want = wanted(answer)
                for reader in READERS:
                    if reader == "kio" and answer["kio"] is None and would_not_end(data):
                        continue
                    got = answered(reader, data)
                    if not agrees(reader, got, want[reader], want["kyaml"][0]):
                        wrong += 1
                        if wrong <= SHOWN:
                            print(
                                f"{reader} {data!r}\n  want {str(want[reader])[:300]}\n  got  {shown(got)}", flush=True
                            )
        assert oracle.stdin is not None
        oracle.stdin.close()
    print(f"disagree {wrong} of {options.count} texts, {len(READERS)} readers each")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
