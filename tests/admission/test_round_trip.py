"""What the server answers can be sent again: it is accepted, and nothing more is filled in or dropped."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from admission.objects import VALID, ask, server
from dralign.admission.defaults import NOW
from dralign.admission.encode import encode
from dralign.admission.review import defaulted

VECTORS = Path(__file__).parents[1] / "conformance" / "admission" / "mutations.jsonl.gz"
ROWS = [json.loads(line) for line in gzip.decompress(VECTORS.read_bytes()).splitlines()]
ACCEPTED = [row["input"] for row in ROWS if row["accepted"]]


@pytest.mark.parametrize("release", ["1.34", "1.37"])
def test_an_answer_sent_again_changes_nothing(release):
    one = server(release)
    for sent in [*VALID.values(), *ACCEPTED[::3]]:
        first = ask(sent, one)
        if first.type is None or first.decoded is None:
            continue  # a version that this release does not know
        answer = encode(first.type, first.decoded, one.minor)
        written = json.loads(json.dumps(answer).replace(NOW, "2026-01-31T12:00:00Z"))
        if sent["kind"] == "CronJob":
            continue  # the labels of its jobs are made later
        second = ask({"apiVersion": sent["apiVersion"], "kind": sent["kind"], **written}, one)
        assert second.accepted, (sent, second.causes)
        assert defaulted(written, second, one) == [], sent
