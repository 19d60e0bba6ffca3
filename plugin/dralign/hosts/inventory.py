"""Inventory files: slices, classes, nodes and whatever else tells of a cluster's devices, beside the bundle."""

from __future__ import annotations

import os

from dralign.bundle import Bundle, read_source
from dralign.errors import InputError, UsageError
from dralign.yamlio import KUBECTL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.bundle import Source
    from dralign.manifest import Manifest
    from dralign.settings import InventorySettings

EVERYTHING = (b"",)
"""Words of the prefilter: every document of an inventory is read."""


def read(settings: InventorySettings) -> tuple[Manifest, ...]:
    """Return the objects of all inventory files, in order, and those that the configuration holds itself.

    Paths are relative to the working directory: under kustomize that is the folder of the kustomization that lists the
    function. An inventory that was asked for is never done without.

    Raises:
        InputError: a file cannot be read, or is no YAML.
        UsageError: a machine preset that does not exist.
    """
    for name in settings.presets:
        raise UsageError(f"inventory: no machine preset is called '{name}'")
    sources = [read_source(_bytes(name), name, KUBECTL, EVERYTHING) for name in settings.files]
    if settings.inline:
        sources.append(_inline(settings))
    return tuple(Bundle(sources).manifests)


def _inline(settings: InventorySettings) -> Source:
    """Turn the objects of ``inventory.inline`` into a source, so that they are read as all others are."""
    import json  # noqa: PLC0415 -- few configurations hold an inventory

    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": list(settings.inline)})
    return read_source(text.encode(), "inventory.inline", KUBECTL, EVERYTHING)


def _bytes(name: str) -> bytes:
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        place = "" if os.path.isabs(name) else f" (tried {os.path.abspath(name)}, from {os.getcwd()})"
        raise InputError(f"{error.strerror}{place}; want an inventory file", name) from error
