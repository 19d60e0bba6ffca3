"""Paths and standard input as sources; repaired text back into files, whole or not at all."""

from __future__ import annotations

import os
import sys
from fnmatch import fnmatchcase

from dralign.bundle import Bundle, read_source, refuse_duplicate_keys, words_beside
from dralign.errors import InputError, UsageError
from dralign.yamlio import KUBECTL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.bundle import Source

SUFFIXES = (".yaml", ".yml", ".json")
STDIN = "-"


class UnreadableError(UsageError):
    """One or more inputs cannot be read; the text has one line for each."""


def read(paths: Sequence[str], exclude: Sequence[str], words: Sequence[bytes]) -> Bundle:
    """Read files, folders (all manifests below, by name) and ``-`` (standard input) into a bundle.

    Raises:
        UnreadableError: what cannot be read, one line per file; or a path without any object.
    """
    faults: list[str] = []
    texts = [(path, list(_texts(path, exclude, faults))) for path in paths or (STDIN,)]
    words = (*words, *words_beside((data for _, found in texts for _, data in found), words))
    sources: list[Source] = []
    for path, found in texts:
        read = list(_sources(found, words, faults))
        if not faults and not Bundle(read).objects:
            faults.append(f"{path}: no document with a 'kind'; want Kubernetes manifests")
        sources += read
    if faults:
        raise UnreadableError("\n".join(faults))
    return Bundle(sources)


def _texts(path: str, exclude: Sequence[str], faults: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file; what cannot be read is added to ``faults``."""
    for name in _files(path, exclude):
        try:
            yield name, _bytes(name)
        except InputError as error:
            faults.append(str(error))


def _sources(texts: Sequence[tuple[str, bytes]], words: Sequence[bytes], faults: list[str]) -> Iterator[Source]:
    for name, data in texts:
        try:
            source = read_source(data, name, KUBECTL, words)
            refuse_duplicate_keys(source)
        except InputError as error:
            faults.append(str(error))
        else:
            yield source


def _bytes(name: str) -> bytes:
    if name == STDIN:
        data = sys.stdin.buffer.read()
        if not data:
            raise InputError("empty input; want Kubernetes manifests", STDIN)
        return data
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise InputError(f"{error.strerror}; want a readable file or folder", name) from error


def _files(path: str, exclude: Sequence[str]) -> Iterator[str]:
    """Yield the file itself, or the manifests below a folder; hidden ones only where they are named."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            full = os.path.join(folder, name)
            if name.endswith(SUFFIXES) and not name.startswith(".") and not _excluded(full, name, exclude):
                yield full


def _excluded(full: str, name: str, exclude: Sequence[str]) -> bool:
    return any(fnmatchcase(full, pattern) or fnmatchcase(name, pattern) for pattern in exclude)


def write(before: Bundle, after: Bundle) -> list[str]:
    """Write the files that changed, each in one step, and return their names. Standard input is left out.

    Raises:
        UsageError: a file cannot be written; those written before it stay written, it stays as it was.
    """
    written = []
    for old, new in zip(before.sources, after.sources, strict=True):
        data = new.encode()
        if old.name == STDIN or data == old.encode():
            continue
        try:
            put(old.name, data)
        except OSError as error:
            raise UsageError(f"{old.name}: {error.strerror}; the file is unchanged") from error
        written.append(old.name)
    return written


def put(name: str, data: bytes) -> None:
    """Write a whole file in one step: a new file beside it and one rename, its mode kept. Links keep pointing.

    What is there and no regular file, such as ``/dev/stdout`` or a pipe, is written to as it is.

    Raises:
        OSError: it cannot be written; a regular file is unchanged then.
    """
    target = os.path.realpath(name)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as special:
            special.write(data)
        return
    fresh = f"{target}.dralign-{os.getpid()}"
    try:
        with open(fresh, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            os.chmod(fresh, os.stat(target).st_mode)
        os.replace(fresh, target)
    except OSError:
        if os.path.exists(fresh):
            os.unlink(fresh)
        raise


def joined(bundle: Bundle) -> bytes:
    """Return all sources as one stream, with a separator where a file does not begin with one."""
    texts = [source.encode() for source in bundle.sources]
    stream = texts[0] if texts else b""
    for text in texts[1:]:
        stream += b"" if stream.endswith(b"\n") else b"\n"
        stream += text if text.startswith(b"---") else b"---\n" + text
    return stream
