"""The driver catalogue: legacy names, what is published per release and mode, and that its data hang together."""

import json
import os
from importlib import import_module
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import dralign.drivers
from dralign.model.driver import LIST_GATE, NUMA, Attribute, DriverProfile, Published

TRUTH = Path(os.environ.get("DRALIGN_TRUTH", Path(__file__).parents[2] / "shared"))

needs_truth = pytest.mark.skipif(not TRUTH.is_dir(), reason=f"no truth at {TRUTH}")

FOLDER = Path(dralign.drivers.__file__).parent
PROFILES = tuple(
    import_module(f"dralign.drivers.{file.stem}").DRIVER
    for file in sorted(FOLDER.glob("*.py"))
    if not file.stem.startswith("_")
)
BY_NAME = {profile.name: profile for profile in PROFILES}
NVIDIA, AMD, CPU, NET = (BY_NAME[name] for name in ("gpu.nvidia.com", "gpu.amd.com", "dra.cpu", "dra.net"))
MEMORY, RBLN = BY_NAME["dra.memory"], BY_NAME["npu.rebellions.ai"]
SRIOV = BY_NAME["sriovnetwork.k8snetworkplumbingwg.io"]
STANDARD_NUMA = "resource.kubernetes.io/numaNode"
PCIE_ROOT = "resource.kubernetes.io/pcieRoot"

UNKNOWN = Published("scalar", optional=False, unknown=-1)
SCALAR = Published("scalar", optional=False, unknown=None)
OPTIONAL = Published("scalar", optional=True, unknown=None)
LISTED = Published("list", optional=True, unknown=None)


def owner(name):
    """Return the driver and legacy resource that a resource name belongs to, None if to none."""
    found = [(profile.name, resource) for profile in PROFILES if (resource := profile.legacy(name))]
    assert len(found) <= 1, f"{name} has two owners"
    return found[0] if found else None


MIG = 'device.attributes["gpu.nvidia.com"].?profile.orValue("") == "{}"'
INTEL = 'device.attributes["gpu.intel.com"].?driver.orValue("") == "{}"'
AMD_MODE = (
    'device.attributes["gpu.amd.com"].?partitionProfile.orValue("") == "{0}_{1}" || '
    '(device.attributes["gpu.amd.com"].?computePartition.orValue("") == "{0}" && '
    'device.attributes["gpu.amd.com"].?memoryPartition.orValue("") == "{1}")'
)


@pytest.mark.parametrize(
    ("name", "share", "device_class", "selector"),
    [
        pytest.param("nvidia.com/gpu", "whole", "gpu.nvidia.com", "", id="whole GPU"),
        pytest.param("nvidia.com/mig-1g.10gb", "fractional", "mig.nvidia.com", MIG.format("1g.10gb"), id="MIG"),
        pytest.param("nvidia.com/mig-7g.80gb", "fractional", "mig.nvidia.com", MIG.format("7g.80gb"), id="largest MIG"),
        pytest.param(
            "nvidia.com/mig-1g.5gb.me", "fractional", "mig.nvidia.com", MIG.format("1g.5gb+me"), id="dot for plus"
        ),
        pytest.param(
            "nvidia.com/mig-1g.24gb.me.all", "fractional", "mig.nvidia.com", MIG.format("1g.24gb+me.all"), id="one plus"
        ),
        pytest.param("nvidia.com/mig-2g.48gb.gfx", "fractional", "mig.nvidia.com", MIG.format("2g.48gb+gfx"), id="gfx"),
        pytest.param("nvidia.com/mig-1g.24gb-me", "fractional", "mig.nvidia.com", MIG.format("1g.24gb-me"), id="-me"),
        pytest.param(
            "amd.com/gpu",
            "whole",
            "gpu.amd.com",
            'device.attributes["gpu.amd.com"].?type.orValue("") == "amdgpu"',
            id="AMD's class takes partitions too",
        ),
        pytest.param(
            "amd.com/cpx_nps4", "fractional", "gpu.amd.com", AMD_MODE.format("cpx", "nps4"), id="compute partition"
        ),
        pytest.param("amd.com/spx_nps1", "whole", "gpu.amd.com", AMD_MODE.format("spx", "nps1"), id="undivided card"),
        pytest.param("rebellions.ai/npu", "whole", "npu.rebellions.ai", "", id="a class of the same name"),
        pytest.param("intel.com/gpu", "whole", "gpu.intel.com", "", id="Intel GPU"),
        pytest.param("gpu.intel.com/i915", "whole", "gpu.intel.com", INTEL.format("i915"), id="by the kernel's driver"),
        pytest.param("gpu.intel.com/xe", "whole", "gpu.intel.com", INTEL.format("xe"), id="by its newer one"),
        pytest.param("habana.ai/gaudi", "whole", "gaudi.intel.com", "", id="Gaudi, by its old vendor"),
        pytest.param("intel.com/gaudi", "whole", "gaudi.intel.com", "", id="Gaudi"),
        pytest.param("google.com/tpu", "whole", "tpu.google.com", "", id="TPU"),
    ],
)
def test_legacy_name_with_a_twin(name, share, device_class, selector):
    _, resource = owner(name)
    assert (resource.name, resource.share, resource.device_class, resource.selector) == (
        name,
        share,
        device_class,
        selector,
    )
    assert resource.no_twin == ""


