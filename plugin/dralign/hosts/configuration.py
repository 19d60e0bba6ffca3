"""Where configuration comes from in the outside world: ``.dralign.yaml`` in the working directory, and ``--config``."""

from __future__ import annotations

import os

from dralign import yamlio
from dralign.config import ConfigError, placed, spec_key, spec_of
from dralign.document import Document
from dralign.errors import InputError
from dralign.manifest import ROOT, Manifest
from dralign.yamlio import KUBECTL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OWN_FILE = ".dralign.yaml"
"""Read from the working directory only: no search upwards, so that a result never hangs on a parent folder."""


def own_file() -> dict[str, Any]:
    """Return ``spec`` of ``./.dralign.yaml``; empty where there is no such file."""
    return spec_in(OWN_FILE) if os.path.exists(OWN_FILE) else {}


def spec_in(path: str) -> dict[str, Any]:
    """Return ``spec`` of a configuration file.

    Raises:
        InputError: unreadable, no YAML, or no valid configuration; with the line of the key in question.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(f"{error.strerror}; want a configuration of kind Dralign", path) from error
    document = Document(yamlio.decode(data, path).text, path, 1, 0, KUBECTL)
    try:
        return placed(spec_of(document.data), _named(document, path), spec_key(document.data))
    except ConfigError as error:
        place = document.locate(error.path)
        raise InputError(str(error), path, place.line, place.column) from error


def _named(document: Document, path: str) -> Manifest:
    """Return the configuration as an object, which goes by the name of its file where it has none."""
    return Manifest(document, ROOT, {"metadata": {"name": os.path.basename(path)}} | document.data)
