"""Which part of a device an expression can read."""

from __future__ import annotations

import pytest

from dralign.cel.analysis.projection import read_by

X = ("attributes", "d", "x")
SIZE = ("capacity", "d", "size")


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ('device.driver == "d"', {("driver",)}),
        ('device.attributes["d"].x == 1 && device.capacity["d"].size.isGreaterThan(quantity("1Gi"))', {X, SIZE}),
        ('device.attributes["d"].?x.orValue(0) == 1', {X}),
        ('has(device.attributes["d"].x)', {X}),
        ('"x" in device.attributes["d"]', {X}),
        ('device.attributes["d"].x.exists(v, v == 1)', {X}),
        ("device.allowMultipleAllocations", set()),
        ("true", set()),
        ('cel.bind(a, device.attributes["d"], a.x == 1)', None),
        ('device.attributes["d"].exists(k, k == "x")', None),
        ('device.attributes["d"]["x" + "y"] == 1', None),
        ('"d" in device.attributes', None),
        ("device == device", None),
        ("device.attributes[", None),
    ],
)
def test_read_by(expression, wanted):
    assert read_by(expression) == wanted
