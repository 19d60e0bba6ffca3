"""A field is dropped without a word, because its feature gate is off

What it does
  Looks at the fields of claims, templates, classes and slices, and at pod-level resources, that a feature gate guards, and
  reports those whose gate is off at the target release.

Why it matters
  The API server takes the object and leaves the field out, mistakes included: no error, no warning. What is stored means
  something else: a request without its tolerations, a device that is not shared, a pod that is not Guaranteed.

What it needs to know
  The release (kubeVersion), and the gates that the cluster sets itself (featureGates).
"""

from __future__ import annotations

from dralign.finding import ERROR, Severities
from dralign.manifest import Path
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.admission.disabled import Disabled
    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.manifest import Manifest

RULE = Rule(
    id="field-dropped",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a field is dropped without a word, because its feature gate is off",
    tip="take the field out, or turn the gate on in the cluster and say so under featureGates",
    since="0.1",
)

_EFFECTS = {
    "adminAccess": "the request takes the devices for itself",
    "tolerations": "devices with such taints are not given",
    "capacity": "the request takes a whole device, or whatever share it gives by default",
    "derivedAttributes": "constraints on them meet no attribute",
    "distinctAttribute": "nothing keeps the devices apart",
    "extendedResourceName": "no pod gets these devices by that resource",
    "taints": "the devices are given to anybody",
    "consumesCounters": "devices that overlap are given out together",
    "sharedCounters": "devices that overlap are given out together",
    "allowMultipleAllocations": "each device is given out once",
    "requestPolicy": "any amount may be asked for",
    "bindingConditions": "pods are bound before the devices are ready",
    "resources": "the containers alone decide how much the pod gets and its QoS class",
}


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per gate and object, on the first field that is lost."""
    for manifest in ctx.reviewed:
        lost: dict[str, list[Disabled]] = {}
        for field in ctx.disabled(manifest):
            if not _is_refused(ctx, manifest, field):
                lost.setdefault(field.gate, []).append(field)
        for fields in lost.values():
            yield _finding(ctx, manifest, fields)


def _is_refused(ctx: Context, manifest: Manifest, field: Disabled) -> bool:
    """Say whether the object is refused for want of the field, which is said in the words of the refusal."""
    return any(objection.path == field.location[:-1] for objection in ctx.objections(manifest))


def _finding(ctx: Context, manifest: Manifest, fields: list[Disabled]) -> Finding:
    path, gate = Path(fields[0].location), fields[0].gate
    effect = _EFFECTS.get(str(path[-1]), "the object means something else")
    others = f" (and {len(fields) - 1} more behind that gate)" if len(fields) > 1 else ""
    return RULE.finding(
        manifest,
        path,
        f"{path} is dropped without a word{others}: feature gate {gate} is off in {ctx.settings.kube_version}, so that "
        f"{effect}",
        tip=f"take it out, or turn {gate} on in the cluster and say featureGates: {{{gate}: true}}",
        label="dropped",
    )


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: one
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        tolerations:
        - key: example.com/degraded
          operator: Exists
"""

VALID = (Example("the gate is on", _CLAIM),)
INVALID = (
    Example(
        "tolerations in a release that leaves them out",
        _CLAIM,
        messages=(
            "spec.devices.requests[0].exactly.tolerations is dropped without a word: feature gate DRADeviceTaints is off "
            "in 1.35, so that devices with such taints are not given",
        ),
        spec={"kubeVersion": "1.35"},
    ),
)
