"""``dralign inventory``: nodes as drawings, and the list of machines."""

import json

import pytest

from dralign import registry
from dralign.drawing import HERE, TAKEN, Item, Marks, Picture, Root, Supply, Zone, draw, header, picture_of
from dralign.model.slice import slice_from
from running import run

GI = 2**30


def shown(*arguments, cwd, stdin=b""):
    """Return what ``inventory show`` prints, without what it says of presets."""
    process = run("inventory", "show", *arguments, stdin=stdin, cwd=cwd)
    assert (process.returncode, process.stderr) == (0, b"")
    return process.stdout.decode().partition("\npreset ")[0]


def claim(name, *results):
    """Return an allocated claim; results are driver, device and, for shares, what was consumed."""
    found = []
    for driver, pool, device, *consumed in results:
        share = {"shareID": "5b0d1ef1-3a0e-4d5a-9d2b-7b5b6a1e0001", "consumedCapacity": consumed[0]} if consumed else {}
        found.append({"request": "r", "driver": driver, "pool": pool, "device": device, **share})
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "team"},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "x"}}]}},
        "status": {"allocation": {"devices": {"results": found}}},
    }


def write(path, *objects):
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}))
    return str(path)


class TestShow:
    def test_a_preset(self, tmp_path):
        assert shown("--preset", "r750-a30:nodes=3", cwd=tmp_path) == (
            "r750-a30-0 (3 nodes look like this)               . free\n"
            "  NUMA node 0   CPUs ................ 64   memory 256Gi\n"
            "    pci0000:16    gpu-0 .\n"
            "    pci0000:30    pci-0000-31-00-0 .\n"
            "  ======= socket link =======\n"
            "  NUMA node 1   CPUs ................ 64   memory 256Gi\n"
            "    pci0000:b0    pci-0000-b1-00-0 .\n"
            "    pci0000:c9    gpu-1 .\n"
        )

    def test_what_claims_hold_is_taken(self, tmp_path):
        held = claim(
            "c",
            ("gpu.nvidia.com", "r750-a30-1", "gpu-0"),
            ("dra.cpu", "r750-a30-1", "cpudevnuma000", {"dra.cpu/cpu": "31"}),
            ("dra.memory", "r750-a30-1", "memory-0", {"size": "1536Mi"}),
        )
        text = shown("--preset", "r750-a30:nodes=2", "--inventory", write(tmp_path / "held.json", held), cwd=tmp_path)
        first, second = text.split("\n\n")
        assert first.startswith("r750-a30-0                                        . free\n")
        assert second.startswith(
            "r750-a30-1                                        # taken   . free\n"
            "  NUMA node 0   CPUs ########........ 64   memory 256Gi, 1.5Gi taken\n"
            "    pci0000:16    gpu-0 #\n"
        )

    def test_partitions_of_a_card_stand_together(self, tmp_path):
        text = shown("--preset", "r750-a30:mig=all-balanced", cwd=tmp_path)
        assert "    pci0000:16    gpu-0-mig  2g.12gb .  1g.6gb ..\n" in text

    def test_partitions_that_lack_what_is_taken_beside_them_are_blocked(self, tmp_path):
        held = claim("c", ("gpu.nvidia.com", "r750-a30-0", "gpu-0-mig-2g12gb-5-2"))
        text = shown("--preset", "r750-a30:mig=dynamic", "--inventory", write(tmp_path / "c.json", held), cwd=tmp_path)
        assert text.splitlines()[0].endswith("# taken   - lacks what is taken beside it   . free")
        line = next(line for line in text.splitlines() if "pci0000:16" in line)
        assert line.split()[1:] == [
            "gpu-0-mig",
            "1g.6gb",
            "..--",
            "1g.6gb+me",
            "..--",
            "2g.12gb",
            ".#",
            "2g.12gb+me",
            ".-",
            "4g.24gb",
            "-",
        ]

    def test_cpus_one_by_one(self, tmp_path):
        names = [f"cpudev{number:03}" for number in range(4)]
        held = claim("c", *(("dra.cpu", "r750-a30-0", name) for name in names))
        file = write(tmp_path / "c.json", held)
        text = shown("--preset", "r750-a30:cpu=individual", "--inventory", file, cwd=tmp_path)
        assert "  NUMA node 0   CPUs #............... 64" in text

    def test_memory_only_nodes(self, tmp_path):
        lines = shown("--preset", "gb200-nvl72", cwd=tmp_path).splitlines()
        assert lines[lines.index("  NUMA node 2   no CPUs   memory 185Gi") + 1] == "    pci0008:00    gpu-0 ."
        assert lines.count("  ======= socket link =======") == 1

    def test_without_dra_cpu_no_bar_says_what_nobody_knows(self, tmp_path):
        assert "  NUMA node 0   CPUs 64   memory 256Gi\n" in shown("--preset", "r750-a30:cpu=none", cwd=tmp_path)

    def test_devices_that_do_not_say_where_they_are(self, tmp_path):
        lines = shown("--preset", "ct6e-standard-8t", cwd=tmp_path).splitlines()
        assert lines[-2] == "  NUMA node unknown"
        assert lines[-1].startswith("    no PCIe root  accel0 .  accel1 .")

    def test_slices_are_enough(self, tmp_path):
        device = {"name": "gpu-7", "attributes": {"numaNode": {"int": -1}, "type": {"string": "amdgpu"}}}
        slices = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": "s"},
            "spec": {
                "driver": "gpu.amd.com",
                "nodeName": "n1",
                "pool": {"name": "n1", "generation": 1, "resourceSliceCount": 1},
                "devices": [device],
            },
        }
        text = shown("--inventory", write(tmp_path / "s.json", slices), cwd=tmp_path)
        assert text == f"{'n1':<48}  . free\n  NUMA node unknown\n    no PCIe root  gpu-7 .\n"

    def slices(self, **spec):
        pool = {"name": "p", "generation": 1, "resourceSliceCount": 2}
        body = {"driver": "gpu.amd.com", "pool": pool, "devices": [{"name": "gpu-7"}], **spec}
        head = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "s"}}
        return {**head, "spec": body}

    def test_pools_that_are_not_all_there_are_told(self, tmp_path):
        file = write(tmp_path / "s.json", self.slices(nodeName="n1"))
        assert shown("--inventory", file, cwd=tmp_path) == (
            "n1\n  pool gpu.amd.com/p cannot be used: not all of its slices are there\n"
        )

    def test_node_selectors_that_cannot_be_read(self, tmp_path):
        term = {"matchExpressions": [{"key": "zone", "operator": "Near", "values": ["a"]}]}
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}}
        bad = self.slices(nodeSelector={"nodeSelectorTerms": [term]})
        process = run("inventory", "show", "--inventory", write(tmp_path / "s.json", node, bad), cwd=tmp_path)
        assert process.returncode == 2
        assert process.stderr.startswith(b"dralign: inventory: a slice selects nodes in a way that cannot be read: ")

    def test_presets_say_where_they_are_from(self, tmp_path):
        out = run("inventory", "show", "--preset", "r750-a30", "--preset", "r750-a30", cwd=tmp_path).stdout.decode()
        assert "(2 nodes look like this)" in out
        assert out.count("\npreset r750-a30: Dell R750") == 1
        assert "\n  assumed    all addresses\n" in out

    def test_the_configuration_counts(self, tmp_path):
        config = "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec: {inventory: {presets: [r750-a30]}}\n"
        (tmp_path / ".dralign.yaml").write_text(config)
        assert shown(cwd=tmp_path).startswith("r750-a30-0")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((), "no inventory; want --preset NAME or --inventory FILE"),
            (("--preset", "r750-a31"), "inventory: no machine preset is called 'r750-a31', did you mean 'r750-a30'?"),
            (
                ("--preset", "dgx-h100:mig=dynamic,gpuDriver=25.8"),
                "inventory: preset dgx-h100: mig=dynamic needs gpuDriver=25.12 or later, got 25.8",
            ),
        ],
    )
    def test_wrongly_called(self, tmp_path, arguments, message):
        process = run("inventory", "show", *arguments, cwd=tmp_path)
        assert (process.returncode, process.stdout, process.stderr.decode()) == (2, b"", f"dralign: {message}\n")

    def test_an_inventory_without_nodes(self, tmp_path):
        device_class = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "x"}}
        text = shown("--inventory", write(tmp_path / "c.json", device_class), cwd=tmp_path)
        assert text == "no nodes among 1 objects; want ResourceSlices or Nodes\n"


