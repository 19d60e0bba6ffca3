"""Compares dralign's CEL with the real code on random expressions: fuzz_cel.py ORACLE_DIR --count N --seed S

ORACLE_DIR holds celoracle-1.34 to celoracle-1.37. Each expression is compiled as new and as stored in a random release
with random gates, and evaluated on random devices. Answers that depend on the random order in which Go walks maps are
asked for again before they count.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from cel_expressions import FEATURES, RELEASES, Generator  # noqa: E402  the path comes first
from cel_judge import GO_NAMES, devices, kind_and_value, quick_answer, run_time_class  # noqa: E402

from dralign.selector import compile_selector  # noqa: E402

SHOWN = 10
BATCH = 500
MOST_BYTES = 6 << 30
MOST_SECONDS = 300
ON_DEVICES = 4
DERIVED_SHARE = 0.08
ASKED_AGAIN = 60
WORDING = "evaluation wording"
"""Errors of one class whose texts differ where they may: counted, not shown."""

_FREE_WORDS = ("internal error: ", "attribute ", "unsupported conversion to ref.Val: ")
"""What errors begin with whose text may differ: a Go panic, the first of several bad attributes in random order, a Go type."""

_ADDRESS = re.compile(r" 0x[0-9a-f]{6,}\}")
"""The end of what Go prints for the map of a device's attributes or capacity: where it lies in memory."""


