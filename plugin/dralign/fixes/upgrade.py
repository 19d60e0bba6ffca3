"""Objects of resource.k8s.io carried into another version of their API, in the text.

Versions differ in where a request has its body (:mod:`dralign.fixes.shape`) and a device its attributes: v1beta1 and
v1alpha3 keep them below ``basic``. v1alpha3 wrote a capacity as a bare quantity. v1beta2 and v1 are alike (KEP-4381).
"""

from __future__ import annotations

from dralign.edit import EditRefused, Lift, Nest, Remove, Set, plain
from dralign.finding import Fix, Patch
from dralign.fixes.shape import EXACTLY, into_exactly
from dralign.manifest import Path, as_list, as_map, dig
from dralign.model.claim import claim_from, nests_requests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.manifest import Manifest

BASIC = "basic"
_DEVICES = Path(("spec", "devices"))


def upgrade(ctx: Context, manifest: Manifest, api_version: str) -> Fix | None:
    """Return the fix that writes an object in another version of its API, with the same meaning.

    None where the object does not say its version itself (an item of a typed list), and where it holds a field that the
    other version does not know: nobody but the author knows what to do without it.
    """
    if "apiVersion" not in as_map(dig(manifest.document.data, manifest.base)):
        return None
    patches = (*_moves(manifest, api_version), Patch(manifest, Set(Path(("apiVersion",)), api_version)))
    return Fix(f"write it in {api_version}", patches) if _fits(ctx, manifest, patches) else None


def _moves(manifest: Manifest, api_version: str) -> Iterator[Patch]:
    """Yield the patches that bring the spec into the shape of a version."""
    nested = nests_requests(api_version)
    claim = claim_from(manifest)
    if claim is not None:
        for request in claim.requests:
            if nested:
                yield from into_exactly(manifest, request.path)
            elif isinstance(as_map(manifest.get(request.path)).get(EXACTLY), dict):
                yield Patch(manifest, Lift(request.path / EXACTLY))
    elif manifest.ref.kind == "ResourceSlice":
        yield from _devices(manifest, nested=nested)


def _devices(manifest: Manifest, *, nested: bool) -> Iterator[Patch]:
    for index, item in enumerate(as_list(manifest.get(_DEVICES))):
        at, device = _DEVICES / index, as_map(item)
        if device.get(BASIC, BASIC) in (None, {}):
            yield Patch(manifest, Remove(at / BASIC))
            continue
        body = at / BASIC if isinstance(device.get(BASIC), dict) else at
        for name, amount in as_map(as_map(manifest.get(body)).get("capacity")).items():
            if not isinstance(amount, dict):
                yield Patch(manifest, Set(body / "capacity" / name, {"value": amount}))
        if nested and body != at:
            yield Patch(manifest, Lift(body))
        elif not nested and body == at and device.keys() - {"name"}:
            yield Patch(manifest, Nest(at, tuple(key for key in device if key != "name"), BASIC))


def _fits(ctx: Context, manifest: Manifest, patches: tuple[Patch, ...]) -> bool:
    """Say whether the version knows every field of what the patches make of an object."""
    from dralign.admission.review import UNKNOWN_FIELD, review  # noqa: PLC0415 -- few bundles hold old objects
    from dralign.admission.server import Server  # noqa: PLC0415

    try:
        written = plain(manifest.data, [patch.operation for patch in patches])
    except EditRefused:
        return False
    answer = review(written, Server(ctx.settings.kube_version, ctx.gates))
    return answer is not None and not any(cause.reason == UNKNOWN_FIELD for cause in answer.causes)
