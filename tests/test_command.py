"""The plain command: files, folders and streams; diffs, writing in place, formats, silence."""

import json
import os
import shutil
import subprocess

import pytest

from running import run

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: pair   # a card and its CPUs
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
    - name: cpus
      exactly:
        deviceClassName: dra.cpu
        capacity:
          requests:
            dra.cpu/cpu: "8"
"""
TIED = (
    CLAIM
    + "    constraints:\n    - matchAttribute: resource.kubernetes.io/numaNode\n      requests:\n      - gpu\n      - cpus\n"
)
SERVICE = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n"
ALIGN = ("--align", "constraint")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "claim.yaml").write_text(CLAIM)
    (tmp_path / "apps" / "service.yaml").write_text(SERVICE)
    (tmp_path / "apps" / "notes.txt").write_text("kind: nothing\n")
    (tmp_path / "apps" / ".hidden.yaml").write_text("kind: [\n")
    return tmp_path


def rules(process):
    return [finding["rule"] for finding in json.loads(process.stdout)["findings"]]


def test_a_folder_is_read_with_all_below_it(folder):
    process = run("check", "--format", "json", ".", cwd=folder)
    data = json.loads(process.stdout)
    assert process.returncode == 1
    assert data["summary"] | {} == {
        "objects": 2,
        "judged": 1,
        "repaired": 0,
        "suppressed": 0,
        "error": 1,
        "warning": 0,
        "info": 0,
    }
    assert (data["findings"][0]["file"], data["findings"][0]["line"], data["findings"][0]["column"]) == (
        "./apps/claim.yaml",
        6,
        3,
    )


def test_nothing_of_ours_is_no_fault(folder):
    process = run("check", "apps/service.yaml", cwd=folder)
    assert (process.returncode, process.stdout) == (0, b"0 of 1 object judged     exit 0\n")


def test_exclude_leaves_files_out(folder):
    process = run("check", "--exclude", "claim*", ".", cwd=folder)
    assert process.stdout == b"0 of 1 object judged     exit 0\n"


def test_standard_input(folder):
    process = run("check", "--format", "json", "-", stdin=CLAIM.encode(), cwd=folder)
    assert json.loads(process.stdout)["findings"][0]["file"] == "-"
    assert run("check", "--format", "json", stdin=CLAIM.encode(), cwd=folder).stdout == process.stdout


def test_fix_prints_the_repaired_text(folder):
    process = run("fix", *ALIGN, "apps/claim.yaml", cwd=folder)
    assert (process.returncode, process.stdout.decode()) == (0, TIED)
    assert process.stderr == "1 of 1 object judged · 1 repaired     exit 0\n".encode()
    assert (folder / "apps" / "claim.yaml").read_text() == CLAIM


def test_fix_holds_back_what_was_not_asked_for(folder):
    process = run("fix", "apps/claim.yaml", cwd=folder)
    assert (process.returncode, process.stdout.decode()) == (1, CLAIM)
    assert b"held back: only with --align constraint or --unsafe" in process.stderr


def test_fix_joins_several_files_into_one_stream(folder):
    process = run("fix", *ALIGN, "apps", cwd=folder)
    assert process.stdout.decode() == TIED + "---\n" + SERVICE


def test_write_replaces_files_that_change_and_no_others(folder):
    claim, service = folder / "apps" / "claim.yaml", folder / "apps" / "service.yaml"
    claim.chmod(0o640)
    before = service.stat().st_mtime_ns
    process = run("fix", *ALIGN, "--write", "apps", cwd=folder)
    assert process.returncode == 0
    assert process.stderr.startswith(b"repaired apps/claim.yaml\n")
    assert process.stdout == b""
    assert claim.read_text() == TIED
    assert claim.stat().st_mode & 0o777 == 0o640
    assert service.stat().st_mtime_ns == before
    assert sorted(os.listdir(folder / "apps")) == [".hidden.yaml", "claim.yaml", "notes.txt", "service.yaml"]


def test_write_follows_links(folder):
    (folder / "link.yaml").symlink_to("apps/claim.yaml")
    run("fix", *ALIGN, "--write", "link.yaml", cwd=folder)
    assert (folder / "link.yaml").is_symlink()
    assert (folder / "apps" / "claim.yaml").read_text() == TIED


def test_diff_can_be_applied(folder):
    process = run("fix", *ALIGN, "--diff", "apps", cwd=folder)
    assert process.stdout.decode().startswith("--- apps/claim.yaml\n+++ apps/claim.yaml\n@@ -14,3 +14,8 @@\n")
    if shutil.which("patch") is None:
        pytest.skip("no patch on PATH")
    subprocess.run(["patch", "-p0", "-s"], input=process.stdout, cwd=folder, check=True)
    assert (folder / "apps" / "claim.yaml").read_text() == TIED


def test_diff_of_many_documents_can_be_applied(folder):
    if shutil.which("patch") is None:
        pytest.skip("no patch on PATH")
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p%d}\nspec:\n  containers:\n  - name: c\n    resources:\n      limits: {cpu: 1, memory: 1Gi, nvidia.com/gpu: %d}\n"
    documents = [
        SERVICE,
        pod % (1, 1),
        CLAIM,
        "# nothing here\n",
        pod % (2, 2),
        SERVICE,
        pod % (3, 1),
        CLAIM.rstrip("\n"),
    ]
    text = "---\n".join(documents)
    (folder / "many.yaml").write_text(text)
    repaired = run("fix", *ALIGN, "many.yaml", cwd=folder).stdout
    diff = run("fix", *ALIGN, "--diff", "many.yaml", cwd=folder).stdout
    subprocess.run(["patch", "-p0", "-s"], input=diff, cwd=folder, check=True)
    assert (folder / "many.yaml").read_bytes() == repaired
    assert repaired != text.encode()


def test_only_repairs_one_rule(folder):
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: c\n    resources:\n      limits: {cpu: 500m, memory: 1Gi, nvidia.com/gpu: 1}\n"
    process = run("fix", *ALIGN, "--only", "cpu-not-integer", "-", stdin=pod.encode(), cwd=folder)
    assert process.stdout.decode() == pod.replace("500m", '"1"')
    assert process.returncode == 1


def test_formats_to_files_and_to_standard_output(folder):
    process = run("check", "--format", "json=out.json", "--format", "text", "apps", cwd=folder)
    assert process.stdout.startswith(b"BLOCK pair (ResourceClaim)")
    assert rules(run("check", "--format", "json", "apps", cwd=folder)) == [
        finding["rule"] for finding in json.loads((folder / "out.json").read_text())["findings"]
    ]


@pytest.mark.parametrize(
    ("where", "by"),
    [
        pytest.param({"annotation": True}, "annotation", id="annotation on the object"),
        pytest.param({"config": "name: pair"}, "config", id="ignore by name"),
        pytest.param({"config": "kind: ResourceClaim, name: p*"}, "config", id="ignore by pattern"),
        pytest.param({"config": "name: pair, expires: '2999-01-01'"}, "config", id="ignore that lasts"),
    ],
)
def test_silenced_findings_are_counted(folder, where, by):
    text = CLAIM
    if where.get("annotation"):
        text = text.replace(
            "spec:\n", "  annotations:\n    ignore.dralign.dev/numa-constraint-missing: one socket\nspec:\n", 1
        )
    if "config" in where:
        (folder / ".dralign.yaml").write_text(
            "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec:\n  ignore:\n"
            f"  - {{rule: numa-constraint-missing, reason: one socket, {where['config']}}}\n"
        )
    process = run("check", "--format", "json", "-", stdin=text.encode(), cwd=folder)
    data = json.loads(process.stdout)
    assert process.returncode == 0
    assert data["findings"] == []
    assert [(item["rule"], item["by"], item["suppressionReason"]) for item in data["suppressed"]] == [
        ("numa-constraint-missing", by, "one socket")
    ]
    assert (
        run("check", "-", stdin=text.encode(), cwd=folder).stdout
        == "1 of 1 object judged · 1 silenced     exit 0\n".encode()
    )


@pytest.mark.parametrize("entry", ["kind: Pod", "name: other", "namespace: x", "expires: '2020-01-01'"])
def test_what_does_not_fit_silences_nothing(folder, entry):
    (folder / ".dralign.yaml").write_text(
        "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec:\n  ignore:\n"
        f"  - {{rule: numa-constraint-missing, reason: one socket, {entry}}}\n"
    )
    assert run("check", "-", stdin=CLAIM.encode(), cwd=folder).returncode == 1


def test_an_annotation_on_the_pod_template_silences_too(folder):
    text = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  selector: {matchLabels: {app: d}}
  template:
    metadata:
      labels: {app: d}
      annotations: {ignore.dralign.dev/legacy-device-resource: "moves next quarter"}
    spec:
      containers:
      - name: c
        image: registry.example.com/c:1
        resources: {limits: {cpu: 1, memory: 1Gi, nvidia.com/gpu: 1}}
"""
    assert (
        run("check", "-", stdin=text.encode(), cwd=folder).stdout
        == "undecided 1\n1 of 1 object judged · 1 silenced     exit 0\n".encode()
    )


