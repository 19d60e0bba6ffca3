"""Inventory files: slices, classes, nodes and whatever else tells of a cluster's devices, beside the bundle."""

from __future__ import annotations

import io
import os
from itertools import islice

from dralign import registry, yamlio
from dralign.bundle import is_list_kind, kind_of_items, unwrap
from dralign.bundle import words_beside as beside
from dralign.document import Document, Part
from dralign.errors import InputError, UsageError
from dralign.manifest import ROOT, Manifest
from dralign.spelling import suggestion
from dralign.yamlio import KUBECTL
from dralign.yamlio.cutting import cut_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO

    from dralign.model.preset import Chosen, Objects, Preset
    from dralign.settings import InventorySettings
    from dralign.yamlio.cutting import Cut, Span

INLINE = "inventory.inline"
"""The name of what the configuration holds itself."""


class Shelf:
    """The inventory that settings ask for: its files are opened once, since a pipe gives what it has only one time.

    Paths are relative to the working directory: under kustomize that is the folder of the kustomization that lists the
    function. An inventory that was asked for is never done without.

    Raises:
        InputError: a file cannot be read.
    """

    def __init__(self, settings: InventorySettings) -> None:
        self._settings = settings
        self._files = [(name, _opened(name)) for name in settings.files]
        if settings.inline:
            self._files.append((INLINE, io.BytesIO(_inline_text(settings))))

    def words_beside(self, words: Sequence[bytes]) -> tuple[bytes, ...]:
        """Return the words of the prefilter that matter because of what the files tell."""
        return beside((piece for _, file in self._files for piece in _pieces(file)), words)

    def objects(self) -> Iterator[Manifest]:
        """Yield the objects of all presets, of all files, in order, and those that the configuration holds itself.

        They are read as they are asked for.

        Raises:
            InputError: a file is no YAML.
            UsageError: a machine preset, or a parameter of one, that does not exist.
        """
        yield from (item for preset, objects in machines(self._settings.presets) for item in _made(preset, objects))
        for name, file in self._files:
            yield from _objects(name, file)


def read(settings: InventorySettings) -> tuple[Manifest, ...]:
    """Return all objects of an inventory. Raises InputError, UsageError as :class:`Shelf`."""
    return tuple(Shelf(settings).objects())


def _objects(name: str, file: BinaryIO) -> Iterator[Manifest]:
    """Yield the objects of a file: a list item by item, where it is written so that it can be cut; else as a whole."""
    cut = cut_list(file, name)
    told = 0
    if cut is not None and is_list_kind(cut.around | {"items": []}):
        for span in cut.spans:
            try:
                found = tuple(_objects_at(name, file, cut, span))
            except InputError:
                break  # only the whole can say what is wrong, or that nothing is
            yield from found
            told += len(found)
        else:
            return
    file.seek(0)
    yield from islice(_whole(name, file.read()), told, None)


def _objects_at(name: str, file: BinaryIO, cut: Cut, span: Span) -> Iterator[Manifest]:
    """Yield what one item of a list holds."""
    document = Part(lambda: cut.text(file, span, name), name, span.line, cut.dialect)
    items = document.data
    if not isinstance(items, list) or len(items) != 1:
        raise InputError("want one item", name, span.line)
    yield from unwrap(document, Part.base, items[0], kind_of_items(cut.around))


def _whole(name: str, data: bytes) -> Iterator[Manifest]:
    text = yamlio.decode(data, name).text
    del data
    for index, chunk in enumerate(yamlio.split(text, KUBECTL, name)):
        document = Document(text[chunk.start : chunk.end], name, chunk.line, index, chunk.dialect)
        yield from unwrap(document, ROOT, document.data)


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


def _inline_text(settings: InventorySettings) -> bytes:
    import json  # noqa: PLC0415 -- few configurations hold an inventory

    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(settings.inline)}).encode()


def _opened(name: str) -> BinaryIO:
    """Open a file so that it can be read again; what cannot, as a pipe, is kept in memory."""
    try:
        file = _Kept(name)
        return file if file.seekable() else io.BytesIO(file.read())
    except OSError as error:
        place = "" if os.path.isabs(name) else f" (tried {os.path.abspath(name)}, from {os.getcwd()})"
        raise InputError(f"{error.strerror}{place}; want an inventory file", name) from error


class _Kept(io.BufferedReader):
    """A file that stays open for what is asked for later, and is closed when nobody can ask any more.

    It owns the descriptor: a plain file object would be reported as left open where a cycle of objects goes at once.
    """

    _descriptor: int | None = None

    def __init__(self, name: str) -> None:
        self._descriptor = os.open(name, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        super().__init__(io.FileIO(self._descriptor, closefd=False))

    def __del__(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a file in pieces that overlap, so that no word is cut everywhere."""
    file.seek(0)
    end = b""
    while piece := file.read(_PIECE):
        yield end + piece
        end = piece[-_LONGEST_WORD:]


_PIECE, _LONGEST_WORD = 1 << 20, 64
