"""Machine presets: what is in them, that Kubernetes takes it, and that devices can be had from it."""

import json
from itertools import product

import pytest

from dralign import registry
from dralign.admission.review import review
from dralign.admission.server import Server
from dralign.drivers.nvidia import DRIVER as NVIDIA
from dralign.model.claim import claim_spec
from dralign.model.inventory import inventory_from
from dralign.model.preset import Parameter, Preset, PresetError, preset_asked
from dralign.sim.allocator import Allocator
from dralign.sim.behaviour import behaviour
from dralign.sim.outcome import Allocated
from dralign.sim.pod_claim import PodClaim
from dralign.sim.selectors import ReleaseSelectors
from dralign.sim.sequence import Sequence
from running import run

PRESETS = registry.presets()
NUMA = "resource.kubernetes.io/numaNode"
ROOT = "resource.kubernetes.io/pcieRoot"
GATES = frozenset(
    {
        *("DRAAdminAccess", "DRAPrioritizedList", "DRAPartitionableDevices", "DRAConsumableCapacity"),
        *("DRADeviceTaints", "DRADeviceBindingConditions", "DRAListTypeAttributes"),
    }
)


def variants(preset):
    """Yield the parameters of a preset at their defaults, and with every other value of each, one at a time."""
    yield {}
    for parameter in preset.parameters:
        for value in parameter.values or ("2",):
            if value != parameter.default:
                yield {parameter.name: value}


VARIANTS = [
    pytest.param(preset, given, id=preset.name + ":" + ",".join(f"{key}={value}" for key, value in given.items()))
    for preset in PRESETS.values()
    for given in variants(preset)
]


def objects(name, **given):
    preset = PRESETS[name]
    return preset.objects(preset.chosen(given))


def of_kind(found, kind):
    return [item for item in found if item["kind"] == kind]


def devices(found, driver):
    """Return the devices of a driver by node and name."""
    return {
        (item["spec"]["nodeName"], device["name"]): device
        for item in of_kind(found, "ResourceSlice")
        if item["spec"]["driver"] == driver
        for device in item["spec"].get("devices", ())
    }


def scalar(device, name):
    """Return the value of an attribute, None if the device has none."""
    return next(iter(device.get("attributes", {}).get(name, {}).values()), None)


def request(name, device_class, **body):
    return {"name": name, "exactly": {"deviceClassName": device_class, **body}}


def allocate(found, *requests, match=None):
    """Place one claim on the first node; return the outcome."""
    inventory = inventory_from(found)
    allocator = Allocator(inventory, behaviour("1.37", GATES), ReleaseSelectors("1.37", GATES))
    constraints = [{"matchAttribute": match}] if match else []
    claim = PodClaim("default/c", claim_spec({"devices": {"requests": list(requests), "constraints": constraints}}))
    node = next(iter(inventory.nodes.values()))
    return allocator.allocate(allocator.prepare([claim]), node, allocator.taken())


def names(outcome):
    return [result.device.name for made in outcome.claims for result in made.results]


class TestData:
    def test_file_is_called_as_its_preset(self):
        assert [name.replace("-", "_") for name in PRESETS] == registry.names_in("presets")
        for name, preset in PRESETS.items():
            assert registry.preset(name) == preset

    @pytest.mark.parametrize("name", ["", "nope", "dgx_h100", "DGX-H100", "../model/preset", "-machine"])
    def test_other_names_are_none(self, name):
        assert registry.preset(name) is None

    @pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
    def test_says_where_it_is_from_and_what_is_assumed(self, preset):
        assert preset.title
        assert preset.sources
        assert preset.assumed
        for parameter in preset.parameters:
            assert parameter.refusal(parameter.default) is None, parameter.name
            assert parameter.meaning


