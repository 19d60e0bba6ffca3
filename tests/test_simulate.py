"""``dralign simulate``: verdicts of pod templates, drawn, explained, counted and replayed."""

import json
import re
import shlex

import jsonschema
import pytest

from running import PLUGIN, run
from truth import truth

SCHEMA = json.loads((PLUGIN.parent / "schemas" / "outcome.schema.json").read_text())
NUMA = "resource.kubernetes.io/numaNode"
GPU = {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}}
CPUS = {"name": "cpus", "exactly": {"deviceClassName": "dra.cpu", "capacity": {"requests": {"dra.cpu/cpu": "8"}}}}


def template(*requests, name="llama", ties=()):
    constraints = [{"matchAttribute": NUMA, "requests": list(names)} for names in ties]
    devices = {"requests": list(requests)} | ({"constraints": constraints} if constraints else {})
    head = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate"}
    return {**head, "metadata": {"name": name, "namespace": "serving"}, "spec": {"spec": {"devices": devices}}}


def deployment(*templates, name="llama", kind="Deployment", replicas=6, cpu=8):
    names = [f"claim-{number}" for number, _ in enumerate(templates)]
    resources = {"limits": {"cpu": cpu, "memory": "64Gi"}, "claims": [{"name": item} for item in names]}
    spec = {
        "resourceClaims": [
            {"name": item, "resourceClaimTemplateName": of} for item, of in zip(names, templates, strict=True)
        ],
        "containers": [{"name": "main", "image": "llama:1", "resources": resources}],
    }
    labels = {"app": "llama"}
    body = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": spec}}
    body |= {"replicas": replicas} if kind == "Deployment" else {}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name, "namespace": "serving"}, "spec": body}


def manifests(*objects):
    return "---\n".join(json.dumps(item) + "\n" for item in objects).encode()


LOOSE = manifests(template(GPU, CPUS, ties=[["gpu"]]), deployment("llama"))
TIED = manifests(template(GPU, CPUS, ties=[["gpu", "cpus"]]), deployment("llama"))
H100 = ("--preset", "dgx-h100:nodes=2")


def simulated(data, *arguments, status=0, cwd=None):
    """Return what ``simulate`` prints of standard input."""
    process = run("simulate", *arguments, stdin=data, cwd=cwd)
    assert (process.returncode, process.stderr.decode()) == (status, ""), process.stdout.decode()
    return process.stdout.decode()


def data_of(data, *arguments, status=0, cwd=None):
    """Return the JSON answer, which is as its schema says."""
    answer = json.loads(simulated(data, *arguments, "--format", "json", status=status, cwd=cwd))
    jsonschema.validate(answer, SCHEMA)
    return answer


