"""Where outcomes go: to files that are whole or not there, or to standard output, in colour on a terminal."""

from __future__ import annotations

import os
import sys

from dralign import registry
from dralign.errors import UsageError
from dralign.formats import Format
from dralign.formats import text as for_people
from dralign.hosts.files import put
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

    from dralign.finding import Outcome
    from dralign.simulate import Simulated
    from dralign.views import View

UNREADABLE = "backslashreplace"
"""What becomes of half characters, which JSON can spell and no output can hold."""


class Wanted(Record):
    """One ``--format NAME[=FILE]``: how an outcome, or a simulation, becomes text. ``target`` None is standard output."""

    form: Format | View
    target: str | None


def wanted(texts: Sequence[str], *, statistics: bool = False) -> tuple[Wanted, ...]:
    """Read what ``--format`` asks for; with ``statistics`` the text for people counts findings by rule.

    Raises:
        UsageError: no such format, two for one file, or statistics without a text.
    """
    asked = _apart(tuple(_wanted(text, "formats", registry.output_format) for text in texts))
    if not statistics:
        return asked
    if "text" not in [one.form.name for one in asked]:
        raise UsageError("--statistics needs --format text")
    counted = Format("text", for_people.statistics)
    return tuple(one.replace(form=counted) if one.form.name == "text" else one for one in asked)


def views(texts: Sequence[str]) -> tuple[Wanted, ...]:
    """Read what ``--format`` asks for of a simulation. Raises UsageError: no such view, or two for one file."""
    return _apart(tuple(_wanted(text, "views", registry.view) for text in texts))


def _apart(asked: tuple[Wanted, ...]) -> tuple[Wanted, ...]:
    files = [one.target for one in asked if one.target]
    for name in files:
        if files.count(name) > 1:
            raise UsageError(f"--format: {name} is asked for twice; want a file for each format")
    return asked


def _wanted(text: str, package: str, form: Callable[[str], Format | View]) -> Wanted:
    name, _, target = text.partition("=")
    known = registry.names_in(package)
    if name not in known:
        raise UsageError(f"--format: got '{name}', want one of {', '.join(known)}")
    return Wanted(form(name), target or None)


def emit(asked: Sequence[Wanted], outcome: Outcome | Simulated) -> bytes:
    """Write an outcome to the files it is wanted in, and return what is for standard output.

    Raises:
        UsageError: a file cannot be written.
    """
    printed = ""
    for one, text in [(one, one.form.render(outcome)) for one in asked]:  # type: ignore[arg-type]
        if one.target is None:
            printed += painted(text, sys.stdout) if one.form.name == "text" else text
            continue
        try:
            put(one.target, text.encode("utf-8", UNREADABLE))
        except OSError as error:
            raise UsageError(f"--format: {one.target}: {error.strerror}; nothing was written") from error
    return printed.encode("utf-8", UNREADABLE)


def painted(text: str, stream: TextIO) -> str:
    """Return a text for people as a stream should get it: in colour on a terminal, unless ``NO_COLOR`` says no.

    ``FORCE_COLOR`` says yes where there is no terminal, as in many CI logs.
    """
    asked = os.environ
    if asked.get("NO_COLOR") or asked.get("TERM") == "dumb":
        return text
    return for_people.painted(text) if asked.get("FORCE_COLOR") or stream.isatty() else text
