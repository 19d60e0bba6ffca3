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
    from dralign.hosts.inventory import Shelf
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


def inventory_of(settings: Settings) -> Shelf | None:
    """Return the inventory that the settings ask for, opened once for a run; None where they ask for none.

    Raises:
        InputError: an inventory file cannot be read.
    """
    asked = settings.inventory
    if not (asked.files or asked.presets or asked.inline):
        return None
    from dralign.hosts.inventory import Shelf  # noqa: PLC0415 -- most runs have none

    return Shelf(asked)


def words_for(inventory: Shelf | None) -> tuple[bytes, ...]:
    """Return the words of the prefilter for input that is judged beside an inventory."""
    words = registry.words()
    return (*words, *inventory.words_beside(words)) if inventory is not None else words


def judged(bundle: Bundle, settings: Settings, inventory: Shelf | None) -> tuple[Outcome, Bundle]:
    """Run all rules on a bundle, with the inventory that the settings ask for; return the outcome and the bundle after it.

    Raises:
        InputError: an inventory file is no YAML.
        UnreadableError: a file of the version before cannot be read.
        UsageError: a machine preset that does not exist.
    """
    from dralign import engine  # noqa: PLC0415 -- a stream without anything of ours needs none of this

    settings = dated(settings)
    known = inventory.objects() if inventory is not None else ()
    previous: tuple[Manifest, ...] = ()
    if settings.previous:
        from dralign.hosts import files  # noqa: PLC0415 -- as above

        previous = tuple(files.read(settings.previous, (), registry.words()).manifests)
    everything = inventory or previous or settings.mode == "fix"  # a repair may bring the first claim
    rules = registry.rules(None if everything else bundle.mentions)
    idle = registry.rule_ids().difference(loaded.rule.id for loaded in rules)
    return engine.run(bundle, settings, rules, registry.catalogue(), known, previous, idle)


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

    inventory = inventory_of(settings)
    source = read_source(data, STDIN, dialect, words_for(inventory))
    silent = settings.mode == "validate"
    if all(isinstance(piece, str) for piece in source.pieces):
        return nothing(settings, b"" if silent else data, source.unparsed)
    from dralign import repair  # noqa: PLC0415
    from dralign.formats import text  # noqa: PLC0415

    outcome, after = judged(Bundle([source], complete=complete), settings, inventory)
    output = b"" if silent else repair.stamped(after, outcome.stamps).sources[0].encode()
    talk = "" if silent and not outcome.findings else text.render(outcome)
    return Answer(int(outcome.failed), output, talk, outcome)


def nothing(settings: Settings, output: bytes, objects: int) -> Answer:
    """Return the answer to a stream in which nothing of ours stands: the same bytes, and an outcome without findings."""
    from dralign.finding import Outcome  # noqa: PLC0415 -- a function that passes its list on has no use for it

    outcome = Outcome((), (), (), objects, 0, settings.fail_on, settings.profile, settings.kube_version)
    return Answer(0, output, "", outcome)
