"""What the text alone proves needs none of the modules that place devices."""

from __future__ import annotations

import os
import subprocess
import sys

CLAIM_AND_POD = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: tied}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: gpu.nvidia.com}
      - name: cpus
        exactly: {deviceClassName: dra.cpu, capacity: {requests: {dra.cpu/cpu: "8"}}}
      constraints:
      - matchAttribute: resource.kubernetes.io/numaNode
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resourceClaims: [{name: devices, resourceClaimTemplateName: tied}]
  containers:
  - name: main
    image: example.com/app:1
    resources:
      requests: {cpu: "8", memory: 8Gi}
      limits: {cpu: "8", memory: 8Gi}
      claims: [{name: devices}]
"""
PROGRAM = """\
import sys
from dralign.cli import main
try:
    main(["check", "-"])
except SystemExit as end:
    print(end.code)
print(*sorted(name for name in sys.modules if name.startswith(("dralign.sim.", "dralign.proof."))))
"""


def test_the_allocator_is_not_imported_where_the_text_decides():
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        input=CLAIM_AND_POD,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "aligned 1" in ran.stdout
    imported = set(ran.stdout.splitlines()[-1].split())
    assert "dralign.proof.prover" in imported
    assert not imported & {"dralign.proof.on_nodes", "dralign.sim.allocator", "dralign.sim.search"}
