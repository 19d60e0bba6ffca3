"""What the exec function adds to a kustomize build, over a function that is `cat`, as a ratio to a bare interpreter.

    python tests/bench/hosts.py [RUNS]

Needs the standalone kustomize on PATH. Processor time is counted, not the clock, and the builds take turns, so that what
else the machine does bears on all alike.
"""

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

PLUGIN = Path(__file__).resolve().parents[2] / "plugin"
CODE = f"import sys; sys.path.insert(0, {str(PLUGIN)!r}); from dralign.__main__ import function; sys.exit(function([]))"
FUNCTIONS = {
    "cat": {"path": "cat"},
    "bare": {"path": sys.executable, "args": ["-I", "-c", "import sys; sys.stdout.write(sys.stdin.read())"]},
    "dralign": {"path": sys.executable, "args": ["-I", "-c", CODE]},
}
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {{name: s{0}}}\nspec: {{ports: [{{port: 80}}]}}\n"
POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: p{0}}}
spec:
  containers:
  - name: main
    image: registry.example.com/a:1
    resources:
      limits: {{cpu: 1500m, memory: 1Gi, nvidia.com/gpu: 1}}
"""
BUNDLES = {"10 documents, none of ours": (SERVICE, "3x"), "10 documents, all of ours": (POD, "6x")}


def kustomization(folder, document, function):
    """Write a kustomization of ten objects whose function is started like this."""
    folder.mkdir(parents=True)
    annotations = {"config.kubernetes.io/function": json.dumps({"exec": function})}
    config = {
        "apiVersion": "dralign.dev/v1alpha1",
        "kind": "Dralign",
        "metadata": {"name": "dralign", "annotations": annotations},
        "spec": {"failOn": "never"},
    }
    (folder / "dralign.yaml").write_text(yaml.safe_dump(config))
    (folder / "all.yaml").write_text("---\n".join(document.format(index) for index in range(10)))
    (folder / "kustomization.yaml").write_text("resources: [all.yaml]\ntransformers: [dralign.yaml]\n")
    return ["kustomize", "build", "--enable-alpha-plugins", "--enable-exec", str(folder)]


def seconds(command):
    """Return the processor time of one run and of all that it starts; it has to succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def least(commands, runs):
    """Return the least time of each command, all run in turns: noise only ever adds."""
    times = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            times[name].append(seconds(command))
    return {name: min(values) for name, values in times.items()}


def main(runs=15):
    """Print, for each bundle, what the function adds."""
    if shutil.which("kustomize") is None:
        sys.exit("no standalone kustomize on PATH")
    with tempfile.TemporaryDirectory() as folder:
        for title, (document, budget) in BUNDLES.items():
            builds = {
                name: kustomization(Path(folder) / title / name, document, how) for name, how in FUNCTIONS.items()
            }
            took = least({**builds, "start": [sys.executable, "-I", "-c", "pass"]}, runs)
            for name in ("bare", "dralign"):
                added = took[name] - took["cat"]
                print(
                    f"{title:<28} {name:<8} adds {added * 1000:6.1f} ms to {took['cat'] * 1000:6.1f} ms: {added / took['start']:5.2f}x a bare start, budget {budget}"
                )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
