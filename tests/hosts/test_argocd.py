"""Argo CD's plugin commands, started as the shipped plugin.yaml says: discovery, parameters, variables, renderers."""

import json

import pytest
import yaml
from builds import HEADER, chart, kustomization
from programs import ROOT, commands, needed, process, script

PLUGIN = yaml.safe_load((ROOT / "argocd" / "plugin.yaml").read_text())["spec"]
UNUSED = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one-gpu}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: idle}
spec:
  containers:
  - {name: main, image: "registry.example.com/serve:1.0"}
  resourceClaims:
  - {name: gpu, resourceClaimTemplateName: one-gpu}
"""
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"
MARKER = yaml.safe_dump(HEADER | {"metadata": {"name": "check"}})


@pytest.fixture
def env(tmp_path):
    return commands(tmp_path / "bin") | {"ARGOCD_APP_NAME": "demo", "ARGOCD_ENV_DB_PASSWORD": "do-not-print"}


@pytest.fixture
def app(tmp_path):
    folder = tmp_path / "app"
    folder.mkdir()
    return folder


def given(folder, **files):
    """Write files as Argo CD hands them over: without execute bits."""
    for name, text in files.items():
        path = folder / f"{name}.yaml"
        path.write_text(text)
        path.chmod(0o644)


def generate(app, env, **variables):
    done = process(PLUGIN["generate"]["command"], env | variables, app)
    assert b"do-not-print" not in done.stdout + done.stderr
    return done


def asked(*parameters):
    return {"ARGOCD_APP_PARAMETERS": json.dumps(parameters)}


MATCHES = [
    pytest.param(MARKER, True, id="a configuration"),
    pytest.param(f"# why\n---\n{MARKER}", True, id="a configuration below a comment"),
    pytest.param(json.dumps(HEADER), True, id="a configuration in JSON"),
    pytest.param(UNUSED, False, id="claims"),
    pytest.param(
        SERVICE.replace("web}", "web, annotations: {dralign.dev/checked: default}} # Dralign"),
        False,
        id="a judged object",
    ),
]


@pytest.mark.parametrize(("text", "matches"), MATCHES)
def test_discovery_takes_only_folders_that_ask(text, matches, app, env):
    given(app, a=text)
    done = process(PLUGIN["discover"]["find"]["command"], env, app)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"a.yaml\n" if matches else b"", b"")


def test_discovery_follows_no_links_and_reads_no_more_than_the_head(app, env, tmp_path):
    (tmp_path / "outside.yaml").write_text(MARKER)
    (app / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    (app / "folder.yaml").mkdir()
    given(app, long="#" * 70_000 + f"\n{MARKER}")
    done = process(PLUGIN["discover"]["find"]["command"], env, app)
    assert (done.returncode, done.stdout) == (0, b"")


def test_the_announcement_is_what_argo_cd_reads(env, app):
    done = process(PLUGIN["parameters"]["dynamic"]["command"], env, app)
    announced = json.loads(done.stdout)
    assert {entry["collectionType"] for entry in announced} == {"string", "array", "map"}
    assert all(set(entry) == {"name", "title", "tooltip", "itemType", "collectionType"} for entry in announced)


STRICT = {"DRALIGN_PROFILE": "default", "DRALIGN_FAIL_ON": "warning"}
PREFIXED = {f"ARGOCD_ENV_{name}": value for name, value in STRICT.items()}
ASKED = asked({"name": "profile", "string": "default"}, {"name": "fail-on", "string": "warning"})
SETTINGS = [
    pytest.param({}, 0, id="nothing asked: profile minimal"),
    pytest.param(STRICT, 1, id="variables of the sidecar"),
    pytest.param(PREFIXED, 1, id="variables of the application"),
    pytest.param(ASKED, 1, id="parameters"),
    pytest.param(PREFIXED | asked({"name": "fail-on", "string": "error"}), 0, id="parameters win over variables"),
    pytest.param(PREFIXED | {"DRALIGN_PROFILE": "minimal"}, 0, id="the sidecar wins over the application"),
    pytest.param(PREFIXED | asked({"name": "profile", "string": ""}), 1, id="an empty parameter is none"),
    pytest.param({**PREFIXED, "ARGOCD_ENV_DRALIGN_FAIL_ON": ""}, 0, id="an empty variable is none"),
]


@pytest.mark.parametrize(("variables", "status"), SETTINGS)
def test_settings_come_from_parameters_and_variables(variables, status, app, env):
    given(app, a=UNUSED)
    done = generate(app, env, **variables)
    assert done.returncode == status, done.stderr
    assert done.stdout == (b"" if status else f"---\n{UNUSED}".encode())
    assert not status or b"[claim-unused]" in done.stderr


def test_a_conflict_and_a_misspelt_variable_are_told_without_values(app, env):
    given(app, a=SERVICE)
    variables = PREFIXED | {"DRALIGN_PROFILE": "minimal", "ARGOCD_ENV_DRALIGN_PROFLIE": "secret"}
    done = generate(app, env, **variables)
    assert done.returncode == 0
    assert b"DRALIGN_PROFILE of the sidecar wins over ARGOCD_ENV_DRALIGN_PROFILE of the application" in done.stderr
    assert b"no variable is called ARGOCD_ENV_DRALIGN_PROFLIE" in done.stderr
    assert b"profile comes from DRALIGN_PROFILE\n" in done.stderr
    assert b"fail-on comes from ARGOCD_ENV_DRALIGN_FAIL_ON\n" in done.stderr
    assert b"DRALIGN_PROFILE'?" in done.stderr
    assert b"secret" not in done.stderr


WRONG = [
    pytest.param("{", "no JSON", id="no JSON"),
    pytest.param("{}", "want a list of objects", id="no list"),
    pytest.param('[{"name": "proflie", "string": "default"}]', "no parameter is called 'proflie'", id="unknown"),
    pytest.param(
        '[{"name": "profile", "string": "defualt"}]', "want one of minimal, default", id="a value that is none"
    ),
    pytest.param('[{"name": "profile", "array": ["default"]}]', "want a value of type string", id="another collection"),
    pytest.param('[{"name": "helm-values", "array": [1]}]', "want a value of type array", id="no texts in a list"),
    pytest.param('[{"name": "helm-set", "map": {"a": 1}}]', "want a value of type map", id="no texts in a map"),
    pytest.param(
        '[{"name": "config", "string": "away.yaml"}]', "away.yaml: No such file", id="a file that is not there"
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_parameters_stop_the_sync_in_one_line(text, message, app, env):
    given(app, a=SERVICE)
    done = generate(app, env, ARGOCD_APP_PARAMETERS=text)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


VERSIONS = [
    pytest.param("v1.34.2", b"", id="a release that is known"),
    pytest.param("1.37", b"", id="without a v"),
    pytest.param(
        "v1.99.0",
        b"dralign: the cluster runs 1.99; judged by 1.37, the newest release that is known\n",
        id="newer than all",
    ),
    pytest.param("unknown", b"", id="no release"),
]


@pytest.mark.parametrize(("version", "told"), VERSIONS)
def test_the_cluster_tells_its_release(version, told, app, env):
    given(app, a=SERVICE)
    done = generate(app, env, KUBE_VERSION=version)
    assert (done.returncode, done.stderr) == (0, told)


def test_a_plain_folder_comes_out_without_what_configures_us(app, env):
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: |\n    apiVersion: dralign.dev/v1alpha1\n    kind: Dralign\n"
    given(app, a=f"{SERVICE}---\n{MARKER}---\n{text}", b=MARKER, c="\ufeff# first\n" + SERVICE.replace("web", "c"))
    (app / "folder.yaml").mkdir()
    (app / "d.json").write_text(json.dumps({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "d"}}))
    done = generate(app, env)
    found = [(loaded["kind"], loaded["metadata"]["name"]) for loaded in yaml.safe_load_all(done.stdout) if loaded]
    assert found == [("Service", "web"), ("ConfigMap", "c"), ("Service", "c"), ("Secret", "d")]


def test_a_file_that_cannot_be_read_is_no_success(app, env):
    given(app, a=SERVICE)
    (app / "b.yaml").symlink_to("away")
    done = generate(app, env)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"dralign: b.yaml: No such file or directory; want a readable file\n"


def test_kustomize_gets_its_flags(app, env, tmp_path):
    script(
        tmp_path / "bin" / "kustomize",
        '#!/bin/sh\nprintf "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: \'%s\'}\\n" "$*"\n',
    )
    given(app, kustomization="{}")
    flags = {"name": "kustomize-flags", "array": ["--enable-helm", "--load-restrictor=LoadRestrictionsNone"]}
    done = generate(app, env, **asked(flags))
    assert (
        yaml.safe_load(done.stdout)["metadata"]["name"]
        == "build --enable-helm --load-restrictor=LoadRestrictionsNone ."
    )


VALUES = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
data:
  selector: {{ .Values.selector | quote }}
  list: {{ join "+" .Values.list | quote }}
  color: {{ .Values.color | quote }}
  release: {{ .Capabilities.KubeVersion.Minor | quote }}
  api: {{ .Capabilities.APIVersions.Has "example.com/v1" | quote }}
"""


