"""What profile default says of the public manifests, at warning and above: reviewed, and kept in corpus_findings.txt.

The manifests are other people's files and not copied here: the tests read them where DRALIGN_TRUTH (default: ../shared)
has them. ``pytest --update`` rewrites the list. Before it is committed, ask of every new line: would the author of that
file act on it?
"""

import json
from pathlib import Path

import pytest

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import settings_from
from dralign.errors import InputError
from dralign.yamlio import KUBECTL
from truth import truth

CORPUS = truth() / "corpus"
INDEX = CORPUS / "INDEX.tsv"
ANSWERS = truth() / "conformance" / "admission" / "corpus.jsonl"
GOLDEN = Path(__file__).parent / "corpus_findings.txt"
HEADER = "file\tseverity\trule\tobject\n"
OF_THE_SERVER = ("object-invalid", "field-dropped", "api-version")
"""Rules that speak for the API server: it must not have accepted what they call an error."""

pytestmark = pytest.mark.skipif(not INDEX.is_file(), reason=f"no corpus in {CORPUS}: set DRALIGN_TRUTH")


@pytest.fixture(scope="module")
def said():
    """Rows of file, severity, rule and object, sorted; of a file that is no YAML one row says so."""
    settings = settings_from({}, registry.rule_ids())
    rules, catalogue, words = registry.rules(), registry.catalogue(), registry.words()
    rows = []
    for line in INDEX.read_text().splitlines()[1:]:
        name = line.split("\t")[0]
        try:
            bundle = Bundle([read_source((CORPUS / name).read_bytes(), name, KUBECTL, words)])
        except InputError:
            rows.append((name, "unreadable", "-", "-"))
            continue
        outcome, _ = engine.run(bundle, settings, rules, catalogue)
        rows += [
            (name, report.severity, report.rule, report.ref.kind_and_name)
            for report in outcome.findings
            if report.severity != "info"
        ]
    return sorted(rows)


def test_findings_are_those_that_were_reviewed(said, update):
    text = HEADER + "".join("\t".join(row) + "\n" for row in said)
    if update:
        GOLDEN.write_text(text)
    assert text == GOLDEN.read_text()


@pytest.mark.skipif(not ANSWERS.is_file(), reason=f"no answers of the API server in {ANSWERS}: set DRALIGN_TRUTH")
def test_what_the_server_accepted_is_no_error_of_its_rules(said):
    rows = [json.loads(line) for line in ANSWERS.read_text().splitlines()]
    accepted, refused = (
        {
            (row["file"].removeprefix("corpus/"), f"{row['kind']}/{row['name']}")
            for row in rows
            if row.get("accepted") is answer
        }
        for answer in (True, False)
    )
    errors = {(name, ref) for name, severity, rule, ref in said if severity == "error" and rule in OF_THE_SERVER}
    assert errors & refused
    assert not errors & (accepted - refused)