class TestText:
    def test_what_may_cross_is_drawn_explained_and_put_right(self, tmp_path):
        assert simulated(LOOSE, *H100, cwd=tmp_path) == (
            "serving/llama (Deployment \N{MULTIPLICATION SIGN}6): MAY CROSS     per pod: 1 GPU + 8 CPUs     6 of 6 replicas fit\n"
            "dgx-h100-0 (2 nodes look like this)               # taken   * this pod   . free\n"
            "  NUMA node 0   CPUs ################ 112   memory 1024Gi\n"
            "    pci0000:15    gpu-0 *  pci-0000-18-00-0 .\n"
            "    pci0000:3d    gpu-1 .  pci-0000-40-00-0 .\n"
            "    pci0000:4c    gpu-2 .  pci-0000-4f-00-0 .\n"
            "    pci0000:5b    gpu-3 .  pci-0000-5e-00-0 .\n"
            "  ======= socket link =======  crossed: GPU on 0, CPUs on 1\n"
            "  NUMA node 1   CPUs **.............. 112   memory 1024Gi   * 8 here (cpudevnuma001)\n"
            "    pci0000:97    gpu-4 .  pci-0000-9a-00-0 .\n"
            "    pci0000:bd    gpu-5 .  pci-0000-c0-00-0 .\n"
            "    pci0000:cb    gpu-6 .  pci-0000-ce-00-0 .\n"
            "    pci0000:d9    gpu-7 .  pci-0000-dc-00-0 .\n"
            "proof    dgx-h100-0: gpu-0 (NUMA node 0) with cpudevnuma001 (NUMA node 1), when others hold cpudevnuma000\n"
            "reach    2 of 2 eligible nodes\n"
            f"why      constraints[0] ({NUMA}) ties [gpu] only; the scheduler takes the first devices that fit\n"
            f"change   tie gpu, cpus by {NUMA} → gpu-0 + cpudevnuma000, aligned   dralign fix "
            "--preset dgx-h100:nodes=2 --align constraint --diff\n"
            "price    none: 6 of 6 replicas fit, as many as without\n"
            "replay   dralign simulate --preset dgx-h100:nodes=2 --format json=case.json, then the same with --replay "
            "case.json\n"
            "bounds   complete, 2 nodes, 1 shape\n"
            "\n"
            "2 of 2 objects judged · may cross 1     exit 0\n"
        )

    def test_what_is_aligned_says_by_what_and_where(self, tmp_path):
        text = simulated(TIED, *H100, cwd=tmp_path)
        assert ": ALIGNED     per pod: 1 GPU + 8 CPUs     6 of 6 replicas fit\n" in text
        assert "why      one claim holds all of it, tied by a constraint (2 nodes)\n" in text
        assert "  NUMA node 0   CPUs **.............. 112   memory 1024Gi   * 8 here (cpudevnuma000)\n" in text
        assert "change" not in text

    def test_without_an_inventory_it_says_what_to_add(self, tmp_path):
        text = simulated(LOOSE, cwd=tmp_path)
        assert ": UNDECIDED     per pod: 1 GPU + 8 CPUs\n" in text
        assert "why      no inventory: nobody knows which devices the nodes have\n" in text
        assert "add      --inventory FILE, as 'dralign inventory capture' writes it, or --preset NAME\n" in text

    def test_what_never_fits_comes_with_the_tree_of_reasons(self, tmp_path):
        nine = {**GPU, "exactly": {**GPU["exactly"], "count": 9}}
        text = simulated(manifests(template(nine), deployment("llama")), *H100, status=1, cwd=tmp_path)
        assert ": UNSATISFIABLE     per pod: 9 GPUs + 8 CPUs     0 of 6 replicas fit\n" in text
        assert "why      never: dgx-h100-0" in text
        assert "would fit: count: 8 instead of 9 in request gpu\n" in text
        assert text.endswith("unsatisfiable 1     exit 1\n")

    def test_a_pod_that_takes_all_spans(self, tmp_path):
        eight = {**GPU, "exactly": {**GPU["exactly"], "count": 8}}
        text = simulated(manifests(template(eight), deployment("llama")), *H100, cwd=tmp_path)
        assert ": SPANS     per pod: 8 GPUs + 8 CPUs     2 of 6 replicas fit\n" in text
        assert text.count(" *  pci-") == 8

    def test_nothing_of_ours(self, tmp_path):
        secret = manifests({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}})
        assert simulated(secret, *H100, cwd=tmp_path) == "0 of 1 object judged · no pod that holds devices     exit 0\n"

    def test_strict_fails_on_what_may_cross(self, tmp_path):
        assert simulated(LOOSE, *H100, "--profile", "strict", status=1, cwd=tmp_path).endswith("exit 1\n")


def test_what_the_readme_shows_is_what_is_printed(tmp_path):
    readme = (PLUGIN.parent / "README.md").read_text()
    ((command, shown),) = re.findall(r"<!-- simulate -->\n```\n\$ dralign ([^\n]*)\n(.*?)```\n", readme, re.DOTALL)
    documents = (PLUGIN / "dralign" / "demo.yaml").read_text().split("---\n")
    for name, text in zip(("claim.yaml", "job.yaml"), documents[1:], strict=True):
        (tmp_path / name).write_text(text)
    assert run(*shlex.split(command), cwd=tmp_path).stdout.decode() == shown