class TestPresets:
    def test_all_are_listed(self, tmp_path):
        out = run("inventory", "presets", cwd=tmp_path).stdout.decode()
        for preset in registry.presets().values():
            assert f"{preset.name:<18}{preset.title}\n" in out
            assert all(f"{parameter.name}={parameter.default}" in out for parameter in preset.parameters)
        assert max(map(len, out.splitlines())) <= 100

    def test_one_is_told_in_full(self, tmp_path):
        out = run("inventory", "presets", "dgx-a100", cwd=tmp_path).stdout.decode()
        preset = registry.preset("dgx-a100")
        flat = " ".join(out.split())
        assert all(line in flat for line in (*preset.sources, *preset.assumed))
        assert "  nps        NUMA nodes per socket (BIOS)\n             4, 1\n" in out
        assert "  nodes      how many such nodes there are\n             1, or any number\n" in out

    def test_near_misses(self, tmp_path):
        process = run("inventory", "presets", "dgx-h101", cwd=tmp_path)
        assert process.returncode == 2
        assert process.stderr.decode() == "dralign: no machine preset is called 'dgx-h101', did you mean 'dgx-h100'?\n"


class TestDrawing:
    def zone(self, number, socket, *items):
        return Zone(number, socket, Supply(16), Supply(64 * GI), (Root("pci0000:15", items),))

    def test_marks_of_a_pod(self):
        """As the design of the command line draws it."""
        picture = Picture(
            "h100-07",
            (
                self.zone(0, 0, Item("a", "gpu-0", "gpu"), Item("b", "nic-0", "nic")),
                self.zone(1, 1, Item("c", "gpu-4", "gpu"), Item("d", "nic-4", "nic")),
            ),
        )
        marks = Marks(
            {"a": TAKEN, "c": HERE},
            {0: (8, 3), 1: (0, 0)},
            notes={0: "* 3 here (cpudevnuma000)"},
            crossing="crossed: GPU on 1, CPUs on 0",
        )
        body = draw(picture, marks)
        assert body == (
            "  NUMA node 0   CPUs ########***..... 16   memory 64Gi   * 3 here (cpudevnuma000)\n"
            "    pci0000:15    gpu-0 #  nic-0 .\n"
            "  ======= socket link =======  crossed: GPU on 1, CPUs on 0\n"
            "  NUMA node 1   CPUs ................ 16   memory 64Gi\n"
            "    pci0000:15    gpu-4 *  nic-4 .\n"
        )
        assert header("h100-07", 24, body) == (
            "h100-07 (24 nodes look like this)                 # taken   * this pod   . free"
        )

    @pytest.mark.parametrize(
        ("count", "taken", "here", "bar"),
        [
            (112, 0, 0, "................"),
            (112, 1, 0, "#..............."),
            (112, 1, 1, "#*.............."),
            (112, 111, 1, "###############*"),
            (112, 112, 0, "################"),
            (4, 1, 3, "####************"),
        ],
    )
    def test_little_is_seen(self, count, taken, here, bar):
        zone = Zone(0, 0, Supply(count), None, ())
        assert draw(Picture("n", (zone,)), Marks(cpus={0: (taken, here)})) == f"  NUMA node 0   CPUs {bar} {count}\n"

    def test_numa_nodes_of_one_socket_are_not_parted(self):
        zones = (self.zone(0, 0), self.zone(1, 0), self.zone(2, 1))
        lines = draw(Picture("n", zones)).splitlines()
        assert [line[:13] for line in lines if "pci" not in line] == [
            *("  NUMA node 0", "  NUMA node 1", "  ======= soc", "  NUMA node 2"),
        ]

    def test_long_lines_are_broken_between_devices(self):
        items = tuple(Item(f"i{i}", f"pci-0000-{i:02x}-00-0", "nic") for i in range(16))
        lines = draw(Picture("n", (self.zone(0, 0, *items),))).splitlines()[1:]
        assert len(lines) == 4
        assert max(map(len, lines)) <= 100
        assert sum(line.count("pci-0000-") for line in lines) == 16
        assert all(line.endswith(" .") for line in lines)

    def test_minus_one_is_no_numa_node(self):
        attributes = {"resource.kubernetes.io/numaNode": {"int": -1}}
        data = {
            "spec": {
                "driver": "gpu.nvidia.com",
                "pool": {"name": "n"},
                "devices": [{"name": "x"} | {"attributes": attributes}],
            }
        }
        picture = picture_of("n", slice_from(data).devices, None, registry.catalogue())
        assert draw(picture) == "  NUMA node unknown\n    no PCIe root  x .\n"

    def test_devices_of_drivers_nobody_knows_go_by_the_standard_names(self):
        data = {
            "spec": {
                "driver": "new.example.com",
                "pool": {"name": "n"},
                "devices": [
                    {
                        "name": "x",
                        "attributes": {
                            "resource.kubernetes.io/numaNode": {"ints": [1, 0]},
                            "resource.kubernetes.io/pcieRoot": {"string": "pci0000:97"},
                        },
                    }
                ],
            }
        }
        picture = picture_of("n", slice_from(data).devices, None, registry.catalogue())
        assert draw(picture) == "  NUMA node 1\n    pci0000:97    x .\n"
