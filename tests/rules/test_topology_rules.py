"""Rules on where devices of a claim lie: what they say with an inventory, and that one speaks where two could."""

import pytest
from worlds import device, findings, gpu, nic, piece

HEAD = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: claim
spec:
  devices:
"""
ALL = f"""{HEAD}\
    requests:
    - name: gpus
      exactly: {{deviceClassName: gpu.nvidia.com, allocationMode: All}}
"""


PAIR = f"""{HEAD}\
    requests:
    - name: gpu
      exactly: {{deviceClassName: gpu.nvidia.com}}
    - name: nic
      exactly: {{deviceClassName: rdma.example.com}}
"""
NIC_CLASS = """\
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: rdma.example.com}
spec:
  selectors: [{cel: {expression: device.driver == "dra.net"}}]
"""
BY_NUMA = """\
    constraints:
    - matchAttribute: resource.kubernetes.io/numaNode
"""


def node(name, gpus, nics):
    """Return the slices of a node: (NUMA node, PCIe root) of each GPU and NIC."""
    return (
        piece(name, "gpu.nvidia.com", *(gpu(i, *place) for i, place in enumerate(gpus))),
        piece(name, "dra.net", *(nic(i, *place) for i, place in enumerate(nics))),
    )


PAIRED = node("paired", [(0, "a"), (1, "b")], [(0, "a"), (1, "b")])
CROWDED = node("crowded", [(0, "a"), (0, "b")], [(0, "a"), (0, "b")])
ROOTS_APART = node("apart", [(0, "a"), (1, "b")], [(0, "c"), (1, "d")])


class TestNicConstraintMissing:
    def test_one_rule_speaks_of_a_gpu_and_its_nic(self):
        assert [severity for severity, _, _ in findings("nic-constraint-missing", PAIR + NIC_CLASS)] == ["error"]
        assert findings("numa-constraint-missing", PAIR + NIC_CLASS) == []

    def test_cpus_that_are_loose_too_make_it_a_matter_of_numa_nodes(self):
        text = PAIR + "    - name: cpus\n      exactly: {deviceClassName: dra.cpu}\n" + NIC_CLASS
        assert findings("nic-constraint-missing", text) == []
        assert len(findings("numa-constraint-missing", text)) == 1

    def test_a_numa_constraint_without_an_inventory_is_told(self):
        assert [severity for severity, _, _ in findings("nic-constraint-missing", PAIR + BY_NUMA + NIC_CLASS)] == [
            "info"
        ]

    @pytest.mark.parametrize("machine", [PAIRED, ROOTS_APART], ids=["pairs of one root", "roots never meet"])
    def test_a_numa_constraint_that_is_the_best_there_is(self, machine):
        assert findings("nic-constraint-missing", PAIR + BY_NUMA + NIC_CLASS, *machine) == []

    def test_a_numa_node_with_several_roots(self):
        ((severity, path, message),) = findings("nic-constraint-missing", PAIR + BY_NUMA + NIC_CLASS, *CROWDED)
        assert (severity, path) == ("error", "spec.devices.constraints")
        assert "gpu-0 with nic-1 on crowded" in message

    def test_where_roots_never_meet_the_numa_node_is_asked_for(self):
        assert findings("nic-constraint-missing", PAIR + NIC_CLASS, *ROOTS_APART) == []
        assert len(findings("numa-constraint-missing", PAIR + NIC_CLASS, *ROOTS_APART)) == 1

    def test_requests_of_several_devices_have_to_be_split(self):
        text = PAIR.replace("rdma.example.com", "rdma.example.com, count: 2") + NIC_CLASS
        ((severity, _, _),) = findings("nic-constraint-missing", text)
        assert severity == "error"

    def test_a_whole_machine_is_told(self):
        text = PAIR.replace("rdma.example.com", "rdma.example.com, allocationMode: All") + NIC_CLASS
        assert [severity for severity, _, _ in findings("nic-constraint-missing", text)] == ["info"]

    def test_two_pairs_by_two_constraints(self):
        text = f"""{HEAD}\
    requests:
    - {{name: g0, exactly: {{deviceClassName: gpu.nvidia.com}}}}
    - {{name: g1, exactly: {{deviceClassName: gpu.nvidia.com}}}}
    - {{name: n0, exactly: {{deviceClassName: rdma.example.com}}}}
    - {{name: n1, exactly: {{deviceClassName: rdma.example.com}}}}
    constraints:
    - {{matchAttribute: resource.kubernetes.io/pcieRoot, requests: [g0, n0]}}
    - {{matchAttribute: resource.kubernetes.io/pcieRoot, requests: [g1, n1]}}
