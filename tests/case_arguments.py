"""How the folders of tests/cases are run: the arguments that their expected.tsv names, else ``input.yaml`` alone."""

from pathlib import Path
from typing import NamedTuple

import yaml

from conformance.run_fieldcases import rows_of

CASES = sorted(path for path in (Path(__file__).parent / "cases").iterdir() if path.is_dir())
INPUT = "input.yaml"
REFUSED = "2"
"""Exit status of input that nobody can read: it has no findings."""


class Arguments(NamedTuple):
    """Options of one run, as a flat list; ``cluster`` are paths that tell of nodes, which only ``check`` takes as input."""

    options: list[str]
    cluster: list[str]

    @property
    def check(self):
        return [INPUT, *self.cluster, *self.options]

    @property
    def fix(self):
        """Arguments of a repair of the input alone: what tells of nodes is inventory then."""
        return [INPUT, *self.options, *(word for path in self.cluster for word in ("--inventory", path))]

    def within(self, folder):
        """Return the arguments with paths that hold from anywhere."""
        paths = {"--inventory", "--config"}
        before = [None, *self.options]
        options = [
            str(folder / word) if name in paths else word for name, word in zip(before, self.options, strict=False)
        ]
        return Arguments(options, [str(folder / path) for path in self.cluster])

    @property
    def spec(self):
        """The same as configuration."""
        spec = {}
        for name, value in zip(self.options[::2], self.options[1::2], strict=True):
            match name:
                case "--config":
                    spec |= yaml.safe_load(Path(value).read_text())["spec"]
                case "--kube-version":
                    spec["kubeVersion"] = value
        files = [
            value for name, value in zip(self.options[::2], self.options[1::2], strict=True) if name == "--inventory"
        ]
        return spec | {"inventory": {"files": [*files, *self.cluster]}}


def arguments_of(case):
    """Return the arguments of a case's first check of its input; None where the input is one that is refused."""
    if not (case / "expected.tsv").exists():
        return Arguments([], [])
    for row in rows_of(case):
        path, *rest = row["args"].split()
        if path == INPUT:
            split = next((i for i, word in enumerate(rest) if word.startswith("--")), len(rest))
            return None if row["exit"] == REFUSED else Arguments(rest[split:], rest[:split])
    return Arguments([], [])
