"""Compares what dralign says of an object with the recorded answer of an API server, in points.

One wrong answer must not hide another: whether it is accepted, the set of fields, the words, what is filled in or dropped,
and the QoS class are points of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from admission_rows import Row

from dralign.admission import gates
from dralign.admission.changes import MISSING, Change
from dralign.admission.qos import qos_class
from dralign.admission.review import BAD_REQUEST, FORBIDDEN, UNPROCESSABLE, Review, defaulted, review
from dralign.admission.server import Server
from dralign.admission.updates import review_update
from dralign.selector import compile_selector

Point = tuple[str, bool, str]
"""Name of the point, whether it agrees, and what to show if not."""

ALPHA_GATES = (
    "DRAListTypeAttributes",
    "DRADerivedAttributes",
    "DRANodeAllocatableResources",
    "DRADeviceCompatibilityGroups",
    "DRAPartitionableDevicesType",
    "DRAOptionalNodeOperations",
    "DRAResourcePoolStatus",
    "DRAWorkloadResourceClaims",
    "GenericWorkload",
)
GANGS = ("GenericWorkload", "GangScheduling")
NAMESPACES: dict[str, dict[str, str]] = {
    "team-a": {},
    "default": {},
    "adm": {"resource.kubernetes.io/admin-access": "true"},
}
NODES = frozenset({"node-a", "node-b", "n"})
LONG = 1500
CLAIM_KINDS = ("ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "ResourceSlice", "DeviceTaintRule")
CARRIED_OVER = ("Pod", "Job")

_SHAPES = re.compile(r"\.(exactly|basic)(?=\.|\[|$)")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_\-]+")
_QUOTED_STRUCTURE = re.compile(r"^((?:Invalid|Duplicate) value): (?:[{\[].*[}\]]|null)(: |$)", re.DOTALL)
_BAD_FIELD = re.compile(r'(?:unknown|duplicate) field "([^"]*)"')


@cache
def server(mode: str) -> Server:
    """Return the server that answered: of a release, or 1.37 with ``alpha`` gates, or a release with gates (``1.36+``)."""
    release = "1.37" if mode == "alpha" else mode.rstrip("+")
    on: Iterable[str] = ALPHA_GATES if mode == "alpha" else ()
    if mode.endswith("+"):
        off = frozenset(gates.gate_names()) - gates.default_features(release)
        on = [name for name in off if name.startswith("DRA") and gates.stage(name, release) != "unknown"] + [*GANGS]
    features = gates.features(release, dict.fromkeys(on, True))

    return Server(release, features, compile_selector, NAMESPACES, {}, NODES)


def judge_create(asked: Row, mode: str, answer: Row) -> Iterator[Point]:
    """Yield the points of a create request."""
    one = server(mode)
    if any(change["do"] == "namespace-other" for change in asked.get("mutations", ())):
        one = one.replace(namespace="team-a")
    if "namespaces" in asked:
        one = one.replace(namespaces={**NAMESPACES, **asked["namespaces"]})
    if "priorityClasses" in asked:
        one = one.replace(priority_classes=asked["priorityClasses"])
    said = review(asked["input"], one)
    if said is not None:
        yield from _compare(said, answer, asked["input"], one)


def judge_update(asked: Row, mode: str, answer: Row, stored_mode: str | None = None) -> Iterator[Point]:
    """Yield the points of an update request; ``stored_mode`` is the server that stored the object."""
    one, storing = server(mode), server(stored_mode or mode)
    subresource = asked.get("subresource") or ""
    said = review(asked["old"], storing)
    if said is not None and said.accepted and subresource == "status" and "status" in asked["old"]:
        said = review_update(said, asked["old"], storing, subresource)
    if said is not None and said.accepted:
        said = review_update(said, asked["new"], one, subresource)
    if said is not None:
        yield from _compare(said, answer, asked["new"], one, update=True)


def _compare(said: Review, answer: Row, sent: Row, one: Server, *, update: bool = False) -> Iterator[Point]:
    yield "accepted", said.accepted == answer["accepted"], f"{said.code} instead of {answer['code']}: {_shown(said)}"
    if answer["code"] == UNPROCESSABLE:
        yield from _compare_causes(said, answer)
    elif answer["code"] == BAD_REQUEST and said.causes:
        yield from _compare_bad_request(said, answer)
    elif answer["code"] == FORBIDDEN:
        words = said.message or ""
        yield "messages", words in answer["message"] and bool(words), f"{words!r} instead of {answer['message']!r}"
    if not (said.accepted and answer["accepted"]):
        return
    found = defaulted(sent, said, one)
    if "defaulted" in answer and not (update and sent["kind"] in CARRIED_OVER):
        told = [_told(change) for change in found]
        if sent["kind"] not in CLAIM_KINDS:
            told = [change for change in told if "from" in change or _is_about_resources(change["path"])]
        yield "defaulted", _sorted(told) == _sorted(answer["defaulted"]), _difference(told, answer["defaulted"])
    if "dropped" in answer:
        told = [_told(change) for change in found if change.after is MISSING]
        yield "dropped", _sorted(told) == _sorted(answer["dropped"]), _difference(told, answer["dropped"])
    if answer.get("qosClass") and said.decoded is not None:
        found_class = qos_class(said.decoded["spec"], one.features, one.minor)
        yield "QoS class", found_class == answer["qosClass"], f"{found_class} instead of {answer['qosClass']}"


def _compare_causes(said: Review, answer: Row) -> Iterator[Point]:
    fields = {plain_field(cause.field) for cause in said.causes}
    wanted = {plain_field(cause["field"]) for cause in answer["causes"]}
    yield "fields", fields == wanted, f"{sorted(fields)} instead of {sorted(wanted)}"
    told = {(plain_field(cause.field), _plain_words(cause.message)) for cause in said.causes}
    for cause in answer["causes"]:
        field, words = plain_field(cause["field"]), _plain_words(cause["message"])
        if field in fields:
            here = [message for place, message in told if place == field]
            yield "messages", (field, words) in told, f"{field}: {here} instead of {words!r}"


def _compare_bad_request(said: Review, answer: Row) -> Iterator[Point]:
    message = answer["message"]
    if "unknown field" in message or "duplicate field" in message:
        wanted = _BAD_FIELD.findall(message)
        fields = [field for cause in said.causes for field in _BAD_FIELD.findall(cause.message)]
        yield "fields", sorted(fields) == sorted(wanted), f"{fields} instead of {wanted}"
    else:
        words = said.causes[0].message
        yield "fields", words in message, f"{words!r} instead of {message!r}"


def plain_field(field: str | None) -> str:
    """Return a path without what the server itself writes now and leaves out then."""
    return _SHAPES.sub("", field or "")


def _plain_words(message: str) -> str:
    """Return a message without quoted structures (Go's internal form of them) and without the printed difference."""
    if message.startswith("Forbidden: pod updates may not change"):
        message = message.partition("\n")[0]
    return _QUOTED_STRUCTURE.sub(r"\1: …\2", message)


def _told(change: Change) -> Row:
    told: Row = {"path": _path(change.location)}
    for name, value in (("from", change.before), ("to", change.after)):
        if value is not MISSING:
            told[name] = "(long)" if len(json.dumps(value)) > LONG else value
    return told


def _path(location: Iterable[str | int]) -> str:
    text = ""
    for step in location:
        if isinstance(step, int) or not _PLAIN_KEY.fullmatch(step):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def _is_about_resources(path: str) -> bool:
    return "resources" in path or "claims" in path.lower()


def _sorted(changes: Iterable[Row]) -> list[str]:
    return sorted(json.dumps(change, sort_keys=True) for change in changes)


def _difference(told: list[Row], wanted: list[Row]) -> str:
    extra = [change for change in told if change not in wanted]
    missing = [change for change in wanted if change not in told]
    return f"not in the answer {extra[:3]}, missing {missing[:3]}"


def _shown(said: Review) -> Any:
    return [f"{cause.field}: {cause.message}"[:150] for cause in said.causes[:3]] or said.message
