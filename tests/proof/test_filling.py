"""How much of a shared device others can hold."""

from __future__ import annotations

import pytest

from dralign.model.slice import slice_from
from dralign.proof.filling import filling
from dralign.sim.amounts import amount
from dralign.values.quantity import Quantity


def shared(value, **policy):
    capacity = {"d/size": {"value": value, **({"requestPolicy": policy} if policy else {})}}
    spec = {"driver": "d", "pool": {"name": "p"}, "devices": [{"name": "x", "capacity": capacity}]}
    return slice_from({"spec": spec}).devices[0]


@pytest.mark.parametrize(
    ("value", "policy", "needed", "wanted"),
    [
        ("64", {}, "8", "56"),
        ("64", {"validRange": {"min": "1", "step": "1"}}, "8", "56"),
        ("64", {"validRange": {"min": "8", "step": "4"}}, "2", "60"),
        ("64", {"validRange": {"min": "8", "max": "24", "step": "8"}}, "0", "64"),
        ("64", {"validRange": {"min": "8", "max": "24", "step": "8"}}, "10", "48"),
        ("80Gi", {"validValues": ["10Gi", "40Gi"], "default": "10Gi"}, "15Gi", "60Gi"),
        ("64", {"default": "1"}, "4", "60"),
        ("64", {}, "64", None),
        ("64", {"validRange": {"min": "8"}}, "60", None),
    ],
)
def test_filling(value, policy, needed, wanted):
    found = filling(shared(value, **policy), {"d/size": amount(Quantity.parse(needed))})
    assert {name: str(quantity) for name, quantity in found.items()} == ({"d/size": wanted} if wanted else {})