def test_severity_and_profile_from_configuration(folder):
    config = "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec: {rules: {numa-constraint-missing: warning}}\n"
    (folder / "soft.yaml").write_text(config)
    process = run("check", "--config", "soft.yaml", "-", stdin=CLAIM.encode(), cwd=folder)
    assert process.returncode == 0
    assert process.stdout.startswith(b"WARN  pair")
    assert (
        run("check", "--config", "soft.yaml", "--fail-on", "warning", "-", stdin=CLAIM.encode(), cwd=folder).returncode
        == 1
    )
    assert run("check", "--profile", "minimal", "-", stdin=CLAIM.encode(), cwd=folder).returncode == 0


def test_rules_newer_than_rules_version_are_info(folder):
    (folder / ".dralign.yaml").write_text(
        'apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec: {rulesVersion: "0.0"}\n'
    )
    process = run("check", "-", stdin=CLAIM.encode(), cwd=folder)
    assert (process.returncode, process.stdout[:5]) == (0, b"INFO ")


def test_an_explicit_class_raises_the_severity(folder):
    text = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, labels: {dralign.dev/workload-class: %s}}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]
  containers: [{name: c, image: "c:1", resources: {limits: {cpu: 1, memory: 1Gi}, claims: [{name: gpu}]}}]
