"""The allocator on clusters small enough to see the answer. How it agrees with Kubernetes is test_conformance_allocator."""

from __future__ import annotations

import pytest

from dralign.model.device import Taint
from dralign.model.inventory import TaintRule
from dralign.model.node import Node, NodeSelector, NodeTerm, Requirement
from dralign.sim.outcome import Allocated, Failed, NoFit, Undecided
from dralign.sim.pod_claim import PodClaim
from dralign.sim.sequence import Sequence
from sim.scene import DRIVER, GATES_137, N1, NUMA, Scene, chosen, claim, device, pool, request

TWO_NUMA = pool(*(device(f"d{i}", numa=i // 2) for i in range(4)))


def test_first_devices_in_order_are_taken():
    assert chosen(Scene(*TWO_NUMA).allocate(claim(request("r", count=2)))) == ["r:d0", "r:d1"]


def test_constraint_makes_the_search_go_back():
    scene = Scene(*TWO_NUMA, taken=["d1"])
    assert chosen(scene.allocate(claim(request("a"), request("b"), match=NUMA))) == ["a:d2", "b:d3"]


def test_claims_of_one_pod_share_the_node_but_no_constraint():
    outcome = Scene(*TWO_NUMA).allocate(claim(request("a"), match=NUMA), claim(request("b"), match=NUMA, name="other"))
    assert chosen(outcome) == ["a:d0", "b:d1"]
    assert [made.name for made in outcome.claims] == ["default/c", "default/other"]


def test_nothing_is_taken_by_trying():
    scene = Scene(*TWO_NUMA)
    assert scene.allocate(claim(request("r"))) == scene.allocate(claim(request("r")))


@pytest.mark.parametrize(
    ("devices", "asked", "wanted"),
    [
        pytest.param([device("d0"), device("d1", numa=0)], {"match": NUMA}, ["a:d1"], id="without the attribute"),
        pytest.param([device("d0", k=1), device("d1", k=True)], {"match": f"{DRIVER}/k"}, ["a:d0"], id="bare name"),
    ],
)
def test_attribute_of_a_constraint_must_be_there(devices, asked, wanted):
    assert chosen(Scene(*pool(*devices)).allocate(claim(request("a"), **asked))) == wanted


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        pytest.param(1, 1, True, id="equal ints"),
        pytest.param(1, True, False, id="int and bool"),
        pytest.param("1", 1, False, id="text and int"),
        pytest.param([1, 2], [2, 3], False, id="lists with their gate off"),
        pytest.param([1], 1, False, id="list then scalar, gate off"),
    ],
)
def test_match_and_distinct_are_opposites_for_scalars(first, second, alike):
    scene = Scene(*pool(device("d0", k=first), device("d1", k=second)))
    pair = (request("a"), request("b"))
    fits = isinstance(scene.allocate(claim(*pair, match=f"{DRIVER}/k")), Allocated)
    differs = isinstance(scene.allocate(claim(*pair, distinct=f"{DRIVER}/k")), Allocated)
    assert fits is alike
    assert not (fits and differs)


def test_lists_match_if_all_have_something_in_common():
    devices = pool(device("d0", k=[1, 2]), device("d1", k=[2, 3]), device("d2", k=[1, 3]))
    scene = Scene(*devices, gates=GATES_137 | {"DRAListTypeAttributes"})
    assert chosen(scene.allocate(claim(request("a", count=2), match=f"{DRIVER}/k"))) == ["a:d0", "a:d1"]
    assert scene.allocate(claim(request("a", count=3), match=f"{DRIVER}/k")) == NoFit("n1")


def test_first_alternative_that_leads_to_a_solution_wins():
    ask = {
        "name": "x",
        "firstAvailable": [
            {"name": "big", "deviceClassName": "any", "count": 5},
            {"name": "small", "deviceClassName": "any"},
        ],
    }
    assert chosen(Scene(*TWO_NUMA).allocate(claim(ask))) == ["x/small:d0"]


@pytest.mark.parametrize(
    ("taken", "outcome"),
    [
        pytest.param([], ["r:d0", "r:d1", "r:d2", "r:d3"], id="all are free"),
        pytest.param(["d2"], NoFit("n1"), id="one is taken"),
    ],
)
def test_mode_all_wants_every_device(taken, outcome):
    got = Scene(*TWO_NUMA, taken=taken).allocate(claim(request("r", allocationMode="All")))
    assert (chosen(got) if isinstance(got, Allocated) else got) == outcome


@pytest.mark.parametrize(
    ("asked", "kind", "named"),
    [
        pytest.param(
            request("r", "fail"), "cel-runtime", f"class fail: selector #0 on device {DRIVER}/p/d0", id="class"
        ),
        pytest.param(request("r", "any", "bad"), "cel-compile", "claim default/c: selector #0", id="does not compile"),
        pytest.param(request("r", "none"), "class", "could not retrieve device class none", id="no such class"),
        pytest.param(request("r", count=33), "too-many-devices", "request r", id="more than a claim may hold"),
        pytest.param(request("r", allocationMode="Some"), "mode", "unsupported count mode Some", id="unknown mode"),
        pytest.param(
            request("r", derivedAttributes=[{"name": "a/b", "expression": "k"}]), "feature", "derived", id="gate is off"
        ),
    ],
)
def test_errors_end_the_attempt_and_name_their_cause(asked, kind, named):
    outcome = Scene(*TWO_NUMA).allocate(claim(asked))
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.scope) == (kind, "pod")
    assert named in outcome.message


