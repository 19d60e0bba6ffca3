"""Times and peak memory as ratios to something on the same machine in the same run; see the budgets in the README.

    python tests/bench/run.py [--quick]

Prints one line per budget: measured, ratio, budget. Nothing fails here: machines are noisy, and people read the numbers.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import inventory
from generate import claims, deployments, resource_list

PLUGIN = Path(__file__).resolve().parents[2] / "plugin"
PYTHON = [sys.executable, "-I"]
KUBECONFORM = "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0"
CSAFE = "import sys, yaml\nfor d in yaml.load_all(open(sys.argv[1]), yaml.CSafeLoader): pass"


def dralign(*args):
    """Return the command line of the product in a new interpreter."""
    code = f"import sys; sys.path.insert(0, {str(PLUGIN)!r}); from dralign.__main__ import main; sys.exit(main())"
    return [*PYTHON, "-c", code, *args]


def seconds(command, *, stdin=None, runs):
    """Return the median wall time of a command."""
    times = []
    for _ in range(runs):
        with open(stdin or os.devnull, "rb") as source:
            start = time.perf_counter()
            subprocess.run(command, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            times.append(time.perf_counter() - start)
    return statistics.median(times)


def peak_mebibytes(command, *, stdin=None):
    """Return the peak resident memory of a command."""
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdin=sys.stdin, stdout=-3, stderr=-3); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    with open(stdin or os.devnull, "rb") as source:
        process = subprocess.run(
            [sys.executable, "-c", code, *command], stdin=source, capture_output=True, text=True, check=True
        )
    return int(process.stdout) / 1024


def line(name, measured, unit, ratio, against, budget):
    """Print one measurement."""
    shown = f"{ratio:5.2f}x {against}" if ratio is not None else ""
    print(f"{name:<58} {measured:9.1f} {unit:<4} {shown:<40} budget {budget}", flush=True)


def cold_start(folder, runs):
    """Time whole processes against an interpreter that does nothing."""
    bare = seconds([*PYTHON, "-c", "pass"], runs=runs)
    line("bare interpreter", bare * 1000, "ms", None, "", "-")
    for name, device, budget in (
        ("10 documents without a GPU word", "", "3x"),
        ("10 relevant documents", "nvidia.com/gpu", "6x"),
    ):
        path = folder / "ten.yaml"
        path.write_bytes(resource_list(10, device=device))
        took = seconds(dralign("function"), stdin=path, runs=runs)
        line(f"dralign-fn, {name}", took * 1000, "ms", took / bare, "bare interpreter", budget)


def throughput(folder, count, runs):
    """Time thousands of documents against PyYAML's C loader on the same file, and measure the memory."""
    for name, text, speed, memory in (
        ("without a GPU word", deployments(count), "0.2x", "150 MiB"),
        ("relevant", deployments(count, device="nvidia.com/gpu"), "1x", "300 MiB"),
        ("each with a claim of its own", claims(count), "1.5x", "300 MiB"),
    ):
        path = folder / "many.yaml"
        path.write_bytes(text)
        loader = seconds([sys.executable, "-c", CSAFE, str(path)], runs=runs)
        took = seconds(dralign("check", str(path)), runs=runs)
        line(f"check, {count} Deployments {name}", took * 1000, "ms", took / loader, "CSafeLoader", speed)
        line("  peak memory", peak_mebibytes(dralign("check", str(path))), "MiB", None, "", memory)
        other = kubeconform(folder)
        if other is not None:
            theirs = seconds([*other, str(path)], runs=runs)
            line("  the same file", took * 1000, "ms", took / theirs, "kubeconform, schemas that take all", "-")


def kubeconform(folder):
    """Return the command of kubeconform, built in the folder; None, saying why, where it cannot be.

    Its schemas are not here: each kind gets one that takes everything, so that what is timed is reading and looking up.
    """
    program = folder / "kubeconform"
    if not program.exists():
        if shutil.which("go") is None:
            print("  no ratio to kubeconform: go is not on PATH")
            return None
        where = os.environ | {"GOBIN": str(folder), "GOFLAGS": "-mod=mod"}
        built = subprocess.run(["go", "install", KUBECONFORM], env=where, capture_output=True, text=True, check=False)
        if built.returncode:
            print(f"  no ratio to kubeconform: {built.stderr.strip().splitlines()[-1]}")
            return None
    for kind in ("deployment", "resourceclaimtemplate", "service", "configmap"):
        (folder / f"{kind}.json").write_text("{}")
    return [str(program), "-n", str(os.cpu_count()), "-schema-location", f"{folder}/{{{{.ResourceKind}}}}.json"]


def main():
    """Measure what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs and documents")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as name:
        cold_start(Path(name), runs=7 if quick else 25)
        throughput(Path(name), count=500 if quick else 5000, runs=1 if quick else 3)
        inventory.compare(Path(name), inventory.QUICK_NODES if quick else inventory.NODES // 10)


if __name__ == "__main__":
    main()
