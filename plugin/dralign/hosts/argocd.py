"""Argo CD config management plugin: render the folder, judge what comes out, print objects and nothing else.

The renderer's exit status is checked here, since a shell pipe would lose it, and an answer without objects makes Argo CD
prune everything. Standard error of a failing command is shown in full, so nothing of the manifests' values goes there.
"""

from __future__ import annotations

import os
import sys

from dralign import registry
from dralign.errors import InputError, UsageError
from dralign.hosts.answer import STDIN, Answer, judged_stream
from dralign.hosts.parameters import Parameters, announced, read_parameters
from dralign.yamlio import SIGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dralign.settings import Settings

KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
KIND = "Dralign"
MANIFESTS = (".yaml", ".yml", ".json")
MARKER = b"dralign.dev/"
MARKS = (b"apiVersion:" + MARKER, b"kind:Dralign")
MARKER_BYTES = 64 * 1024
"""How much of a file discovery looks at: it runs for every application, within the time that is meant for rendering."""


def generate(environment: Mapping[str, str]) -> Answer:
    """Render the working directory and judge the objects; return them as the answer, or nothing where they are refused.

    Raises:
        UsageError: the renderer failed or rendered nothing, or a parameter is wrong.
        InputError: what was rendered is no YAML.
    """
    parameters = read_parameters(environment)
    for warning in parameters.warnings:
        sys.stderr.write(f"dralign: {warning}\n")
    data = _rendered(parameters, environment)
    _refuse_nothing(data)
    answer = judged_stream(data, _settings(parameters), SIGS)
    sources = "".join(f"dralign: {source}\n" for source in parameters.sources)
    return Answer(answer.status, b"" if answer.status else answer.output, sources + answer.talk)


def discover() -> int:
    """Print the file that asks for dralign in the working directory, nothing if there is none."""
    for name in sorted(os.listdir(".")):
        if name.endswith(MANIFESTS) and os.path.isfile(name) and not os.path.islink(name):
            with open(name, "rb") as file:
                head = file.read(MARKER_BYTES)
            if all(mark in head.translate(None, b" \"'") for mark in MARKS):
                sys.stdout.write(f"{name}\n")
                return 0
    return 0


def parameters() -> int:
    """Print the parameters that an application may set, as Argo CD's user interface wants them."""
    import json  # noqa: PLC0415

    sys.stdout.write(json.dumps(announced()) + "\n")
    return 0


def _settings(parameters: Parameters) -> Settings:
    from dralign.config import checked, merged, settings_from  # noqa: PLC0415
    from dralign.hosts.configuration import own_file, spec_in  # noqa: PLC0415

    fixed = {"profile": "minimal", "annotate": "none"}
    given = spec_in(parameters.config) if parameters.config else {}
    return settings_from(merged(fixed, own_file(), given, checked(dict(parameters.spec))), registry.rule_ids())


def _refuse_nothing(data: bytes) -> None:
    """Refuse to answer without objects: Argo CD would delete all that the application has.

    Raises:
        UsageError: nothing was rendered, or lists without items only.
    """
    from dralign.bundle import Bundle, has_kind, read_source  # noqa: PLC0415

    pieces = read_source(data, STDIN, SIGS, ()).pieces
    if any(isinstance(piece, str) and has_kind(piece) and "List" not in piece for piece in pieces):
        return
    if not Bundle([read_source(data, STDIN, SIGS, (b"List",))]).objects:
        raise UsageError("nothing was rendered: an empty answer would make Argo CD prune the application")


def _rendered(parameters: Parameters, environment: Mapping[str, str]) -> bytes:
    """Return what the folder renders to: by kustomize, by Helm, or the manifests as they stand there."""
    if any(os.path.exists(name) for name in KUSTOMIZATIONS):
        return _spawn(["kustomize", "build", *parameters.kustomize_flags, "."])
    if os.path.exists("Chart.yaml"):
        return _spawn(_helm(parameters, environment))
    return b"".join(_plain())


def _helm(parameters: Parameters, environment: Mapping[str, str]) -> list[str]:
    command = ["helm", "template", environment.get("ARGOCD_APP_NAME", "release"), ".", "--include-crds"]
    command += ["--namespace", environment["ARGOCD_APP_NAMESPACE"]] if environment.get("ARGOCD_APP_NAMESPACE") else []
    command += ["--kube-version", environment["KUBE_VERSION"]] if environment.get("KUBE_VERSION") else []
    for name in filter(None, environment.get("KUBE_API_VERSIONS", "").split(",")):
        command += ["--api-versions", name]
    for name in parameters.helm_values:
        command += ["--values", name]
    for key, value in parameters.helm_set.items():
        command += ["--set", f"{key}={_whole(value)}"]
    return command


def _whole(value: str) -> str:
    """Keep Helm from cutting a value at its commas, as Argo CD does for its own parameters; ``{a,b}`` stays a list."""
    return value if value.startswith("{") else value.replace("\\,", ",").replace(",", "\\,")


def _plain() -> Iterator[bytes]:
    """Yield the manifests of the folder, by name, each file as documents of its own; configurations of ours are left out.

    Raises:
        InputError: a file cannot be read.
    """
    for name in sorted(os.listdir(".")):
        if not name.endswith(MANIFESTS) or name.startswith(".") or os.path.isdir(name):
            continue
        text = "".join(_pieces(name))
        head = "" if text.startswith("---") else "---\n"
        tail = "" if text.endswith("\n") else "\n"
        yield f"{head}{text}{tail}".encode("utf-8", "surrogatepass") if text else b""


def _pieces(name: str) -> Iterator[str]:
    """Yield the documents of a file, but for those that configure dralign: they are not for the cluster."""
    from dralign.bundle import read_source  # noqa: PLC0415

    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(f"{error.strerror}; want a readable file", name) from error
    for piece in read_source(data, name, SIGS, (MARKER,)).pieces:
        if isinstance(piece, str):
            yield piece
        elif not (isinstance(piece.data, dict) and piece.data.get("kind") == KIND):
            yield piece.text


def _spawn(command: list[str]) -> bytes:
    """Return the standard output of a renderer.

    Raises:
        UsageError: it is not there, or it failed; its standard error is passed on.
    """
    import subprocess  # noqa: PLC0415 -- only this verb starts programs, and only these two

    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)  # noqa: S603
    except OSError as error:
        raise UsageError(f"{command[0]}: {error.strerror}; the plugin needs it on PATH") from error
    if process.returncode:
        raise UsageError(f"{command[0]} {command[1]} failed with exit status {process.returncode}")
    return process.stdout
