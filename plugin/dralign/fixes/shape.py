"""Requests brought into the shape of resource.k8s.io/v1: the text moves, with its comments, quotes and anchors.

v1beta1 and v1alpha3 wrote the body of a request beside its name; v1beta2 and v1 write it below ``exactly`` (KEP-4381).
Alternatives in ``firstAvailable`` are flat in every version.
"""

from __future__ import annotations

from dralign.edit import Nest
from dralign.finding import Patch
from dralign.manifest import as_map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.manifest import Manifest, Path

EXACTLY = "exactly"
BODY = (
    "deviceClassName",
    "selectors",
    "allocationMode",
    "count",
    "adminAccess",
    "tolerations",
    "capacity",
    "derivedAttributes",
)
"""Fields of a request that belong below ``exactly``: those of ``ExactDeviceRequest``."""


def flat_fields(manifest: Manifest, request: Path) -> tuple[str, ...]:
    """Return the fields of a request that stand beside its name though they belong below ``exactly``, in order."""
    return tuple(key for key in as_map(manifest.get(request)) if key in BODY)


def into_exactly(manifest: Manifest, request: Path) -> tuple[Patch, ...]:
    """Return the patch that moves the flat fields of a request into ``exactly``, in place.

    There is none for a request without flat fields, and for one that has ``exactly`` or ``firstAvailable`` beside
    them: which of the two was meant, nobody but the author knows.

    Args:
        manifest: a claim or claim template.
        request: path of the item of ``devices.requests``.
    """
    fields = flat_fields(manifest, request)
    item = as_map(manifest.get(request))
    if not fields or EXACTLY in item or "firstAvailable" in item:
        return ()
    return (Patch(manifest, Nest(request, fields, EXACTLY)),)
