"""Sends captured streams of real hosts through dralign, and looks at what becomes of them.

usage: run_hosts.py [DIR]    a folder with <host>/NN.in (or .in.gz)
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "plugin"))

from dralign import __main__ as console  # noqa: E402  the path comes first

SHOWN = 20
LISTS = ("kustomize-exec", "kubectl-container", "kpt-eval", "kpt-render")
STREAMS = {"kubectl-legacy": [], "helm3": [], "helm4": ["--from", "helm4"]}
MODES = ("check", "checked", "fix")
SPECS = {
    "check": ["mode: check", "annotate: none", "failOn: never"],
    "checked": ["mode: check", "annotate: checked", "failOn: never"],
    "fix": ["mode: fix", "annotate: none", "failOn: never", "alignment: {strategy: constraint}"],
}
CHECKED = "dralign.dev/checked"


def captured(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each captured stream."""
    for path in sorted(folder.glob("*/*.in*")):
        data = path.read_bytes()
        yield f"{path.parent.name}/{path.name[:2]}", gzip.decompress(data) if path.suffix == ".gz" else data


def document(mode: str) -> str:
    """Return a configuration of kind Dralign."""
    spec = "".join(f"  {line}\n" for line in SPECS[mode])
    return f"apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nmetadata:\n  name: check\nspec:\n{spec}"


def config_map(mode: str) -> str:
    """Return a configuration as kpt gives it: every value is text."""
    pairs = [line.split(": ", 1) for line in SPECS[mode]]
    data = "".join(f"  {key}: '{value}'\n" for key, value in pairs)
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: function-input\ndata:\n{data}"


def configured(data: bytes, config: str) -> bytes:
    """Return a ResourceList whose functionConfig, which was the probe's, gave way to another."""
    block = re.compile(rb"^functionConfig:\n(?:[ #].*\n|\n)*", re.MULTILINE)
    lines = "".join(f"  {line}\n" for line in config.splitlines())
    fresh, number = block.subn(lambda _: f"functionConfig:\n{lines}".encode(), data)
    if number != 1:
        raise ValueError(f"{number} functionConfigs, want one")
    return fresh


def call(entry: str, arguments: list[str], data: bytes) -> tuple[int, bytes, str]:
    """Run a console command on these bytes; return its status and what it printed on both streams."""
    old, output, talk = (sys.argv, sys.stdin, sys.stdout), io.BytesIO(), io.StringIO()
    sys.argv, sys.stdin, sys.stdout = [entry, *arguments], io.TextIOWrapper(io.BytesIO(data)), io.TextIOWrapper(output)
    try:
        with contextlib.redirect_stderr(talk):
            status = getattr(console, entry)()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status, output.getvalue(), talk.getvalue()
    finally:
        sys.argv, sys.stdin, sys.stdout = old


def sent(name: str, data: bytes, mode: str) -> tuple[bytes, int, bytes, str]:
    """Send a stream through the command that its host starts; return what went in and what came out."""
    host = name.partition("/")[0]
    if host in LISTS:
        given = configured(data, config_map(mode) if host.startswith("kpt") else document(mode))
        return (given, *call("function", [], given))
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "config.yaml")
        Path(config).write_text(document(mode), "utf-8")
        if host == "kubectl-legacy":
            return (data, *call("function", [config], data))
        return (data, *call("post_renderer", [*STREAMS[host], "--config", config], data))


def without_results(data: bytes) -> bytes:
    """Return a ResourceList without the lines of ``results``."""
    return re.sub(rb"^results:\n(?:[ -].*\n)*", b"", data, flags=re.MULTILINE)


def plain(data: bytes) -> list[Any]:
    """Return the documents with every scalar as text, without the annotation that says what was judged and results."""
    documents = list(yaml.load_all(data, yaml.CBaseLoader))
    for loaded in documents:
        if isinstance(loaded, dict) and loaded.get("kind") == "ResourceList":
            loaded.pop("results", None)
        for found in objects(loaded):
            _unmark(found)
    return documents


def _unmark(manifest: dict[str, Any]) -> None:
    metadata = manifest.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    if isinstance(annotations, dict) and annotations.pop(CHECKED, None) and not annotations:
        del metadata["annotations"]


def objects(loaded: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a document, those of lists each."""
    if isinstance(loaded, dict) and isinstance(loaded.get("items"), list):
        for item in loaded["items"]:
            yield from objects(item)
    elif isinstance(loaded, dict) and loaded.get("kind"):
        yield loaded


def identities(data: bytes) -> list[tuple[str, ...]]:
    """Return what names each object: apiVersion, kind, namespace, name."""
    names = []
    for loaded in yaml.load_all(data, yaml.CBaseLoader):
        for found in objects(loaded):
            metadata = found["metadata"] if isinstance(found.get("metadata"), dict) else {}
            names.append(
                (found.get("apiVersion", ""), found["kind"], *(metadata.get(k, "") for k in ("namespace", "name")))
            )
    return names


def is_within(few: list[Any], many: list[Any]) -> bool:
    """Say whether all of ``few`` stand in ``many`` in the same order."""
    rest = iter(many)
    return all(any(one == other for other in rest) for one in few)


def fault(name: str, data: bytes, mode: str) -> str | None:
    """Return what is wrong with the answer to one stream; None if nothing is."""
    given, status, output, talk = sent(name, data, mode)
    if status:
        return f"exit {status}: {talk[-200:]}"
    if mode == "check":
        told = "\nresults:" in output.decode() and b"\nresults:" not in given
        back = without_results(output) if told else output
        return None if back == given else "other bytes came back"
    if mode == "checked":
        return None if plain(output) == plain(given) else "as data, something else came back"
    lost = not is_within(identities(given), identities(output))
    return f"{identities(given)} went in, {identities(output)} came out" if lost else None


def disagreements(folder: Path) -> Iterator[tuple[str, str | None]]:
    """Yield each stream and mode with its fault, or None."""
    for name, data in captured(folder):
        for mode in MODES:
            yield f"{name} {mode}", fault(name, data, mode)


def main(folder: Path = HERE / "hosts") -> int:
    """Print the first disagreements and how many agree; return the exit status."""
    rows = list(disagreements(folder))
    bad = [(name, said) for name, said in rows if said]
    for name, said in bad[:SHOWN]:
        print(f"{name}: {said}")
    print(f"agree {len(rows) - len(bad)} of {len(rows)}")
    return int(bool(bad) or not rows)


if __name__ == "__main__":
    raise SystemExit(main(*map(Path, sys.argv[1:2])))
