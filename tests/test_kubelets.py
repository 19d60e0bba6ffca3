"""Configurations of kubelets: which are known, of which nodes, what makes other documents matter, and what is said of them."""

import gzip
import json
import pathlib

import pytest
import yaml

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import checked, settings_from
from dralign.context import Context, Surroundings
from dralign.context.stock import Stock
from dralign.manifest import Path
from dralign.yamlio import KUBECTL
from running import resource_list, run

RULES, CATALOGUE = registry.rules(), registry.catalogue()
POLICY = tuple(rule for rule in RULES if rule.rule.id == "kubelet-policy")
ANSWERS = pathlib.Path(__file__).parent / "conformance" / "kubelet"

KUBELET = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
STATIC = KUBELET + "cpuManagerPolicy: static\ntopologyManagerPolicy: single-numa-node\nreservedSystemCPUs: 0,32\n"
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  nodeSelector: SELECTOR
  initContainers:
  - name: fetch
    resources: {limits: {cpu: 1, memory: 1Gi}}
  containers:
  - name: main
    resources: {limits: {cpu: 8, memory: 1Gi}}
"""


def node(name, provider="", **labels):
    data = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}
    return yaml.safe_dump(data | ({"spec": {"providerID": provider}} if provider else {}))


def bundle(*texts, name="bundle.yaml"):
    data = "---\n".join(texts).encode()
    return Bundle([read_source(data, name, KUBECTL, registry.words())])


def inventory(**files):
    sources = [read_source(text.encode(), name, KUBECTL, (b"",)) for name, text in files.items()]
    return tuple(Bundle(sources).manifests)


def context(*texts, **files):
    return Context(
        bundle(*texts), settings_from({}, registry.rule_ids()), Surroundings(CATALOGUE, Stock(inventory(**files)))
    )


def policies_at(ctx, name):
    return [kubelet.configuration.cpu_policy for kubelet in ctx.kubelets_at(name)]


def test_a_file_of_the_bundle_is_for_all_nodes_of_the_run():
    ctx = context(STATIC, nodes=node("a") + "---\n" + node("b"))
    assert [kubelet.nodes for kubelet in ctx.kubelets] == [None]
    assert policies_at(ctx, "a") == policies_at(ctx, "b") == ["static"]


def test_a_file_beside_nodes_is_for_those():
    ctx = context(POD, gpu=STATIC + "---\n" + node("a"), other=node("b"))
    assert [kubelet.nodes for kubelet in ctx.kubelets] == [{"a"}]
    assert policies_at(ctx, "b") == []


def test_the_narrower_configuration_counts():
    ctx = context(KUBELET, gpu=STATIC + "---\n" + node("a"), other=node("b"))
    assert policies_at(ctx, "a") == ["static"]
    assert policies_at(ctx, "b") == ["none"]


def test_openshift_means_pools_by_their_labels_or_by_name():
    config = """\
apiVersion: machineconfiguration.openshift.io/v1
kind: KubeletConfig
metadata: {name: pinned}
spec:
  machineConfigPoolSelector: {matchLabels: SELECTOR}
  kubeletConfig: {cpuManagerPolicy: static}
"""
    by_name = config.replace("SELECTOR", '{pools.operator.machineconfiguration.openshift.io/gpu: ""}')
    nodes = node("a", **{"node-role.kubernetes.io/gpu": ""}) + "---\n" + node("b", pool="tuned")
    assert [kubelet.nodes for kubelet in context(by_name, nodes=nodes).kubelets] == [{"a"}]
    pool = """\
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: {name: tuned, labels: {custom-kubelet: pinned}}
spec: {nodeSelector: {matchLabels: {pool: tuned}}}
"""
    by_label = config.replace("SELECTOR", "{custom-kubelet: pinned}")
    assert [kubelet.nodes for kubelet in context(by_label, pool, nodes=nodes).kubelets] == [{"b"}]
    assert [kubelet.nodes for kubelet in context(by_label, nodes=nodes).kubelets] == [frozenset()]


def test_kubeadm_hands_its_text_to_all_nodes():
    text = "".join(f"    {line}\n" for line in STATIC.splitlines())
    config = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: kubelet-config}}\ndata:\n  kubelet: |\n{text}"
    (kubelet,) = context(config, nodes=node("a")).kubelets
    assert kubelet.nodes is None
    assert str(kubelet.source.place("cpuManagerPolicy")) == "data.kubelet"
    assert kubelet.configuration.cpu_policy == "static"


def test_a_text_of_kubeadm_that_is_no_yaml_is_passed_over():
    broken = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kubelet-config}\ndata: {kubelet: '{KubeletConfiguration'}\n"
    )
    assert context(broken).kubelets == ()


NODE_CLASS = """\
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: gpu}
spec:
  kubelet: {cpuManagerPolicy: static}
