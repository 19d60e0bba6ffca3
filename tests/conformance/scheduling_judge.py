"""Runs a case and looks for the recorded outcome among those that chance allows."""

from __future__ import annotations

import json
import re
from collections import defaultdict

from dralign.admission.review import FORBIDDEN, NOT_FOUND, UNPROCESSABLE
from dralign.sim.control_plane import ControlPlane
from dralign.sim.placement import Placed, Unknown, Unplaced
from dralign.values.quantity import Quantity

MOST_RUNS = 500
PREEMPTION = re.compile(r" preemption: .*$", re.DOTALL)


class Chance:
    """Decides between equal nodes: one decision after the other, all of them tried in the end.

    Only nodes are considered that the record has for a pod of that name.
    """

    def __init__(self, nodes_of):
        self.nodes_of = nodes_of
        self.script = []
        self.position = 0

    def __call__(self, pod, nodes):
        options = [node for node in nodes if node in self.nodes_of[pod.namespace, pod.name]] or list(nodes)
        if self.position == len(self.script):
            self.script.append([0, options])
        self.script[self.position][1] = options
        index = self.script[self.position][0]
        self.position += 1
        return options[min(index, len(options) - 1)]

    def next(self):
        """Move on to decisions not tried yet; False if there are none."""
        self.position = 0
        while self.script:
            index, options = self.script[-1]
            if index + 1 < len(options):
                self.script[-1][0] += 1
                return True
            self.script.pop()
        return False


def difference(case):
    """Return how the nearest outcome differs from the recorded ones; None if one agrees."""
    wanted = [_recorded(item) for item in case.wanted]
    nodes_of = defaultdict(set)
    for outcome in wanted:
        for pod in outcome["pods"]:
            nodes_of[pod["namespace"], pod["pod"]].add(pod["node"])
    chance = Chance(nodes_of)
    first = None
    for _ in range(MOST_RUNS):
        plane = ControlPlane(case.server, choose=chance, strict=False, volumes=True)
        plane.run(case.objects)
        got = _simulated(plane)
        if any(_agrees(outcome, got) for outcome in wanted):
            return None
        first = first or got
        if not chance.next():
            break
    return "\n".join(_told(wanted[0], first))


def _agrees(wanted, got):
    return wanted["refused"] == got["refused"] and _same_pods(wanted["pods"], got["pods"])


def _same_pods(wanted, got):
    rest = list(got)
    for pod in wanted:
        match = next((other for other in rest if _same_pod(pod, other)), None)
        if match is None:
            return False
        rest.remove(match)
    return not rest


def _same_pod(wanted, got):
    messages = got.get("messages", [None])
    return wanted.get("message") in messages and _rest(wanted) == _rest(got)


def _rest(pod):
    return {key: value for key, value in pod.items() if key not in ("message", "messages")}


def _told(wanted, got):
    if wanted["refused"] != got["refused"]:
        yield f"  want refused {wanted['refused']}\n  got  refused {got['refused']}"
    left = list(got["pods"])
    for pod in wanted["pods"]:
        match = next((other for other in left if _same_pod(pod, other)), None)
        if match is not None:
            left.remove(match)
            continue
        yield f"  want {_shown(pod)}"
        twin = next((o for o in left if (o["namespace"], o["pod"]) == (pod["namespace"], pod["pod"])), None)
        yield f"  got  {_shown(twin)}"
    if len(got["pods"]) > len(wanted["pods"]):
        yield f"  got {len(got['pods'])} pods, want {len(wanted['pods'])}"


def _shown(pod):
    return json.dumps(pod, sort_keys=True, default=str)


def _recorded(outcome):
    """Return a recorded outcome in the form of comparison."""
    pods = []
    for item in _without_random_names(outcome["pods"]):
        pod = {key: value for key, value in item.items() if value is not None}
        pod.setdefault("node", None)
        if "message" in pod:
            pod["message"] = PREEMPTION.sub("", pod["message"])
        pod["claims"] = {key: _recorded_claim(claim) for key, claim in pod["claims"].items()}
        if "extendedResourceClaim" in pod:
            special = pod["extendedResourceClaim"]
            claim = _recorded_claim(special["claim"])
            pod["extendedResourceClaim"] = special | {"claim": {k: v for k, v in claim.items() if k != "name"}}
        pods.append(pod)
    return {"pods": pods, "refused": outcome["refused"]}


def _without_random_names(pods):
    """Return the pods with the random parts of names cut off that the record has kept: those of bare ReplicaSets."""
    for pod in pods:
        kind, _, base = pod.get("owner", "").partition("/")
        if kind == "ReplicaSet" and re.fullmatch(f"{re.escape(base)}-[a-z0-9]{{5}}", pod["pod"]):
            pods = _replaced(pods, pod["pod"], f"{base}-*")
    return pods


def _recorded_claim(claim):
    if claim is None:
        return None
    claim = {key: value for key, value in claim.items() if value not in ([], None) or key == "reservedFor"}
    if "devices" in claim:
        claim["devices"] = [_comparable(device) for device in claim["devices"]]
    if "reservedFor" in claim:
        claim["reservedFor"] = sorted(claim["reservedFor"])
    return claim


