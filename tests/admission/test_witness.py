"""An independent witness for the field tables: the OpenAPI schemas that kubernetes-validate brings along."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from admission.objects import ask, server
from dralign.admission.review import UNKNOWN_FIELD

witness = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed: no second opinion")

VECTORS = Path(__file__).parents[1] / "conformance" / "admission" / "mutations.jsonl.gz"
ROWS = [json.loads(line) for line in gzip.decompress(VECTORS.read_bytes()).splitlines()]
UNKNOWN = [row["input"] for row in ROWS if row["code"] == 400 and "unknown field" in row["message"]]
KNOWN = [row["input"] for row in ROWS if row["code"] in (201, 422)]


def objection(obj, release):
    """Return what the witness says first, None if nothing."""
    try:
        witness.validate(obj, release, strict=True)
    except witness.ValidationError as error:
        return error.message
    except witness.SchemaNotFoundError:
        return "no such kind"
    return None


@pytest.mark.parametrize("release", ["1.34", "1.37"])
def test_fields_that_we_do_not_know_are_unknown_to_the_witness(release):
    for obj in UNKNOWN[::8]:
        said = ask(obj, server(release))
        if any(cause.reason == UNKNOWN_FIELD for cause in said.causes):
            assert objection(obj, release) is not None, obj


@pytest.mark.parametrize("release", ["1.34", "1.37"])
def test_fields_that_the_witness_does_not_know_are_unknown_to_us(release):
    for obj in KNOWN[::60]:
        said = ask(obj, server(release))
        if "Additional properties" in (objection(obj, release) or ""):
            assert any(cause.reason == UNKNOWN_FIELD for cause in said.causes), obj
