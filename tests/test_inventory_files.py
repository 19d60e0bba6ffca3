"""Inventory files are read once, item by item, and say the same as if they were read as a whole."""

import io
import json
import os
import threading

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dralign import registry, yamlio
from dralign.context.stock import Stock
from dralign.document import Part
from dralign.edit.rendering import Style, render
from dralign.errors import InputError
from dralign.hosts import inventory
from dralign.manifest import Path
from dralign.model import slice as slices
from dralign.settings import InventorySettings
from running import run

PRESET = registry.preset("r750-a30")
OBJECTS = list(PRESET.objects(PRESET.chosen({"nodes": "2"})))
SLICES = [item for item in OBJECTS if item["kind"] == "ResourceSlice"]
LIST = {"apiVersion": "v1", "items": OBJECTS, "kind": "List", "metadata": {"resourceVersion": ""}}

WORKLOAD = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: both}
spec:
  devices:
    requests:
    - {name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}
    - {name: nic, exactly: {deviceClassName: dranet}}
    constraints:
    - {matchAttribute: resource.kubernetes.io/numaNode, requests: [gpu]}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resourceClaims: [{name: both, resourceClaimName: both}]
  containers:
  - name: c
    image: registry.example.com/c:1
    resources: {claims: [{name: both}], requests: {cpu: "4", memory: 1Gi}, limits: {cpu: "4", memory: 1Gi}}
