"""Asks the kubelet's own packages and the model the same questions, and shows where they differ.

    fuzz_kubelet.py ORACLE [--count N] [--seed S] [--only config|admit|fields] [--record FILE]

ORACLE is the program of ``oracles/kubelet``. A question it does not answer in time (the real code can loop for ever), or
answers with a panic of its own, is counted apart. ``fields`` asks for every value of every field instead of random ones;
``--record`` keeps questions and answers as rows for the runner. Exits 1 if anything differs.
"""

import argparse
import itertools
import json
import random
import select
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import kubelet_questions
import run_kubelet

PATIENCE = 20.0


class Oracle:
    """A running oracle with one setting of feature gates."""

    def __init__(self, program, gates):
        self.command = [program, "-gates", ",".join(f"{name}={str(on).lower()}" for name, on in gates.items())]
        self.process = None

    def ask(self, query):
        """Return the answer, or None if there is none in time."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        self.process.stdin.write(json.dumps(query).encode() + b"\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            self.close()
            return None
        return json.loads(self.process.stdout.readline() or "null")

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def questions(options):
    """Yield (gates, query), at most as many as asked for; those of fields are as many as they are."""
    if options.only == "fields":
        yield from kubelet_questions.field_questions()
        return
    rng = random.Random(options.seed)  # noqa: S311 - questions, not secrets
    ask = {"config": kubelet_questions.config_question, "admit": kubelet_questions.admit_question}
    for _ in range(options.count):
        yield ask[options.only or rng.choice(("config", "admit", "admit"))](rng)


def row_of(gates, query, answer):
    """Return question and answer in the form of the runner's files."""
    row = {"id": query["id"], "machine": query["machine"], "yaml": query["config"], "config": answer["config"]}
    row |= {"flags": gates} if gates else {}
    row |= {"start": answer["start"]} if "start" in answer else {}
    return row | ({"steps": query["steps"], "outcome": answer.get("steps")} if query["steps"] else {})


def judge(row):
    """Return what differs, as the runner would say it."""
    row = json.loads(json.dumps(row))  # judging takes words out
    judged = run_kubelet.judge_admit if "steps" in row and row["config"]["ok"] else run_kubelet.judge_config
    return judged(row, {})[0]


def verdict_of(gates, query, answer):
    """Return (verdict, row for the runner, what differs)."""
    if answer is None:
        return "no answer", None, None
    if "PANIC" in (answer.get("start") or {}).get("error", ""):
        return "panic", None, None
    row = row_of(gates, query, answer)
    difference = judge(row)
    return ("differ" if difference else "agree"), row, difference


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("oracle")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=("config", "admit", "fields"))
    parser.add_argument("--record", type=Path)
    options = parser.parse_args(argv)
    oracles, rows, tally = {}, [], {"agree": 0, "differ": 0, "no answer": 0, "panic": 0}
    for number, (gates, query) in zip(itertools.count(), questions(options)):
        query["id"] = f"{options.seed}-{number}"
        oracle = oracles.setdefault(json.dumps(gates), Oracle(options.oracle, gates))
        verdict, row, difference = verdict_of(gates, query, oracle.ask(query))
        tally[verdict] += 1
        rows += [row] if row else []
        if verdict != "agree" and tally[verdict] <= run_kubelet.SHOWN:
            print(f"{verdict}: {query['id']} {difference or ''}\n  {json.dumps(gates)} {json.dumps(query)[:3000]}")
    for oracle in oracles.values():
        oracle.close()
    if options.record:
        options.record.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    steps = sum(len(row.get("outcome") or ()) for row in rows)
    print(f"{tally}, {steps} steps, agree {tally['agree']} of {sum(tally.values())}")
    return 1 if tally["differ"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
