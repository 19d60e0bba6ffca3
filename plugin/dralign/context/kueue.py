"""What of the bundle goes through Kueue, and how Kueue is configured.

Facts: kubernetes-sigs/kueue site/content/en/docs/concepts/dynamic_resource_allocation.md (v0.14 to v0.20), pkg/dra/claims.go
@05a9e7e. The configuration is a file, or stands in the ConfigMap of Kueue's manager.
"""

from __future__ import annotations

from dralign import yamlio
from dralign.errors import InputError
from dralign.manifest import Path, as_list, as_map, as_text
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from dralign.manifest import Manifest
    from dralign.model.workload import PodView

QUEUE_LABEL = "kueue.x-k8s.io/queue-name"
GROUP = "config.kueue.x-k8s.io"
PRIORITIZED = "KueueDRAIntegrationPrioritizedList"
"""Alpha since v0.20, off by default."""


class Queue(Record):
    """The queue that a workload asks for, and where."""

    name: str
    path: Path


class KueueConfig(Record):
    """What a Kueue Configuration says of claims: its gates, and the logical resource of each DeviceClass.

    ``sized``: classes that are counted by counters or capacity of the devices, not by their number.
    """

    gates: Mapping[str, Any]
    resources: Mapping[str, str]
    sized: frozenset[str]


def queue_of(pod: PodView) -> Queue | None:
    """Return the queue of a workload, by the label on the object or on its pods."""
    places = ((pod.manifest.labels, Path(("metadata", "labels"))), (_labels(pod), pod.metadata_path / "labels"))
    for labels, at in places:
        name = as_text(labels.get(QUEUE_LABEL))
        if name is not None:
            return Queue(name, at / QUEUE_LABEL)
    return None


def _labels(pod: PodView) -> Mapping[str, Any]:
    return as_map(pod.metadata.get("labels"))


def kueue_config(manifests: Iterable[Manifest]) -> KueueConfig | None:
    """Return the configuration of Kueue among some objects; None where there is none."""
    for manifest in manifests:
        for data in _configurations(manifest):
            mappings = [as_map(item) for item in as_list(as_map(data.get("resources")).get("deviceClassMappings"))]
            resources = {
                name: as_text(mapping.get("name")) or ""
                for mapping in mappings
                for name in as_list(mapping.get("deviceClassNames"))
                if isinstance(name, str)
            }
            sized = (name for one in mappings if one.get("sources") for name in as_list(one.get("deviceClassNames")))
            return KueueConfig(as_map(data.get("featureGates")), resources, frozenset(map(str, sized)))
    return None


def _configurations(manifest: Manifest) -> Iterator[Mapping[str, Any]]:
    if manifest.ref.kind == "Configuration" and manifest.group == GROUP:
        yield manifest.data
    if manifest.ref.kind == "ConfigMap":
        for text in as_map(manifest.data.get("data")).values():
            if isinstance(text, str) and GROUP in text:
                try:
                    data = yamlio.load(text, yamlio.SIGS, manifest.document.source).value
                except InputError:
                    continue  # a text that is no YAML says nothing
                if isinstance(data, dict) and data.get("kind") == "Configuration":
                    yield data
