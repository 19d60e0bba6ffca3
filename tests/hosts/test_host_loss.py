"""No host can be made to answer 'all is well' with fewer objects than it got, whatever goes wrong around it."""

import os
import subprocess
import sys
import tempfile

import pytest
import yaml
from builds import chart, kustomization
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from programs import ROOT, commands, process, script

from running import resource_list

sys.path.insert(0, str(ROOT / "tests" / "conformance"))

from run_hosts import call, document, identities, is_within

pytestmark = pytest.mark.usefixtures("in_empty_folder")

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: {name}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {{deviceClassName: gpu.nvidia.com, count: 2}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: {name}
spec:
  containers:
  - name: main
    image: a:1
    resources:
      limits: {{cpu: 1500m, memory: 1Gi, nvidia.com/gpu: 1}}
"""
SERVICE = "apiVersion: v1\nkind: Service\nmetadata:\n  name: {name}\nspec: {{ports: [{{port: 80}}]}}\n"
NOTHING = ("", "# a comment\n", "null\n", "# nvidia.com\nnull\n")
MODES = ("check", "checked", "fix")

names = st.integers(0, 30).map("n{}".format)
objects = st.builds(str.format, st.sampled_from((CLAIM, POD, SERVICE)), name=names)
lists = st.lists(objects, max_size=3).map(
    lambda texts: "apiVersion: v1\nkind: List\n" + yaml.safe_dump({"items": [yaml.safe_load(text) for text in texts]})
)
streams = st.lists(st.one_of(objects, lists, st.sampled_from(NOTHING)), min_size=1, max_size=5).map("---\n".join)
resource_lists = st.lists(objects, max_size=4)
many = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def kept(given_text, output):
    """Say whether all objects of a text came out; what was no YAML still has to be none, so that the host refuses it."""
    try:
        before = identities(given_text)
    except yaml.YAMLError:
        return _is_refused(output)
    return is_within(before, identities(output))


def _is_refused(text):
    try:
        identities(text)
    except yaml.YAMLError:
        return True
    return False


def answers(text, mode):
    """Yield what each host that reads a stream gets for it."""
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "config.yaml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(document(mode))
        yield "legacy plugin", call("function", [config], text)
        yield "helm 3", call("post_renderer", ["--config", config], text)
        yield "helm 4", call("post_renderer", ["--from", "helm4", "--config", config], text)


def generated(text, mode):
    """Return what Argo CD gets for a folder of one manifest file."""
    old = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, data in (("manifests.yaml", text), (".dralign.yaml", document(mode).encode())):
                with open(name, "wb") as file:
                    file.write(data)
            return call("main", ["cmp", "generate"], b"")
        finally:
            os.chdir(old)


@many
@given(text=streams, mode=st.sampled_from(MODES))
def test_a_stream_comes_out_whole_or_not_at_all(text, mode):
    data = text.encode()
    for host, (status, output, talk) in answers(data, mode):
        assert status in (0, 2), (host, talk)
        assert status or kept(data, output), host
        assert not status or output == b"", host


@many
@given(text=streams, mode=st.sampled_from(MODES))
def test_argo_cd_gets_objects_or_a_failure(text, mode):
    status, output, talk = generated(text.encode(), mode)
    expected = identities(text.encode())
    assert status == (0 if expected else 2), talk
    assert status or is_within(expected, identities(output))
    assert not status or output == b""


@many
@given(items=resource_lists, mode=st.sampled_from(MODES))
def test_a_resource_list_comes_out_whole(items, mode):
    data = resource_list(items, document(mode)).encode()
    status, output, talk = call("function", [], data)
    assert status == 0, talk
    assert is_within(identities(data), identities(output))


@many
@given(text=streams, mode=st.sampled_from(MODES), data=st.data())
def test_a_stream_that_breaks_off_is_never_shortened_further(text, mode, data):
    cut = text.encode()[: data.draw(st.integers(1, max(1, len(text))))]
    for host, (status, output, talk) in answers(cut, mode):
        assert status in (0, 2), (host, talk)
        assert status or kept(cut, output), host


@many
@given(items=resource_lists, mode=st.sampled_from(MODES), data=st.data())
def test_a_resource_list_that_breaks_off_is_never_shortened_further(items, mode, data):
    whole = resource_list(items, document(mode)).encode()
    cut = whole[: data.draw(st.integers(1, len(whole)))]
    status, output, talk = call("function", [], cut)
    assert status in (0, 1, 2), talk
    assert status or kept(cut, output)


@pytest.fixture
def env(tmp_path):
    return commands(tmp_path / "bin")


HOSTS = [
    pytest.param(
        ["dralign-fn"],
        resource_list([POD.format(name="a"), SERVICE.format(name="b")], document("check")),
        id="function",
    ),
    pytest.param(["dralign-fn", "config"], POD.format(name="a"), id="legacy plugin"),
    pytest.param(["dralign-helm", "--config", "config"], POD.format(name="a"), id="helm 3"),
    pytest.param(["dralign-helm", "--from", "helm4", "--config", "config"], POD.format(name="a"), id="helm 4"),
    pytest.param(["dralign", "cmp", "generate"], "", id="argo cd"),
]


@pytest.fixture
def work(tmp_path):
    """A folder where every host succeeds."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "config").write_text(document("check"))
    (folder / "manifests.yaml").write_text(POD.format(name="a"))
    return folder


@pytest.mark.parametrize(("command", "text"), HOSTS)
def test_the_call_itself_succeeds(command, text, env, work):
    assert process(command, env, work, text.encode()).returncode == 0


@pytest.mark.parametrize(("command", "text"), HOSTS)
def test_a_reader_that_has_gone_is_no_success(command, text, env, work):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            command, input=text.encode(), stdout=writer, stderr=subprocess.PIPE, env=env, cwd=work, check=False
        )
    finally:
        os.close(writer)
    assert done.returncode in (1, 2)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("command", "text"), HOSTS)
