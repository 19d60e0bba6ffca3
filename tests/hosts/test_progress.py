"""What a long run says of itself, and when."""

import io

import pytest

from dralign.hosts import progress


class Screen(io.StringIO):
    def __init__(self, live):
        super().__init__()
        self.live = live

    def isatty(self):
        return self.live


@pytest.fixture
def clock(monkeypatch):
    """Return the hands of a clock, to be moved."""
    hands = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: hands[0])
    return hands


def told(monkeypatch, clock, *, live, seconds):
    screen = Screen(live)
    monkeypatch.setattr(progress.sys, "stderr", screen)
    tell = progress.Progress()
    for number in range(4):
        tell(number, 4)
        clock[0] += seconds
    tell.end()
    return screen.getvalue()


def test_a_short_run_says_nothing(monkeypatch, clock):
    assert told(monkeypatch, clock, live=False, seconds=0.4) == ""


def test_a_long_run_says_how_far_it_is(monkeypatch, clock):
    assert told(monkeypatch, clock, live=False, seconds=2) == "".join(
        f"dralign: {number} of 4 pod templates simulated\n" for number in (1, 2, 3)
    )


def test_a_terminal_has_one_line_that_is_gone_in_the_end(monkeypatch, clock):
    text = told(monkeypatch, clock, live=True, seconds=2)
    assert "\n" not in text
    assert text.startswith("\rdralign: 0 of 4 pod templates simulated")
    assert text.endswith(f"\r{'':<39}\r")
