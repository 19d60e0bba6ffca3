"""Reads the recorded answers of Kubernetes API servers, and joins each answer with what was asked.

The format is described beside the recorded answers (conformance/admission/README.md). Documents of public manifests stand
in files beside the folder of the answers; they are not copied into this repository.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "plugin"))

from dralign.errors import InputError  # noqa: E402  the path comes first
from dralign.yamlio import KUBECTL, load, split  # noqa: E402

Row = dict[str, Any]
Key = tuple[Any, ...]
Joined = tuple[Row, str, Row]
"""What was asked, the mode (a release, or ``alpha``), and the answer."""

RELEASES = ("1.34", "1.35", "1.36", "1.37")
OLDER = RELEASES[:-1]
NO_SUCH_KIND: Row = {"accepted": False, "code": 404}
UNREADABLE = "the object provided is unrecognized"


def text_of(folder: Path, name: str) -> str | None:
    """Return the text of a file or of its compressed form, None if there is neither."""
    plain, packed = folder / name, folder / f"{name}.gz"
    if plain.is_file():
        return plain.read_text()
    return gzip.decompress(packed.read_bytes()).decode() if packed.is_file() else None


def rows(folder: Path, name: str) -> list[Row]:
    """Return the rows of a file, none if it is missing."""
    return [json.loads(line) for line in (text_of(folder, f"{name}.jsonl") or "").splitlines()]


def creates(folder: Path, name: str) -> Iterator[Joined]:
    """Yield the rows of ``mutations`` or ``qos`` with all their answers: 1.37, with alpha gates, older releases."""
    asked = {key_of(row): row for row in rows(folder, name)}
    yield from ((row, "1.37", row) for row in asked.values())
    changed = rows(folder, f"{name}-alpha")
    if changed:
        answers = {key_of(row): row for row in changed}
        yield from ((row, "alpha", answers.get(key, row)) for key, row in asked.items())
    yield from older(folder, name, asked)


def older(folder: Path, name: str, asked: dict[Key, Row]) -> Iterator[Joined]:
    """Yield the answers of the older releases; where none is recorded, that of 1.37 holds."""
    recorded = rows(folder, f"older-{name}")
    answers = {(key_of(row), row["release"]): NO_SUCH_KIND if "skipped" in row else row for row in recorded}
    for release in OLDER if recorded else ():
        for key, row in asked.items():
            yield row, release, answers.get((key, release), row)


def key_of(row: Row) -> Key:
    """Return what rows of one request have in common."""
    return (row["id"],) if "id" in row else (row["file"], row["docIndex"], row.get("itemIndex"))


def documents(folder: Path) -> Iterator[Joined]:
    """Yield the documents of public manifests with their answers, those that can be found and read."""
    asked = {}
    for row in rows(folder, "corpus"):
        found = {**row, **row["asJSON"]} if "asJSON" in row else row
        if "skipped" in row or (found.get("message") or "").startswith(UNREADABLE):
            continue
        document = _document(folder, row)
        if document is not None:
            asked[key_of(row)] = {**found, **document}
    yield from ((row, "1.37", row) for row in asked.values())
    alpha = {key_of(row): row for row in rows(folder, "corpus-alpha")}
    if alpha:
        yield from ((row, "alpha", alpha.get(key, row)) for key, row in asked.items())
    yield from older(folder, "corpus", asked)


def _document(folder: Path, row: Row) -> Row | None:
    """Return the object of a row, and what its file puts into the cluster."""
    roots = (folder.parent.parent, Path(os.environ.get("DRALIGN_TRUTH", HERE.parents[2] / "shared")))
    path = next((root / row["file"] for root in roots if (root / row["file"]).is_file()), None)
    if path is None:
        return None
    loaded = _loaded(path)
    document = loaded[row["docIndex"]] if row["docIndex"] < len(loaded) else None
    if isinstance(document, dict) and row.get("itemIndex") is not None:
        document = (document.get("items") or [])[row["itemIndex"]]
    if not isinstance(document, dict):
        return None
    objects = [item for item in loaded if isinstance(item, dict)]
    found: Row = {"input": document}
    spaces = {_name(item): item["metadata"].get("labels") or {} for item in objects if item.get("kind") == "Namespace"}
    classes = {
        _name(item): item.get("preemptionPolicy") or "PreemptLowerPriority"
        for item in objects
        if item.get("kind") == "PriorityClass"
    }
    return found | ({"namespaces": spaces} if spaces else {}) | ({"priorityClasses": classes} if classes else {})


@cache
def _loaded(path: Path) -> list[Any]:
    """Return the documents of a file that hold more than comments; None for those that cannot be read."""
    text = path.read_text()
    found: list[Any] = []
    for chunk in split(text, KUBECTL, path.name):
        body = text[chunk.start : chunk.end]
        if all(line.split("#")[0].strip() in ("", "---", "...") for line in body.splitlines()):
            continue
        try:
            found.append(load(body, chunk.dialect, path.name).value)
        except InputError:
            found.append(None)
    return found


def _name(obj: Row) -> str:
    return (obj.get("metadata") or {}).get("name") or ""