"""


class Dumper(yaml.SafeDumper):
    """As kubectl writes YAML: no anchors."""

    def ignore_aliases(self, _):
        return True


def dumped(data, **options):
    return yaml.dump(data, Dumper=Dumper, default_flow_style=False, **options)


FORMS = {
    "kubectl": dumped(LIST),
    "captured": render({"apiVersion": "v1", "kind": "List", "items": OBJECTS}, 0, Style()) + "\n",
    "indented": "---\n# all of it\nkind: List\napiVersion: v1\nitems:\n"
    + "".join(f"  {line}\n" if line else "\n" for line in dumped(OBJECTS).splitlines()),
    "with comments": dumped(LIST).replace("\n- apiVersion", "\n# the next\n\n- apiVersion"),
    "other line ends": dumped(LIST).replace("\n", "\r\n"),
    "no line end": dumped(LIST).rstrip("\n"),
    "json": json.dumps(LIST, indent=4),
    "json of jq": json.dumps(LIST, indent=2) + "\n",
}


def whole(text, name):
    """Return the objects of a file as they are where nothing is cut."""
    return list(inventory._whole(name, text))


def told(manifests):
    """Return what objects say, and where some of it stands."""
    paths = (Path(), Path(("metadata", "name")), Path(("spec", "pool", "name")), Path(("spec", "devices", 0, "name")))
    return [(m.data, m.ref, [m.location(path) for path in paths]) for m in manifests]


def file_with(folder, text, name="inventory.yaml"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def read(name):
    return inventory.Shelf(InventorySettings((name,))).objects()


@pytest.mark.parametrize("form", FORMS)
def test_a_list_is_read_item_by_item_and_says_the_same(tmp_path, form):
    name = file_with(tmp_path, FORMS[form])
    cut = list(read(name))
    assert [type(m.document) for m in cut] == [Part] * len(OBJECTS)
    assert told(cut) == told(whole(FORMS[form].encode(), name))
    assert [m.data for m in cut] == OBJECTS


def test_what_was_let_go_is_read_again(tmp_path):
    name = file_with(tmp_path, FORMS["kubectl"])
    manifests = list(read(name))
    before = told(manifests)
    for manifest in manifests:
        manifest.let_go()
    assert told(manifests) == before


def test_a_typed_list_gives_its_items_their_kind(tmp_path):
    bare = [{key: value for key, value in item.items() if key not in ("apiVersion", "kind")} for item in SLICES]
    data = {"apiVersion": "resource.k8s.io/v1", "items": bare, "kind": "ResourceSliceList", "metadata": {}}
    manifests = list(read(file_with(tmp_path, dumped(data))))
    for manifest in manifests:
        manifest.let_go()
    assert [m.data for m in manifests] == SLICES


NODE = "- apiVersion: v1\n  kind: Node\n  metadata: {name: a}\n"
UNCUT = {
    "two documents": "kind: List\nitems:\n" + NODE + "---\n" + NODE[2:].replace("\n  ", "\n"),
    "no list": "kind: Pod\nmetadata: {name: p}\nitems:\n" + NODE,
    "no kind": "items:\n" + NODE,
    "items twice": "kind: List\nitems:\n" + NODE + "items:\n" + NODE,
    "one line": json.dumps(LIST),
    "flow": "{kind: List, apiVersion: v1, items: [{apiVersion: v1, kind: Node, metadata: {name: a}}]}\n",
    "items of an item": json.dumps({"kind": "Pod", "spec": {"items": OBJECTS[:2]}}, indent=4),
    "a quoted text that goes on": "kind: List\nitems:\n" + NODE + "- kind: Node\n  x: 'a\n- b'\n" + NODE,
    "a bracket that goes on": "kind: List\nitems:\n" + NODE + "- kind: Node\n  x: [a,\n- b]\n",
    "an anchor of another item": "kind: List\nitems:\n"
    + NODE.replace("{name", "&x {name")
    + "- kind: Node\n  metadata: *x\n",
    "an item that is none": "kind: List\nitems:\n" + NODE + "- [\n",
    "a broken item": "kind: List\nitems:\n" + NODE + "- kind: Node\n  metadata: {name: a\n" + NODE,
    "a tab": "kind: List\nitems:\n" + NODE + "- kind: Node\n\tmetadata: {}\n" + NODE,
    "a control character": "kind: List\nitems:\n" + NODE + "- kind: Node\n  x: \x01\n",
    "not utf-8": b"kind: List\nitems:\n- kind: Node\n  x: \xff\n",
    "a comma too many": json.dumps(LIST, indent=4).replace("\n        }\n    ]", "\n        },\n    ]"),
    "a comma too few": json.dumps(LIST, indent=4).replace("\n        },\n        {", "\n        }\n        {", 1),
    "two ends": json.dumps(LIST, indent=4).replace("\n        },\n", "\n        }\n        },\n", 1),
    "cut off": json.dumps(LIST, indent=4)[:-400],
    "empty": "kind: List\nitems:\n",
    "nothing": "",
}


@pytest.mark.parametrize("case", UNCUT)
def test_whatever_cannot_be_cut_is_read_as_a_whole(tmp_path, case):
    text = UNCUT[case]
    name = file_with(tmp_path, text)
    data = text if isinstance(text, bytes) else text.encode()
    assert outcome(lambda: told(read(name))) == outcome(lambda: told(whole(data, name)))


def outcome(work):
    """Return what some work gives, or the fault that it ends with."""
    try:
        return work()
    except InputError as error:
        return str(error)


LINES = (
    "- kind: Node",
    "- a",
    "  b: 1",
    "  b: 'x",
    "  c: [",
    "    - 1",
    "- ",
    "d'",
    "]",
    "---",
    "# x",
    "",
    "kind: List",
    "\t",
    "items:",
)


@given(st.lists(st.sampled_from(LINES), max_size=8), st.sampled_from(("", "  ")))
def test_no_cut_changes_what_a_file_says(lines, indent):
    text = "kind: List\nitems:\n" + "".join(f"{indent}{line}\n" for line in lines)
    found = outcome(lambda: told(inventory._objects("a.yaml", io.BytesIO(text.encode()))))
    assert found == outcome(lambda: told(whole(text.encode(), "a.yaml")))


def test_slices_are_let_go_and_those_that_are_refused_are_kept(tmp_path):
    wrong = [SLICES[0], SLICES[1] | {"spec": SLICES[1]["spec"] | {"driver": "not a driver"}}, *SLICES[2:]]
    stock = Stock(read(file_with(tmp_path, dumped(LIST | {"items": wrong}))))
    assert [manifest.data for manifest in stock.manifests] == [wrong[1]]
    assert [piece.name for piece in stock.slices] == [item["metadata"]["name"] for item in (wrong[0], *wrong[2:])]
    assert all(piece.manifest.document._text is None for piece in stock.slices)


def test_a_refused_slice_is_found_at_its_place(tmp_path):
    text = FORMS["kubectl"].replace("driver: dra.cpu", "driver: dra_cpu", 1)
    file_with(tmp_path, text)
    (tmp_path / "w.yaml").write_text(WORKLOAD)
    said = run("check", "w.yaml", "--inventory", "inventory.yaml", cwd=tmp_path).stdout.decode()
    lines = text.split("\n")
    at = next(number for number, line in enumerate(lines, 1) if "driver: dra_cpu" in line)
    assert f"inventory.yaml:{at}:{lines[at - 1].index('driver') + 1}  spec.driver" in said


@pytest.mark.parametrize("verb", ["check", "fix"])
def test_every_slice_is_read_once_in_a_run(tmp_path, monkeypatch, verb):
    from dralign import __main__ as command

    made, loaded = [], []
    slice_from, load = slices.slice_from, yamlio.load
    monkeypatch.setattr(slices, "slice_from", lambda data: made.append(data) or slice_from(data))
    monkeypatch.setattr(yamlio, "load", lambda text, *rest: loaded.append(text) or load(text, *rest))
    monkeypatch.chdir(tmp_path)
    file_with(tmp_path, FORMS["kubectl"])
    (tmp_path / "w.yaml").write_text(WORKLOAD)
    align = ["--align", "constraint"] if verb == "fix" else []
    monkeypatch.setattr("sys.argv", ["dralign", verb, "w.yaml", "--inventory", "inventory.yaml", *align])
    command.main()
    assert len(made) == len(SLICES)
    assert len([text for text in loaded if "kind: ResourceSlice" in text]) == len(SLICES)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_says_what_the_file_does(tmp_path):
    file_with(tmp_path, FORMS["kubectl"])
    (tmp_path / "w.yaml").write_text(WORKLOAD)
    os.mkfifo(tmp_path / "pipe.yaml")
    writer = threading.Thread(target=(tmp_path / "pipe.yaml").write_text, args=(FORMS["kubectl"],))
    writer.start()
    piped = run("check", "w.yaml", "--inventory", "pipe.yaml", cwd=tmp_path)
    writer.join()
    assert piped.stdout == run("check", "w.yaml", "--inventory", "inventory.yaml", cwd=tmp_path).stdout
    assert b"may cross" in piped.stdout
