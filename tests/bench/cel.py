"""CEL against the real code and a bare interpreter, in processor time of the same run.

    python tests/bench/cel.py [ORACLE]

ORACLE is a ``celoracle``; without it only our own times are printed. Both sides compile the same 1,000 selectors as new
ones (with the cost estimate) and as stored ones, and evaluate one full selector on the same 100,000 devices. Nothing
fails here: machines are noisy, and people read the numbers.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

PLUGIN = Path(__file__).resolve().parents[2] / "plugin"
sys.path.insert(0, str(PLUGIN))

SELECTORS = 1_000
DEVICES = 100_000
RUNS = 15

TYPICAL = (
    (
        'device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "mig" '
        '&& device.attributes["gpu.nvidia.com"].profile == "{}g.10gb"'
    ),
    'device.driver == "gpu.nvidia.com" && device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("{}Gi")) >= 0',
    (
        'has(device.attributes["resource.kubernetes.io"].numaNode) '
        '&& device.attributes["resource.kubernetes.io"].numaNode == {}'
    ),
    'device.attributes["gpu.nvidia.com"].?driverVersion.optMap(v, v.isGreaterThan(semver("{}.0.0"))).orValue(false)',
)
FULL = (
    'device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "gpu" '
    '&& device.attributes["gpu.nvidia.com"].productName.contains("H100") '
    '&& has(device.attributes["resource.kubernetes.io"].numaNode) '
    '&& device.attributes["resource.kubernetes.io"].numaNode == 0 '
    '&& device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0 '
    '&& device.attributes["gpu.nvidia.com"].driverVersion.isGreaterThan(semver("550.0.0"))'
)


def device(number):
    """Return a device as the oracle's benchmark makes it."""
    return {
        "name": f"gpu-{number}",
        "attributes": {
            "type": {"string": "gpu"},
            "uuid": {"string": f"GPU-{number:032x}"},
            "productName": {"string": "NVIDIA H100 80GB HBM3"},
            "brand": {"string": "Nvidia"},
            "architecture": {"string": "Hopper"},
            "cudaComputeCapability": {"version": "9.0.0"},
            "driverVersion": {"version": f"5{50 + number % 40}.{number % 100}.6"},
            "resource.kubernetes.io/numaNode": {"int": number % 2},
            "resource.kubernetes.io/pcieRoot": {"string": f"pci0000:{number % 256:02x}"},
        },
        "capacity": {"memory": {"value": "80Gi"}},
    }


def seconds(work):
    """Return the processor time of some work, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def measured():
    """Return our own times by the oracle's names for them."""
    from dralign.model.slice import slice_from
    from dralign.selector import compile_selector

    def compiled(*, stored):
        texts = [TYPICAL[number % 4].format(number) for number in range(SELECTORS)]
        return [compile_selector(text, "1.37", ("DRAConsumableCapacity",), stored=stored) for text in texts]

    compile_selector(
        FULL, "1.37", ("DRAConsumableCapacity",)
    )  # the tables are loaded once, as Go makes its environment
    times = {}
    for name, stored in (("compile_NewExpressions", False), ("compile_StoredExpressions", True)):
        times[name], results = seconds(lambda stored=stored: compiled(stored=stored))
        assert all(result.ok for result in results)
    spec = {"driver": "gpu.nvidia.com", "devices": [device(number) for number in range(DEVICES)]}
    devices = slice_from({"spec": spec}).devices
    full = compile_selector(FULL, "1.37", ("DRAConsumableCapacity",), stored=True)
    for name in ("eval", "eval_again"):  # the first time each device is looked at as a whole
        times[name], results = seconds(lambda: matches(full, devices))
    print(f"{sum(results)} of {DEVICES} devices match")
    return times


def matches(compiled, devices):
    """Return whether each device matches, as the simulator asks: the quick function first."""
    answers = []
    quick = compiled.quick
    for item in devices:
        answer = quick(item)
        answers.append(compiled.evaluate(item).value if answer is None else answer)
    return answers


def theirs(oracle):
    """Return the oracle's processor times."""
    done = subprocess.run([oracle, "bench", str(SELECTORS), str(DEVICES)], capture_output=True, text=True, check=True)
    times = {}
    for line in done.stdout.splitlines():
        words = line.split()
        if "cpu" in words:
            times[words[0].removesuffix("_seconds")] = float(words[words.index("cpu") + 1])
    return times


def starts(code):
    """Return the median processor time of a new interpreter that runs ``code``."""
    program = f"import sys; sys.path.insert(0, {str(PLUGIN)!r}); {code}"
    script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); u = resource.getrusage(resource.RUSAGE_CHILDREN); print(u.ru_utime + u.ru_stime)"
    command = [sys.executable, "-I", "-c", script, sys.executable, "-I", "-c", program]
    return statistics.median(float(subprocess.check_output(command)) for _ in range(RUNS))


BUDGETS = {
    "compile_NewExpressions": "3x",
    "compile_StoredExpressions": "3x",
    "eval": "0.1x and 0.1 s",
    "eval_again": "0.1x and 0.1 s",
}


def main():
    """Print one line per budget: ours, theirs, the ratio, the budget."""
    ours = measured()
    real = theirs(sys.argv[1]) if len(sys.argv) > 1 else {}
    if real:
        real["eval_again"] = real["eval"]  # the real code does not remember devices
    for name, budget in BUDGETS.items():
        against = f"{real[name]:8.3f} s {ours[name] / real[name]:6.2f}x" if name in real else ""
        print(f"{name:<28} {ours[name]:8.3f} s {against}   budget {budget}")
    bare, door = starts("pass"), starts("import dralign.cel, dralign.selector")
    first = starts(
        "from dralign.selector import compile_selector; compile_selector('device.driver == \"d\"', '1.37', ())"
    )
    print(
        f"bare interpreter {bare * 1000:.1f} ms; importing cel and selector {(door - bare) / bare:.2f}x more   budget 1x"
    )
    print(f"compiling the first selector {(first - bare) / bare:.2f}x more")


if __name__ == "__main__":
    main()
