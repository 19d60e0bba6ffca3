"""KRM functions: a ResourceList on standard input, the same one on standard output, with results.

Follows the KRM Functions Specification v1. kustomize shows neither ``results`` nor a severity in them, so findings also
go to stderr and the exit status tells (config.kubernetes.io/v1; kyaml ``fn/framework``).
"""

from __future__ import annotations

import sys

from dralign import registry, yamlio
from dralign.errors import InputError, UsageError
from dralign.hosts.answer import STDIN, Answer, give, inventory_of, judged, judged_stream
from dralign.yamlio import KYAML, SIGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from dralign.bundle import Bundle
    from dralign.document import Document
    from dralign.finding import Outcome, Report
    from dralign.settings import Settings
    from dralign.yamlio import Text

GROUP = "config.kubernetes.io/"


def run(argv: Sequence[str]) -> int:
    """Act as a function on the process's own streams; return the exit status.

    Without arguments it is a KRM function: a ResourceList on standard input. With one, kustomize's older exec plugin: the
    argument is the file of the configuration, standard input a stream of documents.

    Raises:
        InputError, UsageError: what came in cannot be read, or is configured wrongly.
    """
    if len(argv) > 1:
        raise UsageError(f"dralign-fn: got {len(argv)} arguments, want none, or the file of a configuration")
    data = sys.stdin.buffer.read()
    return give(plugin_answer(argv[0], data) if argv else answer(data))


def answer(data: bytes) -> Answer:
    """Return what a KRM function answers to a ResourceList.

    Raises:
        InputError, UsageError: see :func:`run`; nothing may be printed on standard output then.
    """
    if not data:
        raise InputError("empty input; want a ResourceList", STDIN)
    form = yamlio.decode(data, STDIN)
    spec = _passed_over(form.text)
    return (None if spec is None else _silent(spec, data)) or _judge(form)


def plugin_answer(path: str, data: bytes) -> Answer:
    """Return what kustomize's older exec plugin answers to a stream of documents.

    Raises:
        InputError, UsageError: see :func:`run`.
    """
    from dralign.config import merged, settings_from  # noqa: PLC0415
    from dralign.hosts.configuration import own_file, spec_in  # noqa: PLC0415

    spec = merged({"annotate": "checked"}, own_file(), spec_in(path))
    if not data:
        raise InputError("empty input; want manifests", STDIN)
    return judged_stream(data, settings_from(spec, registry.rule_ids()), KYAML)


_ROOT_LINES = ("\napiVersion: config.kubernetes.io/", "\nkind: ResourceList\n", "\nitems:")


def _passed_over(text: str) -> dict[str, Any] | None:
    """Return the configuration's ``spec`` where no item of the list holds anything of ours; None where all must be parsed.

    The configuration is the lines between ``functionConfig:`` and the next key of the root, which is how kustomize and
    kpt print it. Any other form is parsed whole, and so is a configuration that does not fit: then its line is known.
    """
    whole = f"\n{text}"
    if any(line not in whole for line in _ROOT_LINES):
        return None
    head = "\nfunctionConfig:\n"
    start = whole.find(head)
    if start < 0:
        return None if "functionConfig" in text or _is_relevant(text) else {}
    end = start + len(head) - 1
    while end < len(text) and text[end] in " #\n":
        end = text.find("\n", end) + 1 or len(text)
    if _is_relevant(text[:start] + text[end:]):
        return None
    loaded = yamlio.load(text[start:end], KYAML, STDIN, 1).value
    config = loaded.get("functionConfig") if isinstance(loaded, dict) else None
    return _spec_that_fits(config) if isinstance(config, dict) else None


def _is_relevant(text: str) -> bool:
    return yamlio.is_relevant(text.encode("utf-8", "surrogatepass"), registry.words())


def _spec_that_fits(config: dict[str, Any]) -> dict[str, Any] | None:
    from dralign.config_schema import CONFIG_SCHEMA, SPEC, accepts  # noqa: PLC0415

    if config.get("kind") == "ConfigMap":
        data = _read_values(config).get("data") or {}
        return data if accepts(SPEC, data) else None
    return config.get("spec") or {} if accepts(CONFIG_SCHEMA, config) else None


def _read_values(config: Any) -> Any:
    """Read the values of a ConfigMap, which kpt takes as text only: what the schema does not take as text is YAML."""
    from dralign.config_schema import SPEC, accepts  # noqa: PLC0415

    data = config.get("data") if isinstance(config, dict) and config.get("kind") == "ConfigMap" else None
    if not isinstance(data, dict):
        return config
    return config | {"data": {k: v if accepts(SPEC, {k: v}) else _read_value(v) for k, v in data.items()}}


def _read_value(value: Any) -> Any:
    try:
        return yamlio.load(value, SIGS, STDIN, 1).value if isinstance(value, str) else value
    except InputError:
        return value


