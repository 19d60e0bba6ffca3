"""Compares the kubelet model with the answers of the kubelet's own packages.

    run_kubelet.py [DIR]

DIR holds ``machines.json``, ``config.jsonl`` and ``admit.jsonl``, plain or with ``.gz``; without it the copies beside this
file are used, where ``fields.jsonl`` and ``random.jsonl`` are further answers to questions of ``fuzz_kubelet.py``. Of a configuration must agree: whether it is taken, what refused it, whether the kubelet starts, the step at
which it does not, and the reservation. Of a pod: admitted or the reason, the CPUs and NUMA nodes of every container, the
blocks of memory, what is left. Error texts are compared too, but only counted.
"""

import gzip
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "plugin"))

from dralign.errors import InputError  # noqa: E402 - the path comes first
from dralign.kubelet import cpulists, masks  # noqa: E402
from dralign.kubelet.configuration import Reading, read  # noqa: E402
from dralign.kubelet.machine import Layout, regular_machine  # noqa: E402
from dralign.kubelet.pods import Container, Pod, Resources  # noqa: E402
from dralign.kubelet.starting import start  # noqa: E402
from dralign.values.quantity import Quantity  # noqa: E402
from dralign.yamlio import SIGS, load  # noqa: E402

SHOWN = 20
STORAGE = 1 << 40  # the root file system of every machine of the answers
UNSTAMPED = "0.0"  # the version of the program that was asked, which was built without one


def text_of(path):
    packed = path.with_name(path.name + ".gz")
    return gzip.decompress(packed.read_bytes()).decode() if packed.exists() else path.read_text()


def rows_of(path):
    """Return the rows of a file; of one that is not there, none."""
    there = path.exists() or path.with_name(path.name + ".gz").exists()
    return [json.loads(line) for line in text_of(path).splitlines()] if there else []


def machine_of(data):
    return regular_machine(
        Layout(
            data["sockets"],
            data["numaPerSocket"],
            data["coresPerNuma"],
            data["threads"],
            Quantity.parse(data["memoryPerNuma"]).ceil(),
            {Quantity.parse(size).ceil(): pages for size, pages in data.get("hugepagesPerNuma", {}).items()},
            data.get("uncorePerNuma", 0),
            adjacent=data.get("numbering") == "adjacent",
            interleaved=data.get("interleave", False),
            storage=STORAGE,
        )
    )


def machine_in(row, machines):
    """Return the machine of a row, which names or describes it."""
    return machines[row["machine"]] if isinstance(row["machine"], str) else machine_of(row["machine"])


def amounts(data):
    return {name: Quantity.parse(str(value)) for name, value in (data or {}).items()}


def resources_of(data):
    return None if data is None else Resources(amounts(data.get("requests")), amounts(data.get("limits")))


def container_of(data, kind):
    if kind == "init" and data.get("restartPolicy") == "Always":
        kind = "sidecar"
    return Container(data["name"], kind, resources_of(data.get("resources")) or Resources())


def pod_of(data):
    spec = data["spec"]
    containers = [container_of(item, "init") for item in spec.get("initContainers", ())]
    containers += [container_of(item, "container") for item in spec["containers"]]
    return Pod(data["metadata"]["name"], tuple(containers), resources_of(spec.get("resources")))


def read_text(text, flags=None):
    """Read a configuration file: what the YAML reader refuses is a fault of decoding."""
    try:
        document = load(text, SIGS, "config").value
    except InputError as error:
        return Reading(None, stage="decode", errors=(str(error),))
    return read(document, flags=flags, version=UNSTAMPED)


def told_config(answer):
    """Say in short what the answer says of a configuration; feature gates fail while defaulting, in decoding."""
    if answer["ok"]:
        return "ok"
    return "decode" if "decode" in answer else "gates" if "gates" in answer else "validation"


def our_config(reading):
    return {None: "ok", "gates": "decode"}.get(reading.stage, reading.stage)


def words_differ(answer, reading):
    """Whether the error texts differ, seen apart from their order, or the fields that are only logged."""
    strict = answer.get("strict", "")
    unknown = (
        re.findall('unknown field "([^"]*)"', strict) if strict.startswith("strict decoding error: unknown") else []
    )
    if unknown and sorted(unknown) != sorted(reading.ignored):
        return True
    if answer.get("errors"):
        return sorted(answer["errors"]) != sorted(reading.errors)
    told = answer.get("decode", "").removeprefix("PANIC: ").removeprefix("failed to decode: ")
    return told != "".join(reading.errors)


def our_start(started):
    out = {"ok": started.node is not None}
    if started.step:
        out["step"] = started.step
    if started.reservation:
        out["reservation"] = {name: str(amount) for name, amount in started.reservation.items()}
    if started.node is not None and started.node.cpu is not None:
        cpu = started.node.cpu
        out["shared"] = cpulists.write(cpu.shared)
        out["allocatable"] = cpulists.write(cpu.topology.all - cpu.reserved)
    return {name: value for name, value in out.items() if value or name == "ok"}