class TestReplicas:
    def test_as_many_as_fit_with_and_without_the_constraint(self, tmp_path):
        text = simulated(TIED, "--preset", "r750-a30:nodes=1", "--replicas", "max", cwd=tmp_path)
        assert "     2 replicas fit\n" in text

    def test_a_constraint_has_its_price(self, tmp_path):
        """gpu-0 is taken; gpu-1 is left, and so few CPUs beside it that the constraint cannot be met."""
        held = [
            {"request": "gpu", "driver": "gpu.nvidia.com", "pool": "r750-a30-0", "device": "gpu-0"},
            {"request": "cpus", "driver": "dra.cpu", "pool": "r750-a30-0", "device": "cpudevnuma001"}
            | {"shareID": "5b0d1ef1-3a0e-4d5a-9d2b-7b5b6a1e0001", "consumedCapacity": {"dra.cpu/cpu": "60"}},
        ]
        busy = template(GPU, CPUS)["spec"]["spec"]
        head = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "other"}}
        status = {"allocation": {"devices": {"results": held}}}
        (tmp_path / "busy.yaml").write_text(json.dumps({**head, "spec": busy, "status": status}))
        arguments = ("--preset", "r750-a30", "--inventory", "busy.yaml", "--replicas", "max")
        (verdict,) = data_of(TIED, *arguments, status=1, cwd=tmp_path)["verdicts"]
        assert (verdict["verdict"], verdict["replicas"]["fit"], verdict["replicas"]["unconstrained"]) == (
            "unsatisfiable",
            0,
            1,
        )
        text = simulated(TIED, *arguments, status=1, cwd=tmp_path)
        assert "price    0 instead of 1 replicas fit (without the constraint)\n" in text
        assert "    pci0000:c9    gpu-1 .\n" in text
        assert "else     on an empty cluster: aligned\n" in text

    def test_a_daemon_set_wants_one_on_each_node(self, tmp_path):
        daemons = manifests(template(GPU, CPUS, ties=[["gpu", "cpus"]]), deployment("llama", kind="DaemonSet"))
        assert "     3 of 3 nodes fit\n" in simulated(daemons, "--preset", "dgx-h100:nodes=3", cwd=tmp_path)

    @pytest.mark.parametrize("text", ["0", "-1", "many", "1.5", "100000", "٣"])
    def test_wrong_numbers(self, text, tmp_path):
        process = run("simulate", "--replicas", text, stdin=LOOSE, cwd=tmp_path)
        message = f"dralign: --replicas: got '{text}', want a whole number from 1 to 99999, or max\n"
        assert (process.returncode, process.stdout, process.stderr.decode()) == (2, b"", message)


class TestJson:
    def test_it_is_what_check_prints(self, tmp_path):
        answer = data_of(LOOSE, *H100, cwd=tmp_path)
        assert answer["findings"] == []
        (verdict,) = answer["verdicts"]
        assert (verdict["object"]["name"], verdict["path"], verdict["verdict"]) == (
            "llama",
            "spec.template.spec",
            "may-cross",
        )
        assert verdict["witness"]["crossed"] == [
            "gpu.nvidia.com/dgx-h100-0/gpu-0",
            "dra.cpu/dgx-h100-0/cpudevnuma001",
        ]
        assert verdict["replicas"] == {"fit": 6, "wanted": 6, "unconstrained": None, "stop": None}
        assert verdict["change"]["gives"] == "gpu-0 + cpudevnuma000"


FIELD_CASES = truth() / "fieldcases"


def rows_of_field_cases():
    """Yield each folder with the arguments of its checks that any inventory is given to."""
    for table in sorted(FIELD_CASES.glob("*/expected.tsv")):
        rows = [line.split("\t") for line in table.read_text().splitlines()[1:]]
        for arguments in dict.fromkeys(row[1] for row in rows):
            if "--inventory" in arguments and not arguments.startswith("fix"):
                yield pytest.param(table.parent, arguments.split(), id=f"{table.parent.name} {arguments}")


@pytest.mark.skipif(not FIELD_CASES.is_dir(), reason="no field cases here")
@pytest.mark.parametrize(("folder", "arguments"), list(rows_of_field_cases()))
def test_what_may_cross_in_a_field_case_comes_out_again(folder, arguments, tmp_path):
    answer = run("simulate", *arguments, "--format", "json", cwd=folder)
    assert answer.returncode in (0, 1), answer.stderr.decode()
    crossing = [item for item in json.loads(answer.stdout)["verdicts"] if item["verdict"] == "may-cross"]
    (tmp_path / "case.json").write_bytes(answer.stdout)
    again = run("simulate", *arguments, "--replay", str(tmp_path / "case.json"), cwd=folder)
    assert again.returncode == (0 if crossing else 2), again.stderr.decode()
    assert again.stdout.decode().count(": REPRODUCES ") == len(crossing)


