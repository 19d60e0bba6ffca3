"""Helm post-renderer: the rendered stream on standard input, the same stream on standard output.

Helm 3 shows standard error only when the command fails, and never sends hooks: what is missing in its stream may still be
there. Helm 4 shows neither standard error nor the exit status of a failing plugin; it fails closed and prints its input
when the answer is a scalar, so that is the way by which a refusal is told there (``--from helm4``, and only under Helm).
"""

from __future__ import annotations

import os
import sys

from dralign import registry
from dralign.errors import InputError, UsageError
from dralign.hosts.answer import Answer, give, judged_stream, nothing
from dralign.yamlio import SIGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.finding import Outcome
    from dralign.settings import Settings

HELM4 = "helm4"


def run(argv: Sequence[str]) -> int:
    """Act as a post-renderer on the process's own streams; return the exit status.

    Raises:
        InputError, UsageError: the stream is no YAML, or the call or the configuration is wrong.
    """
    options = _options(argv)
    data = sys.stdin.buffer.read()
    told_by_scalar = options["from"] == HELM4 and "HELM_PLUGIN_NAME" in os.environ
    try:
        settings = _settings(options["config"])
        whole = options["from"] == HELM4
        answer = judged_stream(data, settings, SIGS, complete=whole) if data else nothing(settings, b"", 0)
        _report(answer.outcome, options["report"])
    except (InputError, UsageError) as error:
        if told_by_scalar:
            return give(_scalar(f"dralign: {error}\n"))
        raise
    return give(_scalar(answer.talk) if told_by_scalar and answer.status else answer)


def _options(argv: Sequence[str]) -> dict[str, str | None]:
    """Read ``--from helm4``, ``--report FILE``, ``--config FILE``, with ``=`` or a space before the value.

    Raises:
        UsageError: anything else.
    """
    options: dict[str, str | None] = {"from": None, "report": None, "config": None}
    rest = [part for word in argv for part in (word.split("=", 1) if word.startswith("--") else [word])]
    while rest:
        name = rest.pop(0)
        if not name.startswith("--") or name[2:] not in options:
            raise UsageError(f"dralign-helm: got '{name}', want --from helm4, --report FILE or --config FILE")
        if not rest:
            raise UsageError(f"dralign-helm: {name} wants a value")
        options[name[2:]] = rest.pop(0)
    if options["from"] not in (None, "helm3", HELM4):
        raise UsageError(f"dralign-helm: --from: got '{options['from']}', want helm3 or helm4")
    return options


def _settings(path: str | None) -> Settings:
    from dralign.config import merged, settings_from  # noqa: PLC0415
    from dralign.hosts.configuration import own_file, spec_in  # noqa: PLC0415

    return settings_from(merged(own_file(), spec_in(path) if path else {}), registry.rule_ids())


REPORTS = {".json": "json", ".md": "markdown", ".sarif": "sarif", ".xml": "junit"}
"""Format of a report by the end of its name; any other is the text for people."""


def _report(outcome: Outcome | None, path: str | None) -> None:
    """Write the findings to a file, whole or not at all.

    Raises:
        UsageError: it cannot be written; nothing goes to standard output then.
    """
    if path is None or outcome is None:
        return
    from dralign.hosts.files import put  # noqa: PLC0415 -- most runs ask for no report

    form = registry.output_format(REPORTS.get(os.path.splitext(path)[1], "text"))
    try:
        put(path, form.render(outcome).encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"--report: {path}: {error.strerror}") from error


def _scalar(text: str) -> Answer:
    """Return a text as one YAML block scalar: no objects, so that Helm 4 refuses it and shows the text."""
    return Answer(0, ("|\n" + "".join(f"  {line}\n" for line in text.splitlines())).encode(), text)
