"""``check`` of a workload beside a large inventory, and PyYAML's C loader on the same file: processor time and peak memory.

    python tests/bench/inventory.py [--quick]

100,000 devices on 1,087 nodes as ``kubectl get resourceslices,nodes,… -o yaml`` writes them, then the same as JSON; --quick:
a fiftieth of that. Nothing fails here: machines are noisy, and people read the numbers.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

PLUGIN = Path(__file__).resolve().parents[2] / "plugin"
sys.path.insert(0, str(PLUGIN))

from dralign import registry  # noqa: E402  the path comes first

MACHINE, CHOSEN = "p5-48xlarge", {"mig": "all-1g.10gb"}
NODES, QUICK_NODES = 1087, 22
CSAFE = "import sys, yaml\nfor d in yaml.load_all(open(sys.argv[1]), yaml.CSafeLoader): pass"
WORKLOAD = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: llama, namespace: serving}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: mig.nvidia.com}
      - name: cpus
        exactly: {deviceClassName: dra.cpu, capacity: {requests: {dra.cpu/cpu: "8"}}}
      constraints:
      - {matchAttribute: resource.kubernetes.io/numaNode, requests: [gpu]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: llama, namespace: serving}
spec:
  replicas: 6
  selector: {matchLabels: {app: llama}}
  template:
    metadata: {labels: {app: llama}}
    spec:
      resourceClaims: [{name: devices, resourceClaimTemplateName: llama}]
      containers:
      - name: main
        image: registry.example.com/llama:1
        resources:
          requests: {cpu: "8", memory: 32Gi}
          limits: {cpu: "8", memory: 32Gi}
          claims: [{name: devices}]
"""


class Dumper(yaml.CSafeDumper):
    """As kubectl writes YAML: no anchors."""

    def ignore_aliases(self, _):
        """Never make one."""
        return True


def objects(nodes):
    """Yield the objects of a cluster, node by node; the classes with the first."""
    preset = registry.preset(MACHINE)
    for number in range(nodes):
        made = preset.objects(preset.chosen({**CHOSEN, "first": str(number)}))
        yield from (item for item in made if number == 0 or item["kind"] != "DeviceClass")


def write_yaml(path, nodes):
    """Write a List and return how many devices it holds."""
    devices = 0
    with path.open("w") as file:
        file.write("apiVersion: v1\nitems:\n")
        for item in objects(nodes):
            devices += len(item.get("spec", {}).get("devices", ()))
            yaml.dump([item], file, Dumper=Dumper, default_flow_style=False)
        file.write('kind: List\nmetadata:\n  resourceVersion: ""\n')
    return devices


def write_json(path, nodes):
    """Write the same list as kubectl writes JSON."""
    with path.open("w") as file:
        file.write('{\n    "apiVersion": "v1",\n    "items": [\n')
        texts = (json.dumps(item, indent=4).replace("\n", "\n        ") for item in objects(nodes))
        file.write(",\n".join(f"        {text}" for text in texts))
        file.write('\n    ],\n    "kind": "List"\n}\n')


def spent(command):
    """Return processor seconds and peak MiB of a command: of a child of a small process, since a fork counts as large."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=-3, stderr=-3); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
    )
    process = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    seconds, kibibytes = process.stdout.split()
    return float(seconds), int(kibibytes) / 1024


def dralign(*args):
    """Return the command line of the product in a new interpreter."""
    code = f"import sys; sys.path.insert(0, {str(PLUGIN)!r}); from dralign.__main__ import main; sys.exit(main())"
    return [sys.executable, "-I", "-c", code, *args]


def compare(folder, nodes):
    """Print what each reader takes, and the ratios to PyYAML."""
    workload, inventory, as_json = (folder / name for name in ("w.yaml", "inventory.yaml", "inventory.json"))
    workload.write_text(WORKLOAD)
    start = time.perf_counter()
    devices = write_yaml(inventory, nodes)
    write_json(as_json, nodes)
    size = inventory.stat().st_size / 1e6
    print(f"{devices} devices on {nodes} nodes, {size:.0f} MB of YAML, made in {time.perf_counter() - start:.0f} s")
    loaded, most = spent([sys.executable, "-c", CSAFE, str(inventory)])
    print(f"{'CSafeLoader, YAML':<24} {loaded:7.1f} s  {most:6.0f} MiB")
    for verb, path in (("check", inventory), ("fix", inventory), ("simulate", inventory), ("check", as_json)):
        took, peak = spent(dralign(verb, str(workload), "--inventory", str(path)))
        name = f"{verb}, {path.suffix[1:].upper()}"
        print(f"{name:<24} {took:7.1f} s  {peak:6.0f} MiB   {took / loaded:5.2f}x CSafeLoader   budget 1.5x, 300 MiB")


def main():
    """Measure what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a fiftieth of the devices")
    nodes = QUICK_NODES if parser.parse_args().quick else NODES
    with tempfile.TemporaryDirectory() as name:
        compare(Path(name), nodes)


if __name__ == "__main__":
    main()
