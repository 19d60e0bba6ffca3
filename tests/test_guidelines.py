"""Each guideline of the two standards: a bad example is found, its repaired form is accepted and proved aligned on a machine."""

import pytest

from dralign import engine, registry
from dralign.admission.answers import objections
from dralign.admission.gates import default_features
from dralign.admission.server import Server
from dralign.bundle import Bundle, read_source
from dralign.config import checked, settings_from
from dralign.guidelines import GUIDELINES
from dralign.hosts import inventory
from dralign.yamlio import KUBECTL

RULES, CATALOGUE, WORDS = registry.rules(), registry.catalogue(), registry.words()
SERVER = Server("1.37", default_features("1.37"))
NUMA = "resource.kubernetes.io/numaNode"

GPU = """\
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
"""
CPUS = """\
    - name: cpus
      exactly:
        deviceClassName: dra.cpu
        capacity: {requests: {dra.cpu/cpu: "8"}}
"""
NIC = """\
    - name: nic
      exactly:
        deviceClassName: dranet
"""
MIG = """\
    - name: mig
      exactly:
        deviceClassName: mig.nvidia.com
"""
PROFILE = """\
        selectors:
        - cel:
            expression: device.attributes["gpu.nvidia.com"].profile == "3g.40gb"
"""


def tied(*names, attribute=NUMA):
    return f"    - matchAttribute: {attribute}\n      requests: [{', '.join(names)}]\n"


def on_node(node):
    return (
        "        selectors:\n        - cel:\n            expression: "
        f'device.attributes["resource.kubernetes.io"].?numaNode.orValue(-1) == {node}\n'
    )


def claimed(requests, constraints="", more="", cpu="8"):
    """Return a claim with its pod."""
    constraints = f"    constraints:\n{constraints}" if constraints else ""
    return f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: devices}}
spec:
  devices:
    requests:
{requests}{constraints}{more}---
{pod(f"limits: {{cpu: {cpu}, memory: 32Gi}}", claims=True)}"""


def pod(amounts, *, claims=False):
    """Return a pod with one container."""
    entries = "\n      claims: [{name: devices}]" if claims else ""
    declared = "\n  resourceClaims: [{name: devices, resourceClaimName: devices}]" if claims else ""
    return f"""\
apiVersion: v1
kind: Pod
metadata:
  name: work
  labels: {{dralign.dev/workload-class: training}}
spec:{declared}
  containers:
  - name: main
    image: registry.example.com/work:1.0
    resources:
      {amounts}{entries}
"""


OPEN_CLASS = """\
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.nvidia.com}
spec:
  selectors:
  - cel: {expression: "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"}
"""
FALLBACK = """\
    - name: gpu
      firstAvailable:
      - {name: two, deviceClassName: gpu.nvidia.com, count: 2}
      - {name: one, deviceClassName: gpu.nvidia.com}
"""
SHARED = """\
    config:
    - opaque:
        driver: gpu.nvidia.com
        parameters:
          apiVersion: resource.nvidia.com/v1beta1
          kind: GpuConfig
          sharing: {strategy: TimeSlicing}
"""
TWO = GPU + "        count: 2\n" + CPUS
ASKED = {"alignment": {"strategy": "cpu-claim"}}

WHOLE, HALVES = "dgx-h100", "dgx-h100:mig=all-3g.40gb"
# guideline, machine, rule, bad form, repaired form; None is what ``fix --align cpu-claim`` makes of it
CASES = [
    ("A1", HALVES, "legacy-partition-resource", pod("limits: {cpu: 8, memory: 32Gi, nvidia.com/mig-3g.40gb: 1}"), None),
    ("A2", WHOLE, "numa-constraint-missing", claimed(GPU + CPUS), None),
    (
        "A3",
        WHOLE,
        "numa-crossing",
        claimed(GPU + on_node(0) + CPUS + on_node(1)),
        claimed(GPU + on_node(0) + CPUS + on_node(0)),
    ),
    ("A4", WHOLE, "cpu-not-integer", claimed(GPU + CPUS, tied("gpu", "cpus"), cpu="7500m"), None),
    ("A5", WHOLE, "class-numa-selector", claimed(TWO, more=OPEN_CLASS), None),
    ("A6", WHOLE, "numa-fallback", claimed(FALLBACK + CPUS, tied("gpu/two", "cpus")), None),
    ("B1", WHOLE, "legacy-device-resource", pod("limits: {cpu: 8, memory: 32Gi, nvidia.com/gpu: '2'}"), None),
    (
        "B2",
        WHOLE,
        "nic-constraint-missing",
        claimed(GPU + CPUS + NIC, tied("gpu", "cpus", "nic")),
        None,
    ),
    (
        "B3",
        WHOLE,
        "shared-device",
        claimed(GPU + CPUS, tied("gpu", "cpus"), SHARED),
        claimed(GPU + CPUS, tied("gpu", "cpus")),
    ),
    ("B4", "dgx-a100", "interconnect-constraint-missing", claimed(TWO, tied("gpu", "cpus")), None),
    (
        "B5",
        HALVES,
        "memory-reservation-missing",
        claimed(MIG + CPUS, tied("mig", "cpus")),
        claimed(MIG + PROFILE + CPUS, tied("mig", "cpus")),
    ),
]


def bundle(text):
    return Bundle([read_source(text.encode(), "in.yaml", KUBECTL, WORDS)])


def run(text, machine, **spec):
    settings = settings_from(
        checked({"profile": "strict", "inventory": {"presets": [machine]}} | spec), registry.rule_ids()
    )
    return engine.run(bundle(text), settings, RULES, CATALOGUE, inventory.read(settings.inventory))


@pytest.mark.parametrize(("guideline", "machine", "rule", "bad", "good"), CASES, ids=[case[0] for case in CASES])
def test_what_is_bad_is_found_and_its_repair_is_aligned(guideline, machine, rule, bad, good):
    outcome, _ = run(bad, machine)
    found = {report.rule for report in outcome.findings}
    assert rule in found
    assert guideline in next(loaded.rule.standards for loaded in RULES if loaded.rule.id == rule)
    repaired = bundle(good) if good is not None else run(bad, machine, mode="fix", **ASKED)[1]
    text = repaired.sources[0].encode().decode()
    assert [objection for manifest in repaired.manifests for objection in objections(manifest.data, SERVER)] == []
    after, _ = run(text, machine)
    assert rule not in {report.rule for report in after.findings}
    assert [report.verdict.kind for report in after.verdicts] == ["aligned"]


def test_every_guideline_has_its_case():
    assert [case[0] for case in CASES] == [guideline.id for guideline in GUIDELINES]
