"""Starting the product as its users do: the console commands as processes of their own."""

import subprocess
import sys
from pathlib import Path

PLUGIN = Path(__file__).resolve().parent.parent / "plugin"


def run(*args, stdin=b"", cwd=None, entry="main", env=None):
    """Run a console command in a new interpreter; return its finished process with bytes in stdout and stderr.

    ``entry`` is the function of ``dralign.__main__`` that the console script calls.
    """
    code = f"import sys; sys.path.insert(0, {str(PLUGIN)!r}); from dralign.__main__ import {entry} as m; sys.exit(m())"
    command = [sys.executable, "-I", "-c", code, *args]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=env, check=False)


def resource_list(items, config=None):
    """Return a ResourceList as kustomize prints it, from the texts of its items."""
    text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
    for item in items:
        lines = item.strip("\n").split("\n")
        text += f"- {lines[0]}\n" + "".join(f"  {line}\n" if line else "\n" for line in lines[1:])
    if config is not None:
        text += "functionConfig:\n" + "".join(f"  {line}\n" for line in config.strip("\n").split("\n"))
    return text.replace("items:\n", "items: []\n", 1) if not items else text