@pytest.mark.parametrize("version", ["helm3", "helm4"])
def test_helm_gets_values_release_and_versions(version, env, tmp_path):
    folder = chart(tmp_path / "app", VALUES)
    (folder / "more.yaml").write_text("color: blue\n")
    (tmp_path / "bin" / "helm").symlink_to(needed(version))
    values = {"selector": "node=gpu,zone=a=b", "list": "{a,b}"}
    parameters = asked({"name": "helm-set", "map": values}, {"name": "helm-values", "array": ["more.yaml"]})
    cluster = {"ARGOCD_APP_NAMESPACE": "team-a", "KUBE_VERSION": "1.35.0", "KUBE_API_VERSIONS": "v1,example.com/v1"}
    done = generate(folder, env, **parameters, **cluster)
    assert done.returncode == 0, done.stderr
    rendered = yaml.safe_load(done.stdout)
    assert rendered["metadata"] == {"name": "demo", "namespace": "team-a"}
    assert rendered["data"] == {
        "selector": "node=gpu,zone=a=b",
        "list": "a+b",
        "color": "blue",
        "release": "35",
        "api": "true",
    }


def test_a_renderer_without_objects_is_no_success(env, tmp_path):
    folder = kustomization(tmp_path / "app", "")
    script(tmp_path / "bin" / "kustomize", "#!/bin/sh\nprintf -- '---\\n# nothing arrived\\n---\\nnull\\n'\n")
    done = generate(folder, env)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"dralign: nothing was rendered: an empty answer would make Argo CD prune the application\n"
