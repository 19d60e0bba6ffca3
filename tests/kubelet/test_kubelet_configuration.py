"""What a kubelet makes of its configuration file."""

import pytest

from dralign.kubelet.configuration import read
from dralign.kubelet.gates import settle
from kubelet.samples import document


@pytest.mark.parametrize(
    ("fields", "ignored"),
    [
        pytest.param({"cpuManagerpolicy": "static"}, ("cpuManagerpolicy",), id="wrong case"),
        pytest.param({"metadata": {"name": "x"}}, ("metadata",), id="no API object"),
        pytest.param({"authentication": {"webhook": {"on": True}}}, ("authentication.webhook.on",), id="below"),
        pytest.param({"reservedMemory": [{"limit": {}}]}, ("reservedMemory[0].limit",), id="in a list"),
    ],
)
def test_unknown_fields_are_only_logged(fields, ignored):
    reading = read(document(**fields))
    assert reading.ignored == ignored
    assert reading.configuration is not None
    assert reading.configuration.cpu_policy == "none"


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        pytest.param(
            {"kubeReserved": {"cpu": 1}},
            "json: cannot unmarshal number into Go struct field KubeletConfiguration.kubeReserved of type string",
            id="a number for a quantity",
        ),
        pytest.param(
            {"cpuManagerPolicyOptions": {"full-pcpus-only": True}},
            "json: cannot unmarshal bool into Go struct field KubeletConfiguration.cpuManagerPolicyOptions of type string",
            id="true without quotes",
        ),
        pytest.param(
            {"reservedMemory": [{"numaNode": "0"}]},
            "json: cannot unmarshal string into Go struct field MemoryReservation.reservedMemory.numaNode of type int32",
            id="a text for a number",
        ),
        pytest.param(
            {"maxPods": 1 << 31},
            "json: cannot unmarshal number 2147483648 into Go struct field KubeletConfiguration.maxPods of type int32",
            id="a number too large",
        ),
        pytest.param({"syncFrequency": "10"}, 'time: missing unit in duration "10"', id="a duration without unit"),
        pytest.param({"syncFrequency": None}, 'time: invalid duration ""', id="no duration"),
        pytest.param(
            {"kind": "Pod"}, 'no kind "Pod" is registered for version "kubelet.config.k8s.io/v1beta1"', id="kind"
        ),
        pytest.param({"apiVersion": None}, "Object 'apiVersion' is missing", id="no version"),
    ],
)
def test_wrong_types_end_it(fields, error):
    reading = read(document(**fields))
    assert (reading.stage, reading.errors, reading.configuration) == ("decode", (error,), None)


@pytest.mark.parametrize("data", [None, [], "text", 1, {}, {"kind": 1}], ids=repr)
def test_anything_can_be_read(data):
    assert read(data).stage == "decode"


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        pytest.param({}, {"memory.available": "100Mi"}, id="no map: the defaults"),
        pytest.param({"evictionHard": None}, {"memory.available": "100Mi"}, id="null: the defaults"),
        pytest.param({"evictionHard": {}}, {}, id="an empty map: nothing"),
        pytest.param({"evictionHard": {"pid.available": "5%"}}, {}, id="any map: no defaults"),
        pytest.param(
            {"evictionHard": {"pid.available": "5%"}, "mergeDefaultEvictionSettings": True},
            {"memory.available": "100Mi"},
            id="merged",
        ),
    ],
)
def test_defaults_of_hard_eviction(fields, wanted):
    found = read(document(**fields)).configuration.eviction_hard
    assert {name: text for name, text in found.items() if name == "memory.available"} == wanted


def test_every_fault_is_said():
    reading = read(document(topologyManagerPolicy="single", topologyManagerScope="node", reservedSystemCPUs="0-"))
    assert reading.stage == "validation"
    policies = '["none" "best-effort" "restricted" "single-numa-node"]'
    assert reading.errors == (
        f'topologyManagerPolicy (--topology-manager-policy) "single" must be one of: {policies}',
        'topologyManagerScope (--topology-manager-scope) "node" must be one of: "container", or "pod"',
        'unable to parse reservedSystemCPUs (--reserved-cpus) 0-, error: strconv.Atoi: parsing "": invalid syntax',
    )


