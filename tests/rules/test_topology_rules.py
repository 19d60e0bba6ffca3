"""Rules on where devices of a claim lie: what they say with an inventory, and that one speaks where two could."""

import pytest
from worlds import findings, gpu, piece

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