@pytest.mark.parametrize(
    ("name", "driver", "share", "device"),
    [
        ("nvidia.com/gpu.shared", "gpu.nvidia.com", "fractional", "gpu"),
        ("nvidia.com/mig-1g.10gb.shared", "gpu.nvidia.com", "fractional", "gpu"),
        ("nvidia.com/mig-1g.5gb.me.shared", "gpu.nvidia.com", "fractional", "gpu"),
        ("nvidia.com/mig-1c.3g.20gb", "gpu.nvidia.com", "fractional", "gpu"),
        ("nvidia.com/mig-1c.3g.20gb.shared", "gpu.nvidia.com", "fractional", "gpu"),
        ("nvidia.com/gpumem", "gpu.nvidia.com", "capacity", "gpu"),
        ("nvidia.com/gpumem-percentage", "gpu.nvidia.com", "capacity", "gpu"),
        ("nvidia.com/gpucores", "gpu.nvidia.com", "capacity", "gpu"),
        ("nvidia.com/priority", "gpu.nvidia.com", "capacity", "gpu"),
        ("amd.com/gpumem", "gpu.amd.com", "capacity", "gpu"),
        ("rdma/hca", "dra.net", "fractional", "nic"),
        ("rdma/hca_shared_devices_a", "dra.net", "fractional", "nic"),
        ("vpc.amazonaws.com/efa", "dra.net", "whole", "nic"),
        ("gpu.intel.com/millicores", "gpu.intel.com", "capacity", "gpu"),
        ("aws.amazon.com/neuron", "neuron.aws.com", "whole", "npu"),
        ("aws.amazon.com/neurondevice", "neuron.aws.com", "whole", "npu"),
        ("aws.amazon.com/neuroncore", "neuron.aws.com", "fractional", "npu"),
        ("furiosa.ai/rngd", "npu.furiosa.ai", "whole", "npu"),
        ("furiosa.ai/rngd-2core.12gb", "npu.furiosa.ai", "fractional", "npu"),
        ("tenstorrent.com/chip", "tenstorrent.com", "whole", "npu"),
        ("huawei.com/Ascend910", "ascend", "whole", "npu"),
        ("huawei.com/Ascend910B4-1", "ascend", "whole", "npu"),
        ("huawei.com/Ascend910-8c", "ascend", "fractional", "npu"),
        ("huawei.com/Ascend310P-2c.1cpu", "ascend", "fractional", "npu"),
        ("huawei.com/Ascend910B3-memory", "ascend", "capacity", "npu"),
        ("huawei.com/Ascend910B4-1-core", "ascend", "capacity", "npu"),
        ("cambricon.com/mlu", "others", "whole", "npu"),
        ("cambricon.com/mlu.smlu.vmemory", "others", "capacity", "npu"),
        ("iluvatar.com/gpu", "others", "whole", "gpu"),
        ("iluvatar.ai/BI-V150-vgpu", "others", "fractional", "gpu"),
        ("iluvatar.ai/MR-V100.vMem", "others", "capacity", "gpu"),
        ("metax-tech.com/sgpu", "others", "fractional", "gpu"),
        ("volcano.sh/vgpu-number", "others", "fractional", "gpu"),
        ("koordinator.sh/gpu-core", "others", "capacity", "gpu"),
    ],
)
def test_legacy_name_without_a_twin(name, driver, share, device):
    found, resource = owner(name)
    assert (found, resource.name, resource.share, resource.device) == (driver, name, share, device)
    assert resource.device_class is None
    assert resource.selector == ""
    assert resource.no_twin


