"""A pod takes devices of one kind both as an extended resource and by claim

What it does
  Reports pods in which a device plugin's resource stands beside a claim: for the same kind of device as an error, for
  another kind (a GPU by plugin, a NIC by claim) as a warning.

Why it matters
  The device plugin and DRA do not see each other's allocations: the pod holds two devices where one was meant, or the same
  card twice. Devices of another kind cannot be tied to the claimed ones: no constraint reaches a plugin's device.

What the fix does
  Takes the resource off a container that claims the same kind of device; in another container of the pod, rewrites it as
  a claim. The claim is never touched.
"""

from __future__ import annotations

from dralign.finding import ERROR, WARNING, Severities
from dralign.fixes import legacy
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context, LegacyUse
    from dralign.finding import Finding, Fix

RULE = Rule(
    id="legacy-and-claim",
    severities=Severities(None, ERROR, ERROR),
    summary="a pod takes devices both as an extended resource and by claim",
    tip="take the extended resource out of limits and requests, and claim all devices",
    since="0.1",
    standards=("A1", "B1"),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per extended resource that stands beside a claim."""
    for use in ctx.legacy_uses():
        if use.beside_claim:
            yield RULE.finding(
                use.manifest,
                use.path,
                f"{use.who} takes {use.one_device} as extended resource '{use.resource}', and the pod claims the same kind "
                "of device: the two are handed out without a look at each other",
                label="also by claim",
                fix=_fix(ctx, use),
            )
        elif use.claimed:
            yield RULE.finding(
                use.manifest,
                use.path,
                f"{use.who} takes {use.one_device} as extended resource '{use.resource}' beside a claimed "
                f"{', '.join(use.claimed)}: no constraint can tie the two",
                label="out of reach of the claim",
                severities=RULE.severities.at_most(WARNING),
            )


def _fix(ctx: Context, use: LegacyUse) -> Fix | None:
    if use.pod is None or use.container is None or not use.pod.written:
        return None
    if not use.claimed_here:
        return legacy.rewrite_of(ctx, use)
    patches = legacy.take_off(use.manifest, use.container, [use.resource])
    return ctx.alignment_fix(f"take {use.resource} off container '{use.container.name}'", patches)


_POD = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: one-gpu
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
---
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: one-gpu
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
    resources:
      limits: {cpu: 8, memory: 32Gi%s}
      claims:
      - name: gpu
"""

VALID = (Example("by claim alone", _POD % ""),)
INVALID = (
    Example(
        "the same GPU asked for twice",
        _POD % ", nvidia.com/gpu: 1",
        messages=(
            "container 'main' takes a GPU as extended resource 'nvidia.com/gpu', and the pod claims the same kind of "
            "device: the two are handed out without a look at each other",
        ),
        fixed=_POD % "",
        spec={"alignment": {"strategy": "constraint"}},
    ),
    Example(
        "an RDMA device of a plugin beside a claimed GPU",
        _POD % ", rdma/hca: 1",
        messages=(
            "container 'main' takes a NIC as extended resource 'rdma/hca' beside a claimed GPU: no constraint can tie the "
            "two",
        ),
    ),
)
