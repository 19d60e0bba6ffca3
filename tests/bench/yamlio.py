"""Time yamlio beside PyYAML's C loader on the same text and the same machine: yamlio.py [COUNT]

All times are processor time.

1. plain data of COUNT Deployments (5,000), one by one: ``load`` and ``yaml.load(..., CSafeLoader)``; and nodes;
2. growth: how much longer twice as many documents, items, keys, nested levels and lines of text take (2 is linear);
3. memory: the most a process takes that loads them all and keeps the data, with either;
4. start: a process that imports yamlio and loads a document of 2 KB, over a process that does nothing.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from pathlib import Path

import yaml

from dralign.yamlio import SIGS, compose, load, split

PLUGIN = Path(__file__).resolve().parents[2] / "plugin"
DEPLOYMENT = """\
---
# Source: shop/templates/deployment-{number}.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop-{number}
  namespace: team-{team}
  labels:
    app.kubernetes.io/name: shop
    app.kubernetes.io/instance: release-{number}
    app.kubernetes.io/version: "1.16.{number}"
    app.kubernetes.io/managed-by: Helm
    helm.sh/chart: shop-0.1.{number}
spec:
  replicas: {replicas}
  revisionHistoryLimit: 10
  selector:
    matchLabels:
      app.kubernetes.io/name: shop
      app.kubernetes.io/instance: release-{number}
  template:
    metadata:
      annotations:
        checksum/config: 01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b
        prometheus.io/scrape: "true"
      labels:
        app.kubernetes.io/name: shop
        app.kubernetes.io/instance: release-{number}
    spec:
      serviceAccountName: shop-{number}
      securityContext: {{}}
      containers:
      - name: shop
        securityContext:
          allowPrivilegeEscalation: false
          runAsNonRoot: true
          runAsUser: 1000
        image: "registry.example.com/shop:{number}"
        imagePullPolicy: IfNotPresent
        command: ["/bin/shop", "--port=8080", "--verbose"]
        env:
        - name: POD_NAME
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        - name: LIMIT
          value: "{number}"
        ports:
        - name: http
          containerPort: 8080
          protocol: TCP
        livenessProbe:
          httpGet:
            path: /healthz
            port: http
          initialDelaySeconds: 3
        readinessProbe:
          httpGet:
            path: /ready
            port: http
        resources:
          limits:
            cpu: 500m
            memory: 512Mi
          requests:
            cpu: 250m
            memory: 256Mi
        volumeMounts:
        - name: config
          mountPath: /etc/shop
          readOnly: true
      volumes:
      - name: config
        configMap:
          name: shop-{number}
      nodeSelector:
        kubernetes.io/os: linux
      tolerations:
      - key: dedicated
        operator: Equal
        value: shop
        effect: NoSchedule
"""
GROWTH = {
    "documents": lambda times: "".join(DEPLOYMENT.format(number=i, team=1, replicas=1) for i in range(times)),
    "items of one list": lambda times: "a:\n" + "- {name: x, value: [1, two]}\n" * times,
    "keys of one map": lambda times: "".join(f"key{i}: {i}\n" for i in range(times)),
    "nested lists": lambda times: "[" * times + "]" * times,
    "lines of one text": lambda times: "a: |\n" + "  some words\n" * times,
    "aliases": lambda times: "a: &x {b: 1}\nc:\n" + "- *x\n" * times,
    "merges": lambda times: "a: &x {b: 1}\nc:\n" + "- {<<: *x, d: 2}\n" * times,
    "byte order marks": lambda times: "a: '" + "\ufeff " * times + "'\n",
}
SIZES = {"documents": 400, "keys of one map": 20_000, "nested lists": 4_000}


def stream(count: int) -> str:
    return "".join(DEPLOYMENT.format(number=i, team=i % 7, replicas=i % 5 + 1) for i in range(count))


def spent():
    """Processor time of this process and its children: other work on the machine does not count."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def best(*runs, times=5):
    """Return the processor seconds of the quickest of some runs; several things are run in turn."""
    found = [[] for _ in runs]
    for _ in range(times):
        for run, seconds in zip(runs, found, strict=True):
            gc.collect()
            start = time.process_time()
            run()
            seconds.append(time.process_time() - start)
    return [min(seconds) for seconds in found]


def average(command, times=40):
    """Return the processor seconds that a command takes."""
    start = spent()
    for _ in range(times):
        subprocess.run(command, check=True)
    return (spent() - start) / times


def load_all(text: str):
    return [load(text[chunk.start : chunk.end], chunk.dialect, "-", chunk.line).value for chunk in split(text, SIGS)]


def compose_all(text: str) -> None:
    for chunk in split(text, SIGS):
        compose(text[chunk.start : chunk.end], chunk.dialect, "-", chunk.line)


def pyyaml_all(text: str):
    return list(yaml.load_all(text, Loader=yaml.CSafeLoader))


def speed(count: int) -> None:
    text = stream(count)
    size = len(text) / 1e6
    ours, nodes, theirs = best(lambda: load_all(text), lambda: compose_all(text), lambda: pyyaml_all(text), times=9)
    print(f"load      {ours:7.3f} s {size / ours:6.1f} MB/s   {theirs / ours:5.2f} times the speed of CSafeLoader")
    print(f"compose   {nodes:7.3f} s {size / nodes:6.1f} MB/s   {theirs / nodes:5.2f} times")
    print(f"PyYAML    {theirs:7.3f} s {size / theirs:6.1f} MB/s")


def growth() -> None:
    for name, make in GROWTH.items():
        once = SIZES.get(name, 40_000)
        short, long = make(once), make(2 * once)
        more, less = best(lambda text=long: load_all(text), lambda text=short: load_all(text))
        print(f"growth    {more / less:7.2f} times for twice as many {name}")


def memory(count: int) -> None:
    for name in ("load_all", "pyyaml_all", "stream"):
        command = [sys.executable, __file__, "--memory", name, str(count)]
        peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        print(f"memory    {int(peak) / 1024:7.1f} MiB at most: {name}")


def peak_memory() -> int:
    """Return the most KiB this process has taken; what rusage says includes the parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def start() -> None:
    text = DEPLOYMENT.format(number=1, team=1, replicas=1)
    path = f"import sys; sys.path.insert(0, {str(PLUGIN)!r}); "
    code = f"{path}from dralign import yamlio; yamlio.load({text!r}, yamlio.SIGS, '-')"
    nothing = [sys.executable, "-I", "-c", "pass"]
    bare = average(nothing)
    ours = average([sys.executable, "-I", "-c", code])
    whole = average([sys.executable, "-I", "-c", "import yaml"])
    print(
        f"start     {(ours - bare) * 1000:7.1f} ms over a bare interpreter ({bare * 1000:.1f} ms), ratio {ours / bare:.2f}"
    )
    print(f"start     {(whole - bare) * 1000:7.1f} ms over it: import yaml alone")


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--memory"]:
        kept = globals()[arguments[1]]
        text = stream(int(arguments[2]))
        data = kept(text) if kept is not stream else text
        print(peak_memory() if data else 0)
        return
    count = int(arguments[0]) if arguments else 5_000
    speed(count)
    growth()
    memory(count)
    start()


if __name__ == "__main__":
    main(sys.argv[1:])