@pytest.mark.parametrize(
    "name",
    [
        *("cpu", "memory", "ephemeral-storage", "hugepages-1Gi", ""),
        *("nvidia.com/gpu.product", "nvidia.com/gpu.count", "nvidia.com/driver", "nvidia.com/mig.config"),
        *("nvidia.com/mig-1g.10gb.count", "nvidia.com/mig-1g.10gb.product", "nvidia.com/mig-", "nvidia.com/mig-all"),
        *("nvidia.com/mig-g.gb", "nvidia.com/mig-1g.gb", "nvidia.com/mig-g.10gb", "nvidia.com/mig-1g10gb"),
        *("nvidia.com/mig-1g.10gbx", "nvidia.com/mig-xc.1g.10gb", "nvidia.com/GPU", "nvidia.com/gpus"),
        *("gpu.nvidia.com", "mig.nvidia.com", "example.com/gpu", "sub.nvidia.com/gpu"),
        *("amd.com/gpu.family", "amd.com/cpx_nps8", "amd.com/tpx_nps1", "amd.com/compute-memory-partition"),
        *("rdma", "rdma/", "dra.net/rdma", "vpc.amazonaws.com/pod-eni"),
        *("gpu.intel.com/i915_monitoring", "gpu.intel.com/xe_monitoring", "intel.com/sriov"),
        *("google.com/tpus", "cloud.google.com/gke-tpu-topology", "aws.amazon.com/neuron-topology"),
        *("furiosa.ai/rngd-", "furiosa.ai/rngd-core.gb", "furiosa.ai/rngd-driver", "huawei.com/Ascend"),
        *("iluvatar.ai/-vgpu", "iluvatar.ai/.vMem", "koordinator.sh/batch-cpu", "deviceclass.resource.kubernetes.io/x"),
    ],
)
def test_near_names_are_nobodys(name):
    assert owner(name) is None


@given(
    slices=st.integers(1, 7),
    memory=st.integers(1, 300),
    suffix=st.sampled_from(["", "+me", "+me.all", "+gfx", "-me"]),
)
def test_mig_profiles_come_back_from_their_resource_names(slices, memory, suffix):
    profile = f"{slices}g.{memory}gb{suffix}"
    resource = NVIDIA.legacy("nvidia.com/mig-" + profile.replace("+", "."))
    assert resource.selector == MIG.format(profile)