"""
NODE_POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: h100}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
"""


def test_karpenter_means_the_nodes_of_its_class_and_of_pools_that_refer_to_it():
    nodes = "---\n".join(
        (
            node("a", **{"karpenter.azure.com/aksnodeclass": "gpu"}),
            node("b", **{"karpenter.sh/nodepool": "h100"}),
            node("c", **{"karpenter.sh/nodepool": "spot"}),
        )
    )
    (kubelet,) = context(NODE_CLASS, NODE_POOL, nodes=nodes).kubelets
    assert kubelet.nodes == {"a", "b"}
    assert not kubelet.source.whole


def test_a_node_class_with_a_start_script_of_its_own_says_nothing():
    aws = NODE_CLASS.replace("azure.com/v1beta1", "k8s.aws/v1").replace("AKS", "EC2")
    assert len(context(aws).kubelets) == 1
    assert context(aws + "  userData: '#!/bin/bash'\n").kubelets == ()


def test_older_node_pools_configure_kubelets_themselves():
    pool = NODE_POOL.replace("/v1\n", "/v1beta1\n") + "      kubelet: {cpuCFSQuota: false}\n"
    (kubelet,) = context(pool, nodes=node("a", **{"karpenter.sh/nodepool": "h100"})).kubelets
    assert kubelet.nodes == {"a"}


@pytest.mark.parametrize("named", ["metadata", "providerID", "file"])
def test_an_answer_of_configz_is_one_node_s(named):
    answer = {"kubeletconfig": {"cpuManagerPolicy": "static", "topologyManagerPolicy": "none"}}
    if named == "metadata":
        answer["metadata"] = {"name": "a"}
    elif named == "providerID":
        answer["kubeletconfig"]["providerID"] = "aws:///zone/i-1"
    files = {"nodes": node("a", "aws:///zone/i-1") + "---\n" + node("b")}
    if named == "file":
        files = {"a": json.dumps(answer) + "\n---\n" + node("a"), "b": node("b")}
        ctx = context(POD, **files)
    else:
        ctx = context(POD, capture=json.dumps(answer), **files)
    (kubelet,) = ctx.kubelets
    assert kubelet.nodes == {"a"}
    assert kubelet.source.captured
    assert kubelet.configuration.cpu_policy == "static"


def test_a_capture_reads_as_an_object_at_its_place():
    (manifest,) = inventory(capture="kubeletconfig:\n  cpuManagerPolicy: static\n")
    assert manifest.ref.kind == "KubeletConfiguration"
    assert manifest.location(Path(("cpuManagerPolicy",))).line == 2


def hosts(ctx):
    (pod,) = ctx.pods
    return [(host.node, [kubelet.configuration.cpu_policy for kubelet in host.kubelets]) for host in ctx.hosts_of(pod)]