"""
        assert findings("nic-constraint-missing", text + NIC_CLASS) == []


GPUS = f"""{HEAD}\
    requests:
    - name: gpus
      exactly: {{deviceClassName: gpu.nvidia.com, count: 2}}
"""


class TestInterconnectConstraintMissing:
    def test_two_roots_that_hold_two_each(self):
        machine = piece("box", "gpu.nvidia.com", *(gpu(i, i // 2, f"root-{i // 2}") for i in range(4)))
        ((severity, path, message),) = findings("interconnect-constraint-missing", GPUS, machine)
        assert (severity, path) == ("warning", "spec.devices")
        assert "box has 2 by resource.kubernetes.io/pcieRoot, and one of them holds 2" in message

    def test_partitions_of_a_switch_come_first(self):
        devices = [gpu(i, 0, f"root-{i // 2}", partition2=i // 2, partition4=0) for i in range(4)]
        ((_, _, message),) = findings("interconnect-constraint-missing", GPUS, piece("box", "gpu.nvidia.com", *devices))
        assert "by gpu.nvidia.com/partition2" in message

    @pytest.mark.parametrize("roots", ["aaaa", "abcd"], ids=["one domain", "none is large enough"])
    def test_only_what_can_be_met_is_asked_for(self, roots):
        machine = piece("box", "gpu.nvidia.com", *(gpu(i, 0, root) for i, root in enumerate(roots)))
        assert findings("interconnect-constraint-missing", GPUS, machine) == []

    def test_one_numa_node_with_two_roots_is_not_one_domain(self):
        machine = piece("box", "gpu.nvidia.com", *(gpu(i, 0, f"root-{i // 2}") for i in range(4)))
        assert len(findings("interconnect-constraint-missing", GPUS + BY_NUMA, machine)) == 1

    def test_accelerators_of_two_containers_have_nothing_to_exchange(self):
        text = f"""{HEAD}\
    requests:
    - {{name: a, exactly: {{deviceClassName: gpu.nvidia.com}}}}
    - {{name: b, exactly: {{deviceClassName: gpu.nvidia.com}}}}
---
apiVersion: v1
kind: Pod
metadata: {{name: two}}
spec:
  resourceClaims: [{{name: gpus, resourceClaimName: claim}}]
  containers:
  - {{name: x, image: registry.example.com/x:1, resources: {{claims: [{{name: gpus, request: a}}]}}}}
  - {{name: y, image: registry.example.com/x:1, resources: {{claims: [{{name: gpus, request: b}}]}}}}
"""
        assert findings("interconnect-constraint-missing", text) == []

    def test_unseen_machines_in_strict(self):
        assert [found[0] for found in findings("interconnect-constraint-missing", GPUS, profile="strict")] == [
            "warning"
        ]


class TestNumaFallback:
    def test_all_devices_of_nodes_of_both_sorts(self):
        wide = piece("wide", "gpu.nvidia.com", gpu(0, 0, "a"), gpu(1, 1, "b"))
        narrow = piece("narrow", "gpu.nvidia.com", gpu(0, 0, "a"), gpu(1, 0, "b"))
        ((severity, path, message),) = findings("numa-fallback", ALL, wide, narrow)
        assert (severity, path) == ("warning", "spec.devices.requests[0].exactly")
        assert "on narrow they share a NUMA node, on wide they lie on NUMA nodes 0 and 1" in message

    @pytest.mark.parametrize("nodes", [(0, 1), (0, 0)])
    def test_nothing_to_say_where_all_nodes_are_alike(self, nodes):
        devices = [gpu(index, numa, f"root-{index}") for index, numa in enumerate(nodes)]
        assert findings("numa-fallback", ALL, piece("node", "gpu.nvidia.com", *devices)) == []

    def test_alternatives_of_more_devices_than_the_first(self):
        text = f"""{HEAD}\
    requests:
    - name: gpu
      firstAvailable:
      - {{name: big, deviceClassName: gpu.nvidia.com}}
      - {{name: small, deviceClassName: mig.nvidia.com, count: 2}}
      - {{name: smaller, deviceClassName: mig.nvidia.com, count: 4}}