def test_a_full_disk_is_no_success(command, text, env, work):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command, input=text.encode(), stdout=full, stderr=subprocess.PIPE, env=env, cwd=work, check=False
        )
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("version", ["helm3", "helm4"])
def test_a_report_that_cannot_be_written_stops_the_release(version, env, work):
    command = ["dralign-helm", "--from", version, "--config", "config", "--report", "/dev/full"]
    done = process(command, env, work, POD.format(name="a").encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"dralign: --report: /dev/full: No space left on device\n"


def test_helm_4_shows_why_by_an_answer_that_it_refuses(env, work):
    command = ["dralign-helm", "--from", "helm4", "--config", "config", "--report", "/dev/full"]
    done = process(command, env | {"HELM_PLUGIN_NAME": "dralign"}, work, POD.format(name="a").encode())
    assert done.stdout == b"|\n  dralign: --report: /dev/full: No space left on device\n"


EMPTY = [
    pytest.param(b"", id="0 bytes"),
    pytest.param(b"# only a comment\n", id="comments"),
    pytest.param(b"---\n", id="separator"),
    pytest.param(b"---\n# c\n---\n", id="separators and a comment"),
    pytest.param(b"null\n", id="null"),
    pytest.param(b"\n", id="newline"),
]


@pytest.mark.parametrize("data", EMPTY)
def test_nothing_in_is_nothing_out(data):
    for host, (status, output, _) in answers(data, "check"):
        assert (status, output) == ((0, data) if data or host != "legacy plugin" else (2, b"")), host
    assert call("function", [], data)[:2] == (2, b"")


RENDERERS = [
    *[pytest.param(f"cat <<'E'\n{data.values[0].decode()}\nE\n", id=f"prints {data.id}") for data in EMPTY[1:]],
    pytest.param("exit 0", id="prints nothing"),
    pytest.param("echo 'apiVersion: v1'; echo 'kind: List'; echo 'items: []'", id="prints a list without items"),
    pytest.param('echo \'{"kind": "List", "items": []}\'', id="prints a JSON list without items"),
    pytest.param("echo 'kind: Pod'; exit 1", id="fails after printing"),
    pytest.param("echo 'kind: Pod'; kill -9 $$", id="killed after printing"),
    pytest.param("echo 'kind: Pod'; kill -15 $$", id="stopped after printing"),
    pytest.param("echo 'kind: Pod: claims'", id="prints no YAML"),
]


@pytest.mark.parametrize("source", [kustomization, chart])
@pytest.mark.parametrize("body", RENDERERS)
def test_a_renderer_that_fails_or_has_nothing_is_no_success(source, body, env, tmp_path):
    folder = source(tmp_path / "app", "")
    for name in ("kustomize", "helm"):
        script(tmp_path / "bin" / name, f"#!/bin/sh\n{body}\n")
    done = process(["dralign", "cmp", "generate"], env, folder)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"dralign: ")
    assert b"Traceback" not in done.stderr


def test_a_renderer_that_is_not_there_is_no_success(env, tmp_path):
    folder = kustomization(tmp_path / "app", "")
    done = process(["dralign", "cmp", "generate"], env | {"PATH": f"{tmp_path / 'bin'}"}, folder)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"dralign: kustomize: No such file or directory; the plugin needs it on PATH\n"


@pytest.mark.parametrize("metadata", ["n0", "[]", "~", "{annotations: n0}", "{annotations: ~}"])
def test_an_object_that_takes_no_stamp_comes_out_as_it_is(metadata):
    pod = POD.format(name="n0").replace("\n  name: n0", f" {metadata}", 1)
    data = resource_list([pod], document("checked")).encode()
    status, output, talk = call("function", [], data)
    assert status in (0, 1), talk
    assert is_within(identities(data), identities(output))