def judge_config(row, machines):
    """Return (what differs, whether only words differ)."""
    reading = read_text(row["yaml"], row.get("flags"))
    told, ours = told_config(row["config"]), our_config(reading)
    if told != ours:
        return f"config: told {told} {row['config']}, ours {ours} {reading.errors}", False
    if reading.configuration is None or "start" not in row:
        return None, words_differ(row["config"], reading)
    started = start(reading.configuration, machine_in(row, machines))
    told = {name: value for name, value in row["start"].items() if name != "error"}
    if told != our_start(started):
        return f"start: told {row['start']}, ours {our_start(started)} {started.error}", False
    return None, row["start"].get("error") != started.error or words_differ(row["config"], reading)


def our_container(node, pod, container, placement):
    out = {"cpus": cpulists.write(node.cpu.runs_on(pod, container) if node.cpu else ())}
    if placement.cpus is not None:
        out["exclusive"] = cpulists.write(placement.cpus)
    if placement.affinity.mask is not None:
        out["hint"] = list(masks.nodes_of(placement.affinity.mask))
        out["preferred"] = placement.affinity.preferred
    if placement.memory:
        blocks = sorted(placement.memory, key=lambda block: block.resource)
        out["memory"] = [
            {"numaAffinity": list(masks.nodes_of(b.mask)), "type": b.resource, "size": b.size} for b in blocks
        ]
    return {name: value for name, value in out.items() if value != "" or name == "cpus"}


def do_step(node, step):
    """Do a step and return the answer in the form of the file, words apart."""
    if "remove" in step:
        node.remove(step["remove"])
        return {"pod": step["remove"], "admitted": False, "removed": True} | left_of(node)
    pod = pod_of(step["pod"])
    admission = node.admit(pod)
    out = {"pod": pod.name, "admitted": admission.admitted, "qos": admission.qos, "message": admission.message}
    if not admission.admitted:
        return out | {"reason": admission.reason} | left_of(node)
    out["containers"] = {
        name: our_container(node, pod.name, name, placement) for name, placement in admission.placements.items()
    }
    if admission.bubble:
        out["podCpus"] = cpulists.write(admission.bubble)
    return out | left_of(node)


def left_of(node):
    out = {"shared": cpulists.write(node.cpu.shared if node.cpu else ())}
    if node.memory is not None:
        out["freeMemory"] = {str(i): size for i, size in node.memory.nodes.free().items()}
    return out


def judge_admit(row, machines):
    """Return (what differs, whether only words differ)."""
    reading = read_text(row["yaml"], row.get("flags"))
    if reading.configuration is None:
        return f"config: {reading.errors}", False
    started = start(reading.configuration, machine_in(row, machines))
    if (started.node is not None) != row["start"]["ok"]:
        return f"start: told {row['start']}, ours {started.error}", False
    words = False
    for step, told in zip(row["steps"], row["outcome"] or (), strict=False):
        ours = do_step(started.node, step)
        words = words or told.pop("message", None) != ours.pop("message", None)
        if told != ours:
            keys = [key for key in {**told, **ours} if told.get(key) != ours.get(key)]
            return f"{told['pod']}: " + ", ".join(
                f"{key}: told {told.get(key)}, ours {ours.get(key)}" for key in keys
            ), False
    return None, words


FILES = (
    ("config.jsonl", judge_config),
    ("fields.jsonl", judge_config),
    ("admit.jsonl", judge_admit),
    ("random.jsonl", judge_admit),
)


def compare(folder):
    """Compare all rows. Return (rows that agree, rows, lines to print)."""
    machines = {name: machine_of(data) for name, data in json.loads(text_of(folder / "machines.json")).items()}
    agreed, count, lines = 0, 0, []
    for name, judge in FILES:
        judged = [(row, *judge(row, machines)) for row in rows_of(folder / name)]
        if not judged:
            continue
        wrong = [(row, difference) for row, difference, _ in judged if difference]
        lines += [f"{name} {row['id']} ({row['machine']}): {difference}" for row, difference in wrong[:SHOWN]]
        lines.append(
            f"{name}: agree {len(judged) - len(wrong)} of {len(judged)}, words differ in {sum(w for *_, w in judged)}"
        )
        agreed, count = agreed + len(judged) - len(wrong), count + len(judged)
    return agreed, count, lines


def main(argv):
    agreed, count, lines = compare(Path(argv[0]) if argv else HERE / "kubelet")
    for line in lines:
        print(line)
    print(f"agree {agreed} of {count}")
    return 0 if agreed == count else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