def test_only_devices_that_are_looked_at_can_fail():
    scene = Scene(*pool(device("d0", type="gpu"), device("d1")), taken=["d1"])
    assert chosen(scene.allocate(claim(request("r", "gpu")))) == ["r:d0"]
    scene.allocate(claim(request("r", "any", "true")))
    assert [name for _, name in scene.words.asked] == ["d0", "d0"]


def test_invalid_pool_is_told_only_where_nothing_fits():
    scene = Scene(*pool(device("d0"), device("d0")), *pool(device("e0"), name="q"))
    assert chosen(scene.allocate(claim(request("r")))) == ["r:e0"]
    outcome = scene.allocate(claim(request("r", count=2)))
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.scope) == ("invalid-pools", "node")


def test_counters_of_a_pool_are_shared_with_what_is_taken():
    slices = pool(*(device(f"d{i}", uses={"memory": "40Gi"}) for i in range(3)), counters={"memory": "80Gi"})
    assert chosen(Scene(*slices).allocate(claim(request("r", count=2)))) == ["r:d0", "r:d1"]
    assert Scene(*slices, taken=["d2"]).allocate(claim(request("r", count=2))) == NoFit("n1")


@pytest.mark.parametrize(
    ("wanted", "consumed"),
    [
        pytest.param({}, "1Gi", id="nothing asked takes the default"),
        pytest.param({"capacity": {"requests": {"mem": "600Mi"}}}, "1Gi", id="rounded up to the next step"),
        pytest.param({"capacity": {"requests": {"mem": "9Gi"}}}, None, id="above the greatest"),
    ],
)
def test_shares_take_what_the_request_policy_says(wanted, consumed):
    policy = {"default": "1Gi", "validRange": {"min": "512Mi", "max": "8Gi", "step": "512Mi"}}
    share = device(
        "d0", capacity={"mem": {"value": "16Gi", "requestPolicy": policy}}, raw={"allowMultipleAllocations": True}
    )
    outcome = Scene(*pool(share)).allocate(claim(request("r", **wanted)))
    got = None if isinstance(outcome, NoFit) else str(outcome.claims[0].results[0].consumed["mem"])
    assert got == consumed


def test_shares_of_others_leave_less():
    share = device("d0", capacity={"mem": "4Gi"}, raw={"allowMultipleAllocations": True})
    asked = claim(
        request("a", capacity={"requests": {"mem": "2Gi"}}), request("b", capacity={"requests": {"mem": "1Gi"}})
    )
    assert chosen(Scene(*pool(share)).allocate(asked)) == ["a:d0", "b:d0"]
    assert Scene(*pool(share), shares=[("d0", {"mem": "2Gi"})]).allocate(asked) == NoFit("n1")


@pytest.mark.parametrize(
    ("tolerations", "wanted"),
    [
        pytest.param([], "d1", id="not tolerated"),
        pytest.param([{"key": "broken", "operator": "Exists"}], "d0", id="tolerated"),
        pytest.param([{"key": "broken", "operator": "Equal", "value": "no"}], "d1", id="another value"),
    ],
)
def test_taints_keep_off(tolerations, wanted):
    taint = {"key": "broken", "value": "yes", "effect": "NoSchedule"}
    scene = Scene(*pool(device("d0", raw={"taints": [taint]}), device("d1")))
    assert chosen(scene.allocate(claim(request("r", tolerations=tolerations)))) == [f"r:{wanted}"]


def test_taint_rules_add_taints_while_their_gate_is_on():
    rule = TaintRule(DRIVER, None, "d0", Taint("k", "", "NoExecute"))
    assert chosen(Scene(*TWO_NUMA, rules=[rule]).allocate(claim(request("r")))) == ["r:d1"]
    off = GATES_137 - {"DRADeviceTaintRules"}
    assert chosen(Scene(*TWO_NUMA, rules=[rule], gates=off).allocate(claim(request("r")))) == ["r:d0"]


@pytest.mark.parametrize(
    ("requirement", "selects"),
    [
        pytest.param({"key": "zone", "operator": "In", "values": ["a", "b"]}, True, id="In"),
        pytest.param({"key": "zone", "operator": "NotIn", "values": ["a"]}, False, id="NotIn"),
        pytest.param(
            {"key": "none", "operator": "NotIn", "values": ["a"]}, True, id="NotIn of a label that is not there"
        ),
        pytest.param({"key": "zone", "operator": "Exists"}, True, id="Exists"),
        pytest.param({"key": "zone", "operator": "DoesNotExist"}, False, id="DoesNotExist"),
        pytest.param({"key": "size", "operator": "Gt", "values": ["4"]}, True, id="Gt"),
        pytest.param({"key": "size", "operator": "Lt", "values": ["5"]}, False, id="Lt"),
        pytest.param({"key": "zone", "operator": "Gt", "values": ["4"]}, False, id="Gt of a word"),
    ],
)
def test_node_selectors(requirement, selects):
    selector = {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]}
    outcome = Scene(*pool(device("d0"), node=None, nodeSelector=selector)).allocate(claim(request("r")))
    assert isinstance(outcome, Allocated if selects else NoFit)


