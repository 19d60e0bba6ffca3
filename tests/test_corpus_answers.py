"""The public manifests against what a real API server 1.37 answered: nothing it takes is called invalid, and the reverse."""

import json
from collections import defaultdict

import pytest

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import settings_from
from dralign.context import Context, Surroundings
from dralign.context.stock import Stock
from dralign.errors import InputError
from dralign.yamlio import KUBECTL
from truth import truth

ANSWERS = truth() / "conformance" / "admission" / "corpus.jsonl"
ROWS = [json.loads(line) for line in ANSWERS.read_text().splitlines()] if ANSWERS.is_file() else []
RULES, CATALOGUE, WORDS = registry.rules(), registry.catalogue(), registry.words()
CHECK = settings_from({}, registry.rule_ids())
SPEAKERS = ("object-invalid", "claim-reference-shape", "claim-not-declared", "cel-invalid", "admin-access")

pytestmark = pytest.mark.skipif(not ROWS, reason=f"no answers in {ANSWERS}: set DRALIGN_TRUTH")


def by_object():
    """Yield (row, findings of the rules that speak for the API server) of every object that is reviewed."""
    files = defaultdict(list)
    for row in ROWS:
        if "accepted" in row:
            files[row["file"]].append(row)
    for name, rows in files.items():
        try:
            bundle = Bundle([read_source((truth() / name).read_bytes(), name, KUBECTL, WORDS)])
        except InputError:
            continue
        outcome, _ = engine.run(bundle, CHECK, RULES, CATALOGUE)
        reviewed = {named(m.ref) for m in Context(bundle, CHECK, Surroundings(CATALOGUE, Stock())).reviewed}
        for row in rows:
            key = (row["apiVersion"], row["kind"], row["name"])
            if key in reviewed:
                yield row, [r for r in outcome.findings if named(r.ref) == key and r.rule in SPEAKERS]


def named(ref):
    return (ref.api_version, ref.kind, ref.name)


def test_what_the_server_takes_and_what_it_refuses():
    wrongly_refused, unsaid, taken = [], [], 0
    for row, said in by_object():
        if row["accepted"]:
            taken += 1
            wrongly_refused += [
                (row["file"], r.message) for r in said if (r.rule, r.severity) == ("object-invalid", "error")
            ]
        elif not said:
            unsaid.append((row["file"], row["kind"], row["message"]))
    assert taken > 500
    assert wrongly_refused == []
    assert unsaid == []
