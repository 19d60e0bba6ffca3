"""Pods placed one after the other, and what the control plane in small makes of whole bundles."""

from __future__ import annotations

import pytest

from dralign.admission.gates import default_features
from dralign.sim.placement import Placed, Unplaced
from sim.bundles import CLASS, RESOURCE, claim, device_class, gpus, node, outcomes, pod, simulation, spec_of, template


def test_replicas_fill_the_nodes_one_after_the_other():
    cluster = simulation(node("a"), node("b"), gpus("a", 3), gpus("b", 2), device_class(), template())
    found = cluster.replicas(spec_of(pod(template="t")))
    assert [placed.node for placed in found.placed] == ["a", "a", "a", "b", "b"]
    assert found.next.message == "0/2 nodes are available: 2 cannot allocate all claims."


def test_replicas_stop_at_the_number_wanted():
    cluster = simulation(node("a"), gpus("a", 3), device_class(), template())
    found = cluster.replicas(spec_of(pod(template="t")), most=2)
    assert (len(found.placed), found.next) == (2, None)


def test_cpus_can_run_out_before_devices():
    cluster = simulation(node("a"), gpus("a", 8), device_class(), template())
    found = cluster.replicas(spec_of(pod(template="t", limits={"cpu": "30"})))
    assert len(found.placed) == 2
    assert found.next.refusals == {"a": ("Insufficient cpu",)}


def test_replicas_that_share_a_claim_stay_where_it_can_be_used():
    cluster = simulation(node("a"), node("b"), gpus("b", 1), device_class(), claim())
    found = cluster.replicas(spec_of(pod(claim="c")), most=3)
    assert [placed.node for placed in found.placed] == ["b", "b", "b"]


def test_a_claim_has_no_more_than_256_users():
    cluster = simulation(node("a", capacity={"pods": "500"}), gpus("a", 1), device_class(), claim())
    found = cluster.replicas(spec_of(pod(claim="c")))
    assert len(found.placed) == 256
    assert found.next.message == "0/1 nodes are available: resourceclaim in use."


def test_pods_of_different_kinds_take_from_the_same_devices():
    cluster = simulation(node("a"), gpus("a", 2), device_class(extendedResourceName=RESOURCE), template())
    first = cluster.place(spec_of(pod("p1", limits={RESOURCE: "1"})))
    second = cluster.place(spec_of(pod("p2", template="t")))
    assert [r.device.name for r in first.placement.special.allocation.results] == ["gpu-0"]
    assert [r.device.name for r in second.placement.claims[0].results] == ["gpu-1"]
    assert isinstance(cluster.place(spec_of(pod("p3", limits={RESOURCE: "1"}))).placement, Unplaced)


def test_nodes_that_only_slices_name_have_room_without_end():
    cluster = simulation(gpus("a", 2), device_class(), template())
    found = cluster.replicas(spec_of(pod(template="t", limits={"cpu": "1000"})))
    assert [placed.node for placed in found.placed] == ["a", "a"]


def test_a_search_that_is_given_up_is_neither_a_yes_nor_a_no():
    cluster = simulation(node("a"), gpus("a", 8), device_class(), template(count=8), step_limit=3)
    found = cluster.replicas(spec_of(pod(template="t")))
    assert found.placed == ()
    assert "given up" in found.next.why


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"schedulingGates": [{"name": "g"}]}, "SchedulingGated"),
        ({"schedulerName": "mine"}, "NoCondition"),
    ],
)
def test_some_pods_are_not_the_schedulers(spec, reason):
    assert simulation(node("a")).place(spec_of(pod(**spec))).placement.reason == reason


def test_a_pod_that_names_its_node_goes_there_without_devices():
    cluster = simulation(node("a"), gpus("a", 1), device_class(), template())
    placement = cluster.place(spec_of(pod(template="t", nodeName="a"))).placement
    assert placement == Placed("a")


