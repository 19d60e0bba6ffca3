"""What a host gets back: an exit status, bytes for standard output, words for standard error; nothing half-written.

Standard error goes first, so that findings are told even where the reader of standard output has gone.
"""

from __future__ import annotations

import sys
import time

from dralign import registry
from dralign.errors import UsageError
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.bundle import Bundle
    from dralign.finding import Outcome
    from dralign.manifest import Manifest
    from dralign.settings import Settings

STDIN = "-"


class Answer(Record):
    """Exit status, standard output, standard error; ``outcome`` where a host may be asked for a report of it."""

    status: int
    output: bytes
    talk: str = ""
    outcome: Outcome | None = None


def give(answer: Answer) -> int:
    """Write an answer on the process's own streams and return its exit status.

    Raises:
        BrokenPipeError: nobody reads standard output.
        UsageError: standard output cannot be written for another reason, such as a full disk.
    """
    sys.stderr.write(answer.talk)
    sys.stderr.flush()
    try:
        sys.stdout.buffer.write(answer.output)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout = None  # nothing more can be written there, at exit either
        raise UsageError(f"standard output: {error.strerror}") from error
    return answer.status


def words_for(settings: Settings) -> tuple[bytes, ...]:
    """Return the words of the prefilter for input that is judged with these settings.

    Raises:
        InputError: an inventory file cannot be read.
    """
    words, asked = registry.words(), settings.inventory
    if not (asked.files or asked.inline):
        return words
    from dralign.hosts.inventory import words_beside  # noqa: PLC0415 -- most runs have none

    return (*words, *words_beside(asked, words))


def judged(bundle: Bundle, settings: Settings) -> tuple[Outcome, Bundle]:
    """Run all rules on a bundle, with the inventory that the settings name; return the outcome and the bundle after it.

    Raises:
        InputError: an inventory file cannot be read.
        UnreadableError: a file of the version before cannot be read.
        UsageError: a machine preset that does not exist.
    """
    from dralign import engine  # noqa: PLC0415 -- a stream without anything of ours needs none of this

    settings, inventory = dated(settings), inventory_of(settings)
    previous: tuple[Manifest, ...] = ()
    if settings.previous:
        from dralign.hosts import files  # noqa: PLC0415 -- as above

        previous = tuple(files.read(settings.previous, (), registry.words()).manifests)
    everything = inventory or previous or settings.mode == "fix"  # a repair may bring the first claim
    rules = registry.rules(None if everything else bundle.mentions)
    idle = registry.rule_ids().difference(loaded.rule.id for loaded in rules)
    return engine.run(bundle, settings, rules, registry.catalogue(), inventory, previous, idle)


def inventory_of(settings: Settings) -> tuple[Manifest, ...]:
    """Return the objects of the inventory that the settings name. Raises InputError, UsageError as :func:`judged`."""
    asked = settings.inventory
    if not (asked.files or asked.presets or asked.inline):
        return ()
    from dralign.hosts import inventory as reading  # noqa: PLC0415 -- most runs have none

    return reading.read(asked)


def dated(settings: Settings) -> Settings:
    """Return the settings with today's date, where something in them expires."""
    if any(entry.expires for entry in settings.ignore):
        return settings.replace(today=time.strftime("%Y-%m-%d", time.gmtime()))
    return settings


def judged_stream(data: bytes, settings: Settings, dialect: str, *, complete: bool = True) -> Answer:
    """Judge a stream of documents; what was not repaired comes back byte for byte.

    Args:
        data: the stream; documents in which nothing of ours stands are not parsed.
        settings: what to ask and what to do.
        dialect: the reader that counts for the host, see :mod:`dralign.yamlio`.
        complete: whether what is not in the stream is not there at all.

    Raises:
        InputError: a relevant document is no YAML.
    """
    from dralign.bundle import Bundle, read_source  # noqa: PLC0415 -- an irrelevant stream needs little else

    source = read_source(data, STDIN, dialect, words_for(settings))
    silent = settings.mode == "validate"
    if all(isinstance(piece, str) for piece in source.pieces):
        return nothing(settings, b"" if silent else data, source.unparsed)
    from dralign import repair  # noqa: PLC0415
    from dralign.formats import text  # noqa: PLC0415

    outcome, after = judged(Bundle([source], complete=complete), settings)
    output = b"" if silent else repair.stamped(after, outcome.stamps).sources[0].encode()
    talk = "" if silent and not outcome.findings else text.render(outcome)
    return Answer(int(outcome.failed), output, talk, outcome)


def nothing(settings: Settings, output: bytes, objects: int) -> Answer:
    """Return the answer to a stream in which nothing of ours stands: the same bytes, and an outcome without findings."""
    from dralign.finding import Outcome  # noqa: PLC0415 -- a function that passes its list on has no use for it

    outcome = Outcome((), (), (), objects, 0, settings.fail_on, settings.profile, settings.kube_version)
    return Answer(0, output, "", outcome)
