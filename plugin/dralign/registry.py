"""Finds what is one file each: rules, drivers, formats. Nothing is listed by hand, nothing registers itself.

Imported on every start, also for input in which nothing of ours stands: it imports nothing heavy before it is needed.
"""

from __future__ import annotations

import os

from dralign.words import CLAIMS, CORE, KUBELETS, NODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from dralign.formats import Format
    from dralign.model.catalogue import Catalogue
    from dralign.model.driver import DriverProfile
    from dralign.model.preset import Preset
    from dralign.rule import LoadedRule
    from dralign.views import View


RULES: dict[str, tuple[bytes, ...]] = {"rules": (), "rules/claims": CLAIMS, "rules/nodes": NODES}
"""Folders of rules, and the words of which one stands in every bundle of which they have anything to say."""


def names_in(package: str) -> list[str]:
    """Return the module names of a package of ours, sorted; names that begin with ``_`` are left alone."""
    folder = os.path.join(os.path.dirname(__file__), package)
    return sorted(entry[:-3] for entry in os.listdir(folder) if entry.endswith(".py") and not entry.startswith("_"))


def walk(package: str) -> Iterator[ModuleType]:
    """Import and yield the modules of a package of ours, by name."""
    for name in names_in(package):
        yield __import__(f"dralign.{package.replace('/', '.')}.{name}", fromlist=["*"])


def rules(mentions: Callable[[tuple[bytes, ...]], bool] | None = None) -> tuple[LoadedRule, ...]:
    """Return rules, by id: all of them, or those that can have anything to say.

    Args:
        mentions: says whether one of some words may stand in the bundle; None for all rules.

    Raises:
        ValueError: a file is not called as its rule (a fault of ours).
    """
    from dralign.rule import LoadedRule  # noqa: PLC0415 -- only relevant documents need rules

    needed = [folder for folder, words in RULES.items() if not words or mentions is None or mentions(words)]
    loaded = [LoadedRule(m.RULE, m.check, m.__name__) for folder in needed for m in walk(folder)]
    for item in loaded:
        if item.module.rpartition(".")[2] != item.rule.id.replace("-", "_"):
            raise ValueError(f"{item.module} holds rule '{item.rule.id}'")
    return tuple(sorted(loaded, key=lambda item: item.rule.id))


def rule_ids() -> frozenset[str]:
    """Return the ids of all rules without importing them: a rule's file is called as its id."""
    return frozenset(name.replace("_", "-") for folder in RULES for name in names_in(folder))


def drivers() -> tuple[DriverProfile, ...]:
    """Return all driver profiles, by file name."""
    return tuple(module.DRIVER for module in walk("drivers"))


def catalogue() -> Catalogue:
    """Return the catalogue over all driver profiles."""
    from dralign.model.catalogue import Catalogue  # noqa: PLC0415 -- only relevant documents need it

    return Catalogue(drivers())


def presets() -> dict[str, Preset]:
    """Return all machine presets by name, sorted."""
    return {module.PRESET.name: module.PRESET for module in walk("presets")}


def preset(name: str) -> Preset | None:
    """Return a machine preset, None if none is called so: its file is called as it is."""
    file = name.replace("-", "_")
    if name != file.replace("_", "-") or file not in names_in("presets"):
        return None
    found: Preset = __import__(f"dralign.presets.{file}", fromlist=["*"]).PRESET
    return found


def output_format(name: str) -> Format:
    """Return the output format in the file of that name."""
    form: Format = __import__(f"dralign.formats.{name}", fromlist=["*"]).FORMAT
    return form


def view(name: str) -> View:
    """Return the view of simulations in the file of that name."""
    found: View = __import__(f"dralign.views.{name}", fromlist=["*"]).VIEW
    return found


def words() -> tuple[bytes, ...]:
    """Return byte strings one of which stands in every document that can matter to a rule."""
    return tuple(dict.fromkeys((*CORE, *KUBELETS, *(word for profile in drivers() for word in profile.words()))))
