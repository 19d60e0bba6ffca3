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
