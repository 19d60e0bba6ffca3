"""What is answered to update requests: what may change, and what is not looked at again."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from admission.objects import (
    CLAIM,
    CLASS,
    DEPLOYMENT,
    FLAT_CLAIM,
    JOB,
    POD,
    SLICE,
    STATEFUL_SET,
    TEMPLATE,
    VALID,
    ask,
    fields,
    messages,
    put,
    server,
)
from dralign.admission.server import Server
from dralign.admission.updates import review_update

EXACT = "spec/devices/requests/0/exactly"
ALLOCATION = {"devices": {"results": [{"request": "gpu", "driver": "gpu.nvidia.com", "pool": "p", "device": "gpu-0"}]}}


def update(old: dict[str, Any], new: dict[str, Any], one: Server | None = None, subresource: str = ""):
    one = one or server()
    return review_update(ask(old, one), copy.deepcopy(new), one, subresource)


@pytest.mark.parametrize("name", VALID)
def test_an_object_can_be_written_again(name):
    said = update(VALID[name], VALID[name])
    assert (said.code, said.causes) == (200, ())


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        pytest.param(CLAIM, put(CLAIM, f"{EXACT}/count", 2), ["spec"], id="claim"),
        pytest.param(CLAIM, put(CLAIM, f"{EXACT}/count", 1), [], id="claim, default written out"),
        pytest.param(
            put(CLAIM, f"{EXACT}/capacity", {"requests": {"memory": "1Gi"}}),
            put(CLAIM, f"{EXACT}/capacity", {"requests": {"memory": "1024Mi"}}),
            [],
            id="claim, same amount in another unit",
        ),
        pytest.param(CLAIM, FLAT_CLAIM, [], id="claim in another version"),
        pytest.param(CLAIM, put(FLAT_CLAIM, "spec/devices/requests/0/count", 3), ["spec"], id="claim, other version"),
        pytest.param(TEMPLATE, put(TEMPLATE, f"spec/{EXACT}/count", 2), ["spec"], id="template"),
        pytest.param(TEMPLATE, put(TEMPLATE, "metadata/labels", {"a": "b"}), [], id="template, label"),
        pytest.param(CLASS, put(CLASS, "spec/selectors", []), [], id="class"),
        pytest.param(SLICE, put(SLICE, "spec/pool/generation", 2), [], id="slice, generation"),
        pytest.param(SLICE, put(SLICE, "spec/pool/name", "b"), ["spec.pool.name"], id="slice, pool"),
        pytest.param(SLICE, put(SLICE, "spec/nodeName", "b"), ["spec.nodeName"], id="slice, node"),
        pytest.param(POD, put(POD, "spec/containers/0/image", "registry.example.com/app:2.0"), [], id="pod, image"),
        pytest.param(POD, put(POD, "spec/containers/0/resources", {}), ["spec"], id="pod, resources"),
        pytest.param(POD, put(POD, "spec/activeDeadlineSeconds", 5), [], id="pod, new deadline"),
        pytest.param(
            put(POD, "spec/activeDeadlineSeconds", 5),
            put(POD, "spec/activeDeadlineSeconds", 6),
            ["spec.activeDeadlineSeconds"],
            id="pod, later deadline",
        ),
        pytest.param(
            put(POD, "spec/tolerations", [{"operator": "Exists"}]), POD, ["spec.tolerations"], id="pod, toleration gone"
        ),
        pytest.param(
            put(POD, "spec/schedulingGates", [{"name": "a"}]),
            put(put(POD, "spec/nodeSelector", {"a": "b"}), "spec/schedulingGates", [{"name": "a"}]),
            [],
            id="gated pod, node selector",
        ),
        pytest.param(POD, put(POD, "spec/nodeSelector", {"a": "b"}), ["spec"], id="pod, node selector"),
        pytest.param(DEPLOYMENT, put(DEPLOYMENT, "spec/replicas", 3), [], id="deployment, replicas"),
        pytest.param(
            DEPLOYMENT,
            put(put(DEPLOYMENT, "spec/template/metadata/labels/b", "c"), "spec/selector/matchLabels/b", "c"),
            ["spec.selector"],
            id="deployment, selector",
        ),
        pytest.param(STATEFUL_SET, put(STATEFUL_SET, "spec/serviceName", "y"), ["spec.serviceName"], id="stateful set"),
        pytest.param(
            put(JOB, "spec/completions", 9),
            put(put(JOB, "spec/completions", 9), "spec/parallelism", 3),
            [],
            id="job, parallelism",
        ),
        pytest.param(
            JOB, put(JOB, "spec/template/spec/containers/0/image", "other"), ["spec.template"], id="job, image"
        ),
    ],
)
def test_what_may_change(old, new, wanted):
    assert fields(update(old, new)) == wanted


@pytest.mark.parametrize(
    ("suspended", "path", "value", "wanted"),
    [
        pytest.param(False, "spec/template/spec/nodeSelector", {"a": "b"}, ["spec.template"], id="running"),
        pytest.param(True, "spec/template/spec/nodeSelector", {"a": "b"}, [], id="suspended, where it may run"),
        pytest.param(True, "spec/template/spec/containers/0/resources", {}, [], id="suspended, resources"),
        pytest.param(
            True, "spec/template/spec/containers/0/image", "x", ["spec.template.spec"], id="suspended, anything else"
        ),
    ],
)
def test_a_suspended_job_may_change_more(suspended, path, value, wanted):
    old = put(JOB, "spec/suspend", suspended)
    assert fields(update(old, put(old, path, value))) == wanted


def test_up_to_1_36_a_stateful_set_reports_its_whole_spec():
    said = update(STATEFUL_SET, put(STATEFUL_SET, "spec/serviceName", "y"), server("1.36"))
    assert fields(said) == ["spec"]
    assert messages(said)[0].startswith("Forbidden: updates to statefulset spec for fields other than 'replicas', ")


@pytest.mark.parametrize(
    ("new", "code"),
    [
        pytest.param(put(CLAIM, "metadata/name", "y"), 400, id="other name"),
        pytest.param(put(CLAIM, "metadata/namespace", "team-b"), 400, id="other namespace"),
        pytest.param(put(CLAIM, "metadata/uid", "1"), 409, id="other object of that name"),
        pytest.param(put(CLAIM, "spec/x", 1), 400, id="unknown field"),
    ],
)
def test_an_update_of_something_else(new, code):
    assert update(CLAIM, new).code == code


def test_what_was_stored_with_a_gate_on_stays_when_it_is_off():
    lists = put(SLICE, "spec/devices/0/attributes/type", {"strings": ["a", "b"]})
    stored = ask(lists, server("1.37", "DRAListTypeAttributes"))
    for new, kept in ((put(lists, "spec/pool/generation", 2), True), (put(SLICE, "spec/pool/generation", 2), False)):
        said = review_update(stored, copy.deepcopy(new), server())
        assert said is not None
        assert said.decoded is not None
        assert ("strings" in said.decoded["spec"]["devices"][0]["attributes"]["type"]) == kept
    assert fields(ask(lists)) == ["spec.devices[0].attributes[type]"]  # a new object loses the list, and has no value


@pytest.mark.parametrize(
    ("status", "wanted"),
    [
        pytest.param({"allocation": ALLOCATION}, [], id="allocated"),
        pytest.param(
            {"reservedFor": [{"resource": "pods", "name": "p", "uid": "1"}]},
            ["status.reservedFor"],
            id="reserved but not allocated",
        ),
        pytest.param(
            {"allocation": put(ALLOCATION, "devices/results/0/request", "nic")},
            ["status.allocation.devices.results[0].request"],
            id="for a request that is not there",
        ),
        pytest.param(
            {"allocation": put(ALLOCATION, "devices/results/0/shareID", "x")},
            ["status.allocation.devices.results[0].shareID"],
            id="id of a share",
        ),
        pytest.param(
            {"devices": [{"driver": "gpu.nvidia.com", "pool": "p", "device": "gpu-1"}], "allocation": ALLOCATION},
            ["status.devices[0]"],
            id="status of another device",
        ),
    ],
)
def test_the_status_of_a_claim(status, wanted):
    assert fields(update(CLAIM, {**CLAIM, "status": status}, subresource="status")) == wanted


def test_an_allocation_stays_what_it_is():
    one = server()
    allocated = review_update(ask(CLAIM), {**copy.deepcopy(CLAIM), "status": {"allocation": ALLOCATION}}, one, "status")
    other = put(ALLOCATION, "devices/results/0/device", "gpu-1")
    said = review_update(allocated, {**copy.deepcopy(CLAIM), "status": {"allocation": other}}, one, "status")
    assert messages(said) == ["Invalid value: null: field cannot be modified once set"]
    kept = review_update(allocated, put(CLAIM, "metadata/labels", {"a": "b"}), one)
    assert kept.decoded["status"]["allocation"]["devices"]["results"][0]["device"] == "gpu-0"


@pytest.mark.parametrize(
    ("path", "value", "wanted"),
    [
        pytest.param("requests/cpu", "3", ["spec"], id="another class"),
        pytest.param("limits/cpu", "5", ["spec"], id="another class, too"),
        pytest.param("limits", None, ["spec", "spec.containers[0].resources.limits"], id="limits gone"),
    ],
)
def test_a_resize_keeps_the_qos_class(path, value, wanted):
    new = put(POD, f"spec/containers/0/resources/{path}", value)
    assert sorted(fields(update(POD, new, subresource="resize"))) == wanted


def test_a_resize_changes_cpu_and_memory_and_nothing_else():
    bigger = {"requests": {"cpu": "8", "memory": "16Gi"}, "limits": {"cpu": "8", "memory": "16Gi"}}
    new = put(put(POD, "spec/containers/0/resources", bigger), "spec/containers/0/image", "other")
    said = update(POD, new, subresource="resize")
    assert said.accepted
    container = said.decoded["spec"]["containers"][0]
    assert str(container["resources"]["limits"]["cpu"]) == "8"
    assert container["image"] == POD["spec"]["containers"][0]["image"]


def test_a_refused_object_is_no_stored_object():
    with pytest.raises(ValueError, match="refused"):
        review_update(ask(put(CLAIM, "spec/x", 1)), CLAIM, server())
    with pytest.raises(ValueError, match="no update"):
        review_update(ask(CLAIM), CLASS, server())
    assert review_update(ask(CLASS), CLASS, server(), "status") is None
