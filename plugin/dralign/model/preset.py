"""Machine presets: what the devices of a well-known machine look like to Kubernetes, with what varies as parameters.

One preset is one :class:`Preset`, written as data in ``presets/``. It builds plain Kubernetes objects, so that a preset
is read as a file of them is.
"""

from __future__ import annotations

from dralign.record import Record
from dralign.spelling import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Chosen = Mapping[str, str]
    Objects = list[dict[str, Any]]


class PresetError(ValueError):
    """A preset, a parameter or a value that does not exist; the text says which do."""


class Parameter(Record):
    """What may differ between two machines of one model: BIOS mode, driver release, partitions, how many there are.

    ``values`` is () for whole numbers from ``least``.
    """

    name: str
    meaning: str
    default: str
    values: tuple[str, ...] = ()
    least: int = 1

    def refusal(self, value: str) -> str | None:
        """Return why ``value`` cannot be, None if it can."""
        if self.values:
            wanted = "" if value in self.values else f"one of {', '.join(self.values)}{suggestion(value, self.values)}"
        else:
            number = value.isascii() and value.isdecimal() and len(value) < 6 and int(value) >= self.least
            wanted = "" if number else f"a whole number from {self.least} to 99999"
        return f"{self.name}: got '{value}', want {wanted}" if wanted else None


class Preset(Record):
    """A machine as data.

    Attributes:
        name: by which it is asked for; its file is called so, with ``_`` for ``-``.
        title: the machine in a few words.
        sources: where its numbers come from.
        assumed: what no source says and was taken as likely.
        parameters: what may be chosen.
        objects: Kubernetes objects of the machine under parameters, all of which it is given.
    """

    name: str
    title: str
    sources: tuple[str, ...]
    assumed: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    objects: Callable[[Chosen], Objects]

    def chosen(self, given: Chosen) -> Chosen:
        """Return all parameters, those that were not given at their defaults.

        Raises:
            PresetError: an unknown parameter, or a value that it cannot have.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in given.items():
            if name not in known:
                near = suggestion(name, known) or f", want one of {', '.join(known)}"
                raise PresetError(f"preset {self.name}: no parameter is called '{name}'{near}")
            refusal = known[name].refusal(value)
            if refusal:
                raise PresetError(f"preset {self.name}: {refusal}")
        return {name: given.get(name, parameter.default) for name, parameter in known.items()}


def preset_asked(text: str) -> tuple[str, dict[str, str]]:
    """Read ``NAME[:key=value,...]``: the name, and the parameters as written.

    Raises:
        PresetError: a parameter without ``=``, or one that is given twice.
    """
    name, _, rest = text.partition(":")
    given: dict[str, str] = {}
    for pair in filter(None, rest.split(",")):
        key, equals, value = pair.partition("=")
        if not equals:
            raise PresetError(f"preset {name}: got '{pair}', want key=value")
        if key in given:
            raise PresetError(f"preset {name}: parameter '{key}' is given twice")
        given[key] = value
    return name, given