"""
        ((severity, path, message),) = findings("numa-fallback", text)
        assert (severity, path) == ("warning", "spec.devices.requests[0].firstAvailable[1]")
        assert "falls back on 'small', 'smaller'" in message

    def test_a_fallback_off_the_node_that_the_first_is_on(self):
        at = 'device.attributes["resource.kubernetes.io"].?numaNode.orValue(-1) == 0'
        text = f"""{HEAD}\
    requests:
    - name: gpu
      firstAvailable:
      - name: near
        deviceClassName: gpu.nvidia.com
        selectors: [{{cel: {{expression: '{at}'}}}}]
      - {{name: any, deviceClassName: gpu.nvidia.com}}
    - name: cpus
      exactly:
        deviceClassName: dra.cpu
        selectors: [{{cel: {{expression: '{at}'}}}}]
"""
        ((severity, _, message),) = findings("numa-fallback", text)
        assert severity == "warning"
        assert "falls back on 'any'" in message
        assert findings("numa-constraint-missing", text) == []

    def test_untied_from_the_first_alternative_on_is_a_missing_constraint(self):
        text = f"""{HEAD}\
    requests:
    - name: gpu
      firstAvailable:
      - {{name: big, deviceClassName: gpu.nvidia.com}}
      - {{name: small, deviceClassName: mig.nvidia.com}}
    - name: cpus
      exactly: {{deviceClassName: dra.cpu}}
"""
        assert findings("numa-fallback", text) == []
        assert len(findings("numa-constraint-missing", text)) == 1

    def test_a_marked_workload_makes_it_an_error(self):
        text = f"""{HEAD}\
    requests:
    - name: gpu
      firstAvailable:
      - {{name: big, deviceClassName: gpu.nvidia.com}}
      - {{name: small, deviceClassName: mig.nvidia.com, count: 2}}
---
apiVersion: v1
kind: Pod
metadata:
  name: serve
  labels: {{dralign.dev/workload-class: serving}}
spec:
  resourceClaims: [{{name: gpu, resourceClaimName: claim}}]
  containers:
  - name: main
    image: registry.example.com/serve:1.0
    resources: {{claims: [{{name: gpu}}]}}
"""
        assert [severity for severity, _, _ in findings("numa-fallback", text)] == ["error"]


class TestConstraintAcrossClaims:
    TEXT = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: cpus}
spec:
  devices:
    requests: [{name: cpus, exactly: {deviceClassName: dra.cpu, capacity: {requests: {dra.cpu/cpu: 4}}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: gpu}, {name: cpus, resourceClaimName: cpus}]
  containers:
  - name: main
    image: registry.example.com/train:1.0
    resources:
      requests: {cpu: 4, memory: 4Gi}
      limits: {cpu: 4, memory: 4Gi}
      claims: [{name: gpu}, {name: cpus}]
"""

    def machine(self, *nodes):
        """Return a machine with a GPU and CPUs on each of some NUMA nodes."""
        zones = [
            {
                "name": f"node-{node}",
                "type": "Node",
                "resources": [{"name": "cpu", "capacity": "16", "allocatable": "16", "available": "16"}],
            }
            for node in nodes
        ]
        cpus = [
            device(f"cpudevnuma00{node}", node, capacity={"dra.cpu/cpu": "16"}, **{"dra.cpu/numaNodeID": node})
            | {"allowMultipleAllocations": True}
            for node in nodes
        ]
        return (
            piece("box", "gpu.nvidia.com", *(gpu(node, node, f"root-{node}") for node in nodes)),
            piece("box", "dra.cpu", *cpus),
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "box"}, "status": {"capacity": {"cpu": "32"}}},
            {
                "apiVersion": "topology.node.k8s.io/v1alpha2",
                "kind": "NodeResourceTopology",
                "metadata": {"name": "box"},
                "zones": zones,
            },
        )

    def test_two_numa_nodes(self):
        found = findings("constraint-across-claims", self.TEXT, *self.machine(0, 1))
        assert [(severity, path) for severity, path, _ in found] == [
            ("error", "spec.containers[0].resources.claims[1]")
        ]

    def test_one_numa_node_leaves_nothing_to_miss(self):
        assert findings("constraint-across-claims", self.TEXT, *self.machine(0)) == []
