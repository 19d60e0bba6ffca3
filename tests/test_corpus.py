"""The public manifests: no crash, no object lost, no byte changed unasked, and a second repair changes nothing.

They are other people's files and not copied here: the tests read them where DRALIGN_TRUTH (default: ../shared) has them.
"""

import copy
import itertools

import pytest
import yaml

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import settings_from
from dralign.document import walk
from dralign.errors import InputError
from dralign.hosts import kustomize
from dralign.yamlio import KUBECTL
from dralign.yamlio.outline import place_by_lines
from truth import truth

CORPUS = truth() / "corpus"
INDEX = CORPUS / "INDEX.tsv"
FILES = [CORPUS / line.split("\t")[0] for line in INDEX.read_text().splitlines()[1:]] if INDEX.is_file() else []
RULES, CATALOGUE, WORDS = registry.rules(), registry.catalogue(), registry.words()
CHECK = settings_from({}, registry.rule_ids())
FIX = settings_from({"mode": "fix", "alignment": {"strategy": "constraint"}}, registry.rule_ids())

pytestmark = pytest.mark.skipif(not FILES, reason=f"no corpus in {CORPUS}: set DRALIGN_TRUTH")
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CORPUS)))


def read(data, name):
    """Return the bundle of a file; None where it is no YAML, which must be said with its place."""
    try:
        return Bundle([read_source(data, name, KUBECTL, WORDS)])
    except InputError as error:
        fault = error
    assert fault.file == name
    assert fault.line is not None
    assert "\n" not in str(fault)
    return None


def objects(bundle):
    return [copy.deepcopy(manifest.data) for manifest in bundle.manifests]


def test_the_corpus_is_whole():
    assert len(FILES) == 399


@each_file
def test_check_changes_nothing(path):
    data = path.read_bytes()
    bundle = read(data, path.name)
    if bundle is None:
        return
    outcome, after = engine.run(bundle, CHECK, RULES, CATALOGUE)
    assert after.sources[0].encode() == data
    for report in outcome.findings:
        assert report.location.line <= data.count(b"\n") + 1
        assert report.excerpt, report


@each_file
def test_fix_twice_is_fix_once_and_loses_nothing(path):
    before = read(path.read_bytes(), path.name)
    if before is None:
        return
    known = objects(before)
    outcome, after = engine.run(before, FIX, RULES, CATALOGUE)
    once = after.sources[0].encode()
    again, twice = engine.run(read(once, path.name), FIX, RULES, CATALOGUE)
    assert twice.sources[0].encode() == once
    assert not again.applied

    touched = {(report.ref.kind, report.ref.name) for report in outcome.applied}
    left = objects(after)
    assert len(left) >= len(known)
    for data in known:
        metadata = data.get("metadata") or {}
        if (data["kind"], metadata.get("name") or metadata.get("generateName")) not in touched:
            assert data in left
    if not outcome.applied:
        assert once == path.read_bytes()


@each_file
def test_through_the_function_no_object_is_lost(path):
    bundle = read(path.read_bytes(), path.name)
    items = objects(bundle) if bundle else []
    data = yaml.dump(
        {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items},
        Dumper=yaml.CSafeDumper,
        sort_keys=False,
    ).encode()
    answer = kustomize.answer(data)
    assert answer.status in (0, 1)
    given, answered = (Bundle([read_source(text, "-", "kyaml", [b""])]) for text in (data, answer.output))
    assert [unstamped(data) for data in objects(answered)] == [unstamped(data) for data in objects(given)]


def unstamped(data):
    """Return an object without the mark that says it was checked, and without empty maps that may have held only that."""
    metadata = data.get("metadata")
    if isinstance(metadata, dict):
        if isinstance(metadata.get("annotations"), dict):
            metadata["annotations"].pop("dralign.dev/checked", None)
        if not metadata.get("annotations"):
            metadata.pop("annotations", None)
    if not metadata:
        data.pop("metadata", None)
    return data


@each_file
def test_lines_tell_the_places_that_nodes_tell(path):
    bundle = read(path.read_bytes(), path.name)
    for document in {id(m.document): m.document for m in bundle.manifests}.values() if bundle else ():
        for steps in itertools.islice(paths_of(document.data), 300):
            told = place_by_lines(document.text, document.data, steps)
            node, _ = walk(document.node, steps)
            assert told in (None, (node.line, node.column)), steps


def paths_of(data, path=()):
    """Yield the paths of all values."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*path, key)
        yield from paths_of(value, (*path, key))
