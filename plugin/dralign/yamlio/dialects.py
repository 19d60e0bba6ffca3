"""Which reader's rules a text is read by. Hosts differ, so each call says whose eyes it looks through.

* ``KUBECTL``: files and standard input of the command, as ``kubectl apply -f`` reads them: apimachinery's
  ``YAMLOrJSONDecoder`` cuts the stream, ``sigs.k8s.io/yaml`` reads each document.
* ``SIGS``: ``sigs.k8s.io/yaml`` alone (go.yaml.in/yaml v2), as Helm, Argo CD and most controllers use it.
* ``KYAML``: streams of kustomize and kpt: ``kio`` of ``sigs.k8s.io/kustomize/kyaml`` (go.yaml.in/yaml v3) cuts them and
  writes out aliases and merges.
* ``KYAML_NODE``: one document as kyaml's ``yaml.Parse`` reads it.
* ``JSON``: one value of a stream that kubectl reads as JSON; ``Chunk.dialect`` says so.
"""

from __future__ import annotations

KUBECTL = "kubectl"
SIGS = "sigs"
KYAML = "kyaml"
KYAML_NODE = "kyaml-node"
JSON = "json"

CUT_AT_LINES = (KUBECTL, KYAML)
"""Readers that cut a stream at its separator lines and hand on what is between, with CR LF turned into LF."""


def prepared(text: str, dialect: str, line: int) -> str:
    """Return a document as its reader sees it, with all offsets in place.

    A separator line that the reader has cut becomes a comment; one that starts the stream, on line 1, is left to YAML.
    kubectl ends the last line.
    """
    if dialect not in CUT_AT_LINES:
        return text
    if line > 1 and text.startswith("---"):
        text = "#" + text[1:]
    return text + "\n" if dialect == KUBECTL and not text.endswith("\n") else text