@pytest.mark.parametrize(
    ("profile", "attribute", "version", "features", "device_type", "expected"),
    [
        pytest.param(NVIDIA, STANDARD_NUMA, None, (), "gpu", OPTIONAL, id="NVIDIA: NUMA node of a GPU, latest"),
        pytest.param(NVIDIA, STANDARD_NUMA, "v0.5.0-dev", (), "mig", OPTIONAL, id="NVIDIA: and of a partition"),
        pytest.param(NVIDIA, STANDARD_NUMA, "0.5", {LIST_GATE}, "gpu", LISTED, id="NVIDIA: a list behind the gate"),
        pytest.param(NVIDIA, STANDARD_NUMA, "v0.4.1", (), "gpu", None, id="NVIDIA: none before 0.5"),
        pytest.param(NVIDIA, STANDARD_NUMA, "25.12.0", {LIST_GATE}, "gpu", None, id="NVIDIA: the gate adds nothing"),
        pytest.param(NVIDIA, "gpu.nvidia.com/numa", "25.12", (), "vfio", SCALAR, id="NVIDIA: VFIO had its own"),
        pytest.param(NVIDIA, "gpu.nvidia.com/numa", "0.4.1", (), "gpu", None, id="NVIDIA: GPUs never had it"),
        pytest.param(NVIDIA, "gpu.nvidia.com/numa", "0.4.1", (), None, OPTIONAL, id="NVIDIA: some type has it"),
        pytest.param(NVIDIA, "gpu.nvidia.com/numa", "0.5", (), "vfio", None, id="NVIDIA: removed in 0.5"),
        pytest.param(NVIDIA, PCIE_ROOT, "25.3", (), None, OPTIONAL, id="NVIDIA: PCIe root from the start"),
        pytest.param(NVIDIA, "resource.kubernetes.io/pciBusID", "25.8.0", (), "gpu", None, id="NVIDIA: no bus id yet"),
        pytest.param(NVIDIA, "gpu.nvidia.com/pcieBusID", "0.2", (), "gpu", SCALAR, id="NVIDIA: but by its own name"),
        pytest.param(NVIDIA, "gpu.nvidia.com/index", "25.3.0", (), "gpu", SCALAR, id="NVIDIA: index in 25.3"),
        pytest.param(NVIDIA, "gpu.nvidia.com/index", "25.8.0", (), "gpu", None, id="NVIDIA: no index in 25.8"),
        pytest.param(NVIDIA, "gpu.nvidia.com/profile", None, (), "mig", SCALAR, id="NVIDIA: profile of partitions"),
        pytest.param(NVIDIA, "gpu.nvidia.com/profile", None, (), "gpu", None, id="NVIDIA: GPUs have no profile"),
        pytest.param(NVIDIA, "gpu.nvidia.com/uuid", None, (), None, OPTIONAL, id="NVIDIA: partitions may lack it"),
        pytest.param(NVIDIA, "gpu.nvidia.com/partition4", None, (), "gpu", None, id="NVIDIA: needs a gate"),
        pytest.param(
            NVIDIA,
            "gpu.nvidia.com/partition4",
            None,
            {"FabricManagerPartitioning"},
            "gpu",
            OPTIONAL,
            id="NVIDIA: has its gate",
        ),
        pytest.param(NVIDIA, "gpu.nvidia.com/numaNode", None, (), "gpu", None, id="NVIDIA: never under that name"),
        pytest.param(
            AMD,
            "gpu.amd.com/numaNode",
            None,
            {LIST_GATE},
            "amdgpu",
            Published("scalar", optional=False, unknown=-1),
            id="AMD: may be -1, never a list",
        ),
        pytest.param(AMD, "gpu.amd.com/numaNode", "2025-12-24", (), "amdgpu", None, id="AMD: not in 2025"),
        pytest.param(
            AMD,
            "gpu.amd.com/numaNode",
            "v1.0.1",
            (),
            None,
            Published("scalar", optional=False, unknown=-1),
            id="AMD: in its first release",
        ),
        pytest.param(AMD, STANDARD_NUMA, None, (), "amdgpu", None, id="AMD: no standard name"),
        pytest.param(AMD, "gpu.amd.com/computePartition", None, (), "amdgpu", None, id="AMD: modes need their gate"),
        pytest.param(
            AMD, "gpu.amd.com/computePartition", None, {"AutoPartition"}, "amdgpu", OPTIONAL, id="AMD: modes by gate"
        ),
        pytest.param(CPU, STANDARD_NUMA, None, (), None, SCALAR, id="CPU: grouped by NUMA node unless told otherwise"),
        pytest.param(CPU, STANDARD_NUMA, "0.2.0", (), None, None, id="CPU: not yet in 0.2"),
        pytest.param(CPU, "dra.net/numaNode", "0.2.0", (), None, SCALAR, id="CPU: by the aliases then"),
        pytest.param(CPU, STANDARD_NUMA, None, (), "individual", SCALAR, id="CPU: single ones have it"),
        pytest.param(CPU, STANDARD_NUMA, None, (), "socket", None, id="CPU: a socket has none"),
        pytest.param(CPU, "dra.cpu/numaNodeID", None, (), "machine", None, id="CPU: nor has the machine"),
        pytest.param(CPU, PCIE_ROOT, None, (), None, None, id="CPU: PCIe roots need an option"),
        pytest.param(
            CPU,
            PCIE_ROOT,
            None,
            {"expose-pcie-roots"},
            None,
            Published("list", optional=False, unknown=None),
            id="CPU: and are a list then",
        ),
        pytest.param(NET, STANDARD_NUMA, "v1.4.0", (), "pci", None, id="network: not yet in 1.4"),
        pytest.param(NET, STANDARD_NUMA, None, (), None, OPTIONAL, id="network: latest"),
        pytest.param(NET, STANDARD_NUMA, None, {LIST_GATE}, "pci", LISTED, id="network: a list behind the gate"),
        pytest.param(NET, "dra.net/numaNode", "1.4", {LIST_GATE}, "pci", OPTIONAL, id="network: its own is a scalar"),
        pytest.param(NET, "dra.net/numaNode", None, (), "virtual", None, id="network: virtual ones have no place"),
        pytest.param(NET, "resource.kubernetes.io/pciBusID", None, (), "pci", None, id="network: no bus id"),
        pytest.param(MEMORY, STANDARD_NUMA, None, (), None, SCALAR, id="memory: from the start"),
        pytest.param(SRIOV, STANDARD_NUMA, None, (), None, OPTIONAL, id="SR-IOV: again"),
        pytest.param(SRIOV, STANDARD_NUMA, None, {LIST_GATE}, None, LISTED, id="SR-IOV: a list behind the gate"),
        pytest.param(SRIOV, STANDARD_NUMA, "2026-04-01", (), None, None, id="SR-IOV: taken back in between"),
        pytest.param(SRIOV, STANDARD_NUMA, "2025-12-01", (), None, UNKNOWN, id="SR-IOV: at first with -1"),
        pytest.param(SRIOV, "dra.net/numaNode", None, (), None, UNKNOWN, id="SR-IOV: the alias says -1"),
        pytest.param(RBLN, STANDARD_NUMA, "0.1.0", (), None, None, id="Rebellions: under its own domain at first"),
        pytest.param(BY_NAME["gpu.intel.com"], PCIE_ROOT, "0.9", (), None, None, id="Intel: not yet in 0.9"),
        pytest.param(BY_NAME["gpu.intel.com"], PCIE_ROOT, None, (), None, SCALAR, id="Intel: since 0.10"),
        pytest.param(BY_NAME["gaudi.intel.com"], STANDARD_NUMA, None, (), None, None, id="Gaudi: none"),
        pytest.param(BY_NAME["tpu.google.com"], PCIE_ROOT, None, (), None, None, id="TPU: no place at all"),
    ],
)
def test_published(profile, attribute, version, features, device_type, expected):
    assert profile.published(attribute, version, features, device_type) == expected


