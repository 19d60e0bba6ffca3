"""Where formats go: files whole or not there, standard output, and colour."""

import io
import json
import os

import pytest

from dralign import registry
from dralign.formats import text as for_people
from dralign.hosts.output import painted
from judging import BOTH, CLAIM, judged
from running import run

NAMES = ("github", "json", "junit", "markdown", "sarif", "text")


def test_the_formats_are_the_files_of_their_folder():
    assert registry.names_in("formats") == sorted(NAMES)
    assert all(registry.output_format(name).name == name for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_exit_status_is_the_same_in_every_format(tmp_path, name):
    assert run("check", "--format", name, "--fail-on", "never", "-", stdin=BOTH.encode(), cwd=tmp_path).returncode == 0
    assert run("check", "--format", name, "-", stdin=BOTH.encode(), cwd=tmp_path).returncode == 1
    assert run("check", "--format", name, "-", stdin=b"kind: \xff", cwd=tmp_path).returncode == 2


def test_one_run_serves_people_and_programs(tmp_path):
    asked = [word for name in NAMES for word in ("--format", f"{name}=out.{name}")]
    process = run("check", *asked, "-", stdin=BOTH.encode(), cwd=tmp_path)
    assert (process.returncode, process.stdout, process.stderr) == (1, b"", b"")
    assert sorted(os.listdir(tmp_path)) == sorted(f"out.{name}" for name in NAMES)
    for name in NAMES:
        alone = run("check", "--format", name, "-", stdin=BOTH.encode(), cwd=tmp_path)
        assert (tmp_path / f"out.{name}").read_bytes() == alone.stdout


def test_a_file_that_cannot_be_written_is_said_and_nothing_is_left_behind(tmp_path):
    process = run("check", "--format", "json=no/out.json", "-", stdin=BOTH.encode(), cwd=tmp_path)
    assert (process.returncode, process.stdout) == (2, b"")
    assert process.stderr == b"dralign: --format: no/out.json: No such file or directory; nothing was written\n"
    assert os.listdir(tmp_path) == []


def test_a_file_keeps_its_mode_and_a_device_stays_one(tmp_path):
    (tmp_path / "out.json").write_text("old")
    (tmp_path / "out.json").chmod(0o600)
    run("check", "--format", "json=out.json", "--format", "text=/dev/null", "-", stdin=BOTH.encode(), cwd=tmp_path)
    assert json.loads((tmp_path / "out.json").read_text())["summary"]["judged"] == 2
    assert (tmp_path / "out.json").stat().st_mode & 0o777 == 0o600
    assert not os.path.isfile("/dev/null")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "xml"], "--format: got 'xml', want one of github, json, junit, markdown, sarif, text"),
        (["--format", "json=a", "--format", "text=a"], "--format: a is asked for twice; want a file for each format"),
        (["--format", "json", "--statistics"], "--statistics needs --format text"),
    ],
)
def test_a_wrong_call_is_one_line(tmp_path, arguments, message):
    process = run("check", *arguments, "-", stdin=BOTH.encode(), cwd=tmp_path)
    assert (process.returncode, process.stdout, process.stderr.decode()) == (2, b"", f"dralign: {message}\n")


def test_statistics_count_by_rule_and_file(tmp_path):
    (tmp_path / "a.yaml").write_text(BOTH)
    (tmp_path / "b.yaml").write_text(BOTH.replace("llama", "other"))
    (tmp_path / ".dralign.yaml").write_text(
        "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec: {ignore: [{rule: kubelet-blind, name: other, reason: x}]}\n"
    )
    process = run("check", "--statistics", "--profile", "strict", ".", cwd=tmp_path)
    assert process.stdout.decode() == (
        "rule                   error   warning      info  silenced     files\n"
        "kubelet-blind              1         .         .         1         2\n"
        "qos-not-guaranteed         2         .         .         .         2\n"
        "\n"
        "4 of 4 objects judged · 3 errors · 1 silenced     exit 1 (3 errors)\n"
    )
    assert run("check", "--statistics", "-", stdin=b"kind: Service\n", cwd=tmp_path).stdout.startswith(
        b"0 of 1 object judged"
    )


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "colour"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_and_says_nothing_alone(monkeypatch, stream, environment, colour):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    text = for_people.render(judged(BOTH, profile="strict"))
    shown = painted(text, stream)
    assert ("\x1b[" in shown) == colour
    for code in ("\x1b[1;31m", "\x1b[31m", "\x1b[33m", "\x1b[36m", "\x1b[0m"):
        shown = shown.replace(code, "")
    assert shown == text


def test_a_name_cannot_steer_a_terminal():
    text = for_people.render(judged(CLAIM.replace("name: llama", 'name: "\\e[2J\\nBLOCK x"'), profile="strict"))
    assert "\x1b" not in text
    assert all(not line.startswith("BLOCK x") for line in text.splitlines())


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("r.json", '{\n  "version"'),
        ("r.sarif", '{\n  "$schema"'),
        ("r.xml", "<?xml"),
        ("r.md", "### dralign"),
        ("r.txt", ""),
    ],
)
@pytest.mark.parametrize("stream", [BOTH, "kind: Service\napiVersion: v1\n", ""])
def test_a_post_renderer_reports_in_the_format_that_the_file_is_called_by(tmp_path, name, beginning, stream):
    run("--report", name, stdin=stream.encode(), cwd=tmp_path, entry="post_renderer")
    text = (tmp_path / name).read_text()
    assert text.startswith(beginning)
    assert text.endswith("\n")
    if stream != BOTH and name == "r.txt":
        assert text == f"0 of {int(bool(stream))} {'object' if stream else 'objects'} judged     exit 0\n"
