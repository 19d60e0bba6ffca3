"""Workloads with extended resources for tests: all kinds, resources and manners of writing, chosen by a seed.

Each is right as written, as far as an API server can tell. ``Workload.text`` is one document; ``Workload.data`` what it says.
"""

from __future__ import annotations

import random
import re
from copy import deepcopy
from typing import Any, NamedTuple

from dralign import kinds
from dralign.edit import Style, render

ROWS = [
    (row, template)
    for row in kinds.WORKLOADS
    for template in row.templates
    if template.written and template.takes_claims
]
"""Kinds whose pod template is written out and may carry claims, each with one of its templates."""

TWINS = (
    "nvidia.com/gpu",
    "nvidia.com/mig-1g.10gb",
    "nvidia.com/mig-3g.40gb",
    "nvidia.com/mig-1g.10gb.me",
    "amd.com/gpu",
    "amd.com/cpx_nps4",
    "amd.com/dpx_nps1",
    "gpu.intel.com/xe",
    "intel.com/gpu",
    "habana.ai/gaudi",
    "google.com/tpu",
)
"""Resources that a claim can say too."""

OTHERS = ("nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb.shared", "nvidia.com/gpumem", "huawei.com/Ascend910")
"""Resources that no claim says: a container that asks for one is left as it is."""

BESIDE = ("rdma/hca", "example.com/licence")
"""Resources that stay beside a claim."""

STYLES = ("block", "wide", "flow", "json", "pretty json", "comments", "CR LF", "anchors")


class Workload(NamedTuple):
    """One object as text. ``resources`` are all extended resources in it."""

    name: str
    style: str
    data: dict[str, Any]
    text: str
    resources: frozenset[str]

    @property
    def can_be_claimed(self) -> bool:
        """Whether every container can be rewritten."""
        return not self.resources & set(OTHERS)


class _Devices(NamedTuple):
    """The first resource of a workload, and those that its other containers may ask for."""

    first: str
    others: tuple[str, ...]


def _like(resource: str) -> tuple[str, ...]:
    """Return resources with a twin of the same vendor, and some of others."""
    domain = resource.partition("/")[0]
    return tuple(name for name in TWINS if name.startswith(domain)) + TWINS[::5]


def workloads(count: int = 200, seed: int = 0, only: tuple[str, ...] = ()) -> list[Workload]:
    """Return so many workloads; every kind, resource and manner comes up. ``only``: with no other devices than those."""
    rng = random.Random(seed)  # noqa: S311  choices of a test
    resources = only or (*TWINS, *OTHERS)
    made = []
    for number in range(count):
        row, template = ROWS[number % len(ROWS)]
        style = STYLES[number % len(STYLES)] if number < 2 * len(STYLES) else rng.choice(STYLES)
        first = resources[number % len(resources)]
        made.append(_workload(rng, f"w{number}", row, template, style, _Devices(first, only or _like(first))))
    return made


def _workload(
    rng: random.Random, name: str, row: kinds.WorkloadKind, template: Any, style: str, devices: _Devices
) -> Workload:
    spec = _pod_spec(rng, devices, alike=style == "anchors")
    version = "v1" if row.group in ("", "apps", "batch") else "v1beta1"
    data: dict[str, Any] = {
        "apiVersion": f"{row.group}/{version}" if row.group else version,
        "kind": row.kind,
        "metadata": {"name": name, "namespace": "team"},
    }
    labels = {"app": name}
    pod = _merged({"metadata": {"labels": labels}} if template.path else {}, _at(template.spec, spec))
    data = _merged(data, _at(template.path, pod))
    data = _merged(data, _needed(row.kind, row.group, labels))
    found = frozenset(key for container in _containers(spec) for key in container["resources"]["limits"]) - {
        "cpu",
        "memory",
    }
    return Workload(f"{name} {row.kind}", style, data, _written(rng, data, style), found)


def _needed(kind: str, group: str, labels: dict[str, str]) -> dict[str, Any]:
    """Return the fields without which the API server refuses a kind."""
    if group == "apps":
        more = {"serviceName": "s"} if kind == "StatefulSet" else {}
        return {"spec": {"selector": {"matchLabels": labels}} | more}
    if (group, kind) == ("", "ReplicationController"):
        return {"spec": {"selector": labels}}
    if (group, kind) == ("batch", "Job"):
        return {"spec": {"template": {"spec": {"restartPolicy": "Never"}}}}
    if (group, kind) == ("batch", "CronJob"):
        job = {"spec": {"template": {"spec": {"restartPolicy": "Never"}}}}
        return {"spec": {"schedule": "0 3 * * *", "jobTemplate": job}}
    return {}