class TestObjects:
    @pytest.mark.parametrize(("preset", "given"), VARIANTS)
    def test_the_api_server_takes_slices_and_classes(self, preset, given):
        server = Server("1.37", frozenset({"DRAListTypeAttributes", "DRANodeAllocatableResources"}))
        for item in preset.objects(preset.chosen(given)):
            if item["kind"] in {"ResourceSlice", "DeviceClass"}:
                answer = review(json.loads(json.dumps(item)), server)
                assert answer.accepted, (item["metadata"]["name"], answer.message, answer.causes)

    @pytest.mark.parametrize(("preset", "given"), VARIANTS)
    def test_one_accelerator_can_be_had(self, preset, given):
        found = preset.objects(preset.chosen(given))
        types = {scalar(gpu, "type") for gpu in devices(found, "gpu.nvidia.com").values()}
        name = "mig.nvidia.com" if types == {"mig"} else accelerator_class(found)
        assert isinstance(allocate(found, request("gpu", name)), Allocated)

    @pytest.mark.parametrize(("preset", "given"), VARIANTS)
    def test_objects_agree_with_each_other(self, preset, given):
        found = preset.objects(preset.chosen(given))
        nodes = [item["metadata"]["name"] for item in of_kind(found, "Node")]
        assert nodes == [item["metadata"]["name"] for item in of_kind(found, "NodeResourceTopology")]
        assert len(set(nodes)) == len(nodes) == int(given.get("nodes", 1))
        slices = of_kind(found, "ResourceSlice")
        assert {item["spec"]["nodeName"] for item in slices} == set(nodes)
        written = [item["metadata"]["name"] for item in slices]
        assert len(set(written)) == len(written)
        for zones in (item["zones"] for item in of_kind(found, "NodeResourceTopology")):
            numbers = {int(zone["name"].removeprefix("node-")) for zone in zones}
            cpus = [int(r["capacity"]) for zone in zones for r in zone["resources"] if r["name"] == "cpu"]
            assert str(sum(cpus)) == of_kind(found, "Node")[0]["status"]["capacity"]["cpu"]
            for device in (device for item in slices for device in item["spec"].get("devices", ())):
                number = scalar(device, NUMA)
                assert number is None or set(number if isinstance(number, list) else [number]) <= numbers


def accelerator_class(found):
    """Return the first class of the first driver, which is the accelerators'."""
    return of_kind(found, "DeviceClass")[0]["metadata"]["name"]


class TestMachines:
    def test_dgx_h100_ties_gpu_nic_cpus_and_memory_to_one_node(self):
        found = objects("dgx-h100")
        requests = (
            request("gpu", "gpu.nvidia.com"),
            request("nic", "dranet"),
            request("cpus", "dra.cpu", capacity={"requests": {"dra.cpu/cpu": "16"}}),
            request("memory", "dra.memory", capacity={"requests": {"size": "64Gi"}}),
        )
        chosen = names(allocate(found, *requests, match=NUMA))
        assert chosen == ["gpu-0", "pci-0000-18-00-0", "cpudevnuma000", "memory-0"]

    def test_roots_tie_a_gpu_to_its_own_nic(self):
        found = objects("dgx-h100")
        gpus = devices(found, "gpu.nvidia.com")
        nics = devices(found, "dra.net")
        assert len(gpus) == len(nics) == 8
        assert sorted(scalar(gpu, ROOT) for gpu in gpus.values()) == sorted(scalar(nic, ROOT) for nic in nics.values())
        five = [request("gpu", "gpu.nvidia.com", count=5), request("nic", "dranet")]
        assert not isinstance(allocate(found, *five, match=NUMA), Allocated)

    @pytest.mark.parametrize(("snc", "wanted"), [("1", [0] * 4 + [1] * 4), ("2", [0, 0, 1, 1, 2, 2, 3, 3])])
    def test_sub_numa_clusters_divide_the_sockets(self, snc, wanted):
        found = objects("dgx-h100", snc=snc)
        for driver in ("gpu.nvidia.com", "dra.net"):
            assert [scalar(device, NUMA) for device in devices(found, driver).values()] == wanted
        assert len(devices(found, "dra.cpu")) == 2 * int(snc)

    def test_lists_begin_with_the_own_node_and_stay_on_the_socket(self):
        gpus = devices(objects("dgx-h100", snc="2", lists="on"), "gpu.nvidia.com")
        assert [scalar(gpu, NUMA) for gpu in gpus.values()][2:6] == [[1, 0], [1, 0], [2, 3], [2, 3]]

    @pytest.mark.parametrize("version", [line[0] for line in NVIDIA.releases])
    def test_attributes_are_those_of_the_driver_release(self, version):
        gpu = devices(objects("dgx-h100", gpuDriver=version), "gpu.nvidia.com")["dgx-h100-0", "gpu-0"]
        assert (scalar(gpu, NUMA) is not None) == (version == "0.5")
        assert ("pcieBusID" in gpu["attributes"]) == (version in {"25.3", "25.8"})
        assert ("index" in gpu["attributes"]) == (version == "25.3")
        for name in gpu["attributes"]:
            full = name if "/" in name else f"gpu.nvidia.com/{name}"
            assert NVIDIA.published(full, version, (), "gpu"), name

    def test_cpus_one_by_one_stand_beside_their_siblings(self):
        cpus = devices(objects("dgx-h100", cpu="individual"), "dra.cpu")
        assert len(cpus) == 224
        first = [scalar(cpu, "dra.cpu/cpuID") for cpu in list(cpus.values())[:4]]
        assert first == [0, 112, 1, 113]
        on_first = {scalar(cpu, "dra.cpu/cpuID") for cpu in cpus.values() if scalar(cpu, NUMA) == 0}
        assert on_first == {*range(56), *range(112, 168)}

    @pytest.mark.parametrize(
        ("grouping", "mapping"),
        [
            ("grouped", {"capacityKey": "dra.cpu/cpu", "capacityMultiplier": "1"}),
            ("individual", {"deviceMultiplier": "1"}),
        ],
    )
    def test_cpus_can_stand_for_those_of_the_node(self, grouping, mapping):
        for mode in ("off", "on"):
            found = devices(objects("dgx-h100", cpu=grouping, nodeAllocatable=mode), "dra.cpu").values()
            wanted = [{"cpu": {"mapping": mapping}}] if mode == "on" else [None]
            assert next(iter(found)).get("nodeAllocatableResources") in wanted
        with pytest.raises(PresetError, match=r"nodeAllocatable=on needs cpuDriver=0.3 or later, got 0.2"):
            objects("dgx-h100", nodeAllocatable="on", cpuDriver="0.2")

    def test_cards_have_names_of_their_own(self):
        found = [item for n, snc in product(("2", "3"), "12") for item in objects("dgx-h100", first=n, snc=snc)]
        assert len({scalar(gpu, "uuid") for gpu in devices(found, "gpu.nvidia.com").values()}) == 16


