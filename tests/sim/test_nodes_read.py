"""What is read from Nodes and DeviceClasses."""

from __future__ import annotations

from dralign.model.device import Taint
from dralign.model.inventory import class_from
from dralign.model.node import node_from
from dralign.values.quantity import Quantity


def test_a_node_is_read_with_what_keeps_pods_off():
    node = node_from(
        {
            "metadata": {"name": "n", "labels": {"zone": "a"}},
            "spec": {"taints": [{"key": "k", "effect": "NoSchedule"}], "unschedulable": True},
            "status": {"capacity": {"cpu": "8"}, "allocatable": {"cpu": "7500m", "pods": 110, "bad": "x"}},
        }
    )
    assert node.allocatable == {"cpu": Quantity.parse("7500m"), "pods": Quantity.of(110)}
    assert node.taints == (Taint("k", "", "NoSchedule"),)
    assert node.unschedulable


def test_capacity_counts_where_nothing_says_what_is_allocatable():
    assert node_from({"status": {"capacity": {"cpu": "8"}}}).allocatable == {"cpu": Quantity.of(8)}


def test_a_node_without_amounts_is_not_a_node_without_room():
    assert node_from({"metadata": {"name": "n"}}).allocatable is None


def test_a_class_is_read_with_the_resource_it_serves():
    read = class_from(
        {
            "metadata": {"name": "c", "creationTimestamp": "2026-01-01T00:00:00Z"},
            "spec": {"extendedResourceName": "example.com/gpu"},
        }
    )
    assert (read.extended_resource, read.created) == ("example.com/gpu", "2026-01-01T00:00:00Z")
