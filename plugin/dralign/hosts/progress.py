"""How far a long run is, on standard error: at once on a terminal, else after a while."""

from __future__ import annotations

import sys
import time

PATIENCE = 2.0
"""Seconds without a word where nobody may be looking."""

PACE = 1.0
"""Seconds between two words."""


class Progress:
    """Says ``3 of 12 pod templates`` now and then. On a terminal the line is one, and gone in the end."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._next = time.monotonic() + (0.0 if self._live else PATIENCE)
        self._width = 0

    def __call__(self, done: int, total: int) -> None:
        """Tell how far it is, if it is time."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + PACE
        text = f"dralign: {done} of {total} pod templates simulated"
        sys.stderr.write(f"\r{text:<{self._width}}" if self._live else f"{text}\n")
        sys.stderr.flush()
        self._width = len(text)

    def end(self) -> None:
        """Wipe the line from a terminal."""
        if self._live and self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            sys.stderr.flush()
