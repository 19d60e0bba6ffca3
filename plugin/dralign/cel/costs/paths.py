"""Where a value lies below a variable: the variable and the steps down from it.

cel-go keeps such paths in Go slices and makes a longer one by ``append``. Where the slice has room to spare, two paths
made from the same one share their last place, and the later one overwrites the step of the earlier one. Estimates of
the API server hang on it (in ``device.attributes['d'].all(k, v, …)`` the key gets the size of the value), so paths
grow here as they do there.
"""

from __future__ import annotations


class Path:
    """A Go slice of steps: names of fields, ``@items``, ``@indices``, ``@keys``, ``@values``."""

    __slots__ = ("_array", "_length")

    def __init__(self, array: list[str], length: int) -> None:
        self._array = array
        self._length = length

    @property
    def steps(self) -> list[str]:
        """The variable and the steps, as they are now."""
        return self._array[: self._length]

    def starts_in(self, variables: tuple[str, ...]) -> bool:
        """Say whether the path begins with one of these variables."""
        return self._length > 0 and self._array[0] in variables

    def append(self, step: str) -> Path:
        """Return the path one step down; it may share places with others made from this one."""
        length = self._length + 1
        if length <= len(self._array):
            self._array[self._length] = step
            return Path(self._array, length)
        # A full slice gets twice the room (Go's growslice, whose size classes leave powers of two as they are).
        spare = [""] * (len(self._array) - 1)
        return Path([*self._array, step, *spare], length)


NOWHERE = Path([], 0)
"""The path of a value that lies below no variable."""


def path_of(variable: str) -> Path:
    """Return the path of a variable."""
    return Path([variable], 1)