def test_wrong_policies_pass_validation():
    reading = read(document(cpuManagerPolicy="Static", memoryManagerPolicy="static"))
    assert (reading.stage, reading.configuration.cpu_policy) == (None, "Static")


@pytest.mark.parametrize(
    ("release", "settings", "problem"),
    [
        pytest.param("1.37", {"Nonsense": True}, "unrecognized feature gate: Nonsense", id="unknown"),
        pytest.param("1.37", {"": True}, "unrecognized feature gate: ", id="empty"),
        pytest.param("1.37", {"A:aaaaaa B": True}, "unrecognized feature gate: A:aaaaaa B", id="no name"),
        pytest.param("1.37", {"MemoryManager": True}, "unrecognized feature gate: MemoryManager", id="gone"),
        pytest.param("1.35", {"MemoryManager": True}, None, id="still there"),
        pytest.param("1.33", {"GoneBefore": True}, None, id="too long ago to tell"),
        pytest.param(
            "1.37",
            {"CPUManagerPolicyOptions": False},
            "cannot set feature gate CPUManagerPolicyOptions to false, feature is locked to true",
            id="locked",
        ),
        pytest.param("1.37", {"CPUManagerPolicyOptions": True}, None, id="locked and set to what it is"),
        pytest.param(
            "1.37",
            {"DRADeviceTaints": False},
            "DRADeviceTaintRules is enabled, but depends on features that are disabled: [DRADeviceTaints]",
            id="needed by another",
        ),
        pytest.param("1.34", {"DynamicResourceAllocation": False}, None, id="needs are not checked yet"),
    ],
)
def test_gates_that_end_it(release, settings, problem):
    gates = settle(release, settings)
    assert (gates.text() if gates.problems else None) == problem
    reading = read(document(featureGates=settings), release)
    assert reading.stage == (None if problem is None else "gates")


@pytest.mark.parametrize(
    ("release", "settings", "gate", "on"),
    [
        pytest.param("1.37", {}, "PodLevelResourceManagers", False, id="beta and off"),
        pytest.param("1.37", {"AllBeta": True}, "PodLevelResourceManagers", True, id="all beta on"),
        pytest.param("1.37", {"AllBeta": False}, "CPUManagerPolicyBetaOptions", False, id="all beta off"),
        pytest.param(
            "1.37",
            {"AllBeta": False, "CPUManagerPolicyBetaOptions": True},
            "CPUManagerPolicyBetaOptions",
            True,
            id="its own setting wins",
        ),
        pytest.param("1.33", {}, "PodLevelResources", False, id="alpha at first"),
        pytest.param("1.34", {}, "PodLevelResources", True, id="beta later"),
        pytest.param("1.35", {}, "PodLevelResourceManagers", False, id="not known yet"),
    ],
)
def test_gates_that_are_on(release, settings, gate, on):
    assert settle(release, settings).is_on(gate) is on


@pytest.mark.parametrize("release", ["1.31", "1.38", "2.0", "1.x", ""])
def test_other_releases_are_not_known(release):
    with pytest.raises(KeyError):
        settle(release, {})


def test_flags_give_way_to_the_file():
    flags = {"CPUManagerPolicyAlphaOptions": True, "CPUManagerPolicyBetaOptions": False}
    gates = read(document(featureGates={"CPUManagerPolicyBetaOptions": True}), flags=flags).configuration.gates
    assert gates.is_on("CPUManagerPolicyAlphaOptions")
    assert gates.is_on("CPUManagerPolicyBetaOptions")


@pytest.mark.parametrize(
    ("version", "errors"),
    [pytest.param("1.37", 0, id="the version before"), pytest.param("1.38", 1, id="an older one")],
)
def test_hidden_metrics(version, errors):
    assert len(read(document(showHiddenMetricsForVersion="1.36"), version=version).errors) == errors