"""
    assert run("check", "-", stdin=(text % "batch").encode(), cwd=folder).returncode == 0
    assert run("check", "-", stdin=(text % "training").encode(), cwd=folder).returncode == 1
    (folder / ".dralign.yaml").write_text(
        "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec: {workloadClass: [{kind: Pod, class: serving}]}\n"
    )
    assert run("check", "-", stdin=(text % "''").encode(), cwd=folder).returncode == 1


def test_version_and_help():
    assert run("--version").stdout.startswith(b"dralign, version ")
    assert run("--help").returncode == 0
    assert run().returncode == 2


def test_a_byte_order_mark_stays(folder):
    process = run("fix", *ALIGN, "-", stdin=b"\xef\xbb\xbf" + CLAIM.encode(), cwd=folder)
    assert process.stdout == b"\xef\xbb\xbf" + TIED.encode()


def test_json_is_repaired_as_json(folder):
    claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "pair"}}
    claim["spec"] = {
        "devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 2}}]}
    }
    (folder / "claim.json").write_text(json.dumps(claim, indent=4) + "\n")
    process = run("fix", *ALIGN, "claim.json", cwd=folder)
    claim["spec"]["devices"]["constraints"] = [
        {"matchAttribute": "resource.kubernetes.io/numaNode", "requests": ["gpu"]}
    ]
    assert json.loads(process.stdout) == claim
    before, after = (folder / "claim.json").read_text().splitlines(), process.stdout.decode().splitlines()
    assert [line for line in before if line not in after and line + "," not in after] == []


def test_a_new_object_beside_json_is_json(folder):
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}
    pod["spec"] = {
        "containers": [
            {"name": "c", "image": "c:1", "resources": {"limits": {"cpu": 1, "memory": "1Gi", "nvidia.com/gpu": 1}}}
        ]
    }
    process = run("fix", *ALIGN, "-", stdin=json.dumps(pod).encode(), cwd=folder)
    assert process.returncode == 0
    decoder, text = json.JSONDecoder(), process.stdout.decode()
    first, end = decoder.raw_decode(text)
    second, _ = decoder.raw_decode(text[end:].lstrip())
    assert (first["kind"], second["kind"]) == ("ResourceClaimTemplate", "Pod")
    assert "nvidia.com/gpu" not in second["spec"]["containers"][0]["resources"].get("limits", {})
    assert run("fix", *ALIGN, "-", stdin=process.stdout, cwd=folder).stdout == process.stdout


CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: fast}
spec: {selectors: [{cel: {expression: device.driver == "gpu.nvidia.com"}}]}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: dra.cpu}
spec: {selectors: [{cel: {expression: device.driver == "dra.cpu"}}]}
"""
OF_CLASS = CLAIM.replace("gpu.nvidia.com", "fast")


def test_classes_of_an_inventory_are_known_and_not_judged(folder):
    (folder / "classes.yaml").write_text(CLASS)
    assert run("check", "-", stdin=OF_CLASS.encode(), cwd=folder).returncode == 0
    process = run("check", "--format", "json", "--inventory", "classes.yaml", "-", stdin=OF_CLASS.encode(), cwd=folder)
    assert rules(process) == ["numa-constraint-missing"]
    (folder / ".dralign.yaml").write_text(
        "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec:\n  inventory:\n    inline:\n"
        + "".join("    - " + item.rstrip().replace("\n", "\n      ") + "\n" for item in CLASS.split("---\n"))
    )
    assert rules(run("check", "--format", "json", "-", stdin=OF_CLASS.encode(), cwd=folder)) == [
        "numa-constraint-missing"
    ]


def test_an_inventory_that_was_asked_for_is_never_done_without(folder):
    process = run("check", "--inventory", "gone.yaml", "-", stdin=CLAIM.encode(), cwd=folder)
    assert process.returncode == 2
    assert process.stdout == b""
    where = f"tried {folder}/gone.yaml, from {folder}"
    assert (
        process.stderr.decode() == f"dralign: gone.yaml: No such file or directory ({where}); want an inventory file\n"
    )


def test_what_no_function_checked_is_told(folder):
    text = CLAIM.partition("    - name: cpus\n")[0]
    stamped = text.replace("spec:\n", "  annotations:\n    dralign.dev/checked: default\nspec:\n", 1)
    assert run("check", "--require-checked", "-", stdin=stamped.encode(), cwd=folder).returncode == 0
    process = run("check", "--require-checked", "-", stdin=text.encode(), cwd=folder)
    assert process.returncode == 1
    assert process.stderr == b"dralign: -:1:1: ResourceClaim/pair was not checked at profile default\n"