def constrained(found, *classes, match):
    """Say whether one device of each class can be had with one value of an attribute."""
    requests = (request(f"r{i}", name) for i, name in enumerate(classes))
    return isinstance(allocate(found, *requests, match=match), Allocated)


def most(found, device_class, **body):
    """Return how many single devices of a class can be had one after the other on the first node."""
    inventory = inventory_from(found)
    allocator = Allocator(inventory, behaviour("1.37", GATES), ReleaseSelectors("1.37", GATES))
    sequence = Sequence(allocator, list(inventory.nodes.values())[:1], allocator.taken())
    spec = claim_spec({"devices": {"requests": [request("r", device_class, **body)]}})
    count = 0
    while isinstance(sequence.place([PodClaim(f"default/c{count}", spec)]), Allocated):
        count += 1
    return count


def profile(name):
    return {"selectors": [{"cel": {"expression": f'device.attributes["gpu.nvidia.com"].profile == "{name}"'}}]}


class TestPartitions:
    @pytest.mark.parametrize(
        ("preset", "mode", "count"),
        [
            ("dgx-h100", "all-1g.10gb", 56),
            ("dgx-h100", "all-1g.20gb", 32),
            ("dgx-h100", "all-3g.40gb", 16),
            ("dgx-h100", "all-balanced", 32),
            ("p4d-24xlarge", "all-1g.10gb", 32),
            ("r750-a30", "all-2g.12gb", 4),
            ("r750-a30", "all-balanced", 6),
        ],
    )
    def test_made_beforehand(self, preset, mode, count):
        found = objects(preset, mig=mode)
        gpus = devices(found, "gpu.nvidia.com")
        assert len(gpus) == count == most(found, "mig.nvidia.com")
        assert {scalar(gpu, "type") for gpu in gpus.values()} == {"mig"}
        uuids = {scalar(gpu, "uuid") for gpu in gpus.values()}
        assert len(uuids) == count
        for gpu in gpus.values():
            slices = [name for name in gpu["capacity"] if name.startswith("memorySlice")]
            assert len(slices) in {1, 2, 4, 8}

    @pytest.mark.parametrize("preset", ["dgx-h100", "dgx-h200", "hgx-b200", "gb200-nvl72"])
    def test_made_on_demand_share_their_card(self, preset):
        found = objects(preset, mig="dynamic")
        card = NVIDIA.card(scalar(next(iter(devices(found, "gpu.nvidia.com").values())), "productName"))
        cards = most(found, "gpu.nvidia.com")
        for item in card.profiles:
            assert most(found, "mig.nvidia.com", **profile(item.profile)) == cards * item.fits, item.profile

    def test_cards_before_hopper_are_not_offered_whole_beside_partitions(self):
        found = objects("dgx-a100", mig="dynamic")
        assert most(found, "gpu.nvidia.com") == 0
        assert most(found, "mig.nvidia.com", **profile("1g.10gb")) == 56

    def test_old_drivers_make_none_on_demand(self):
        with pytest.raises(PresetError, match=r"preset dgx-h100: mig=dynamic needs gpuDriver=25.12 or later, got 25.8"):
            objects("dgx-h100", mig="dynamic", gpuDriver="25.8")

    def test_cards_without_mig_have_no_such_parameter(self):
        assert "mig" not in {parameter.name for parameter in PRESETS["r760xa-l40s"].parameters}

    @pytest.mark.parametrize(
        ("mode", "count", "memory"),
        [("spx_nps1", 8, "196592Mi"), ("cpx_nps4", 64, "24574Mi"), ("qpx_nps1", 32, "49148Mi")],
    )
    def test_modes_of_amd_cards(self, mode, count, memory):
        gpus = devices(objects("mi300x", partition=mode), "gpu.amd.com")
        assert len(gpus) == count
        assert {gpu["capacity"]["memory"]["value"] for gpu in gpus.values()} == {memory}
        assert {scalar(gpu, "partitionProfile") for gpu in gpus.values()} == {mode}
        assert len({scalar(gpu, "resource.kubernetes.io/pciBusID") for gpu in gpus.values()}) == 8


