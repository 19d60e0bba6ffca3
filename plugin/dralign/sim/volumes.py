"""Persistent volumes of pods, as far as the claims for them are there: a cluster without controllers for volumes.

Source: ``PreFilter`` in k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding, 1.37.
"""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from dralign.sim.podspec import PodSpec

UNBOUND = "pod has unbound immediate PersistentVolumeClaims"
_LATER = "WaitForFirstConsumer"


class Volumes:
    """The PersistentVolumeClaims of a cluster. None is bound; those of some classes are bound when a pod has a node."""

    __slots__ = ("_class_of", "_late_classes")

    def __init__(self, objects: Iterable[Mapping[str, Any]]) -> None:
        self._class_of: dict[tuple[str, str], str] = {}
        self._late_classes: set[str] = set()
        for obj in objects:
            metadata = as_map(obj.get("metadata"))
            name = as_text(metadata.get("name")) or ""
            if obj.get("kind") == "PersistentVolumeClaim":
                self.add(as_text(metadata.get("namespace")) or "default", name, as_map(obj.get("spec")))
            elif obj.get("kind") == "StorageClass" and obj.get("volumeBindingMode") == _LATER:
                self._late_classes.add(name)

    def add(self, namespace: str, name: str, spec: Mapping[str, Any]) -> None:
        """Add a claim."""
        self._class_of[namespace, name] = as_text(spec.get("storageClassName")) or ""

    def refusal(self, pod: PodSpec) -> str | None:
        """Return why no node will do for a pod; None if its volumes are not against it."""
        names = []
        for volume in map(as_map, as_list(pod.spec.get("volumes"))):
            if isinstance(volume.get("persistentVolumeClaim"), dict):
                name = as_text(volume["persistentVolumeClaim"].get("claimName")) or ""
                if (pod.namespace, name) not in self._class_of:
                    return f'persistentvolumeclaim "{name}" not found'
                names.append(name)
            elif isinstance(volume.get("ephemeral"), dict):
                name = f"{pod.name}-{volume.get('name')}"
                return f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{name}"'
        now = any(self._class_of[pod.namespace, name] not in self._late_classes for name in names)
        return UNBOUND if now else None
