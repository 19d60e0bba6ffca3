"""Pods that look at where others are: affinity, anti-affinity, spread constraints, ports, volumes, and waiting."""

from __future__ import annotations

import pytest

from sim.bundles import claim, device_class, gpus, node, outcomes, pod

ZONE = "zone"
HOST = "kubernetes.io/hostname"


def machines(*zones):
    return [node(f"n{i}", labels={ZONE: zone, HOST: f"n{i}"}) for i, zone in enumerate(zones)]


def labelled(name, labels=None, **spec):
    made = pod(name, **spec)
    made["metadata"] |= {"namespace": "default", "labels": labels or {}}
    return made


def affinity(kind, key=ZONE, labels=None, **more):
    term = {"topologyKey": key, "labelSelector": {"matchLabels": labels or {"app": "x"}}, **more}
    return {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def spread(key=ZONE, skew=1, **more):
    selector = {"matchLabels": {"app": "x"}}
    body = {"topologyKey": key, "maxSkew": skew, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector}
    return [body | more]


def placed(*objects):
    """Return node or message of each pod."""
    plane = outcomes(*objects, volumes=True)
    return [getattr(item.placement, "node", None) or item.placement.message for item in plane.pods]


def test_pods_that_keep_apart_share_no_place():
    alike = [labelled(f"p{i}", {"app": "x"}, affinity=affinity("podAntiAffinity")) for i in range(3)]
    assert placed(*machines("a", "a", "b"), *alike) == [
        "n0",
        "n2",
        "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.",
    ]


def test_pods_that_are_there_keep_others_off():
    shy = labelled("p0", affinity=affinity("podAntiAffinity"))
    assert placed(*machines("a", "b"), shy, labelled("p1", {"app": "x"}))[1] == "n1"
    assert placed(*machines("a"), shy, labelled("p1", {"app": "x"}))[1] == (
        "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules."
    )


def test_the_first_of_a_group_that_stays_together_may_go_anywhere():
    alike = [labelled(f"p{i}", {"app": "x"}, affinity=affinity("podAffinity")) for i in range(2)]
    assert placed(*machines("a", "b"), *alike) == ["n0", "n0"]


def test_a_pod_waits_for_those_it_wants_to_be_near_to():
    near = labelled("p0", affinity=affinity("podAffinity"))
    assert placed(*machines("a"), near) == ["0/1 nodes are available: 1 node(s) didn't match pod affinity rules."]
    wanted = labelled("p1", {"app": "x"}, nodeSelector={HOST: "n1"})
    assert placed(*machines("a", "b"), near, wanted) == ["n1", "n1"]


@pytest.mark.parametrize(
    ("more", "is_near"), [({}, False), ({"namespaces": ["team"]}, True), ({"namespaceSelector": {}}, True)]
)
def test_affinity_looks_at_its_own_namespace_unless_told_otherwise(more, is_near):
    other = labelled("p0", {"app": "x"})
    other["metadata"]["namespace"] = "team"
    near = labelled("p1", affinity=affinity("podAffinity", **more))
    assert (placed(*machines("a"), other, near)[1] == "n0") is is_near


def test_label_keys_stand_for_the_pods_own_values():
    keyed = affinity("podAntiAffinity", labels={"app": "x"}, matchLabelKeys=["release"])
    one, other = (labelled(f"p{i}", {"app": "x", "release": release}, affinity=keyed) for i, release in enumerate("12"))
    assert placed(*machines("a"), one, other) == ["n0", "n0"]


def test_pods_are_spread_over_places():
    alike = [labelled(f"p{i}", {"app": "x"}, topologySpreadConstraints=spread()) for i in range(4)]
    assert placed(*machines("a", "a", "b"), *alike) == ["n0", "n2", "n0", "n2"]


def test_a_place_that_is_no_choice_counts_all_the_same_unless_taints_are_heeded():
    far = node("n1", labels={ZONE: "b"}, taints=[{"key": "k", "effect": "NoSchedule"}])
    for policy, last in (("Ignore", "1 node(s) didn't match pod topology spread constraints"), ("Honor", "n0")):
        constraints = spread(nodeTaintsPolicy=policy)
        alike = [labelled(f"p{i}", {"app": "x"}, topologySpreadConstraints=constraints) for i in range(2)]
        assert last in placed(*machines("a"), far, *alike)[1]


def test_too_few_places_count_as_an_empty_one():
    alike = [labelled(f"p{i}", {"app": "x"}, topologySpreadConstraints=spread(minDomains=2)) for i in range(2)]
    assert placed(*machines("a"), *alike)[1] == (
        "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints."
    )


def test_nodes_without_the_label_are_no_place():
    constrained = labelled("p", {"app": "x"}, topologySpreadConstraints=spread("rack"))
    assert placed(*machines("a"), constrained) == [
        "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label)."
    ]


def test_a_port_of_the_node_is_had_once():
    port = {"containerPort": 80, "hostPort": 80}
    alike = [labelled(f"p{i}", containers=[{"name": "c", "image": "i", "ports": [port]}]) for i in range(2)]
    for item in alike:
        item["spec"].pop("resourceClaims")
    assert placed(*machines("a"), *alike)[1] == (
        "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports."
    )


def test_volumes_that_are_not_there_or_not_bound_keep_a_pod_waiting():
    volume = [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]
    wants = labelled("p", volumes=volume)
    assert placed(*machines("a"), wants) == [
        '0/1 nodes are available: persistentvolumeclaim "data" not found. not found'
    ]
    there = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"}, "spec": {}}
    assert placed(*machines("a"), there, wants) == [
        "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found"
    ]
    late = {"kind": "StorageClass", "metadata": {"name": "late"}, "volumeBindingMode": "WaitForFirstConsumer"}
    assert placed(*machines("a"), late, there | {"spec": {"storageClassName": "late"}}, wants) == ["n0"]


def test_a_pod_is_tried_again_when_its_shared_claim_got_devices():
    first = pod("p1", claim="c", nodeSelector={ZONE: "b"})
    second = pod("p2", claim="c")
    objects = (*machines("a", "b"), gpus("n0", 1), device_class(), claim(), first, second)
    message, node_of_second = placed(*objects)
    assert node_of_second == "n0"
    assert "1 resourceclaim not available on the node" in message