@pytest.mark.parametrize(
    ("profile", "version", "device_type", "expected"),
    [
        pytest.param(NVIDIA, None, "gpu", (STANDARD_NUMA,), id="NVIDIA"),
        pytest.param(NVIDIA, "0.4", "gpu", (), id="NVIDIA before 0.5"),
        pytest.param(NVIDIA, "0.4", "vfio", ("gpu.nvidia.com/numa",), id="NVIDIA VFIO before 0.5"),
        pytest.param(AMD, None, "amdgpu", ("gpu.amd.com/numaNode",), id="AMD"),
        pytest.param(CPU, None, None, (STANDARD_NUMA, "dra.net/numaNode", "dra.cpu/numaNodeID"), id="CPU"),
        pytest.param(CPU, "0.1", None, ("dra.net/numaNode", "dra.cpu/numaNodeID"), id="CPU before 0.3"),
        pytest.param(CPU, None, "socket", (), id="CPU by socket"),
        pytest.param(NET, None, None, (STANDARD_NUMA, "dra.net/numaNode"), id="network"),
        pytest.param(BY_NAME["compute-domain.nvidia.com"], None, None, (), id="no topology at all"),
    ],
)
def test_numa_attributes(profile, version, device_type, expected):
    assert profile.attribute_names(NUMA, version, (), device_type) == expected


@pytest.mark.parametrize(
    ("profile", "attribute", "version", "successor"),
    [
        pytest.param(NVIDIA, "gpu.nvidia.com/numa", None, STANDARD_NUMA, id="renamed"),
        pytest.param(NVIDIA, "gpu.nvidia.com/numa", "0.4.1", None, id="not yet"),
        pytest.param(NVIDIA, "gpu.nvidia.com/index", "25.12", "gpu.nvidia.com/uuid", id="removed"),
        pytest.param(NVIDIA, STANDARD_NUMA, "25.3", None, id="too new is not retired"),
        pytest.param(NVIDIA, "gpu.nvidia.com/nope", None, None, id="never heard of"),
        pytest.param(AMD, "gpu.amd.com/deviceID", None, None, id="the name lives on with another meaning"),
        pytest.param(NET, "dra.net/cloudNetwork", None, "gce.dra.net/networkName", id="moved to the cloud's domain"),
    ],
)
def test_retired(profile, attribute, version, successor):
    found = profile.retired(attribute, version)
    assert (found.successor if found else None) == successor