def test_a_missing_claim_keeps_the_pod_from_the_scheduler():
    decision = simulation(node("a")).place(spec_of(pod(claim="nope")))
    assert decision.placement.reason == "NoCondition"
    assert decision.claims.by_entry == {"b": ("nope", None)}


def test_an_error_on_one_node_ends_the_attempt_for_all():
    wrong = claim(selectors=[{"cel": {"expression": f"device.attributes['{CLASS}'].numa == 0"}}])
    bare = gpus("a", 1)
    bare["spec"]["devices"][0]["attributes"] = {}
    cluster = simulation(node("a"), node("b"), bare, gpus("b", 1), device_class(), wrong, exhaustive=True)
    placement = cluster.place(spec_of(pod(claim="c"))).placement
    assert placement.reason == "SchedulerError"
    assert "no such key: numa" in placement.message


def test_what_the_server_refuses_is_told_and_not_placed():
    plane = outcomes(node("a"), pod("bad_name"), pod("good"))
    assert [(item.kind, item.name, item.answer.code) for item in plane.refused] == [("Pod", "bad_name", 422)]
    assert [item.name for item in plane.pods] == ["good"]


@pytest.mark.parametrize(("strict", "refused"), [(True, 1), (False, 0)])
def test_unknown_fields_are_refused_or_dropped(strict, refused):
    plane = outcomes(node("a"), pod(colour="red"), strict=strict)
    assert len(plane.refused) == refused


def test_a_stateful_set_goes_on_only_behind_ready_pods():
    body = {"metadata": {"labels": {"a": "b"}}, "spec": pod()["spec"]}
    spec = {"replicas": 3, "serviceName": "s", "selector": {"matchLabels": {"a": "b"}}, "template": body}
    stateful = {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "s"}, "spec": spec}
    assert [item.name for item in outcomes(node("a"), stateful).pods] == ["s-0"]
    assert [item.name for item in outcomes(node("a"), stateful, ready=True).pods] == ["s-0", "s-1", "s-2"]


def test_a_cron_job_counts_as_one_job():
    body = {"spec": pod(restartPolicy="Never")["spec"]}
    spec = {"schedule": "* * * * *", "jobTemplate": {"spec": {"template": body, "parallelism": 2}}}
    cron = {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "c"}, "spec": spec}
    assert [(item.name, item.owner) for item in outcomes(node("a"), cron).pods] == [("c-*-*", "Job/c-*")] * 2


def test_pods_of_a_group_are_not_guessed_at():
    group = {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": {"name": "g"}}
    grouped = spec_of(pod(template="t", schedulingGroup={"podGroupName": "g"}))
    on = {"features": default_features("1.37") | {"GenericWorkload"}}
    without = simulation(node("a"), gpus("a", 1), device_class(), template(), **on).place(grouped)
    assert (without.placement.reason, without.claims.by_entry) == ("NoCondition", {})
    with_group = simulation(node("a"), gpus("a", 1), device_class(), template(), group, **on).place(grouped)
    assert "PodGroup g" in with_group.placement.why
    off = simulation(node("a"), gpus("a", 1), device_class(), template()).place(grouped)
    assert off.placement.node == "a"


def test_a_claim_that_a_pod_names_twice_cannot_be_bound():
    twice = pod(claim="c")
    twice["spec"]["resourceClaims"].append({"name": "again", "resourceClaimName": "c"})
    cluster = simulation(node("a"), gpus("a", 2), device_class(), claim())
    placement = cluster.place(spec_of(twice)).placement
    assert placement.reason == "SchedulerError"
    assert placement.message.endswith("claim default/c got allocated elsewhere in the meantime")


def test_a_claim_beside_extended_resources_of_the_node_itself_cannot_be_bound():
    plugin = node("a", capacity={RESOURCE: "2"})
    cluster = simulation(plugin, gpus("a", 2), device_class(extendedResourceName=RESOURCE), template())
    placement = cluster.place(spec_of(pod(template="t", limits={RESOURCE: "1"}))).placement
    assert placement.reason == "SchedulerError"
    assert "nil or empty request mappings" in placement.message
