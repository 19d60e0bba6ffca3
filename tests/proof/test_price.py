"""How many replicas fit, with a constraint and without."""

from __future__ import annotations

from dralign.proof import price
from dralign.proof.price import Fit
from proof.stage import NUMA, claim, cpu_groups, device_class, gpu, gpus, held, known, nic, nics, question, request

DRANET = device_class("dra.net", "device.driver == 'dra.net'")
PAIR = (request("gpu"), request("nic", "dra.net"))


def machine(node="n1"):
    return [*gpus(gpu(0, 0), gpu(1, 0), gpu(2, 1), node=node), *nics(nic(0, 0), nic(1, 1), nic(2, 1), node=node)]


def test_a_constraint_has_its_price():
    found = price(question(claim(*PAIR, match=NUMA)), known(DRANET, machine(), machine("n2")))
    assert (found.written, found.unconstrained) == (Fit(4), Fit(6))


def test_what_is_taken_counts_and_so_does_where_the_pod_may_run():
    others = held("others", ("gpu.nvidia.com", "gpu-0"))
    asked = question(claim(*PAIR), eligible=lambda node: node.name == "n1")
    assert price(asked, known(DRANET, machine(), machine("n2"), others)).written == Fit(2)


def test_shares_are_counted_by_capacity():
    cpus = claim(request("cpus", "dra.cpu", capacity={"requests": {"dra.cpu/cpu": "5"}}))
    assert price(question(cpus), known(cpu_groups(8, 11))).written == Fit(3)


def test_no_count_goes_on_for_ever():
    cpus = claim(request("cpus", "dra.cpu", capacity={"requests": {"dra.cpu/cpu": "1"}}))
    assert price(question(cpus), known(cpu_groups(64)), most=7).written == Fit(7, "not counted beyond 7")


def test_replicas_that_share_a_claim_share_its_devices():
    shared = claim(request("gpu"), name="shared")
    own = claim(request("nic", "dra.net"), name="own")
    found = price(question(shared, own, shared=frozenset({"shared"})), known(DRANET, machine(), machine("n2")))
    assert found.written == Fit(3)
    found = price(question(shared, shared=frozenset({"shared"})), known(DRANET, machine()), most=5)
    assert found.written == Fit(5, "every replica shares the same devices")


def test_an_error_ends_the_count():
    strict = claim(request("gpu", "gpu.nvidia.com", "device.attributes['gpu.nvidia.com'].cores > 1"))
    found = price(question(strict), known(machine())).written
    assert found.replicas == 0
    assert "no such key" in found.limit