class TestReplay:
    def saved(self, tmp_path, data=LOOSE, *arguments):
        answer = data_of(data, *(arguments or H100), cwd=tmp_path)
        (tmp_path / "case.json").write_text(json.dumps(answer))
        return answer

    def test_what_was_saved_comes_out_again(self, tmp_path):
        self.saved(tmp_path)
        text = simulated(LOOSE, *H100, "--replay", "case.json", cwd=tmp_path)
        assert text.startswith(
            "serving/llama (Deployment \N{MULTIPLICATION SIGN}6): REPRODUCES     per pod: 1 GPU + 8 CPUs\n"
        )
        assert "======= socket link =======  crossed: GPU on 0, CPUs on 1\n" in text

    @pytest.mark.parametrize("part", ["verdict", "witness"])
    def test_a_verdict_or_a_witness_alone_will_do(self, tmp_path, part):
        (verdict,) = self.saved(tmp_path)["verdicts"]
        (tmp_path / "case.json").write_text(json.dumps(verdict if part == "verdict" else verdict["witness"]))
        assert ": REPRODUCES " in simulated(LOOSE, *H100, "--replay", "case.json", cwd=tmp_path)

    def test_what_was_put_right_does_not_come_out_again(self, tmp_path):
        self.saved(tmp_path)
        text = simulated(TIED, *H100, "--replay", "case.json", status=1, cwd=tmp_path)
        assert ": DOES NOT REPRODUCE " in text
        assert (
            "differs  claim-0/gpu gets gpu.nvidia.com/dgx-h100-0/gpu-4, not gpu.nvidia.com/dgx-h100-0/gpu-0\n" in text
        )

    def test_a_node_that_is_gone(self, tmp_path):
        self.saved(tmp_path)
        text = simulated(LOOSE, "--preset", "r750-a30", "--replay", "case.json", status=1, cwd=tmp_path)
        assert "differs  node dgx-h100-0 is not in the inventory\n" in text

    def test_cpus_that_the_kubelet_gives(self, tmp_path):
        lone = manifests(template(GPU), deployment("llama"))
        answer = self.saved(tmp_path, lone)
        assert answer["verdicts"][0]["witness"]["crossed"][1] == "cpus/main"
        assert ": REPRODUCES " in simulated(lone, *H100, "--replay", "case.json", cwd=tmp_path)

    def test_the_answer_as_json_says_so_too(self, tmp_path):
        self.saved(tmp_path)
        answer = data_of(TIED, *H100, "--replay", "case.json", status=1, cwd=tmp_path)
        assert answer["verdicts"][0]["replay"]["reproduces"] is False

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
            ("[]", "want the JSON of an outcome, of a verdict or of a witness"),
            ('{"verdicts": []}', "none of its verdicts has a witness: there is nothing to replay"),
            ('{"verdict": "aligned", "witness": null}', "the verdict has no witness: there is nothing to replay"),
            ("{}", "witness.node: want the name of a node"),
            ('{"node": "n"}', "witness.placement: want devices by claim/request"),
            ("[" * 100_000, "nested too deeply"),
        ],
    )
    def test_files_that_hold_no_case(self, tmp_path, text, message):
        (tmp_path / "case.json").write_text(text)
        process = run("simulate", *H100, "--replay", "case.json", stdin=LOOSE, cwd=tmp_path)
        told = process.stderr.decode()
        assert (process.returncode, process.stdout, told) == (2, b"", f"dralign: --replay: case.json: {message}\n")

    def test_a_case_of_another_bundle(self, tmp_path):
        self.saved(tmp_path)
        other = manifests(template(GPU, CPUS), deployment("llama", name="mistral"))
        process = run("simulate", *H100, "--replay", "case.json", stdin=other, cwd=tmp_path)
        message = "dralign: --replay: Deployment serving/llama is not among the pods that were read"
        origin = f"; it was saved by 'dralign simulate {' '.join(H100)}'\n"
        assert (process.returncode, process.stderr.decode()) == (2, message + origin)

    def test_a_case_says_which_files_it_needs(self, tmp_path):
        (tmp_path / "w.yaml").write_bytes(LOOSE)
        process = run("simulate", "w.yaml", *H100, "--format", "json=case.json", cwd=tmp_path)
        assert process.returncode == 0, process.stderr.decode()
        origin = f"dralign simulate w.yaml {' '.join(H100)}"
        text = simulated(LOOSE, "--preset", "r750-a30", "--replay", "case.json", status=1, cwd=tmp_path)
        assert f"differs  node dgx-h100-0 is not in the inventory\nsaved    by {origin}\n" in text
        (tmp_path / "w.yaml").unlink()
        process = run("simulate", "w.yaml", *H100, "--replay", "case.json", cwd=tmp_path)
        first, second = process.stderr.decode().splitlines()
        assert (process.returncode, process.stdout, first.startswith("dralign: w.yaml: ")) == (2, b"", True)
        assert second == f"dralign: --replay: the case was saved by '{origin}'; want the same files"

    def test_a_file_that_is_not_there(self, tmp_path):
        process = run("simulate", "--replay", "no.json", stdin=LOOSE, cwd=tmp_path)
        assert (process.returncode, process.stderr.decode().count("\n")) == (2, 1)
