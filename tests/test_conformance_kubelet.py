"""The kubelet model against the recorded answers of the kubelet's own packages."""

from pathlib import Path

from conformance import run_kubelet


def test_all_answers_agree():
    agreed, count, lines = run_kubelet.compare(Path(run_kubelet.__file__).parent / "kubelet")
    assert count > 900
    assert agreed == count, "\n".join(lines)