class TestLayouts:
    def test_dgx_a100_has_gpus_on_four_of_eight_numa_nodes(self):
        found = objects("dgx-a100")
        assert [scalar(gpu, NUMA) for gpu in devices(found, "gpu.nvidia.com").values()] == [3, 3, 1, 1, 7, 7, 5, 5]
        assert len(devices(found, "dra.cpu")) == 8
        assert constrained(found, "gpu.nvidia.com", "dranet", "dra.cpu", match=NUMA)
        assert {scalar(gpu, NUMA) for gpu in devices(objects("dgx-a100", nps="1"), "gpu.nvidia.com").values()} == {0, 1}

    def test_gb200_has_memory_only_nodes_that_no_cpu_and_no_nic_is_on(self):
        found = objects("gb200-nvl72")
        assert [scalar(gpu, NUMA) for gpu in devices(found, "gpu.nvidia.com").values()] == [2, 10, 18, 26]
        assert len(devices(found, "dra.cpu")) == 2
        assert len(devices(found, "dra.memory")) == 6
        zones = of_kind(found, "NodeResourceTopology")[0]["zones"]
        bare = [zone["name"] for zone in zones if all(item["name"] != "cpu" for item in zone["resources"])]
        assert bare == ["node-2", "node-10", "node-18", "node-26"]
        assert not constrained(found, "gpu.nvidia.com", "dra.cpu", match=NUMA)
        assert constrained(objects("gb200-nvl72", lists="on"), "gpu.nvidia.com", "dra.cpu", match=NUMA)
        assert constrained(objects("gb200-nvl72", hbmNodes="off"), "gpu.nvidia.com", "dra.cpu", match=NUMA)
        assert not constrained(found, "gpu.nvidia.com", "dranet", match=ROOT)

    @pytest.mark.parametrize(("preset", "by_root"), [("p4d-24xlarge", 2), ("p5-48xlarge", 1), ("hgx-h100", 1)])
    def test_as_many_gpus_on_a_root_as_the_machine_has(self, preset, by_root):
        found = objects(preset)
        for count in (by_root, by_root + 1):
            outcome = allocate(
                found, request("gpu", "gpu.nvidia.com", count=count), request("nic", "dranet"), match=ROOT
            )
            assert isinstance(outcome, Allocated) == (count == by_root)

    def test_no_gpu_shares_a_root_with_a_nic_where_none_does(self):
        found = objects("r760xa-l40s")
        assert not constrained(found, "gpu.nvidia.com", "dranet", match=ROOT)
        assert constrained(found, "gpu.nvidia.com", "dranet", match=NUMA)

    def test_sub_numa_clusters_part_gpus_from_nics(self):
        """XE9680: 2 of 8 GPUs by root, 8 of 8 by NUMA node, 4 of 8 under SNC-2, 8 of 8 by socket (its survey)."""
        for snc, by_root, by_node in (("1", 2, 8), ("2", 2, 4)):
            found = objects("xe9680-mi300x", snc=snc)
            gpus = devices(found, "gpu.amd.com").values()
            nics = devices(found, "dra.net").values()
            roots, nodes = {scalar(nic, ROOT) for nic in nics}, {scalar(nic, NUMA) for nic in nics}
            assert sum(scalar(gpu, ROOT) in roots for gpu in gpus) == by_root
            assert sum(scalar(gpu, "numaNode") in nodes for gpu in gpus) == by_node

    def test_amd_publishes_no_standard_numa_node(self):
        found = objects("mi300x")
        assert not constrained(found, "gpu.amd.com", "dra.cpu", match=NUMA)
        assert constrained(found, "gpu.amd.com", "dranet", match=ROOT)

    def test_tpus_say_nothing_of_where_they_are(self):
        tpu = devices(objects("ct6e-standard-8t"), "tpu.google.com")["ct6e-standard-8t-0", "accel3"]
        assert set(tpu["attributes"]) == {"index", "uuid", "tpuGen", "brand", "accelerator", "chipCount", "topology"}