def _comparable(device):
    consumed = {name: Quantity.parse(value) for name, value in device.get("consumedCapacity", {}).items()}
    return device | ({"consumedCapacity": consumed} if consumed else {})


def _simulated(plane):
    """Return what came out of a simulation in the form of comparison."""
    refused = [
        {"kind": item.kind, "name": item.name, "code": item.answer.code, "message": _message(item)}
        for item in plane.refused
        if item.answer.code != NOT_FOUND
    ]
    return {"pods": [_as_shortened(_pod(outcome)) for outcome in plane.pods], "refused": refused}


def _as_shortened(pod):
    """Return a pod of a bare ReplicaSet as the record has it: two parts are cut off, as from names of a Deployment's."""
    kind, _, base = pod.get("owner", "").partition("/")
    if kind != "ReplicaSet" or base.endswith("*") or "-" not in base:
        return pod
    short = base.rpartition("-")[0]
    return _replaced(_replaced(pod, f"{base}-*", f"{short}-*"), f"{kind}/{base}", f"{kind}/{short}-*")


def _replaced(data, old, new):
    if isinstance(data, dict):
        return {key: _replaced(value, old, new) for key, value in data.items()}
    if isinstance(data, list):
        return [_replaced(value, old, new) for value in data]
    return data.replace(old, new) if isinstance(data, str) else data


def _message(refusal):
    """Return the words of a refusal as the server puts them together."""
    answer = refusal.answer
    if answer.code == FORBIDDEN:
        group = refusal.api_version.rpartition("/")[0]
        kind = f"{refusal.kind.lower()}s.{group}" if group else f"{refusal.kind.lower()}s"
        return f'{kind} "{refusal.name}" is forbidden: {answer.message}'
    if answer.code != UNPROCESSABLE:
        version = refusal.api_version.rpartition("/")[2]
        head = f'{refusal.kind} in version "{version}" cannot be handled as a {refusal.kind}: '
        return head + answer.causes[0].message
    told = list(dict.fromkeys(f"{cause.field}: {cause.message}" for cause in answer.causes))
    text = told[0] if len(told) == 1 else f"[{', '.join(told)}]"
    group = refusal.api_version.rpartition("/")[0]
    kind = f"{refusal.kind}.{group}" if group else refusal.kind
    return f'{kind} "{refusal.name}" is invalid: {text}'


def _pod(outcome):
    placement = outcome.placement
    pod = {
        "namespace": outcome.namespace,
        "pod": outcome.name,
        "qosClass": outcome.qos,
        "scheduled": False,
        "node": None,
    }
    if outcome.owner:
        pod["owner"] = outcome.owner
    match placement:
        case Placed(ready=True, node=node):
            pod |= {"scheduled": True, "node": node}
        case Placed():
            pod |= {"reason": "NoCondition", "messages": ["the pod has no PodScheduled condition"]}
        case Unplaced(reason=reason):
            pod |= {"reason": reason, "messages": [placement.message, *placement.others]}
        case Unknown(why=why):
            pod |= {"reason": "unknown", "messages": [why]}
    pod["claims"] = {entry: _claim(name, state) for entry, (name, state) in sorted(outcome.claims.items())}
    if isinstance(placement, Placed) and placement.special:
        pod["extendedResourceClaim"] = _special(placement.special, outcome.name)
    return pod


def _special(special, pod):
    mappings = [
        {"containerName": item.container, "resourceName": item.resource, "requestName": item.request}
        for item in special.mappings
    ]
    claim = {"allocated": True, "reservedFor": [pod]}  # names of made claims are shortened, if need be
    return {"requestMappings": mappings, "claim": claim | _allocation(special.allocation)}


def _claim(name, state):
    if state is None:
        return {"name": name, "found": False}
    claim = {"name": name, "allocated": state.allocated, "reservedFor": sorted(state.reserved_for)}
    return claim | (_allocation(state.allocation) if state.allocation else {})


def _allocation(allocation):
    selector = {} if allocation.node_selector is None else {"nodeSelectorTerms": [_term(allocation.node_selector)]}
    return _without_empty(
        {
            "devices": [_result(result) for result in allocation.results],
            "nodeSelector": selector,
            "config": [_config(entry) for entry in allocation.config],
        }
    )


def _term(term):
    parts = {"matchExpressions": term.labels, "matchFields": term.fields}
    return _without_empty({key: [_requirement(item) for item in items] for key, items in parts.items()})


def _requirement(item):
    return {"key": item.key, "operator": item.operator} | _without_empty({"values": list(item.values)})


def _result(result):
    head = {"request": result.request, "driver": result.device.driver, "pool": result.device.slice.pool}
    return head | _without_empty(
        {
            "device": result.device.name,
            "adminAccess": result.admin_access,
            "shareID": "(random)" if result.shared else "",
            "consumedCapacity": dict(result.consumed),
            "tolerations": [dict(item) for item in result.tolerations],
            "bindingConditions": list(result.binding_conditions),
            "bindingFailureConditions": list(result.binding_failure_conditions),
            "skipNodeOperations": list(result.skip_operations),
        }
    )


def _config(entry):
    body = {key: value for key, value in entry.body.items() if key != "requests"}
    return {"source": entry.source} | _without_empty({"requests": list(entry.requests)}) | body


def _without_empty(data):
    return {key: value for key, value in data.items() if value}
