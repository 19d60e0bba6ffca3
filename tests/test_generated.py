"""Repairs of generated workloads: every kind, extended resource and manner of writing."""

import pytest

from dralign import kinds
from generated_workloads import ROWS, STYLES, TWINS, workloads
from rates import RATES, measured, refused

FOUND = workloads(3 * len(ROWS), seed=7)


def found_templates(data):
    for row in kinds.rows_for(data["apiVersion"], data["kind"]):
        yield from (found for found in kinds.find_templates(row, data) if any(kinds.containers(found)))


def test_every_kind_resource_and_manner_comes_up():
    assert {workload.data["kind"] for workload in FOUND} == {row.kind for row, _ in ROWS}
    assert {workload.style for workload in FOUND} == set(STYLES)
    assert set(TWINS) <= frozenset().union(*(workload.resources for workload in FOUND))
    assert all(list(found_templates(workload.data)) for workload in FOUND)
    assert sum("*res" in workload.text for workload in FOUND) > 5


def test_they_are_right_as_written():
    wrong = {workload.name: list(refused(workload.data)) for workload in FOUND}
    assert not {name: said for name, said in wrong.items() if said}


@pytest.mark.parametrize("strategy", ["constraint", "cpu-claim", "pin"])
def test_what_comes_out_is_right(strategy):
    measures = measured(FOUND if strategy == "constraint" else FOUND[::3], RATES, strategy)
    assert all(measure.asked > 20 for measure in measures.values())
    assert {name: measure.failed for name, measure in measures.items() if measure.failed} == {}
