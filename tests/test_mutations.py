"""Thousands of objects with a mistake or two, and what a real API server 1.37 said: the rules must say the same.

The leaf package is held to every word elsewhere; here the findings of whole runs are held to accepted or refused.
"""

import gzip
import json
from pathlib import Path

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import settings_from
from dralign.context import Context, Surroundings
from dralign.context.stock import Stock
from dralign.yamlio import JSON

VECTORS = Path(__file__).parent / "conformance" / "admission" / "mutations.jsonl.gz"
SPEAKERS = frozenset(
    {"object-invalid", "claim-reference-shape", "claim-not-declared", "cel-invalid", "admin-access", "api-version"}
)
RULES = tuple(loaded for loaded in registry.rules() if loaded.rule.id in SPEAKERS)
CATALOGUE = registry.catalogue()
CHECK = settings_from({}, registry.rule_ids())
NOT_SEEN = ("admin access to devices requires", "the namespace of the provided object does not match")
"""Answers that hang on the cluster or on how the object was sent."""


def test_what_is_refused_is_an_error_and_what_is_taken_is_none():
    rows = [json.loads(line) for line in gzip.decompress(VECTORS.read_bytes()).splitlines()]
    wrong, refused = [], 0
    for row in rows:
        text = json.dumps(row["input"]).encode()
        bundle = Bundle([read_source(text, "input.json", JSON, (b"",))])
        if not Context(bundle, CHECK, Surroundings(CATALOGUE, Stock())).reviewed:
            continue
        outcome, _ = engine.run(bundle, CHECK, RULES, CATALOGUE)
        errors = [report.message for report in outcome.findings if report.severity == "error"]
        refused += not row["accepted"]
        if bool(errors) == row["accepted"] and not any(words in row.get("message", "") for words in NOT_SEEN):
            wrong.append((row["id"], row.get("message"), errors))
    assert refused > 2000
    assert wrong == []