@pytest.mark.parametrize(
    ("profile", "version", "line"),
    [
        pytest.param(NVIDIA, None, "0.5", id="none said"),
        pytest.param(NVIDIA, "main", "0.5", id="no number"),
        pytest.param(NVIDIA, "25.3.0", "25.3", id="patch"),
        pytest.param(NVIDIA, "25.10.1", "25.8", id="between two"),
        pytest.param(NVIDIA, "25.1", "25.3", id="older than all"),
        pytest.param(NVIDIA, "v0.3.2", "25.12", id="milestone numbering"),
        pytest.param(NVIDIA, "26.4", "0.4", id="calendar numbering"),
        pytest.param(NVIDIA, "0.9.0", "0.5", id="newer than all"),
        pytest.param(NVIDIA, "99.1", "0.5", id="a series to come"),
        pytest.param(NVIDIA, "24.9", "25.3", id="a series gone by"),
        pytest.param(AMD, "2026-03-08", "2025-10-06", id="the day before"),
        pytest.param(AMD, "2026-03-09", "2026-03-09", id="the day"),
        pytest.param(AMD, "v1.0.1", "1.0", id="release beside dates"),
        pytest.param(CPU, "0.2.0", "0.2", id="CPU"),
        pytest.param(NET, "v1.2.0", "0.1", id="below the first line of its series"),
        pytest.param(NET, "9" * 5000, "1.5", id="a number without end"),
    ],
)
def test_release_line(profile, version, line):
    assert line in profile.releases[profile.rank(version)]


def test_without_releases_all_versions_are_one():
    assert DriverProfile("x.example.com", "gpu", ("x",)).rank("1.2.3") == 0


@given(st.text(max_size=30))
def test_any_text_is_some_version(text):
    for profile in PROFILES:
        assert 0 <= profile.rank(text) < max(len(profile.releases), 1)


@pytest.mark.parametrize(
    ("profile", "role", "device_type", "expected"),
    [
        (NVIDIA, "memory", "mig", "gpu.nvidia.com/memory"),
        (NVIDIA, "memory", "vfio", "gpu.nvidia.com/addressableMemory"),
        (NVIDIA, "compute", "mig", "gpu.nvidia.com/multiprocessors"),
        (NVIDIA, "compute", "gpu", None),
        (AMD, "memory", "amdgpu", "gpu.amd.com/memory"),
        (CPU, "cpus", None, "dra.cpu/cpu"),
        (CPU, "cpus", "individual", None),
        (NET, "memory", None, None),
    ],
)
def test_capacity(profile, role, device_type, expected):
    found = profile.capacity(role, device_type)
    assert (found.name if found else None) == expected


def test_roles_by_device_type():
    assert NVIDIA.attribute_names("parent", device_type="mig") == ("gpu.nvidia.com/parentUUID",)
    assert NVIDIA.attribute_names("profile", device_type="gpu") == ()
    assert AMD.attribute_names("parent", device_type="amdgpu-partition") == ("resource.kubernetes.io/pciBusID",)
    assert AMD.attribute_names("parent", "2026-03-09") == ("gpu.amd.com/deviceID",)


