"""Bundles: everything one run reads, cut into documents, opened into manifests, and put together again.

A :class:`Source` is a file or stream. Pieces in which nothing of ours can stand stay text and are never parsed.
"""

from __future__ import annotations

from dralign import yamlio
from dralign.document import Document
from dralign.errors import InputError
from dralign.manifest import ROOT, Manifest, as_list, as_text
from dralign.model.kubelet_source import CAPTURE, is_capture, opened_capture
from dralign.words import BESIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from dralign.manifest import Path
    from dralign.yamlio import Text


class Source:
    """A file or stream: its name, how it was encoded, and its pieces in order.

    A piece is a :class:`Document`, or the bare text of one in which nothing of ours can stand; ``unparsed`` of the latter
    look like objects.
    """

    __slots__ = ("form", "name", "pieces", "unparsed")

    def __init__(self, name: str, form: Text, pieces: list[Document | str], unparsed: int) -> None:
        self.name = name
        self.form = form
        self.pieces = pieces
        self.unparsed = unparsed

    def replaced(self, changes: Mapping[int, list[Document]]) -> Source:
        """Return the source with some documents (by ``id``) replaced; those behind them know their new lines."""
        pieces: list[Document | str] = []
        line = 1
        for old in self.pieces:
            for piece in changes.get(id(old), [old]) if isinstance(old, Document) else [old]:
                pieces.append(piece if isinstance(piece, str) else piece.moved(line))
                line += (piece if isinstance(piece, str) else piece.text).count("\n")
        return Source(self.name, self.form, pieces, self.unparsed)

    def encode(self) -> bytes:
        """Return the source as bytes; what was not edited comes out as it came in."""
        return self.form.encode("".join(piece if isinstance(piece, str) else piece.text for piece in self.pieces))


class Bundle:
    """All manifests of one run, in order."""

    __slots__ = ("complete", "manifests", "sources")

    def __init__(self, sources: list[Source], *, complete: bool = True) -> None:
        self.sources = sources
        self.complete = complete
        self.manifests = [m for source in sources for piece in source.pieces for m in _manifests(piece)]

    @property
    def objects(self) -> int:
        """How many objects there are, unparsed ones included."""
        return len(self.manifests) + sum(source.unparsed for source in self.sources)

    def mentions(self, words: Sequence[bytes]) -> bool:
        """Say whether one of some words may stand in a document that was parsed."""
        pieces = (piece for source in self.sources for piece in source.pieces)
        texts = [piece.text.encode("utf-8", "surrogatepass") for piece in pieces if isinstance(piece, Document)]
        sieve = yamlio.Sieve(b"\n".join(texts), words)
        return any(map(sieve.finds, texts))

    def replaced(self, changes: Mapping[int, list[Document]]) -> Bundle:
        """Return a bundle in which documents (by ``id``) gave way to others; this one stays as it is."""
        sources = [source.replaced(changes) for source in self.sources]
        return Bundle(sources, complete=self.complete)


def _manifests(piece: Document | str) -> Iterator[Manifest]:
    """Yield the objects of one document: itself, or what a List or ResourceList holds."""
    if isinstance(piece, Document):
        yield from unwrap(piece, ROOT, piece.data)


def unwrap(document: Document, base: Path, data: Any, kind: tuple[str, str] = ("", "")) -> Iterator[Manifest]:
    """Yield the objects at ``base``; lists of objects (``List``, ``PodList``, ``ResourceList``) are opened.

    What a kubelet answers about its configuration has no kind, and is one all the same.
    ``kind`` is apiVersion and kind of an object that does not say: items of a typed list may leave them out.
    """
    if not isinstance(data, dict):
        return
    if is_list_kind(data):
        of_items = kind_of_items(data)
        for index, item in enumerate(as_list(data.get("items"))):
            yield from unwrap(document, base / "items" / index, item, of_items)
    elif as_text(data.get("kind")):
        yield Manifest(document, base, data)
    elif is_capture(data):
        yield Manifest(document, base / CAPTURE, opened_capture(data))
    elif kind[1]:
        yield Manifest(document, base, {"apiVersion": kind[0], "kind": kind[1], **data})


def kind_of_items(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return apiVersion and kind of the items of a list that do not say."""
    return as_text(data.get("apiVersion")) or "", data["kind"].removesuffix("List")


def is_list_kind(data: Mapping[str, Any]) -> bool:
    """Say whether an object is a list of objects: kind ends in ``List`` and ``items`` is a list (apimachinery)."""
    kind = data.get("kind")
    return isinstance(kind, str) and kind.endswith("List") and isinstance(data.get("items"), list)


def read_source(data: bytes, name: str, dialect: str, words: Sequence[bytes]) -> Source:
    """Cut bytes into documents and parse those in which one of ``words`` can stand.

    Raises:
        InputError: not UTF-8, a separator that is none, or a relevant document that is no YAML.
    """
    form = yamlio.decode(data, name)
    whole = data if form.encoding == "utf-8" else form.text.encode("utf-8", "surrogatepass")
    sieve = yamlio.Sieve(whole, (*words, *words_beside([whole], words)))
    pieces: list[Document | str] = []
    unparsed = 0
    for index, chunk in enumerate(yamlio.split(form.text, dialect, name)):
        body = form.text[chunk.start : chunk.end]
        if sieve.finds(body.encode("utf-8", "surrogatepass")):
            pieces.append(Document(body, name, chunk.line, index, chunk.dialect))
        else:
            pieces.append(body)
            unparsed += has_kind(body)
    return Source(name, form, pieces, unparsed)


def words_beside(texts: Iterable[bytes], words: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the words that matter because of others in these texts; none where nothing is looked for."""
    found = {word for text in texts for first, _ in BESIDE for word in first if word in text} if words else set()
    return tuple(other for first, others in BESIDE if not found.isdisjoint(first) for other in others)


def has_kind(text: str) -> bool:
    """Say whether an unparsed document looks like an object: a ``kind`` key stands in it."""
    return any(word in text for word in ("\nkind:", '"kind"', "'kind'")) or text.startswith("kind:")


def refuse_duplicate_keys(source: Source) -> None:
    """Refuse documents with a key twice in one map, as strict readers do.

    Raises:
        InputError: the first such key, with the lines of both.
    """
    for piece in source.pieces:
        for twice in piece.duplicates if isinstance(piece, Document) else ():
            message = f"key '{twice.key}' stands here and in line {twice.first_line}; want each key once"
            raise InputError(message, source.name, twice.line, twice.column)
