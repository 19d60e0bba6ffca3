"""From fixes to text: which of them may be made, in which order, and what becomes of the documents."""

from __future__ import annotations

from dralign import edit
from dralign.edit import EditRefused
from dralign.finding import Fix, NewManifest, Patch
from dralign.record import Record
from dralign.yamlio import JSON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dralign.bundle import Bundle
    from dralign.document import Document
    from dralign.edit.operations import Operation
    from dralign.finding import Finding
    from dralign.manifest import Manifest
    from dralign.settings import Settings

    Scope = tuple[int, tuple[str | int, ...]]


class Choice(Record):
    """The fixes of one round, none touching what another touches."""

    picked: tuple[Fix, ...]


class Changed(Record):
    """What came of a round: the new bundle, the fixes that were made, those the text could not take and why."""

    bundle: Bundle
    done: frozenset[Fix]
    refused: Mapping[Fix, str]


def hold(finding: Finding, settings: Settings) -> str | None:
    """Return why the fix of ``finding`` is held back, in words that follow 'held back:', or None if it may be made."""
    fix = finding.fix
    if fix is None or (settings.only and finding.rule not in settings.only):
        return "another rule was asked for"
    if fix.safety == "unsafe" and not settings.unsafe:
        return fix.reason or "needs --unsafe"
    if any(_document_of(patch).duplicates for patch in fix.patches):
        return "a key stands twice in the document, and readers differ on which one counts"
    return None


def _document_of(patch: Patch | NewManifest) -> Document:
    return (patch.manifest if isinstance(patch, Patch) else patch.before).document


def choose(heard: Sequence[tuple[Finding, str]], settings: Settings, held: Mapping[Fix, str]) -> Choice:
    """Pick the fixes to make now, in order of rule and place; one that touches a picked one's places waits a round."""
    picked: dict[Fix, None] = {}
    taken: list[Scope] = []
    names: set[tuple[object, ...]] = set()
    for finding, _ in heard:
        fix = finding.fix
        if fix is None or fix in picked or fix in held or hold(finding, settings) is not None:
            continue
        scopes = [_scope(patch) for patch in fix.patches if isinstance(patch, Patch)]
        made = {_identity(patch) for patch in fix.patches if isinstance(patch, NewManifest)}
        if names & made or any(_overlap(a, b) for a in scopes for b in taken):
            continue
        picked[fix] = None
        taken += scopes
        names |= made
    return Choice(tuple(picked))


def _scope(patch: Patch) -> Scope:
    """Return document and path that a patch may change.

    List edits shift their neighbours, so they own the list; what is lifted goes among those above.
    """
    manifest, operation = patch.manifest, patch.operation
    path = manifest.base.join(operation.path)
    shifts = isinstance(operation, (edit.Insert, edit.Remove)) and isinstance(path[-1], int)
    shifts = shifts or isinstance(operation, edit.Lift)
    return id(manifest.document), path[:-1] if shifts else path


def _overlap(a: Scope, b: Scope) -> bool:
    shorter = min(len(a[1]), len(b[1]))
    return a[0] == b[0] and a[1][:shorter] == b[1][:shorter]


def _identity(patch: NewManifest) -> tuple[object, ...]:
    metadata = patch.data["metadata"]
    return patch.data["kind"], metadata.get("namespace"), metadata["name"]


def apply(bundle: Bundle, fixes: Iterable[Fix]) -> Changed:
    """Make fixes in the text. All at once; where the text cannot take one, each on its own, to tell which."""
    fixes = tuple(fixes)
    if not fixes:
        return Changed(bundle, frozenset(), {})
    try:
        return Changed(_edited(bundle, fixes), frozenset(fixes), {})
    except EditRefused as refusal:
        if len(fixes) == 1:
            return Changed(bundle, frozenset(), {fixes[0]: str(refusal)})
    done: list[Fix] = []
    refused: dict[Fix, str] = {}
    for fix in fixes:
        try:
            _edited(bundle, (*done, fix))
            done.append(fix)
        except EditRefused as refusal:
            refused[fix] = str(refusal)
    return Changed(_edited(bundle, tuple(done)), frozenset(done), refused)


def stamped(bundle: Bundle, stamps: Sequence[Patch]) -> Bundle:
    """Return the bundle with the stamps of its outcome written."""
    return apply(bundle, [Fix("say that it was checked", (stamp,)) for stamp in stamps]).bundle


def operations_on(patches: Iterable[Patch]) -> list[Operation]:
    """Return what patches of one document do to it, with paths from its root."""
    return [_rooted(patch.manifest, patch.operation) for patch in patches]


def _edited(bundle: Bundle, fixes: Sequence[Fix]) -> Bundle:
    """Return the bundle with all fixes made; the bundle given stays as it is if any of them is refused."""
    edits: dict[int, list[Operation]] = {}
    added: dict[int, list[NewManifest]] = {}
    documents: dict[int, Document] = {}
    for patch in (patch for fix in fixes for patch in fix.patches):
        manifest = patch.manifest if isinstance(patch, Patch) else patch.before
        documents[id(manifest.document)] = manifest.document
        if isinstance(patch, Patch):
            edits.setdefault(id(manifest.document), []).append(_rooted(manifest, patch.operation))
        else:
            added.setdefault(id(manifest.document), []).append(patch)
    changes = {key: _document(document, edits.get(key, []), added.get(key, [])) for key, document in documents.items()}
    return bundle.replaced(changes)


def _rooted(manifest: Manifest, operation: Operation) -> Operation:
    """Return the operation with its path counted from the document instead of the object."""
    return operation.replace(path=tuple(manifest.base.join(operation.path)))


def _document(document: Document, operations: list[Operation], added: list[NewManifest]) -> list[Document]:
    """Return a document with its edits made, behind the new documents it needs.

    Inside a List or ResourceList new objects become items before their user; from the last to the first, so that the
    indices of those still to come stay right.
    """
    items = [new for new in added if new.before.base]
    inserts = [edit.Insert(tuple(new.before.base), new.data) for new in items]
    operations = operations + sorted(inserts, key=lambda insert: insert.path, reverse=True)
    text = document.text
    if operations:
        text = edit.apply(text, operations, document.dialect, document.source, document.data)
    fresh = [new.data for new in added if not new.before.base]
    texts = _with_documents(text, document.dialect, fresh)
    return [document.edited(piece) for piece in texts]


def _with_documents(text: str, dialect: str, fresh: list[dict[str, object]]) -> list[str]:
    """Return the texts of new documents and, last, that of the document they go before, parted from each other.

    A stream of JSON values has no separators; everywhere else each document but the first begins with one.
    """
    if not fresh:
        return [text]
    from dralign.edit.rendering import JSON as JSON_FORM  # noqa: PLC0415 -- few repairs bring new documents
    from dralign.edit.rendering import Style, render  # noqa: PLC0415

    eol = "\r\n" if "\r\n" in text else "\n"
    if dialect == JSON:
        style = Style(form=JSON_FORM, eol=eol, unit="  ")
        return [*(render(data, 0, style) + eol for data in fresh), text]
    begins = text.startswith("---")
    texts = ["---" + eol + render(data, 0, Style(eol=eol)) + eol for data in fresh]
    return [*texts, text] if begins else [texts[0].removeprefix("---" + eol), *texts[1:], f"---{eol}{text}"]
