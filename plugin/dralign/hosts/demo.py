"""The demonstration: the main job on a shipped example."""

from __future__ import annotations

import os
import sys

from dralign import registry
from dralign.bundle import Bundle, read_source
from dralign.config import settings_from
from dralign.formats import text
from dralign.hosts.answer import judged
from dralign.hosts.difference import unified
from dralign.yamlio import KUBECTL

EXAMPLE = "demo.yaml"


def run() -> int:
    """Print what is wrong with the example, the repair as a diff, and what remains; always 0, since nothing is yours."""
    folder = os.path.dirname(os.path.dirname(__file__))
    with open(os.path.join(folder, EXAMPLE), "rb") as file:
        data = file.read()
    before = Bundle([read_source(data, EXAMPLE, KUBECTL, registry.words())])
    found, _ = judged(before, settings_from({}, registry.rule_ids()), None)
    asked = {"mode": "fix", "alignment": {"strategy": "constraint"}}
    repaired, after = judged(before, settings_from(asked, registry.rule_ids()), None)
    sys.stdout.write(f"$ dralign check {EXAMPLE}\n\n{text.render(found)}\n")
    sys.stdout.write(
        f"$ dralign fix --align constraint --diff {EXAMPLE}\n\n{unified(before, after)}\n{text.render(repaired)}"
    )
    return 0
