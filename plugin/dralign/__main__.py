"""The three commands. ``python -I -m dralign function`` is ``dralign-fn`` without the cost of its start script."""

from __future__ import annotations

import gc
import sys

from dralign.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

USAGE, BUG = 2, 3
SELDOM = (10_000, 50, 100)
"""Thresholds of the garbage collector: what is read and made stays to the end, and hardly anything refers to itself."""


def guarded(act: Callable[[], int]) -> int:
    """Run ``act`` and return its exit status: 2 with one line for the caller's faults, 3 with a trace for ours."""
    gc.set_threshold(*SELDOM)
    try:
        return act()
    except (InputError, UsageError) as error:
        for line in str(error).splitlines():
            print(f"dralign: {line}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:
        # Nobody reads on: a status, but no words, and no second failure when Python flushes at exit.
        sys.stdout = None
        return USAGE
    except Exception:  # noqa: BLE001 -- the one place where any fault of ours becomes a status of its own
        import traceback  # noqa: PLC0415

        traceback.print_exc()
        print(
            "dralign: this is a bug of dralign, not of your manifests; please report it with the lines above",
            file=sys.stderr,
        )
        return BUG


def main() -> int:
    """``dralign``: the verbs."""
    if sys.argv[1:2] == ["function"]:
        return function(sys.argv[2:])

    def act() -> int:
        from dralign.cli import main as verbs  # noqa: PLC0415 -- click costs more than a whole function run

        return verbs(sys.argv[1:])

    return guarded(act)


def function(arguments: Sequence[str] | None = None) -> int:
    """``dralign-fn``: the KRM function, or kustomize's older plugin where it gets the file of a configuration."""
    arguments = sys.argv[1:] if arguments is None else arguments

    def act() -> int:
        from dralign.hosts.kustomize import run  # noqa: PLC0415

        return run(arguments)

    return guarded(act)


def post_renderer() -> int:
    """``dralign-helm``: the post-renderer."""

    def act() -> int:
        from dralign.hosts.helm import run  # noqa: PLC0415

        return run(sys.argv[1:])

    return guarded(act)


if __name__ == "__main__":
    raise SystemExit(main())
