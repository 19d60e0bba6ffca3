"""Feeds CEL with garbage: whatever comes, the answer is a verdict, never a traceback and never a hang.

usage: fuzz_hostile.py [--count N] [--seed S]

Texts are random characters and tokens, and recorded expressions cut, doubled, shuffled and spliced; those that compile are
evaluated on a device. The first failure ends the run with its text; the slowest answer is printed at the end.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from cel_expressions import FEATURES, RELEASES, Generator  # noqa: E402  the path comes first
from cel_judge import devices  # noqa: E402

from dralign.selector import compile_selector  # noqa: E402

FRESH = 500
"""Inputs from one expression, so that making it does not take most of the time."""
TOKENS = (
    *"()[]{}.,:?!<>=&|+-*/%'\"\\#@$^~`;",
    *(
        "==",
        "&&",
        "||",
        "?.",
        "[?",
        "in",
        "true",
        "null",
        "0x",
        "1e9",
        "1u",
        "b''",
        "r'",
        "'''",
        "device",
        "has(",
        "matches(",
    ),
    *("\x00", "\n", "\u00e9", "\U0001f600", "\ud800", "cel.bind(", ".exists(", "(a+)+$", "9" * 30, "_", "size("),
)


def inputs(seed: int, count: int) -> Iterator[str]:
    """Yield texts; the same seed yields the same ones."""
    choice = random.Random(seed)  # noqa: S311  no secrets
    generator = Generator(str(seed), devices(HERE / "cel"))
    text = ""
    for number in range(count):
        if number % FRESH == 0:
            text = generator.expression()[1]
        yield (
            damaged(choice, text) if choice.random() < 0.8 else "".join(choice.choices(TOKENS, k=choice.randint(1, 40)))
        )


def damaged(choice: random.Random, text: str) -> str:
    """Return a text with a few places cut, doubled, swapped or overwritten."""
    for _ in range(choice.randint(1, 4)):
        start, end = sorted(choice.choices(range(len(text) + 1), k=2))
        piece = text[start:end]
        match choice.randrange(5):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:end] + piece[:200] + text[end:]
            case 2:
                text = text[:start] + choice.choice(TOKENS) + text[start:]
            case 3:
                text = text[:start] + piece[::-1] + text[end:]
            case _:
                text = text[:start] + choice.choice(TOKENS) * choice.randint(1, 30) + text[end:]
    return text[:5000]


def main() -> int:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    device = next(iter(devices(HERE / "cel").values()))
    slowest, accepted, worst = 0.0, 0, ""
    for number, text in enumerate(inputs(asked.seed, asked.count), 1):
        start = time.perf_counter()
        try:
            compiled = compile_selector(text, RELEASES[number % len(RELEASES)], list(FEATURES[number % len(FEATURES)]))
            if compiled.ok:
                accepted += 1
                compiled.evaluate(device)
        except BaseException:
            print(f"input {number}: {text!r}")
            raise
        took = time.perf_counter() - start
        if took > slowest:
            slowest, worst = took, text
    print(
        f"{asked.count} inputs, seed {asked.seed}: {accepted} accepted, none crashed; slowest {slowest:.2f} s: {worst[:200]!r}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
