"""Repairs for tests: text in, outcome and text out."""

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import settings_from
from dralign.edit import Style, render
from dralign.yamlio import KUBECTL

RULES, CATALOGUE, WORDS = registry.rules(), registry.catalogue(), registry.words()


def bundle(text):
    return Bundle([read_source(text.encode(), "in.yaml", KUBECTL, WORDS)])


def block(*objects):
    """Return objects as a stream of block documents."""
    return "---\n".join(render(item, 0, Style()) + "\n" for item in objects)


def repaired(text, inventory="", *, only=(), unsafe=False, machines=(), **spec):
    """Return the outcome of a repair, and the bundle that comes out; ``machines`` are objects of an inventory, read."""
    asked = settings_from({"mode": "fix", **spec}, registry.rule_ids()).replace(only=frozenset(only), unsafe=unsafe)
    known = tuple(Bundle([read_source(inventory.encode(), "inventory.yaml", KUBECTL, [b":"])]).manifests) + tuple(
        machines
    )
    return engine.run(bundle(text), asked, RULES, CATALOGUE, known)


def written(after):
    """Return the text of a bundle."""
    return after.sources[0].encode().decode()


def of_kind(after, kind):
    """Return the data of all objects of a kind."""
    return [manifest.data for manifest in after.manifests if manifest.ref.kind == kind]
