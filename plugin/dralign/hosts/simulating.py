"""``dralign simulate``: reads what is to be simulated, shows what came of it."""

from __future__ import annotations

import json
import shlex

from dralign import registry
from dralign.context import Surroundings
from dralign.context.stock import stock_of
from dralign.errors import InputError, UsageError
from dralign.hosts import files, output
from dralign.hosts.answer import Answer, dated, inventory_of, words_for
from dralign.hosts.progress import Progress
from dralign.simulate import simulate
from dralign.simulate.replaying import CaseError, saved_in
from dralign.simulate.running import Wish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.settings import Settings
    from dralign.simulate.replaying import Saved

MAX = "max"
OWN = ("--format", "--replicas", "--replay")


def wish_from(replicas: str | None, replay: str | None, typed: Sequence[str]) -> Wish:
    """Read ``--replicas`` and ``--replay``, and keep what was typed for lines that say how to go on.

    Raises:
        UsageError: neither a whole number from 1 nor ``max``; a file in which no case is saved.
        InputError: the file cannot be read.
    """
    return _counting(replicas, typed).replace(saved=_saved(replay) if replay is not None else ())


def _saved(path: str) -> tuple[Saved, ...]:
    try:
        with open(path, "rb") as file:
            return saved_in(json.loads(file.read()))
    except OSError as error:
        raise InputError(f"{error.strerror}; want a case that --format json saved", path) from error
    except RecursionError as error:
        raise UsageError(f"--replay: {path}: nested too deeply") from error
    except (ValueError, CaseError) as error:
        raise UsageError(f"--replay: {path}: {error}") from error


def _counting(replicas: str | None, typed: Sequence[str]) -> Wish:
    arguments = shlex.join(_without_outputs(typed))
    if replicas in (None, MAX):
        return Wish(None, replicas == MAX, arguments)
    if not (replicas.isascii() and replicas.isdecimal() and len(replicas) < 6 and int(replicas)):
        raise UsageError(f"--replicas: got '{replicas}', want a whole number from 1 to 99999, or max")
    return Wish(int(replicas), False, arguments)


def _without_outputs(typed: Sequence[str]) -> list[str]:
    """Return arguments without those that only ``simulate`` has, each with its value."""
    kept: list[str] = []
    skip = False
    for argument in typed:
        if skip:
            skip = False
        elif argument in OWN:
            skip = True
        elif not argument.startswith(tuple(f"{name}=" for name in OWN)):
            kept.append(argument)
    return kept


def run(
    paths: Sequence[str], exclude: Sequence[str], settings: Settings, wish: Wish, asked: Sequence[output.Wanted]
) -> Answer:
    """Simulate files, folders or standard input.

    Raises:
        UsageError, InputError: input, inventory or preset that cannot be used.
    """
    try:
        inventory = inventory_of(settings)
        bundle = files.read(paths, exclude, words_for(inventory))
    except (UsageError, InputError) as error:
        origin = next((saved.origin for saved in wish.saved if saved.origin), None)
        if origin is None:
            raise
        raise UsageError(f"{error}\n--replay: the case was saved by '{origin}'; want the same files") from error
    stock = stock_of(inventory.objects() if inventory is not None else (), settings)
    surroundings = Surroundings(registry.catalogue(), stock)
    progress = Progress()
    try:
        simulated = simulate(bundle, dated(settings), registry.rules(), surroundings, wish, progress)
    except CaseError as error:
        raise UsageError(f"--replay: {error}") from error
    finally:
        progress.end()
    return Answer(int(simulated.failed), output.emit(asked, simulated))
