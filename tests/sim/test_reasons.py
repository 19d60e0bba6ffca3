"""Why a pod does not fit: which test refuses each device."""

from __future__ import annotations

import pytest

from sim.scene import GATES_137, NUMA, Scene, claim, device, pool, request

NOT_THERE = {"taints": [{"key": "gone", "effect": "NoExecute"}]}


@pytest.mark.parametrize(
    ("scene", "asked", "wanted"),
    [
        pytest.param(
            Scene(*pool(device("d0", type="gpu")), *pool(device("e0"), driver="nic.example.com")),
            request("r", "gpu", "model=a"),
            [("r", "d0", "request selector"), ("r", "e0", "driver"), ("r", None, "count")],
            id="driver and request selector",
        ),
        pytest.param(
            Scene(*pool(device("d0", type="gpu"), device("d1", type="mig")), taken=["d0"]),
            request("r", "gpu"),
            [("r", "d0", "in use"), ("r", "d1", "class selector"), ("r", None, "count")],
            id="class selector and in use",
        ),
        pytest.param(
            Scene(*pool(device("d0", raw=NOT_THERE), device("d1", capacity={"mem": "1Gi"}))),
            request("r", capacity={"requests": {"mem": "2Gi"}}),
            [("r", "d0", "taint"), ("r", "d1", "capacity"), ("r", None, "count")],
            id="taint and capacity",
        ),
        pytest.param(
            Scene(
                *pool(device("d0", uses={"m": "2"}), device("d1", uses={"m": "1"}), counters={"m": "2"}), taken=["d1"]
            ),
            request("r"),
            [("r", "d0", "counter"), ("r", "d1", "in use"), ("r", None, "count")],
            id="counters that others use",
        ),
        pytest.param(
            Scene(
                *pool(device("d0", raw={"bindingConditions": ["up"]})), gates=GATES_137 - {"DRADeviceBindingConditions"}
            ),
            request("r"),
            [("r", "d0", "feature"), ("r", None, "count")],
            id="gate is off",
        ),
        pytest.param(
            Scene(*pool(device("d0"), device("d0"))),
            request("r"),
            [("r", None, "pool"), ("r", None, "count")],
            id="invalid pool",
        ),
    ],
)
def test_each_device_has_the_test_that_refused_it(scene, asked, wanted):
    assert scene.explain(claim(asked)) == wanted


def test_constraint_removes_what_no_other_request_can_match():
    nics = pool(device("n0", numa=1, type="nic"), driver="nic.example.com")
    scene = Scene(*pool(device("g0", numa=0, type="gpu"), device("g1", type="gpu")), *nics)
    asked = claim(request("gpu", "gpu"), request("nic", "any", "type=nic"), match=NUMA)
    found = [reason for reason in scene.explain(asked) if reason[2] not in ("driver", "request selector")]
    assert found == [
        ("gpu", "g0", "constraint"),
        ("gpu", "g1", "constraint"),
        ("nic", "n0", "constraint"),
        ("gpu", None, "count"),
        ("nic", None, "count"),
    ]


def test_what_each_request_could_have_alone_is_the_combination():
    scene = Scene(*pool(device("d0"), device("d1")))
    assert scene.explain(claim(request("a", count=2), request("b"))) == [("", None, "combination")]


def test_reasons_say_the_values():
    scene = Scene(*pool(device("g0", numa=0), device("g1", numa=1)))
    pod = scene.allocator.prepare([claim(request("r", count=2), match=NUMA)])
    details = [reason.detail for reason in scene.allocator.explain(pod, scene.nodes[0], scene.allocator.taken())]
    assert details == [
        f"{NUMA} 0: too few such devices for r",
        f"{NUMA} 1: too few such devices for r",
        "0 of 2 devices",
    ]


def test_errors_are_no_reasons():
    assert Scene(*pool(device("d0"))).explain(claim(request("r", "none"))) == []
