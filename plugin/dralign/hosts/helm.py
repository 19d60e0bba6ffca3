"""Helm post-renderer: the rendered stream on standard input, the same stream on standard output.

Helm 3 never sends hooks, so that what is missing in the stream may still be there: the bundle counts as incomplete.
"""

from __future__ import annotations

import sys

from dralign import registry
from dralign.yamlio import SIGS

STDIN = "-"


def run() -> int:
    """Act as a post-renderer on the process's own streams; return the exit status.

    Raises:
        InputError, UsageError: the stream is no YAML, or the configuration is wrong.
    """
    status, output, talk = answer(sys.stdin.buffer.read())
    sys.stderr.write(talk)
    sys.stderr.flush()
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()
    return status


def answer(data: bytes) -> tuple[int, bytes, str]:
    """Return (exit status, standard output, standard error) for a rendered stream.

    Raises:
        InputError, UsageError: see :func:`run`; nothing may be printed on standard output then.
    """
    from dralign.bundle import Bundle, read_source  # noqa: PLC0415 -- most of it is needed for relevant streams only
    from dralign.config import settings_from  # noqa: PLC0415
    from dralign.hosts.configuration import own_file  # noqa: PLC0415

    if not data:
        return 0, b"", ""
    settings = settings_from(own_file(), registry.rule_ids())
    source = read_source(data, STDIN, SIGS, registry.words())
    if all(isinstance(piece, str) for piece in source.pieces):
        return 0, data, ""
    from dralign import engine, repair  # noqa: PLC0415
    from dralign.formats import text  # noqa: PLC0415

    bundle = Bundle([source], complete=False)
    outcome, after = engine.run(bundle, settings, registry.rules(), registry.catalogue())
    after = repair.stamped(after, outcome.stamps)
    return int(outcome.failed), after.sources[0].encode(), text.render(outcome)