def test_allocation_names_the_nodes_that_can_use_it():
    own = Requirement("metadata.name", "In", ("n1",))
    assert Scene(*TWO_NUMA).allocate(claim(request("r"))).claims[0].node_selector == NodeTerm((), (own,))
    everywhere = Scene(*pool(device("d0"), node=None, allNodes=True)).allocate(claim(request("r")))
    assert everywhere.claims[0].node_selector is None


def test_malformed_node_selector_is_an_error():
    selector = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "k", "operator": "Is", "values": ["x"]}]}]}
    outcome = Scene(*pool(device("d0"), node=None, nodeSelector=selector)).allocate(claim(request("r")))
    assert isinstance(outcome, Failed)
    assert outcome.kind == "node-selector"


def test_claim_that_is_allocated_only_ties_the_pod_to_its_nodes():
    reach = NodeSelector((NodeTerm((Requirement("zone", "In", ("a",)),), ()),))
    held = PodClaim("default/held", claim(request("r")).spec, allocated=True, reach=reach)
    scene = Scene(*TWO_NUMA)
    assert chosen(scene.allocate(held, claim(request("r")))) == ["r:d0"]
    other = Node("n1", {"zone": "b"})
    assert scene.allocate(held, claim(request("r")), node=other) == NoFit("n1")
    pod = scene.allocator.prepare([held])
    assert [r.test for r in scene.allocator.explain(pod, other, scene.allocator.taken())] == ["node"]


def test_bound_on_steps_ends_in_undecided_never_in_an_answer():
    scene = Scene(*TWO_NUMA)
    asked = claim(request("a", count=2), request("b", count=2), match=NUMA)
    assert scene.allocate(asked) == NoFit("n1")
    outcomes = [scene.allocate(asked, step_limit=limit) for limit in range(1, 40)]
    decided = [outcome for outcome in outcomes if not isinstance(outcome, Undecided)]
    assert isinstance(outcomes[0], Undecided)
    assert set(map(type, decided)) == {NoFit}


def test_very_many_claims_do_not_exhaust_the_interpreter():
    shares = pool(device("d0", raw={"allowMultipleAllocations": True}))
    outcome = Scene(*shares).allocate(*(claim(request("r"), name=f"c{i}") for i in range(1000)))
    assert isinstance(outcome, Allocated)


def test_search_that_cannot_succeed_is_given_up_early():
    scene = Scene(*pool(*(device(f"d{i:02}") for i in range(24))))
    asked = claim(request("a", count=12), request("b", "any", "true"), request("c", "gpu"))
    assert scene.allocate(asked, step_limit=10_000) == NoFit("n1")


class TestSequence:
    def test_pods_take_what_is_left_node_by_node(self):
        nodes = [Node("n1", {}), Node("n2", {})]
        slices = [piece for node in nodes for piece in pool(device("d0"), device("d1"), name=node.name, node=node.name)]
        scene = Scene(*slices, nodes=nodes)
        sequence = Sequence(scene.allocator, nodes, scene.allocator.taken())
        outcomes = [sequence.place([claim(request("r"))]) for _ in range(5)]
        assert [outcome.node for outcome in outcomes] == ["n1", "n1", "n2", "n2", "n2"]
        assert isinstance(outcomes[-1], NoFit)

    def test_replicas_are_not_tried_again_where_nothing_has_changed(self):
        nodes = [Node("n1", {}), Node("n2", {})]
        slices = [piece for node in nodes for piece in pool(device("d0"), name=node.name, node=node.name)]
        scene = Scene(*slices, nodes=nodes)
        sequence = Sequence(scene.allocator, nodes, scene.allocator.taken())
        replica = claim(request("r", "any", "none=1"))
        sequence.place([replica])
        asked = len(scene.words.asked)
        sequence.place([PodClaim("default/other", replica.spec)])
        assert len(scene.words.asked) == asked
        sequence.place([claim(request("r"))])
        sequence.place([replica])
        assert len(scene.words.asked) == asked

    def test_search_given_up_ends_the_attempt(self):
        scene = Scene(*TWO_NUMA)
        sequence = Sequence(scene.allocator, [N1, N1], scene.allocator.taken())
        assert isinstance(sequence.place([claim(request("r"))], step_limit=1), Undecided)

    def test_devices_of_admin_access_stay_free(self):
        scene = Scene(*pool(device("d0")))
        sequence = Sequence(scene.allocator, [N1], scene.allocator.taken())
        for _ in range(2):
            assert chosen(sequence.place([claim(request("r", adminAccess=True))])) == ["r:d0"]
        assert chosen(sequence.place([claim(request("r"))])) == ["r:d0"]
