"""Verdicts as the plain data of ``schemas/outcome.schema.json``, and witnesses read back from it."""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.model.quantities import quantity_from
from dralign.model.verdict import Held, Witness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from dralign.model.verdict import Refusal, ShapeRefusal, Verdict


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """Return ``verdict``, ``by``, ``nodes``, ``witness`` and ``reasons`` of a verdict; the object is the caller's."""
    reasons: list[Any] = list(verdict.reasons)
    if verdict.refusal is not None:
        reasons.append(refusal_data(verdict.refusal))
    return {
        "verdict": verdict.kind,
        "by": ", ".join(verdict.by) or None,
        "nodes": list(verdict.nodes),
        "witness": witness_data(verdict.witness) if verdict.witness is not None else None,
        "reasons": reasons,
    }


def witness_data(witness: Witness) -> dict[str, Any]:
    """Return a witness; NUMA nodes and amounts as JSON has them, keys being texts."""
    return {
        "node": witness.node,
        "taken": [_held_data(held) for held in witness.taken],
        "exclusiveCpus": {str(node): count for node, count in witness.exclusive_cpus.items()},
        "exclusiveMemory": {str(node): size for node, size in witness.exclusive_memory.items()},
        "placement": {key: list(devices) for key, devices in witness.placement.items()},
        "numa": {key: list(nodes) for key, nodes in witness.numa.items()},
        "container": witness.container,
        "crossed": list(witness.crossed),
    }


def refusal_data(refusal: Refusal) -> dict[str, Any]:
    """Return the reason tree."""
    return {
        "when": refusal.word,
        "nearest": refusal.nearest,
        "changes": list(refusal.changes),
        "shapes": [_shape_data(shape) for shape in refusal.shapes],
    }


def witness_from(data: Mapping[str, Any]) -> Witness:
    """Read a witness. Raises ValueError, which says which field is wrong."""
    node = as_text(data.get("node"))
    if node is None:
        raise ValueError("witness.node: want the name of a node")
    crossed = tuple(str(key) for key in as_list(data.get("crossed")))[:2]
    first, second = crossed if len(crossed) == 2 else ("", "")
    return Witness(
        node,
        {str(key): tuple(map(str, as_list(value))) for key, value in as_map(data.get("placement")).items()},
        {str(key): tuple(_whole(key, item) for item in as_list(v)) for key, v in as_map(data.get("numa")).items()},
        tuple(_held_from(item) for item in as_list(data.get("taken"))),
        _by_node(data, "exclusiveCpus"),
        _by_node(data, "exclusiveMemory"),
        as_text(data.get("container")) or "",
        (first, second),
    )


def _held_data(held: Held) -> dict[str, Any]:
    if held.consumed is None:
        return {"device": held.device}
    return {"device": held.device, "consumed": {name: str(amount) for name, amount in held.consumed.items()}}


def _held_from(item: Any) -> Held:
    device = as_text(as_map(item).get("device"))
    if device is None:
        raise ValueError("witness.taken: want device: driver/pool/name in every item")
    if "consumed" not in item:
        return Held(device)
    consumed = {}
    for name, value in as_map(item["consumed"]).items():
        amount = quantity_from(value)
        if amount is None:
            raise ValueError(f"witness.taken: {device}: consumed.{name}: want a quantity, got {value!r}")
        consumed[str(name)] = amount
    return Held(device, consumed)


def _by_node(data: Mapping[str, Any], field: str) -> dict[int, int]:
    return {_whole(f"witness.{field}", node): _whole(field, value) for node, value in as_map(data.get(field)).items()}


def _whole(field: str, value: Any) -> int:
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise ValueError(f"witness: {field}: want a whole number, got {value!r}")
    return int(text)


def _shape_data(shape: ShapeRefusal) -> dict[str, Any]:
    requests = [
        {
            "claim": request.claim,
            "request": request.request,
            "needed": request.needed,
            "seen": request.seen,
            "left": request.left,
            "removed": [
                {"test": item.test, "detail": item.detail, "count": len(item.devices), "devices": list(item.devices)}
                for item in request.removed
            ],
        }
        for request in shape.requests
    ]
    return {
        "nodes": list(shape.nodes),
        "error": shape.error or None,
        "together": shape.together or None,
        "requests": requests,
    }