def _silent(spec: dict[str, Any], data: bytes) -> Answer | None:
    """Answer for a list in which nothing of ours stands: its bytes, unless the mode wants silence.

    None where an inventory tells of kubelets, so that pods without devices matter too.
    """
    from dralign.hosts.configuration import own_file  # noqa: PLC0415

    own = own_file()
    if any(_matter_by(found["inventory"], data) for found in (own, spec) if found.get("inventory")):
        return None
    mode = spec.get("mode") or own.get("mode")
    return Answer(0, b"" if mode == "validate" else data)


def _matter_by(inventory: dict[str, Any], data: bytes) -> bool:
    """Say whether objects that hold nothing of ours matter, seen what an inventory tells."""
    from dralign.hosts.inventory import Shelf  # noqa: PLC0415
    from dralign.settings import InventorySettings  # noqa: PLC0415

    asked = InventorySettings(tuple(inventory.get("files") or ()), inline=tuple(inventory.get("inline") or ()))
    words = Shelf(asked).words_beside(registry.words())
    return bool(words) and yamlio.is_relevant(data, words)


def _document(text: str, line: int) -> Document:
    """Read a ResourceList as kustomize does. kpt hands on keys that stand twice or are no text, which kustomize refuses."""
    from dralign.document import Document  # noqa: PLC0415 -- needs marks, which only faults and findings do

    try:
        return Document(text, STDIN, line, 0, KYAML)
    except InputError as refused:
        try:
            return Document(text, STDIN, line, 0, SIGS)
        except InputError:
            raise refused from None


def _spec(config: Any, document: Callable[[], Document]) -> dict[str, Any]:
    """Return ``spec`` of a functionConfig.

    Raises:
        InputError: a fault in it, at its line in ``document``.
    """
    from dralign.config import ConfigError, spec_of  # noqa: PLC0415
    from dralign.manifest import Path  # noqa: PLC0415

    try:
        return spec_of(_read_values(config))
    except ConfigError as error:
        place = document().locate(Path(("functionConfig", *error.path)))
        raise InputError(str(error), STDIN, place.line, place.column) from error


def _judge(form: Text) -> Answer:
    from dralign.bundle import Bundle, Source  # noqa: PLC0415 -- a list without anything of ours needs none of this
    from dralign.formats import text as talk  # noqa: PLC0415

    document = _document(form.text, 1)
    _refuse_other_input(document)
    settings = _settings(document)
    source = Source(STDIN, form, [document], 0)
    outcome, after = judged(Bundle([source]), settings, inventory_of(settings))
    status = 1 if outcome.failed else 0
    if settings.mode == "validate":
        return Answer(status, b"", talk.render(outcome) if outcome.findings else "", outcome)
    return Answer(status, _with_results(after, outcome), talk.render(outcome), outcome)


def _refuse_other_input(document: Document) -> None:
    data = document.data
    if not isinstance(data, dict) or data.get("kind") != "ResourceList":
        raise InputError(
            "want a ResourceList (apiVersion config.kubernetes.io/v1); for plain manifests use 'dralign check'",
            STDIN,
            1,
            1,
        )
    if not str(data.get("apiVersion", "")).startswith(GROUP):
        raise InputError(f"ResourceList: got apiVersion '{data.get('apiVersion')}', want {GROUP}v1", STDIN, 1, 1)
    if not isinstance(data.get("items"), list):
        raise InputError("ResourceList without items; want a list, empty where there are none", STDIN, 1, 1)


def _settings(document: Document) -> Settings:
    from dralign.config import merged, placed, settings_from, spec_key  # noqa: PLC0415
    from dralign.hosts.configuration import own_file  # noqa: PLC0415
    from dralign.manifest import Manifest, Path  # noqa: PLC0415

    config = document.data.get("functionConfig")
    spec = _spec(config, lambda: document) if config is not None else {}
    if spec.get("ignore"):
        spec = placed(spec, Manifest(document, Path(("functionConfig",)), config), spec_key(config))
    return settings_from(merged({"annotate": "checked"}, own_file(), spec), registry.rule_ids())


def _with_results(bundle: Bundle, outcome: Outcome) -> bytes:
    """Return the list with its stamps and ``results``; results of functions before us stay in front."""
    from dralign import edit, repair  # noqa: PLC0415

    (source,) = bundle.sources
    (document,) = source.pieces
    if isinstance(document, str):
        return source.encode()
    operations = repair.operations_on(outcome.stamps)
    if outcome.findings:
        results = [*(document.data.get("results") or []), *(result(report) for report in outcome.findings)]
        operations.append(edit.Set(("results",), results))
    return source.form.encode(edit.apply(document.text, operations, document.dialect, STDIN, document.data))


def result(report: Report) -> dict[str, Any]:
    """Return a finding as an entry of ``results`` (KRM Functions Specification, ``Result``)."""
    ref = {"apiVersion": report.ref.api_version, "kind": report.ref.kind, "name": report.ref.name or ""}
    ref |= {"namespace": report.ref.namespace} if report.ref.namespace else {}
    entry: dict[str, Any] = {
        "message": f"{report.message}: {report.tip}" if report.tip else report.message,
        "severity": report.severity,
        "resourceRef": ref,
        "field": {"path": report.path},
    }
    entry |= {"file": {"path": report.origin, "index": report.index}} if report.origin else {}
    return entry | {"tags": {"rule": report.rule}}
