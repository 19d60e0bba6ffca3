"""The recorded answers of Kubernetes 1.34 to 1.37, file by file; tests/conformance/run_cel.py prints more about them."""

import sys
from pathlib import Path

import pytest

CONFORMANCE = Path(__file__).resolve().parents[1] / "conformance"
sys.path.insert(0, str(CONFORMANCE))

from cel_judge import names, run_time_class  # noqa: E402  the path comes first
from run_cel import FOLDER, main, run  # noqa: E402


@pytest.mark.parametrize("name", names(FOLDER))
def test_recorded_answers(name):
    tally = run(FOLDER, [name])
    assert tally.total
    assert [point for point in tally.total if not tally.met(point)] == [], "\n".join(tally.disagreements[:5])


def test_the_runner_fails_where_there_is_nothing_to_compare(tmp_path, capsys):
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out == "agree 0 of 0\n"


def test_the_runner_sees_a_wrong_answer(tmp_path, capsys):
    (tmp_path / "semver.jsonl").write_text(
        '{"id": "v", "s": "1.2.3", "ok": true, "major": 1, "minor": 2, "patch": 4, "canonical": "1.2.4"}\n'
    )
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.endswith("version: 0 of 1  NOT MET\nagree 0 of 1\n")


@pytest.mark.parametrize(
    ("error", "name"),
    [
        pytest.param("no such key: a", "no_such_key", id="by its beginning"),
        pytest.param("got 'types.Int', expected iterable type", "not_iterable", id="by words inside"),
        pytest.param("insert failed: key 1 already exists", "other", id="no class of its own"),
    ],
)
def test_classes_of_run_time_errors(error, name):
    assert run_time_class(error) == name
