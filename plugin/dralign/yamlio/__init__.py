"""Text to documents: the only importer of yaml."""

from __future__ import annotations

from dralign.yamlio.decoding import Text, decode
from dralign.yamlio.dialects import JSON, KUBECTL, KYAML, KYAML_NODE, SIGS
from dralign.yamlio.loading import Duplicate, Loaded, compose, load, resolve
from dralign.yamlio.nodes import Node
from dralign.yamlio.places import item_starts, place
from dralign.yamlio.prefilter import Sieve, is_relevant
from dralign.yamlio.streams import Chunk, split

__all__ = [
    "JSON",
    "KUBECTL",
    "KYAML",
    "KYAML_NODE",
    "SIGS",
    "Chunk",
    "Duplicate",
    "Loaded",
    "Node",
    "Sieve",
    "Text",
    "compose",
    "decode",
    "is_relevant",
    "item_starts",
    "load",
    "place",
    "resolve",
    "split",
]