def test_a_pod_lands_where_its_selector_and_tolerations_let_it():
    tainted = yaml.safe_load(node("c", pool="gpu")) | {
        "spec": {"taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]}
    }
    nodes = "---\n".join((node("a", pool="gpu"), node("b"), yaml.safe_dump(tainted)))
    assert hosts(context(POD.replace("SELECTOR", "{pool: gpu}"), STATIC, nodes=nodes)) == [("a", ["static"])]
    assert hosts(context(POD.replace("SELECTOR", "{}"), STATIC, nodes=nodes)) == [("a", ["static"]), ("b", ["static"])]


def test_without_nodes_a_pod_gets_the_pool_that_it_asks_for_or_any():
    asking = POD.replace("SELECTOR", "{karpenter.sh/nodepool: h100}")
    assert hosts(context(asking, NODE_CLASS, NODE_POOL, KUBELET)) == [(None, ["static"])]
    plain = POD.replace("SELECTOR", "{}")
    assert hosts(context(plain, NODE_CLASS, NODE_POOL, KUBELET)) == [(None, ["none"]), (None, ["static"])]
    (pod,) = (ctx := context(plain, NODE_CLASS, NODE_POOL)).pods
    assert ctx.configurations_of(pod) is None, "other pools may have other kubelets"


def test_a_gpu_of_a_plugin_is_on_nodes_that_offer_it():
    offering = yaml.safe_load(node("a")) | {"status": {"allocatable": {"cpu": "64", "nvidia.com/gpu": "8"}}}
    other = yaml.safe_load(node("b")) | {"status": {"allocatable": {"cpu": "64"}}}
    gpu = POD.replace("SELECTOR", "{}").replace("cpu: 8", "nvidia.com/gpu: 1, cpu: 8")
    ctx = context(gpu, gpu=STATIC + "---\n" + yaml.safe_dump(offering), other=yaml.safe_dump(other))
    assert hosts(ctx) == [("a", ["static"])]
    assert ctx.kubelet_aligns(ctx.pods[0])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("single-numa-node", "restricted", id="policy"),
        pytest.param("cpuManagerPolicy: static", "cpuManagerPolicy: none", id="no pinning"),
        pytest.param("cpu: 8", "cpu: 7500m", id="broken CPUs"),
        pytest.param("cpu: 8, memory: 1Gi", "cpu: 8", id="not Guaranteed"),
        pytest.param("nvidia.com/gpu", "habana.ai/gaudi", id="a plugin that tells no topology"),
        pytest.param(
            "name: fetch\n    resources: {limits: {",
            "name: fetch\n    resources: {limits: {nvidia.com/gpu: 1, ",
            id="two",
        ),
        pytest.param("spec:\n", "spec:\n  resourceClaims: [{name: x, resourceClaimName: y}]\n", id="beside a claim"),
    ],
)
def test_the_kubelet_aligns_only_where_everything_is_known(old, new):
    texts = [POD.replace("SELECTOR", "{}").replace("cpu: 8", "nvidia.com/gpu: 1, cpu: 8"), STATIC]
    ctx = context(*texts)
    assert ctx.kubelet_aligns(ctx.pods[0])
    other = context(*(text.replace(old, new) for text in texts))
    assert not other.kubelet_aligns(other.pods[0])


def test_pods_without_devices_matter_once_a_kubelet_is_known():
    assert len(bundle(POD.replace("SELECTOR", "{}")).manifests) == 0
    assert len(bundle(POD.replace("SELECTOR", "{}"), STATIC).manifests) == 2


def test_they_matter_in_every_host(tmp_path):
    (tmp_path / "pod.yaml").write_text(POD.replace("SELECTOR", "{}"))
    (tmp_path / "kubelet.yaml").write_text(STATIC)
    spec = "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec:\n  inventory: {files: [kubelet.yaml]}\n"

    def says(process):
        return b"init container 'fetch'" in process.stdout + process.stderr

    assert not says(run("check", "pod.yaml", cwd=tmp_path))
    assert says(run("check", "pod.yaml", "kubelet.yaml", cwd=tmp_path))
    assert says(run("check", "pod.yaml", "--inventory", "kubelet.yaml", cwd=tmp_path))
    for config, told in ((spec, True), (spec.replace("kubelet.yaml", "pod.yaml"), False)):
        listed = resource_list([POD.replace("SELECTOR", "{}")], config).encode()
        assert says(run(stdin=listed, cwd=tmp_path, entry="function")) == told
    (tmp_path / ".dralign.yaml").write_text(spec)
    assert says(run(stdin=resource_list([POD.replace("SELECTOR", "{}")]).encode(), cwd=tmp_path, entry="function"))
    assert says(run(stdin=POD.replace("SELECTOR", "{}").encode(), cwd=tmp_path, entry="post_renderer"))