class TestAsking:
    PARAMETERS = (Parameter("snc", "halves", "1", ("1", "2")), Parameter("nodes", "how many", "1"))
    PRESET = Preset("box", "a box", ("book",), ("all",), PARAMETERS, lambda chosen: [dict(chosen)])

    def test_what_is_not_said_is_at_its_default(self):
        name, given = preset_asked("box:nodes=24,")
        assert (name, self.PRESET.chosen(given)) == ("box", {"snc": "1", "nodes": "24"})
        assert preset_asked("box") == ("box", {})

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("box:snx=1", "preset box: no parameter is called 'snx', did you mean 'snc'?"),
            ("box:x=1", "preset box: no parameter is called 'x', want one of snc, nodes"),
            ("box:snc=3", "preset box: snc: got '3', want one of 1, 2"),
            ("box:nodes=0", "preset box: nodes: got '0', want a whole number from 1 to 99999"),
            ("box:nodes=many", "preset box: nodes: got 'many', want a whole number from 1 to 99999"),
            ("box:nodes=٣", "preset box: nodes: got '٣', want a whole number from 1 to 99999"),
            ("box:snc", "preset box: got 'snc', want key=value"),
            ("box:snc=1,snc=2", "preset box: parameter 'snc' is given twice"),
        ],
    )
    def test_what_cannot_be_is_refused(self, text, message):
        with pytest.raises(PresetError) as error:
            self.PRESET.chosen(preset_asked(text)[1])
        assert str(error.value) == message


CLAIM = b"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: d}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.nvidia.com}
"""


class TestCommand:
    def test_a_preset_is_an_inventory(self, tmp_path):
        process = run(
            "check", "--preset", "dgx-h100:nodes=2", "--preset", "dgx-h100:snc=2", "-", stdin=CLAIM, cwd=tmp_path
        )
        assert (process.returncode, process.stderr) == (0, b"")

    def test_nodes_are_counted_on(self):
        from dralign.hosts.inventory import read
        from dralign.settings import InventorySettings

        found = read(InventorySettings(presets=("dgx-h100:nodes=2", "dgx-h100:snc=2")))
        assert [m.ref.name for m in found if m.ref.kind == "Node"] == ["dgx-h100-0", "dgx-h100-1", "dgx-h100-2"]
        place = found[0].location(())
        assert (place.file, place.line) == ("preset dgx-h100", 1)

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            ("dgx-h10", "inventory: no machine preset is called 'dgx-h10', did you mean 'dgx-h100'?"),
            ("zzz", "inventory: no machine preset is called 'zzz'; 'dralign inventory presets' lists them"),
            ("dgx-h100:snc=3", "inventory: preset dgx-h100: snc: got '3', want one of 1, 2"),
        ],
    )
    def test_what_does_not_exist_is_called_wrongly(self, tmp_path, asked, message):
        process = run("check", "--preset", asked, "-", stdin=CLAIM, cwd=tmp_path)
        assert (process.returncode, process.stdout, process.stderr.decode()) == (2, b"", f"dralign: {message}\n")
        config = "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec: {inventory: {presets: ['" + asked + "']}}\n"
        (tmp_path / ".dralign.yaml").write_text(config)
        process = run("fix", "-", stdin=CLAIM, cwd=tmp_path)
        assert (process.returncode, process.stdout, process.stderr.decode()) == (2, b"", f"dralign: {message}\n")
