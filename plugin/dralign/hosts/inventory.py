"""Inventory files: slices, classes, nodes and whatever else tells of a cluster's devices, beside the bundle."""

from __future__ import annotations

import os

from dralign import registry
from dralign.bundle import Bundle, read_source
from dralign.bundle import words_beside as beside
from dralign.document import Document
from dralign.errors import InputError, UsageError
from dralign.manifest import ROOT, Manifest
from dralign.spelling import suggestion
from dralign.yamlio import KUBECTL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dralign.bundle import Source
    from dralign.model.preset import Chosen, Objects, Preset
    from dralign.settings import InventorySettings

EVERYTHING = (b"",)
"""Words of the prefilter: every document of an inventory is read."""


def read(settings: InventorySettings) -> tuple[Manifest, ...]:
    """Return the objects of all presets, of all inventory files, in order, and those that the configuration holds itself.

    Paths are relative to the working directory: under kustomize that is the folder of the kustomization that lists the
    function. An inventory that was asked for is never done without.

    Raises:
        InputError: a file cannot be read, or is no YAML.
        UsageError: a machine preset, or a parameter of one, that does not exist.
    """
    made = tuple(item for preset, objects in machines(settings.presets) for item in _made(preset, objects))
    sources = [read_source(_bytes(name), name, KUBECTL, EVERYTHING) for name in settings.files]
    if settings.inline:
        sources.append(_inline(settings))
    return (*made, *Bundle(sources).manifests)


def machines(asked: Sequence[str]) -> Iterator[tuple[Preset, Objects]]:
    """Yield presets that were asked for as ``NAME[:key=value,...]``, and their objects.

    Nodes of a preset that is asked for again are counted on, unless it says where to begin.

    Raises:
        UsageError: a preset, parameter or value that does not exist, or values that do not go together.
    """
    from dralign.model.preset import PresetError  # noqa: PLC0415 -- few runs ask for presets

    following: dict[str, int] = {}
    for text in asked:
        try:
            preset, chosen = _machine(text, following)
            objects = preset.objects(chosen)
        except PresetError as error:
            raise UsageError(f"inventory: {error}") from error
        following[preset.name] = int(chosen["first"]) + int(chosen["nodes"])
        yield preset, objects


def _machine(text: str, following: Mapping[str, int]) -> tuple[Preset, Chosen]:
    """Return a preset and all its parameters; ``following`` are the numbers to count on from. Raises PresetError."""
    from dralign.model.preset import PresetError, preset_asked  # noqa: PLC0415

    name, given = preset_asked(text)
    preset = registry.preset(name)
    if preset is None:
        raise PresetError(unknown(name))
    return preset, preset.chosen({"first": str(following.get(name, 0)), **given})


def unknown(name: str) -> str:
    """Return the words for a preset that does not exist."""
    near = suggestion(name, [file.replace("_", "-") for file in registry.names_in("presets")])
    return f"no machine preset is called '{name}'{near or _LISTED}"


_LISTED = "; 'dralign inventory presets' lists them"


def _made(preset: Preset, objects: Objects) -> Iterator[Manifest]:
    """Yield the objects of a preset as if they had been read from a file of one line for each."""
    import json  # noqa: PLC0415

    for data in objects:
        document = Document.made(data, json.dumps(data), f"preset {preset.name}", KUBECTL)
        yield Manifest(document, ROOT, data)


def words_beside(settings: InventorySettings, words: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the words of the prefilter that matter because of what an inventory tells.

    Raises:
        InputError: an inventory file cannot be read.
    """
    inline = (_inline_text(settings),) if settings.inline else ()
    return beside((*(_bytes(name) for name in settings.files), *inline), words)


def _inline(settings: InventorySettings) -> Source:
    """Turn the objects of ``inventory.inline`` into a source, so that they are read as all others are."""
    return read_source(_inline_text(settings), "inventory.inline", KUBECTL, EVERYTHING)


def _inline_text(settings: InventorySettings) -> bytes:
    import json  # noqa: PLC0415 -- few configurations hold an inventory

    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(settings.inline)}).encode()


def _bytes(name: str) -> bytes:
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        place = "" if os.path.isabs(name) else f" (tried {os.path.abspath(name)}, from {os.getcwd()})"
        raise InputError(f"{error.strerror}{place}; want an inventory file", name) from error
