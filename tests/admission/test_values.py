"""Quantities as they come back, times, and the QoS class."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.admission import timestamps
from dralign.admission.amounts import read, rounded_to_milli
from dralign.admission.gates import default_features
from dralign.admission.qos import BEST_EFFORT, BURSTABLE, GUARANTEED, qos_class

AMOUNTS = st.sampled_from(["0", "1", "500m", "4", "1Gi", "2Gi"])
LISTS = st.dictionaries(st.sampled_from(["cpu", "memory", "ephemeral-storage"]), AMOUNTS.map(read), max_size=3)
CONTAINERS = st.lists(
    st.fixed_dictionaries({"resources": st.fixed_dictionaries({"requests": LISTS, "limits": LISTS})}),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("1000m", "1", id="another unit is better"),
        pytest.param("1024Mi", "1Gi", id="the next unit"),
        pytest.param("1E3", "1E3", id="kept as written"),
        pytest.param("+1", "+1", id="sign kept"),
        pytest.param("0.5", "500m", id="no fractions"),
        pytest.param("1.5Gi", "1536Mi", id="no binary fractions"),
    ],
)
def test_a_quantity_is_given_back(text, written):
    assert str(read(text)) == written


@given(st.integers(-(10**12), 10**12), st.sampled_from(["n", "u", "m", "", "k", "M", "Ki", "Gi"]))
def test_rounding_goes_away_from_zero_and_stays_where_it_is(number, suffix):
    quantity = read(f"{number}{suffix}")
    rounded = rounded_to_milli(quantity)
    assert abs(rounded.unscaled) * 10 ** (rounded.scale + 9) >= abs(quantity.unscaled) * 10 ** (quantity.scale + 9)
    assert rounded_to_milli(rounded) == rounded


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        pytest.param("2026-01-31T12:00:00Z", None, id="UTC"),
        pytest.param("2026-01-31T12:00:00.5+02:00", None, id="zone and fraction"),
        pytest.param("2026-01-31", "cannot parse", id="only a day"),
        pytest.param("2026-02-30T12:00:00Z", "day out of range", id="no such day"),
        pytest.param("2026-01-31T12:00:00", 'cannot parse "" as "Z07:00"', id="no zone"),
        pytest.param("2026-01-31T12:00:00Zx", "extra text", id="something behind it"),
    ],
)
def test_times(text, wrong):
    found = timestamps.problem(text)
    assert found is None if wrong is None else wrong in (found or "")


def pod(*resources):
    return {"containers": [{"resources": {kind: dict(amounts) for kind, amounts in one.items()}} for one in resources]}


FULL = {"requests": {"cpu": read("4"), "memory": read("1Gi")}, "limits": {"cpu": read("4"), "memory": read("1Gi")}}
HALF = {"requests": {"cpu": read("4")}, "limits": {"cpu": read("4")}}


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        pytest.param(pod(FULL), GUARANTEED, id="all limits are requests"),
        pytest.param(pod(FULL, FULL), GUARANTEED, id="in all containers"),
        pytest.param(pod(FULL, {}), BURSTABLE, id="in one of two"),
        pytest.param(pod(HALF), BURSTABLE, id="cpu only"),
        pytest.param(pod({}), BEST_EFFORT, id="nothing"),
        pytest.param({**pod({}), "resources": FULL}, GUARANTEED, id="the pod as a whole"),
    ],
)
@pytest.mark.parametrize("minor", [34, 37])
def test_qos_class(spec, wanted, minor):
    assert qos_class(spec, default_features(f"1.{minor}"), minor) == wanted


@given(CONTAINERS, st.sampled_from([34, 36, 37]))
def test_the_order_of_containers_does_not_matter(containers, minor):
    features = default_features(f"1.{minor}")
    found = qos_class({"containers": containers}, features, minor)
    assert found == qos_class({"containers": containers[::-1]}, features, minor)
    assert found == qos_class({"containers": containers[:1], "initContainers": containers[1:]}, features, minor)