def _pod_spec(rng: random.Random, devices: _Devices, *, alike: bool) -> dict[str, Any]:
    resource = devices.first
    main = _container(rng, "main", resource, devices.others)
    containers = [main]
    if alike or rng.random() < 0.3:
        containers.append(_container(rng, "second", rng.choice(devices.others), devices.others))
        if alike:
            containers[1]["resources"] = deepcopy(main["resources"])
    if rng.random() < 0.3:
        containers.append(_container(rng, "logs", None))
    spec: dict[str, Any] = {}
    if rng.random() < 0.25:
        early = _container(rng, "warm", rng.choice((resource, None)), (resource,))
        early["resources"]["limits"] |= {key: 1 for key in early["resources"]["limits"] if key == resource}
        if "requests" in early["resources"]:
            del early["resources"]["requests"]
        spec["initContainers"] = [early | ({"restartPolicy": "Always"} if rng.random() < 0.3 else {})]
    spec["containers"] = containers
    if rng.random() < 0.2:
        spec["nodeSelector"] = {"kubernetes.io/os": "linux"}
        spec["tolerations"] = [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]
    return spec


def _container(rng: random.Random, name: str, resource: str | None, others: tuple[str, ...] = ()) -> dict[str, Any]:
    limits: dict[str, Any] = {
        "cpu": rng.choice(("8", 8, "7500m", 7.5, "8000m", "500m", 2)),
        "memory": rng.choice(("32Gi", "32768Mi", "8G")),
    }
    if resource is not None:
        limits[resource] = rng.choice((1, "1", 1, 2, "2", 4, 8))
        if rng.random() < 0.2:
            limits.setdefault(rng.choice(others), 1)
        if rng.random() < 0.2:
            limits[rng.choice(BESIDE)] = 1
    requests = {
        "none": None,
        "all": dict(limits),
        "smaller": {key: "1" if key == "cpu" else "1Gi" for key in ("cpu", "memory") if key in limits}
        | {"cpu": "250m"},
        "devices": {key: value for key, value in limits.items() if "/" in key},
    }[rng.choice(("none", "none", "all", "smaller", "devices"))]
    resources = {"limits": limits} if not requests else {"requests": requests, "limits": limits}
    return {
        "name": name,
        "image": "registry.example.com/team/app:1.2.3",
        "args": ["--port", "8080", "on", "1e3"],
        "env": [{"name": "MODE", "value": "yes"}],
        "resources": resources,
    }


def _containers(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return [*spec.get("initContainers", []), *spec["containers"]]


def _at(pattern: Any, value: Any) -> Any:
    """Return an object in which ``value`` stands where a pattern leads: a star is one item of a list, or a name."""
    for place in range(len(pattern) - 1, -1, -1):
        step = pattern[place]
        if step != "*":
            value = {step: value}
        elif place and str(pattern[place - 1]).endswith("ReplicaSpecs"):
            value = {"Worker": value}
        else:
            value = [{"name": "part", **value}]
    return value


def _merged(one: Any, other: Any) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        return one | {key: _merged(one[key], value) if key in one else value for key, value in other.items()}
    return other


# --- manners of writing


def _written(rng: random.Random, data: dict[str, Any], style: str) -> str:
    if style == "json":
        return render(data, 0, Style(form="json")) + "\n"
    if style == "pretty json":
        return render(data, 0, Style(form="json", unit="  ")) + "\n"
    if style == "flow":
        head = {key: value for key, value in data.items() if key != "spec"}
        body = {key: value for key, value in data.items() if key == "spec"}
        lines = [f"{key}: {render(value, 0, Style(form='flow'))}" for key, value in body.items()]
        return render(head, 0, Style()) + "\n" + "\n".join(lines) + "\n"
    if style == "wide":
        return "---\n" + render(data, 0, Style(step=4, dash=2)) + "\n"
    if style == "CR LF":
        return render(data, 0, Style(eol="\r\n")) + "\r\n"
    text = render(data, 0, Style()) + "\n"
    return _commented(rng, text) if style == "comments" else _anchored(text) if style == "anchors" else text


def _commented(rng: random.Random, text: str) -> str:
    """Put comments and blank lines between lines, and comments behind values."""
    lines = ["# Source: chart/templates/workload.yaml"]
    for number, line in enumerate(text.splitlines()):
        blanks = line[: len(line) - len(line.lstrip(" "))]
        if rng.random() < 0.15:
            lines.append(f"{blanks}# remark {number}")
        if rng.random() < 0.05:
            lines.append("")
        lines.append(f"{line}   # c{number}" if rng.random() < 0.2 else line)
    return "\n".join([*lines, "# the end"]) + "\n"


def _anchored(text: str) -> str:
    """Write the resources of the second container as an alias of the first one's, which are the same."""
    found = re.search(r"^( *)resources:\n((?:\1 +.*\n)+)", text[text.index("name: main") :], re.MULTILINE)
    if found is None or text.count(found[0]) != 2:
        return text
    before, again, after = text.split(found[0])
    blanks, body = found[1], found[2]
    return f"{before}{blanks}resources: &res\n{body}{again}{blanks}resources: *res\n{after}"
