"""What the inventory tells of the cluster, read once for all rounds of a run.

Slices are by far the most of it, so they are read into devices one by one, as they come, and let go: what is kept of them
is what allocator and proofs look at. Of all other objects, and of slices that the API server refuses, the text is kept.
"""

from __future__ import annotations

from dralign.admission.gates import features
from dralign.context.objections import objections_to
from dralign.lazy import lazy
from dralign.manifest import as_text
from dralign.model.claim import GROUP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dralign.admission.server import Server
    from dralign.manifest import Manifest
    from dralign.model.inventory import Inventory
    from dralign.model.slice import Slice
    from dralign.proof.known import Known
    from dralign.settings import Settings

SLICE = "ResourceSlice"


class Stock:
    """The objects of an inventory, taken in one after the other.

    Attributes:
        manifests: all of them but slices that are right: those that are refused are here, and their devices are not there.
        slices: all slices that the API server takes, in order.
        node_names: names of the nodes that the objects tell of, each once, in order.
        known: what proofs of this run rest on, with all that they worked out; None before the first.
    """

    def __init__(
        self, objects: Iterable[Manifest] = (), release: str = "1.37", gates: frozenset[str] = frozenset()
    ) -> None:
        self._release = release
        self._minor = int(release.partition(".")[2])
        self._gates = gates
        self.known: Known | None = None
        self._named: dict[str, dict[str, None]] = {}
        manifests: list[Manifest] = []
        slices: list[Slice] = []
        for manifest in objects:
            named = self._named.setdefault(manifest.document.source, {})
            named.update(dict.fromkeys(named_in(manifest)))
            if is_slice(manifest) and self._takes(manifest):
                slices.append(read(manifest))
                manifest.let_go()
            else:
                manifests.append(manifest)
        self.manifests = tuple(manifests)
        self.slices = tuple(slices)
        self.node_names = tuple(dict.fromkeys(name for names in self._named.values() for name in names))

    def nodes_beside(self, manifest: Manifest) -> tuple[str, ...]:
        """Return the names of the nodes that the file of an object tells of."""
        return tuple(self._named.get(manifest.document.source, ()))

    def _takes(self, manifest: Manifest) -> bool:
        """Say whether the API server takes a slice; those of presets are known to be right."""
        if manifest.document.is_ours:
            return True
        from dralign.context.plain_slice import is_plain_slice  # noqa: PLC0415 -- most runs know no slices

        if is_plain_slice(manifest.data, self._minor):
            return True
        return not objections_to(manifest, self._server)

    @lazy
    def _server(self) -> Server:
        from dralign.admission.server import Server  # noqa: PLC0415 -- most slices are plain

        return Server(self._release, self._gates)

    @lazy
    def inventory(self) -> Inventory:
        """Slices, nodes, classes, what claims hold and taint rules."""
        from dralign.model.inventory import inventory_from  # noqa: PLC0415 -- few runs place anything

        others = (manifest.data for manifest in self.manifests if not is_slice(manifest))
        return inventory_from(others, self.slices)


def stock_of(objects: Iterable[Manifest] | Stock, settings: Settings) -> Stock:
    """Take in the objects of an inventory for a run with some settings; what was taken in stays as it is."""
    if isinstance(objects, Stock):
        return objects
    return Stock(objects, settings.kube_version, features(settings.kube_version, settings.feature_gates))


def is_slice(manifest: Manifest) -> bool:
    """Say whether an object is a ResourceSlice, of any version."""
    return manifest.ref.kind == SLICE and manifest.group == GROUP


def read(manifest: Manifest) -> Slice:
    """Read a ResourceSlice into devices."""
    from dralign.model.slice import slice_from  # noqa: PLC0415 -- most runs know no slices

    made = slice_from(manifest.data)
    made.manifest = manifest
    return made


def named_in(manifest: Manifest) -> Iterator[str]:
    """Yield the nodes that an object tells of: by their own objects, their slices or their topology."""
    if manifest.ref.kind in ("Node", "NodeResourceTopology"):
        yield manifest.ref.name or ""
    elif manifest.ref.kind == SLICE:
        name = as_text(manifest.get(("spec", "nodeName")))
        if name is not None:
            yield name
