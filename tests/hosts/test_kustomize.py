"""The real kustomize runs the function: the shipped example gives the expected text, and a finding stops the build."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "kustomize" / "example"
KUSTOMIZE = shutil.which("kustomize")

pytestmark = pytest.mark.skipif(KUSTOMIZE is None, reason="no standalone kustomize on PATH")


@pytest.fixture
def build(tmp_path):
    """Build a folder with dralign-fn on PATH, as pip puts it there."""
    command = tmp_path / "bin" / "dralign-fn"
    command.parent.mkdir()
    command.write_text(
        f"#!{sys.executable} -I\nimport sys\nsys.path.insert(0, {str(ROOT / 'plugin')!r})\n"
        "from dralign.__main__ import function\nsys.exit(function())\n"
    )
    command.chmod(0o755)
    env = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}"}

    def run(folder):
        arguments = [KUSTOMIZE, "build", "--enable-alpha-plugins", "--enable-exec", str(folder)]
        return subprocess.run(arguments, capture_output=True, text=True, env=env, check=False)

    return run


def test_the_shipped_example(build, update):
    process = build(EXAMPLE)
    expected = EXAMPLE / ".expected" / "output.yaml"
    assert process.returncode == 0, process.stderr
    if update:
        expected.parent.mkdir(exist_ok=True)
        expected.write_text(process.stdout)
    assert process.stdout == expected.read_text()
    assert "2 of 2 objects judged" in process.stderr


def test_a_finding_stops_the_build_and_is_told(build, tmp_path):
    folder = tmp_path / "check"
    shutil.copytree(EXAMPLE, folder)
    config = (folder / "dralign.yaml").read_text()
    (folder / "dralign.yaml").write_text(config.replace("mode: fix", "mode: check"))
    process = build(folder)
    assert process.returncode == 1
    assert process.stdout == ""
    assert "[numa-constraint-missing]" in process.stderr
    assert "[qos-not-guaranteed]" in process.stderr


def test_a_wrong_configuration_stops_the_build_in_one_line(build, tmp_path):
    folder = tmp_path / "wrong"
    shutil.copytree(EXAMPLE, folder)
    config = (folder / "dralign.yaml").read_text()
    (folder / "dralign.yaml").write_text(config.replace("mode: fix", "mode: fxi"))
    process = build(folder)
    assert process.returncode == 1
    assert process.stderr.splitlines()[0].endswith("config: spec.mode: got 'fxi', want one of check, fix, validate")