class Oracle:
    """The real code of one release."""

    def __init__(self, folder: Path, release: str, written: dict) -> None:
        self.path = folder / f"celoracle-{release}"
        self.written = written

    def ask(self, requests: list[dict]) -> list[dict] | None:
        """Answer requests in their order; None if one of them takes more time or memory than there is."""
        lines = [json.dumps({"op": "define", "define": self.written}), *map(json.dumps, requests)]
        try:
            done = subprocess.run(
                ["prlimit", f"--as={MOST_BYTES}", self.path],
                input="\n".join(lines) + "\n",
                capture_output=True,
                text=True,
                check=True,
                timeout=MOST_SECONDS,
            )
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return None
        return [json.loads(line) for line in done.stdout.splitlines()[1:]]

    def answers(self, questions: list[Question]) -> Iterator[tuple[Question, list[dict] | None]]:
        """Answer each question; what the oracle cannot answer is found by halves."""
        answered = self.ask([request for question in questions for request in question.requests()])
        if answered is not None:
            for at, question in enumerate(questions):
                yield question, answered[3 * at : 3 * at + 3]
        elif len(questions) == 1:
            yield questions[0], None
        else:
            yield from self.answers(questions[: len(questions) // 2])
            yield from self.answers(questions[len(questions) // 2 :])


class Question:
    """An expression with the place and the devices it is asked about."""

    def __init__(self, tag: str, expression: str, choice: random.Random, names: list[str]) -> None:
        self.tag = tag
        self.expression = expression
        self.derived = choice.random() < DERIVED_SHARE
        self.release = "1.37" if self.derived else choice.choice(RELEASES)
        self.features = list(choice.choice(FEATURES)) + (["DRADerivedAttributes"] if self.derived else [])
        self.devices = choice.sample(names, ON_DEVICES)

    def requests(self) -> list[dict]:
        """What the oracle is asked: compile as new, compile as stored, evaluate."""
        base = {"expr": self.expression, "features": self.features, "derived": self.derived}
        op = "derived" if self.derived else "eval"
        return [
            base | {"op": "compile"},
            base | {"op": "compile", "stored": True},
            base | {"op": op, "devices": self.devices},
        ]

    def answers(self, known: dict) -> list[dict]:
        """What dralign says, in the oracle's form."""
        where = (self.expression, self.release, self.features)
        new = compile_selector(*where, derived=self.derived)
        stored = compile_selector(*where, stored=True, derived=self.derived)
        results = [_evaluated(stored, known[name], self.derived) for name in self.devices] if stored.ok else None
        return [_compiled(new, stored=False), _compiled(stored, stored=True), {"results": results}]


def _compiled(got, *, stored: bool) -> dict:
    answer = {"ok": got.ok, "error": got.error}
    for key, on in (("tooLong", got.too_long), ("tooCostly", got.too_costly), ("internal", got.internal)):
        answer |= {key: True} if on else {}
    if got.ok or got.too_costly:
        answer |= {"type": got.type}
        if not stored:
            answer |= {"maxCost": got.max_cost}
    return answer


def _evaluated(stored, device, derived: bool) -> dict:
    got = stored.evaluate(device)
    answer = {"ok": got.error is None, "error": got.error, "cost": got.cost}
    if got.error is None:
        answer |= {"value": kind_and_value(got.value)} if derived else {"match": got.value}
    quick = quick_answer(stored, device) if got.cost is not None else None
    if quick is not None and quick != got.value:
        answer |= {"match": f"quick answer {quick}, evaluated {got.value}"}
    return answer


def _plain(answer: dict, *, stored: bool = False) -> dict:
    """An answer of the oracle without what is not compared."""
    kept = {key: value for key, value in answer.items() if key not in ("id", "device", "stage")}
    if stored:
        kept.pop("maxCost", None)
    return {"error": None} | kept


def differences(wanted: list[dict], got: list[dict]) -> list[str]:
    """Name the points in which answers differ."""
    found = []
    for which, stored in ((0, False), (1, True)):
        theirs, ours = _plain(wanted[which], stored=stored), got[which]
        if theirs.pop("panic", None) and not ours["ok"]:
            theirs["error"] = ours["error"]  # the text is Go's
        found += [f"{'stored ' * stored}{key}" for key in theirs | ours if theirs.get(key) != ours.get(key)]
    if got[2]["results"] is not None and wanted[2].get("results") is not None:
        for theirs, ours in zip(wanted[2]["results"], got[2]["results"], strict=True):
            found += _evaluation_differences(_plain(theirs), ours)
    return found


def _evaluation_differences(theirs: dict, ours: dict) -> list[str]:
    found = [f"evaluation {key}" for key in ("ok", "match", "value", "cost") if theirs.get(key) != ours.get(key)]
    if theirs["error"] != ours["error"] and theirs["error"] and ours["error"]:
        same_kind = run_time_class(theirs["error"]) == run_time_class(ours["error"])
        text = WORDING if _is_free(theirs["error"]) else "evaluation text"
        found.append(text if same_kind else "evaluation class")
    return found


def _is_free(text: str) -> bool:
    """Whether the text of a run-time error holds what only Go can know, or chance decides."""
    return text.startswith(_FREE_WORDS) or any(name in text for name in GO_NAMES) or bool(_ADDRESS.search(text))


def compare(options: argparse.Namespace) -> Counter:
    """Ask both sides; print disagreements; return how many there were of each kind."""
    folder = HERE / "cel"
    written = json.loads((folder / "devices.json").read_text("utf-8"))
    known = devices(folder)
    oracles = {release: Oracle(options.oracles, release, written) for release in set(RELEASES)}
    generator = Generator(options.seed, known)
    choice = random.Random(f"{options.seed} places")  # noqa: S311  no secrets
    found: Counter = Counter()
    for start in range(0, options.count, BATCH):
        size = min(BATCH, options.count - start)
        questions = [Question(*generator.expression(), choice, list(written)) for _ in range(size)]
        for release, oracle in oracles.items():
            mine = [question for question in questions if question.release == release]
            for question, wanted in oracle.answers(mine):
                if wanted is None:
                    found["too much for the oracle"] += 1
                else:
                    _judge(question, wanted, oracle, known, found)
        found["asked"] += size
    return found


def _judge(question: Question, wanted: list[dict], oracle: Oracle, known: dict, found: Counter) -> None:
    try:
        got = question.answers(known)
    except Exception as error:  # noqa: BLE001  whatever it is, it must be counted and shown
        _show(question, ["crash"], found, f"{type(error).__name__}: {error}")
        return
    found["accepted"] += bool(got[0]["ok"])
    differing = differences(wanted, got)
    if set(differing) <= {WORDING}:
        found[WORDING] += bool(differing)
        return
    again = oracle.ask(question.requests() * ASKED_AGAIN) or []
    if _is_random(wanted, again, got):
        found["depends on map order"] += 1
        return
    _show(question, differing, found, f"want {json.dumps(wanted)[:1500]}\n  got  {json.dumps(got)[:1500]}")


def _is_random(wanted: list[dict], again: list[dict], got: list[dict]) -> bool:
    """Whether the oracle gives different answers, ours among those that it may give, or differing only in a cost."""
    answers = [again[at : at + 3] for at in range(0, len(again), 3)]
    if all(answer == wanted for answer in answers):
        return False  # so, too, where it could not be asked again
    points = set.intersection(*(set(differences(answer, got)) for answer in answers))
    return points <= {"evaluation cost", WORDING, "evaluation text", "evaluation class"}


def _show(question: Question, points: list[str], found: Counter, text: str) -> None:
    found.update(set(points))
    found["disagreements"] += 1
    if found["shown"] < SHOWN:
        found["shown"] += 1
        print(f"{question.tag} {question.release} {question.features} {question.devices} {points}")
        print(f"  {json.dumps(question.expression)}\n  {text}", flush=True)


def main() -> int:
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("oracles", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="0")
    options = parser.parse_args()
    found = compare(options)
    for name, count in sorted(found.items()):
        print(f"{name}: {count}")
    print(f"agree {found['asked'] - found['disagreements']} of {found['asked']}")
    return 1 if found["disagreements"] else 0


if __name__ == "__main__":
    sys.exit(main())
