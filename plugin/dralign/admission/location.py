"""Where in an object something stands: a tuple of field names, list indices and map keys, and its text.

The API server writes ``spec.devices[0].capacity[dra.cpu/cpu].value``: fields after a dot, indices and map keys in
brackets. A location tuple can be walked through the object itself, since a map key is a ``str`` of its own class.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Location = tuple[str | int, ...]


class MapKey(str):
    """A key that the user chose, as opposed to the name of a field."""

    __slots__ = ()


class Unnamed(str):
    """The name of a field on the way that the server leaves out of its paths."""

    __slots__ = ()


def render(location: Iterable[str | int]) -> str:
    """Return the text of a location as the API server writes it."""
    text = ""
    for step in location:
        if isinstance(step, int | MapKey):
            text += f"[{step}]"
        elif not isinstance(step, Unnamed):
            text += f".{step}" if text else step
    return text


def render_dotted(location: Iterable[str | int]) -> str:
    """Return the text of a location as strict decoding writes it: map keys after a dot, too."""
    text = ""
    for step in location:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")
