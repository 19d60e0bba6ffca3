"""DeviceClasses of the bundle: a name, the selectors that every device of the class meets, the resource it stands for."""

from __future__ import annotations

from dralign.manifest import Path, as_map, as_text
from dralign.model.claim import GROUP, Selector, selectors_from
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.manifest import Manifest

IMPLICIT_RESOURCE = "deviceclass.resource.kubernetes.io/"
"""Extended resources of this prefix ask for one device of the class named behind it (KEP-5004)."""


class DeviceClass(Record):
    """One ``DeviceClass`` object. ``extended_resource`` is ``spec.extendedResourceName`` (KEP-5004)."""

    manifest: Manifest
    name: str
    selectors: tuple[Selector, ...]
    extended_resource: str | None


def device_class_from(manifest: Manifest) -> DeviceClass | None:
    """Read a manifest as a DeviceClass; None if it is none or has no name."""
    if manifest.ref.kind != "DeviceClass" or manifest.group != GROUP or manifest.ref.name is None:
        return None
    spec = as_map(manifest.data.get("spec"))
    return DeviceClass(
        manifest, manifest.ref.name, selectors_from(spec, Path(("spec",))), as_text(spec.get("extendedResourceName"))
    )