def names_of(profile):
    """Yield every name by which a manifest can mean a driver."""
    if "." in profile.name:
        yield profile.name
    yield from (entry.name for entry in profile.classes)
    yield from (resource.name for resource in profile.resources)
    yield from (pattern.prefix for pattern in profile.patterns)
    yield from (config.api_version for config in profile.configs if "/" in config.api_version)


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
class TestEveryProfile:
    def test_words_are_part_of_every_name(self, profile):
        words = profile.words()
        bare = [name for name in names_of(profile) if not any(word in name.encode() for word in words)]
        assert bare == []

    def test_every_word_is_needed(self, profile):
        for word in profile.words():
            others = [other for other in profile.words() if other != word]
            names = [name.encode() for name in names_of(profile)]
            if others:
                assert any(word in name and not any(other in name for other in others) for name in names)

    def test_names_are_qualified(self, profile):
        names = [entry.name for entry in (*profile.attributes, *profile.capacities)]
        assert [name for name in names if name.count("/") != 1] == []

    def test_types_are_known(self, profile):
        known = {entry.name for entry in profile.types}
        named = [entry for entry in (*profile.attributes, *profile.capacities) if not set(entry.types) <= known]
        assert named == []
        assert {entry.device_type for entry in profile.classes} - {""} <= known
        assert profile.default_type in {"", *known}

    def test_releases_are_known(self, profile):
        known = {alias for line in profile.releases for alias in line} | {""}
        spans = [(row.since, row.until) for row in profile.attributes] + [(row.since, "") for row in profile.classes]
        assert {release for span in spans for release in span} <= known
        assert len(known) == sum(map(len, profile.releases)) + 1

    def test_each_line_ranks_as_itself(self, profile):
        for rank, line in enumerate(profile.releases):
            assert [profile.rank(alias) for alias in line] == [rank] * len(line)

    def test_successors_are_published(self, profile):
        now = {row.name for row in profile.attributes if not row.until}
        foreign = {"gce.dra.net/networkName"}  # of the cloud that the network is in
        assert {row.successor for row in profile.attributes} - {""} <= now | foreign

    def test_twin_or_reason(self, profile):
        resources = [*profile.resources, *(pattern.resource for pattern in profile.patterns)]
        assert [resource.name for resource in resources if bool(resource.device_class) == bool(resource.no_twin)] == []
        assert [resource.name for resource in resources if resource.selector and not resource.device_class] == []

    def test_twins_are_of_classes_that_are_shipped(self, profile):
        classes = {entry.name for entry in profile.classes}
        asked = {resource.device_class for resource in profile.resources if resource.device_class}
        assert not classes or asked <= classes

    def test_only_compute_domains_are_skipped(self, profile):
        assert profile.skip == (profile.name == "compute-domain.nvidia.com")


def test_files_and_drivers_are_one_to_one():
    assert len(BY_NAME) == len(PROFILES)
    classes = [entry.name for profile in PROFILES for entry in profile.classes]
    assert len(classes) == len(set(classes))


def test_what_is_not_known_is_not_denied():
    """Rules say that an attribute is not published only of drivers whose attributes are all known."""
    assert not any(BY_NAME[name].tells_all for name in ("dra.nvme", "tenstorrent.com", "npu.furiosa.ai", "others"))
    assert NVIDIA.tells_all


def slices():
    """Yield driver and devices of every ResourceSlice in the truth."""
    for file in sorted((TRUTH / "corpus").rglob("*.yaml")):
        try:
            documents = list(yaml.load_all(file.read_bytes(), Loader=yaml.CSafeLoader))
        except yaml.YAMLError:
            continue
        yield from slices_in(documents)
    yield from slices_in(json.loads((TRUTH / "conformance/allocator/inventories.json").read_text()))


def slices_in(data):
    if isinstance(data, dict):
        if isinstance(data.get("driver"), str) and isinstance(data.get("devices"), list):
            yield data["driver"], data["devices"]
        for value in data.values():
            yield from slices_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from slices_in(value)


NOT_OF_A_RELEASE = {
    # made-up inventories that ask what would be, and clouds' own domains
    ("gpu.amd.com", STANDARD_NUMA, "int"),
    ("gpu.amd.com", STANDARD_NUMA, "ints"),
    ("gpu.amd.com", "gpu.amd.com/numaNode", "ints"),
    ("dra.cpu", STANDARD_NUMA, "ints"),
}
"""Seen in the inventories of the allocator's conformance data, published by no driver."""


@needs_truth
def test_slices_hold_nothing_that_the_catalogue_does_not_know():
    strange, seen = set(), set()
    for driver, devices in slices():
        profile = BY_NAME.get(driver)
        if profile is None or not profile.attributes:
            continue
        for device in filter(lambda item: isinstance(item, dict), devices):
            for name, kind in attributes_of(driver, device):
                known = [row for row in profile.attributes if row.name == name]
                seen.add((driver, name))
                if not any(fits(row, kind) for row in known):
                    strange.add((driver, name, kind))
    own = {entry for entry in strange if entry[1].split("/")[0] in {entry[0], "resource.kubernetes.io"}}
    assert own - NOT_OF_A_RELEASE == set()
    assert len(seen) > 60


def attributes_of(driver, device):
    """Yield qualified name and member of every attribute; 'string' or 'strings'."""
    for name, value in (device.get("basic") or device).get("attributes", {}).items():
        if isinstance(value, dict):
            yield name if "/" in name else f"{driver}/{name}", next(iter(value))


def fits(row: Attribute, kind: str) -> bool:
    return kind == row.value or (kind == row.value + "s" and (row.form == "list" or bool(row.list_gate)))
