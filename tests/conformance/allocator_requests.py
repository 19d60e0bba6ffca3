"""Requests of the allocator vectors, answered by dralign in the form of the vectors (README of the conformance folder)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "plugin"))

from dralign.model.claim import claim_spec
from dralign.model.inventory import Inventory, TakenDevice, class_from, rule_from
from dralign.model.node import node_from
from dralign.model.slice import quantities_from, slice_from
from dralign.sim.allocator import Allocator
from dralign.sim.behaviour import behaviour
from dralign.sim.nodes import NodeSelectorError
from dralign.sim.outcome import Allocated, Failed, NoFit, Undecided
from dralign.sim.pod_claim import PodClaim
from dralign.sim.selectors import ReleaseSelectors
from dralign.sim.sequence import Sequence
from dralign.values.quantity import Quantity

GATES = {
    "1.36": [
        "DRAAdminAccess",
        "DRAPrioritizedList",
        "DRAPartitionableDevices",
        "DRAConsumableCapacity",
        "DRADeviceTaints",
        "DRADeviceBindingConditions",
    ],
}
GATES["1.37"] = [*GATES["1.36"], "DRAFractionalCapacityRange", "DRADeviceTaintRules"]


def gates(release, changes):
    """Return the gates that are on: the release's defaults with the changes of a request."""
    on = set(GATES[release])
    for change in changes or ():
        (on.add if change[0] == "+" else on.discard)(change[1:])
    return frozenset(on)


class Case:
    """A request with all references followed, ready to be run any number of times."""

    def __init__(self, request, inventories, release="1.37", selectors=None):
        shared = inventories[request["inventory"]] if "inventory" in request else {}
        features = gates(release, request.get("features"))
        self.op = request.get("op", "allocate")
        self.how = behaviour(release, features)
        self.selectors = (selectors or ReleaseSelectors)(release, features)
        known = {node["metadata"]["name"]: node for node in shared.get("nodes", ())}
        wanted = [request["node"]] if "node" in request else request.get("nodes") or list(known.values())
        nodes = [known.get(n, {"metadata": {"name": n}}) if isinstance(n, str) else n for n in wanted]
        self.nodes = [node_from(node) for node in nodes]
        self.inventory = Inventory(
            [slice_from(item) for item in [*shared.get("slices", ()), *request.get("slices", ())]],
            nodes=self.nodes,
            classes=[class_from(item) for item in [*shared.get("classes", ()), *request.get("classes", ())]],
            taken=[_taken(item) for item in request.get("taken", ())],
            rules=[rule for item in request.get("taintRules", ()) for rule in rule_from(item)],
        )
        pods = request.get("pods") or [{"name": "", "claims": request.get("claims", ())}]
        self.pods = [(pod["name"], [_claim(claim) for claim in pod.get("claims") or ()]) for pod in pods]

    def allocator(self):
        """Return a new allocator."""
        return Allocator(self.inventory, self.how, self.selectors)

    def run(self, step_limit=None):
        """Answer the request with a new allocator."""
        allocator = self.allocator()
        if self.op == "pools":
            return {"ok": True, "nodes": [_pools(allocator, node) for node in self.nodes]}
        if self.op == "sequence":
            return {"ok": True, "pods": list(self._sequence(allocator))}
        pod, taken = allocator.prepare(self.pods[0][1]), allocator.taken()
        if self.op == "nodes":
            answers = [_answer(allocator.allocate(pod, node, taken, step_limit), node.name) for node in self.nodes]
            return {"ok": True, "nodes": answers}
        return _answer(allocator.allocate(pod, self.nodes[0], taken, step_limit))

    def _sequence(self, allocator):
        sequence = Sequence(allocator, self.nodes, allocator.taken())
        for name, claims in self.pods:
            outcome = sequence.place(claims)
            placed = isinstance(outcome, Allocated) or (isinstance(outcome, Failed) and outcome.scope == "pod")
            yield {"pod": name, **_answer(outcome, outcome.node if placed else None)}


def _taken(item):
    consumed = quantities_from(item.get("consumedCapacity"))
    return TakenDevice(item["driver"], item["pool"], item["device"], item.get("shared", False), consumed)


