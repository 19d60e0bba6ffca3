"""What a simulation comes to: plain data that views show."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.drawing import Marks, Picture
    from dralign.finding import Outcome, VerdictReport


class Fit(Record):
    """How many replicas fit beside what is taken, each on the first node that takes it.

    Attributes:
        placed: how many do.
        wanted: how many were to be placed; None: as many as there is room for.
        loose: how many would without any matchAttribute; None where the claims have none.
        stop: why there are not more; empty where all that were wanted fit.
        places: what one replica takes: ``replicas``, or ``nodes`` of a DaemonSet.
    """

    placed: int
    wanted: int | None
    loose: int | None = None
    stop: str = ""
    places: str = "replicas"


class Drawn(Record):
    """A node with what the pod gets there, and all nodes that look like it.

    ``link`` names the two things that are apart: a device by its identity, CPUs and memory by ``cpus`` and ``memory``.
    """

    nodes: tuple[str, ...]
    picture: Picture
    marks: Marks
    link: tuple[str, ...] = ()


class Change(Record):
    """The repair that aligns a pod, proved on its text.

    Attributes:
        titles: what is repaired.
        flags: with which ``dralign fix`` makes it.
        gives: what the pod then gets, in words.
        fit: how many replicas then fit.
    """

    titles: tuple[str, ...]
    flags: str
    gives: str
    fit: Fit | None


class Replay(Record):
    """Whether a saved case comes out as it was saved, if not what is different, and the command that saved it."""

    reproduces: bool
    differs: str = ""
    origin: str = ""


class Case(Record):
    """One pod template.

    Attributes:
        report: its verdict.
        name: the object in words.
        asks: what one pod asks for, in words.
        fit: None where no devices are known.
        drawings: the nodes that decide.
        lines: what there is to say, as name and text.
        change: None where nothing needs to change, or nothing that we know of helps.
        replay: the answer where a saved case was replayed.
    """

    report: VerdictReport
    name: str
    asks: str
    fit: Fit | None = None
    drawings: tuple[Drawn, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    change: Change | None = None
    replay: Replay | None = None


class Simulated(Record):
    """All that one simulation produced. ``arguments``: what was typed behind the verb, for lines that say how to go on."""

    outcome: Outcome
    cases: tuple[Case, ...]
    arguments: str
    failed: bool