def test_a_kubelet_s_file_is_judged_and_never_stamped():
    listed = resource_list([STATIC, POD.replace("SELECTOR", "{}")]).encode()
    items = yaml.safe_load(run(stdin=listed, entry="function").stdout)["items"]
    assert items[0] == yaml.safe_load(STATIC)
    assert items[1]["metadata"]["annotations"] == {"dralign.dev/checked": "default"}


def said(text, rules=POLICY, found=(), **spec):
    outcome, _ = engine.run(bundle(text), settings_from(checked(spec), registry.rule_ids()), rules, CATALOGUE, found)
    return outcome.findings


MACHINES = json.loads(gzip.decompress((ANSWERS / "machines.json.gz").read_bytes()))
ROWS = [json.loads(line) for line in gzip.decompress((ANSWERS / "config.jsonl.gz").read_bytes()).splitlines()]
UNSAYABLE = ("15518925Ki", "18446744073709551615")
"""A sum that hangs on the exact size of the memory; and a version that only kubelets built without one have."""


def topology_of(machine):
    """Return what a topology exporter says of a machine of the recorded answers."""
    shape = MACHINES[machine]
    resources = [
        {"name": "cpu", "capacity": str(shape["coresPerNuma"] * shape["threads"])},
        {"name": "memory", "capacity": shape["memoryPerNuma"]},
    ]
    zones = [
        {"name": f"node-{i}", "type": "Node", "resources": resources}
        for i in range(shape["sockets"] * shape["numaPerSocket"])
    ]
    data = {"apiVersion": "topology.node.k8s.io/v1alpha2", "kind": "NodeResourceTopology", "metadata": {"name": "n"}}
    return inventory(machine=json.dumps(data | {"zones": zones}))


def reasons(row):
    """Return why the real kubelet does not run with a configuration; empty where it does."""
    config, start = row["config"], row.get("start") or {}
    return str(config.get("decode") or config.get("gates") or config.get("errors") or start.get("error") or "")


@pytest.mark.parametrize("known", [True, False], ids=["on its machine", "on an unknown machine"])
def test_what_the_real_kubelet_refuses_is_an_error_and_nothing_else_is(known):
    wrong, refused = [], 0
    for row in ROWS:
        if '"kind"' not in row["yaml"]:
            continue  # nothing tells that this is a kubelet's file, or it is no YAML
        found = said(row["yaml"], found=topology_of(row["machine"]) if known else ())
        errors = [report for report in found if report.severity == "error"]
        why = reasons(row)
        refused += bool(errors)
        if errors and not why:
            wrong.append((row["id"], errors[0].message))
        elif known and why and not errors and not any(word in why for word in UNSAYABLE):
            wrong.append((row["id"], why))
    assert wrong == []
    assert refused > 100


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ("cpuManagerPolicy: Static", "cpuManagerPolicy"),
        ("cpuManagerPolicy: static", "cpuManagerPolicy"),
        ("cpuManagerPolicyOptions: {full-pcpus-only: 'true'}", "cpuManagerPolicyOptions.full-pcpus-only"),
        ("topologyManagerPolicy: single-numa", "topologyManagerPolicy"),
        ("topologyManagerScope: node", "topologyManagerScope"),
        ("memoryManagerPolicy: static", "memoryManagerPolicy"),
        ("memoryManagerPolicy: Static", "reservedMemory"),
        ("evictionHard: {memory.available: 200%}", "evictionHard[memory.available]"),
        ("reservedMemory: [{numaNode: 0, limits: {cpu: 1}}]", "reservedMemory[0]"),
        ("reservedMemory: [{numaNode: 0, limits: {memory: 1.5x}}]", "reservedMemory[0].limits.memory"),
        ("kubeReserved: {cpu: -1}", "kubeReserved.cpu"),
        ("kubeReserved: {cpu: '-1'}", "kubeReserved.cpu"),
        ("featureGates: {MemoryManager: true}", "featureGates.MemoryManager"),
        ("memorySwap: {swapBehavior: Unlimited}", "memorySwap.swapBehavior"),
        ("podLogsDir: logs", "podLogsDir"),
        ("registerWithTaints: [{key: a/b/c, effect: NoSchedule}]", "registerWithTaints"),
        ("logging: {format: xml}", "logging.format"),
        ("cpuManagerReconcilePeriod: 10", "cpuManagerReconcilePeriod"),
    ],
)
def test_a_refusal_names_its_field_and_what_to_do(fields, path):
    (report,) = [report for report in said(f"{KUBELET}{fields}\n") if report.severity == "error"]
    assert report.path == path
    assert report.message.startswith("the kubelet would not start: ")
    assert report.tip
    assert report.audience == "platform"
    (minimal,) = [found for found in said(f"{KUBELET}{fields}\n", profile="minimal") if found.severity == "error"]
    assert minimal.path == path