def _claim(claim):
    metadata = claim["metadata"]
    return PodClaim(f"{metadata.get('namespace') or 'default'}/{metadata['name']}", claim_spec(claim.get("spec") or {}))


def _pools(allocator, node):
    try:
        pools = allocator.cluster.view(node).pools
    except NodeSelectorError as error:
        return {"node": node.name, "ok": False, "error": str(error), "errorClass": "node-selector", "scope": "pod"}
    return {"node": node.name, "ok": True} | _without_empty({"pools": [_without_empty(_pool(pool)) for pool in pools]})


def _pool(pool):
    names = [device.name for device in pool.devices]
    return {
        "pool": str(pool),
        "incomplete": pool.incomplete,
        "invalid": bool(pool.invalid),
        "reason": pool.invalid,
        "devices": names,
    }


def _answer(outcome, node=None):
    where = {} if node is None else {"node": node}
    match outcome:
        case Allocated():
            claims = [_claim_answer(claim) for claim in outcome.claims]
            return where | {"ok": True, "fits": True} | ({"claims": claims} if claims else {})
        case NoFit():
            return where | {"ok": True, "fits": False}
        case Failed():
            return where | {"ok": False, "error": outcome.message, "errorClass": outcome.kind, "scope": outcome.scope}
        case Undecided():
            return where | {"ok": False, "error": outcome.why, "errorClass": "steps", "scope": "pod"}


def _claim_answer(claim):
    selector = (
        {} if claim.node_selector is None else {"nodeSelector": {"nodeSelectorTerms": [_term(claim.node_selector)]}}
    )
    config = [_config(entry) for entry in claim.config]
    results = [_result(result) for result in claim.results]
    return (
        {"name": claim.name.partition("/")[2], "results": results} | ({"config": config} if config else {}) | selector
    )


def _term(term):
    parts = {"matchExpressions": term.labels, "matchFields": term.fields}
    return _without_empty({key: [_requirement(item) for item in items] for key, items in parts.items()})


def _requirement(item):
    return {"key": item.key, "operator": item.operator} | _without_empty({"values": list(item.values)})


def _result(result):
    return {"request": result.request} | _without_empty(
        {
            "driver": result.device.driver,
            "pool": result.device.slice.pool,
            "device": result.device.name,
            "adminAccess": result.admin_access,
            "shared": result.shared,
            "consumedCapacity": dict(result.consumed),
            "tolerations": [{"operator": "Equal"} | dict(item) for item in result.tolerations],
            "bindingConditions": list(result.binding_conditions),
            "bindingFailureConditions": list(result.binding_failure_conditions),
            "skipNodeOperations": list(result.skip_operations),
        }
    )


def _config(entry):
    opaque = entry.body.get("opaque") or {}
    return {"source": entry.source} | _without_empty({"requests": list(entry.requests), **opaque})


def _without_empty(data):
    return {key: value for key, value in data.items() if value or (value == 0 and value is not False)}


FREE = {"error", "steps", "allocator", "id"}  # need not agree


def comparable(value, key=""):
    """Return an answer without what need not agree, and with quantities by value."""
    if key == "consumedCapacity":
        return {name: Quantity.parse(item) if isinstance(item, str) else item for name, item in value.items()}
    if isinstance(value, dict):
        return {k: comparable(v, k) for k, v in value.items() if k not in FREE}
    return [comparable(item) for item in value] if isinstance(value, list) else value


def agrees(want, got):
    """Say whether an answer is the wanted one, or one of several; errors must name the same things."""
    wanted = want.get("variants", [want])
    return any(comparable(got) == comparable(variant) and names(variant) <= names(got) for variant in wanted)


NAMES = re.compile(r"\b(?:claim|request|class|device) ([^ ,:]+)(?=[,:]| because)")


def names(answer):
    """Return what the texts of an answer's errors name."""
    parts = [answer, *answer.get("nodes", ()), *answer.get("pods", ())]
    return {match[1] for part in parts for match in NAMES.finditer(part.get("error", ""))}
