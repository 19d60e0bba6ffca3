"""The bundle as the API server of the target release takes it: each object of ours is reviewed once, when asked for."""

from __future__ import annotations

from dralign.context.objections import Objection, objections_to
from dralign.context.plain import is_plain
from dralign.context.selectors import Selectors
from dralign.context.stock import is_slice, read
from dralign.lazy import lazy
from dralign.manifest import Path, as_map, content
from dralign.model.claim import GROUP
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.admission.causes import Cause
    from dralign.admission.disabled import Disabled
    from dralign.admission.replaced import Refused
    from dralign.admission.server import Compiled, Server
    from dralign.manifest import Manifest
    from dralign.model.slice import Slice
    from dralign.model.workload import PodView

_CONTAINER_FIELDS = ("resources", "restartPolicy")
_POD_FIELDS = ("resourceClaims", "resources")
_MANY_ALIKE = ("ResourceClaim", "ResourceClaimTemplate")
_SECTIONS = {"container": "containers", "init": "initContainers", "sidecar": "initContainers"}


class _Accepted(Record):
    """What compiling a selector gives here: whether it is one is the matter of a rule of its own."""

    error: str | None = None
    internal: bool = False
    too_costly: bool = False
    max_cost: int | None = None


class Reviews(Selectors):
    """The bundle with what the API server would answer."""

    @lazy
    def server(self) -> Server:
        """Return the API server of the target release; what it holds beside the objects it is sent is not known."""
        from dralign.admission.server import Server  # noqa: PLC0415 -- only relevant objects are reviewed

        return Server(self.settings.kube_version, self.gates, self._compile_derived)

    def _compile_derived(
        self, expression: str, release: str, features: frozenset[str], stored: bool, derived: bool
    ) -> Compiled:
        """Compile what no other rule looks at: expressions of derived attributes, and empty ones."""
        del release  # expressions of releases before 1.34 are judged by that one
        if expression and not derived:
            return _Accepted()
        from dralign.selector import compile_selector  # noqa: PLC0415 -- hardly any claim derives attributes

        return compile_selector(expression, self.cel_release, features, stored, derived)

    @lazy
    def reviewed(self) -> tuple[Manifest, ...]:
        """Objects of the bundle that are reviewed: claims, classes, slices, taint rules, and pods that ask for devices.

        Pods without claims whose resources are plain are left alone.
        """
        known: set[bytes | None] = set()
        asking = {id(pod.manifest) for pod in self.pods if self.asks_for_devices(pod) and not is_plain(pod.spec, known)}
        return tuple(m for m in self.bundle.manifests if m.group == GROUP or id(m) in asking)

    @lazy
    def refused_slices(self) -> tuple[Manifest, ...]:
        """ResourceSlices of the inventory that the API server refuses: their devices are not there."""
        return tuple(filter(is_slice, self.inventory))

    @lazy
    def own_slices(self) -> tuple[Slice, ...]:
        """ResourceSlices of the bundle that the API server takes."""
        return tuple(read(m) for m in self.bundle.manifests if is_slice(m) and not self.is_refused(m))

    def is_refused(self, manifest: Manifest) -> bool:
        """Say whether the API server refuses an object."""
        return bool(self.objections(manifest))

    def asks_for_devices(self, pod: PodView) -> bool:
        """Say whether a pod names claims, rightly or not, or asks for devices by resource name."""
        if "resourceClaims" in pod.spec or any(container.claims for container in pod.containers):
            return True
        return any(self.legacy_resources(container) for container in pod.containers)

    def objections(self, manifest: Manifest) -> tuple[Objection, ...]:
        """Return all that the API server objects to in an object.

        Of kinds whose own schema is not known, only claims and resources of their pods are looked at, and only where the
        pods get the containers as they are written.
        """
        if id(manifest) not in self._objections:
            alone = manifest.group == GROUP  # of others what the bundle's pods are counts too
            found = self._review_of_ours(manifest) if alone else tuple(self._review(manifest))
            self._objections[id(manifest)] = found
        return self._objections[id(manifest)]

    @lazy
    def _objections(self) -> dict[int, tuple[Objection, ...]]:
        return {}

    def _review_of_ours(self, manifest: Manifest) -> tuple[Objection, ...]:
        """Review an object, unless one was accepted that says the same under another name: so are most claims of a chart."""
        words = _but_for_its_name(manifest) if manifest.ref.kind in _MANY_ALIKE else None
        if words in self._accepted:
            return ()
        found = objections_to(manifest, self.server)
        if words is not None and not found:
            self._accepted.add(words)
        return found

    @lazy
    def _accepted(self) -> set[bytes | None]:
        return set()

    def _review(self, manifest: Manifest) -> Iterator[Objection]:
        from dralign.admission import schema  # noqa: PLC0415 -- as above
        from dralign.admission.answers import objections  # noqa: PLC0415

        ref = manifest.ref
        if schema.kind_of(ref.api_version, ref.kind, self.server.minor) is not None:
            for cause in objections(manifest.data, self.server):
                yield Objection(Path(cause.location), cause)
            return
        for pod in self.pods_of(manifest):
            if pod.written and self.asks_for_devices(pod):
                yield from self._review_pod(pod)

    def _review_pod(self, pod: PodView) -> Iterator[Objection]:
        """Yield the objections to claims and resources of a pod in an object of a kind that is not known."""
        from dralign.admission.answers import objections  # noqa: PLC0415 -- as above

        spec: dict[str, Any] = {field: pod.spec[field] for field in _POD_FIELDS if field in pod.spec}
        places: dict[tuple[str | int, ...], Path] = {}
        for number, container in enumerate(pod.containers):
            section = spec.setdefault(_SECTIONS[container.kind], [])
            places[_SECTIONS[container.kind], len(section)] = container.path
            written = pod.manifest.get(container.path)
            kept = {field: written[field] for field in _CONTAINER_FIELDS if field in written}
            section.append({"name": f"c{number}", "image": "image", **kept})
        template = {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "pod"}, "template": {"spec": spec}}
        for cause in objections(template, self.server):
            below = cause.location[2:]
            if below[:1] in {(field,) for field in _POD_FIELDS}:
                yield Objection(pod.path.join(below), _moved(cause, pod.path.join(below)))
            elif below[:2] in places and below[2:3] == ("resources",):
                place = places[below[:2]].join(below[2:])
                yield Objection(place, _moved(cause, place))

    def versions(self) -> Iterator[tuple[Manifest, Manifest]]:
        """Yield earlier and later version of objects: those given as previous, and those twice in one stream."""
        known = {key: m for m in self.previous if (key := _identity(m)) is not None}
        for manifest in self.reviewed:
            key = _identity(manifest)
            before = known.get(key) if key is not None else None
            if before is not None:
                yield before, manifest
        streamed: dict[tuple[str, ...], Manifest] = {}
        for manifest in self.reviewed:
            key = _identity(manifest)
            if key is not None:
                key = (manifest.document.source, *key)
                if key in streamed:
                    yield streamed[key], manifest
                streamed[key] = manifest

    def refused_changes(self, before: Manifest, manifest: Manifest) -> list[Refused]:
        """Return what the API server does not let change from one version of an object to the next."""
        from dralign.admission.replaced import refused_changes  # noqa: PLC0415 -- as above
        from dralign.edit.data import same  # noqa: PLC0415

        return [] if same(before.data, manifest.data) else refused_changes(before.data, manifest.data, self.server)

    def disabled(self, manifest: Manifest) -> tuple[Disabled, ...]:
        """Return the fields of an object that the API server drops because their feature gate is off."""
        from dralign.admission.disabled import disabled_fields, pod_level_disabled  # noqa: PLC0415 -- as above

        if manifest.group == GROUP:
            return tuple(disabled_fields(manifest.data, self.server))
        return tuple(
            field
            for pod in self.pods_of(manifest)
            for field in pod_level_disabled(pod.spec, tuple(pod.path), self.server)
        )


def _but_for_its_name(manifest: Manifest) -> bytes | None:
    """Return what an object says beside its name and namespace; None where one of those is not plain."""
    from dralign.admission.names import dns_label  # noqa: PLC0415 -- as above

    metadata = dict(as_map(manifest.data.get("metadata")))
    name, namespace = metadata.pop("name", None), metadata.pop("namespace", "default")
    if not all(isinstance(text, str) and not dns_label(text) for text in (name, namespace)):
        return None
    return content({**manifest.data, "metadata": metadata})


def _identity(manifest: Manifest) -> tuple[str, ...] | None:
    """Return what an object is found by in a cluster; None for one whose name the server makes up."""
    name = as_map(manifest.data.get("metadata")).get("name")
    return (manifest.group, manifest.ref.kind, manifest.ref.namespace or "", name) if isinstance(name, str) else None


def _moved(cause: Cause, place: Path) -> Cause:
    """Return a cause whose field is named as it is in the object."""
    from dralign.admission.location import render  # noqa: PLC0415 -- as above

    return cause.replace(field=render(place), location=tuple(place))
