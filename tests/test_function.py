"""The KRM function: a ResourceList in, the same one out; results, stderr and status say what was found."""

import pytest
import yaml

from running import resource_list, run

CONFIG = "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec:\n  mode: {mode}\n"
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  annotations:
    config.kubernetes.io/index: '0'
    internal.config.kubernetes.io/index: '0'
    internal.config.kubernetes.io/path: 'claims/pair.yaml'
    internal.config.kubernetes.io/id: '7'
    kustomize.config.k8s.io/id: |
      kind: ResourceClaimTemplate
      name: pair
  name: pair
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
      - name: cpus
        exactly:
          capacity:
            requests:
              dra.cpu/cpu: "8"
          deviceClassName: dra.cpu
"""
SERVICE = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n    config.kubernetes.io/index: '1'\n"


def answer(items, mode="check", cwd=None, extra=""):
    process = run(stdin=resource_list(items, CONFIG.format(mode=mode) + extra).encode(), cwd=cwd, entry="function")
    return process, yaml.safe_load(process.stdout) if process.stdout else None


def test_nothing_of_ours_comes_back_byte_for_byte(tmp_path):
    text = resource_list([SERVICE], CONFIG.format(mode="check")).encode()
    process = run(stdin=text, cwd=tmp_path, entry="function")
    assert (process.returncode, process.stdout, process.stderr) == (0, text, b"")


def test_an_empty_list_comes_back_byte_for_byte(tmp_path):
    text = resource_list([], CONFIG.format(mode="check")).encode()
    process = run(stdin=text, cwd=tmp_path, entry="function")
    assert (process.returncode, process.stdout) == (0, text)


def test_a_finding_is_a_result_a_line_on_stderr_and_a_status(tmp_path):
    process, data = answer([CLAIM, SERVICE], cwd=tmp_path)
    assert process.returncode == 1
    (result,) = data["results"]
    assert result == {
        "message": "requests 'gpu', 'cpus' can land on different NUMA nodes: no constraint ties them by "
        "resource.kubernetes.io/numaNode: add a constraint with matchAttribute: resource.kubernetes.io/numaNode over these requests",
        "severity": "error",
        "resourceRef": {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "name": "pair"},
        "field": {"path": "spec.spec.devices"},
        "file": {"path": "claims/pair.yaml", "index": 0},
        "tags": {"rule": "numa-constraint-missing"},
    }
    text = process.stderr.decode()
    assert text.startswith("BLOCK pair (ResourceClaimTemplate): requests 'gpu', 'cpus' can land")
    assert "\n  claims/pair.yaml  spec.spec.devices\n" in text
    assert text.endswith("exit 1 (1 error)\n")


def test_annotations_order_and_ids_stay(tmp_path):
    process, data = answer([CLAIM, SERVICE], cwd=tmp_path)
    given = [yaml.safe_load(item) for item in (CLAIM, SERVICE)]
    given[0]["metadata"]["annotations"]["dralign.dev/checked"] = "default"
    assert data["items"] == given
    kept = process.stdout.decode().replace("      dralign.dev/checked: default\n", "")
    assert kept.startswith(resource_list([CLAIM, SERVICE], CONFIG.format(mode="check")))


def test_annotate_none_changes_nothing_but_results(tmp_path):
    process, _ = answer([CLAIM], cwd=tmp_path, extra="  annotate: none\n")
    text = resource_list([CLAIM], CONFIG.format(mode="check") + "  annotate: none\n")
    assert process.stdout.decode().startswith(text + "results:\n")


def test_fix_repairs_and_exits_on_what_remains(tmp_path):
    process, data = answer([CLAIM, SERVICE], mode="fix", cwd=tmp_path, extra="  alignment: {strategy: constraint}\n")
    assert process.returncode == 0
    assert data["items"][0]["spec"]["spec"]["devices"]["constraints"] == [
        {"matchAttribute": "resource.kubernetes.io/numaNode", "requests": ["gpu", "cpus"]}
    ]
    assert "results" not in data
    assert b"1 repaired" in process.stderr


def test_results_of_functions_before_us_stay(tmp_path):
    earlier = "results:\n- message: from somebody else\n  severity: info\n"
    text = resource_list([CLAIM], CONFIG.format(mode="check")) + earlier
    data = yaml.safe_load(run(stdin=text.encode(), cwd=tmp_path, entry="function").stdout)
    assert data["results"][0]["message"] == "from somebody else"
    assert len(data["results"]) == 2


@pytest.mark.parametrize(
    ("items", "status"), [pytest.param([SERVICE], 0, id="nothing to say"), pytest.param([CLAIM], 1, id="a finding")]
)
def test_validate_prints_no_list(tmp_path, items, status):
    process, _ = answer(items, mode="validate", cwd=tmp_path)
    assert (process.returncode, process.stdout) == (status, b"")
    assert bool(process.stderr) == bool(status)


def test_severity_decides_the_status(tmp_path):
    process, data = answer([CLAIM], cwd=tmp_path, extra="  failOn: never\n")
    assert process.returncode == 0
    assert data["results"][0]["severity"] == "error"


def test_own_configuration_file_counts_and_function_config_wins(tmp_path):
    (tmp_path / ".dralign.yaml").write_text(
        "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec: {failOn: never, profile: strict}\n"
    )
    process, data = answer([CLAIM], cwd=tmp_path)
    assert process.returncode == 0
    assert data["items"][0]["metadata"]["annotations"]["dralign.dev/checked"] == "strict"
    process, _ = answer([CLAIM], cwd=tmp_path, extra="  failOn: error\n")
    assert process.returncode == 1


def test_json_in_one_line_is_answered_in_one_line(tmp_path):
    import json

    given = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [yaml.safe_load(CLAIM)]}
    process = run(stdin=json.dumps(given).encode(), cwd=tmp_path, entry="function")
    data = json.loads(process.stdout)
    assert process.stdout.count(b"\n") == 0
    assert data["results"][0]["tags"] == {"rule": "numa-constraint-missing"}


def test_fix_twice_is_fix_once(tmp_path):
    extra = "  alignment: {strategy: constraint}\n"
    first, _ = answer([CLAIM, SERVICE], mode="fix", cwd=tmp_path, extra=extra)
    second = run(stdin=first.stdout, cwd=tmp_path, entry="function")
    assert second.stdout == first.stdout