def test_a_wrong_version_is_told():
    (report,) = said(KUBELET.replace("v1beta1", "v1"))
    assert (report.path, report.severity) == ("apiVersion", "error")


def test_a_capture_is_not_asked_whether_it_starts():
    capture = json.dumps({"kubeletconfig": {"cpuManagerPolicy": "static", "aFieldOfTomorrow": 1}})
    assert [report.path for report in said(capture)] == ["memoryManagerPolicy", "topologyManagerPolicy"]


def test_captures_that_are_alike_are_told_once():
    captures = [
        json.dumps({"kubeletconfig": {"cpuManagerPolicy": "static"}, "metadata": {"name": name}}) for name in "abc"
    ]
    outcome, _ = engine.run(
        bundle(*(f"{capture}\n" for capture in captures)), settings_from({}, registry.rule_ids()), POLICY, CATALOGUE
    )
    assert len(outcome.findings) == 2


def test_a_threshold_in_per_cent_leaves_the_sum_open():
    fields = "memoryManagerPolicy: Static\nevictionHard: {memory.available: 5%}\n"
    found = said(STATIC + fields + "reservedMemory: [{numaNode: 0, limits: {memory: 13Gi}}]\n")
    assert [(report.path, report.severity) for report in found] == [("evictionHard[memory.available]", "info")]


CLAIMED = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: cpus}
spec:
  driver: dra.cpu
  nodeName: a
  pool: {name: a, generation: 1, resourceSliceCount: 1}
  devices: [{name: cpudevnuma000}]
"""


def test_the_driver_s_nodes_are_those_of_its_slices():
    apart = inventory(cpus=CLAIMED, a=node("a"), b=STATIC + "---\n" + node("b"))
    here = inventory(cpus=CLAIMED, a=STATIC + "---\n" + node("a"), b=node("b"))
    pod = POD.replace("SELECTOR", "{}")
    assert said(pod, found=apart) == ()
    (report,) = said(pod, found=here)
    assert (report.path, report.severity) == ("cpuManagerPolicy", "error")


def test_cards_that_are_offered_twice_are_told_once_for_all_nodes():
    slices = CLAIMED.replace("dra.cpu", "gpu.nvidia.com").replace("cpus", "gpus")
    other = slices.replace("nodeName: a", "nodeName: b").replace("{name: a,", "{name: b,").replace("gpus", "more")
    offers = {"status": {"allocatable": {"cpu": "64", "nvidia.com/gpu": "8"}}}
    nodes = "---\n".join(yaml.safe_dump(yaml.safe_load(node(name)) | offers) for name in "abc")
    found = inventory(slices=slices + "---\n" + other, nodes=nodes)
    (report,) = said(POD.replace("SELECTOR", "{}").replace("cpu: 8", "nvidia.com/gpu: 1, cpu: 8"), found=found)
    assert report.ref.name == "a"
    assert report.path == "status.allocatable[nvidia.com/gpu]"
    assert "(1 more nodes likewise)" in report.message
    assert said(POD.replace("SELECTOR", "{}"), found=found) == (), "nobody here asks for a card"
