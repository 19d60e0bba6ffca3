"""What real hosts sent, captured, through dralign: nothing is lost, and nothing changes that nobody asked for."""

import sys

import pytest
from programs import ROOT

sys.path.insert(0, str(ROOT / "tests" / "conformance"))

import run_hosts

pytestmark = pytest.mark.usefixtures("in_empty_folder")

STREAMS = dict(run_hosts.captured(ROOT / "tests" / "conformance" / "hosts"))


def test_all_hosts_are_there():
    assert {name.partition("/")[0] for name in STREAMS} == {*run_hosts.LISTS, *run_hosts.STREAMS}


@pytest.mark.parametrize("mode", run_hosts.MODES)
@pytest.mark.parametrize("name", STREAMS)
def test_a_captured_stream_keeps_all_it_holds(name, mode):
    assert run_hosts.fault(name, STREAMS[name], mode) is None


@pytest.mark.parametrize("name", [name for name in STREAMS if name.partition("/")[0] in run_hosts.LISTS])
def test_validate_answers_with_nothing_or_fails(name):
    config = run_hosts.document("check").replace("mode: check", "mode: validate").replace("never", "info")
    status, output, talk = run_hosts.call("function", [], run_hosts.configured(STREAMS[name], config))
    assert output == b""
    assert (status == 0) == (talk == "")
