"""A workload goes through Kueue, and its claims are of a kind that Kueue does not admit

What it does
  Looks at workloads with the label kueue.x-k8s.io/queue-name. Reports claims that they name directly instead of by
  template, allocationMode: All, and firstAvailable where the gate KueueDRAIntegrationPrioritizedList is not known to be on.
  Where the input holds Kueue's Configuration, also classes that its deviceClassMappings leave out, and alternatives that
  differ in number or in the resource they count as.

Why it matters
  Kueue counts devices before it lets a workload start. What it cannot count stays suspended: there is no pod, and so
  nothing that the scheduler could complain of.

What it needs to know
  Kueue v0.18 and newer, with its DRA integration on. Constraints, selectors and parameters do not hinder admission.
"""

from __future__ import annotations

from dralign.context.kueue import PRIORITIZED, kueue_config, queue_of
from dralign.finding import WARNING, Related, Severities
from dralign.model.claim import ALL
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.context.kueue import KueueConfig, Queue
    from dralign.finding import Finding
    from dralign.manifest import Path
    from dralign.model.claim import Claim, Request
    from dralign.model.workload import PodView

RULE = Rule(
    id="kueue-inadmissible",
    severities=Severities(None, WARNING, WARNING),
    summary="a workload goes through Kueue, and its claims are of a kind that Kueue does not admit",
    tip="ask for a number of devices of one class, by a ResourceClaimTemplate",
    since="0.1",
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per claim that is named directly, and one per thing in a template that Kueue cannot count."""
    queued = [(pod, queue) for pod in ctx.pods if pod.claims for queue in (queue_of(pod),) if queue is not None]
    if not queued:
        return
    config = kueue_config((*ctx.inventory, *ctx.bundle.manifests))
    templates: dict[int, tuple[Claim, list[tuple[PodView, Queue]]]] = {}
    for pod, queue in queued:
        for entry in pod.claims:
            if entry.claim_name is not None and entry.template_name is None:
                yield RULE.finding(
                    pod.manifest,
                    entry.reference,
                    f"Kueue (queue '{queue.name}') admits claims by template only, and claim '{entry.name}' names "
                    f"ResourceClaim '{entry.claim_name}'",
                    label="not by template",
                    tip="name a ResourceClaimTemplate: resourceClaimTemplateName",
                    related=(Related(pod.manifest, queue.path, "the queue"),),
                )
            claim = ctx.claim_of(pod, entry)
            if claim is not None and claim.from_template:
                templates.setdefault(id(claim), (claim, []))[1].append((pod, queue))
    for claim, users in templates.values():
        for request in claim.requests:
            for place, message, tip in _uncounted(request, config):
                yield RULE.finding(
                    claim.manifest,
                    place,
                    f"Kueue (queue '{users[0][1].name}') {message}",
                    tip=tip,
                    related=tuple(Related(pod.manifest, queue.path, "its queue") for pod, queue in users),
                )


def _uncounted(request: Request, config: KueueConfig | None) -> Iterator[tuple[Path, str, str | None]]:
    """Yield what of a request Kueue cannot count: where, in words, and what to type instead."""
    if request.alternatives and not (config is not None and config.gates.get(PRIORITIZED) is True):
        off = "is off" if config is not None else "is off by default"
        yield (
            request.path / "firstAvailable",
            f"does not admit the alternatives of request '{request.name}': its feature gate {PRIORITIZED} {off}",
            f"ask for one class by exactly, or turn on {PRIORITIZED} in Kueue's Configuration",
        )
        return
    for leaf in request.leaves():
        if leaf.admin_access:
            continue
        if leaf.mode == ALL:
            yield (
                leaf.body / "allocationMode",
                f"does not admit request '{leaf.name}', which takes all devices of a node: it counts numbers",
                "write count: with the number of devices",
            )
        elif config is not None and leaf.device_class and leaf.device_class not in config.resources:
            yield (
                leaf.body / "deviceClassName",
                f"does not know what to count for class '{leaf.device_class}' of request '{leaf.name}': "
                "its Configuration has no mapping for it",
                f"add {leaf.device_class} to resources.deviceClassMappings of Kueue's Configuration",
            )
    yield from _unequal(request, config)


def _unequal(request: Request, config: KueueConfig | None) -> Iterator[tuple[Path, str, str | None]]:
    """Yield the alternatives that do not cost the same as the first one."""
    if config is None or not request.alternatives:
        return
    first, *others = request.alternatives
    for other in others:
        resource, wanted = (config.resources.get(leaf.device_class or "") for leaf in (other, first))
        if resource and wanted and resource != wanted:
            message = f"counts alternative '{other.name}' as '{resource}' and '{first.name}' as '{wanted}'"
            yield other.path / "deviceClassName", f"{message}: all must count as the same", None
        elif other.mode != ALL and other.count != first.count:
            message = f"admits alternatives of equal number only: '{other.name}' asks for {other.count} devices"
            yield other.path / "count", f"{message}, '{first.name}' for {first.count}", None
    sized = next((leaf for leaf in request.alternatives if leaf.device_class in config.sized), None)
    if sized is not None:
        message = f"does not admit alternatives of class '{sized.device_class}', which it counts by size"
        yield sized.path / "deviceClassName", message, None


_JOB = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: train
  labels:
    kueue.x-k8s.io/queue-name: team-a
spec:
  template:
    spec:
      restartPolicy: Never
      resourceClaims:
      - name: gpu
        {reference}
      containers:
      - name: main
        image: registry.example.com/train:1.0
        resources:
          claims:
          - name: gpu
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: gpus
spec:
  spec:
    devices:
      requests:
      - name: gpu
{request}"""
_TWO = """\
        exactly:
          deviceClassName: gpu.nvidia.com
          count: 2
"""
_ALL = """\
        exactly:
          deviceClassName: gpu.nvidia.com
          allocationMode: All
"""
_EITHER = """\
        firstAvailable:
        - name: whole
          deviceClassName: gpu.nvidia.com
        - name: part
          deviceClassName: mig.nvidia.com
"""
_BY_TEMPLATE = "resourceClaimTemplateName: gpus"
_CONFIG = """\
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
resources:
  deviceClassMappings:
  - name: gpus
    deviceClassNames:
    - {name}
"""

VALID = (
    Example("a number of devices by template", _JOB.format(reference=_BY_TEMPLATE, request=_TWO)),
    Example(
        "a class that Kueue knows",
        _JOB.format(reference=_BY_TEMPLATE, request=_TWO) + _CONFIG.format(name="gpu.nvidia.com"),
    ),
    Example(
        "no queue",
        _JOB.format(reference=_BY_TEMPLATE, request=_ALL).replace("kueue.x-k8s.io/queue-name", "example.com/queue"),
    ),
)
INVALID = (
    Example(
        "a claim named directly",
        _JOB.format(reference="resourceClaimName: mine", request=_TWO),
        messages=("Kueue (queue 'team-a') admits claims by template only, and claim 'gpu' names ResourceClaim 'mine'",),
    ),
    Example(
        "all devices of a node",
        _JOB.format(reference=_BY_TEMPLATE, request=_ALL),
        messages=(
            "Kueue (queue 'team-a') does not admit request 'gpu', which takes all devices of a node: it counts numbers",
        ),
    ),
    Example(
        "alternatives",
        _JOB.format(reference=_BY_TEMPLATE, request=_EITHER),
        messages=(
            "Kueue (queue 'team-a') does not admit the alternatives of request 'gpu': its feature gate "
            "KueueDRAIntegrationPrioritizedList is off by default",
        ),
    ),
    Example(
        "a class that Kueue's Configuration leaves out",
        _JOB.format(reference=_BY_TEMPLATE, request=_TWO) + _CONFIG.format(name="mig.nvidia.com"),
        messages=(
            "Kueue (queue 'team-a') does not know what to count for class 'gpu.nvidia.com' of request 'gpu': "
            "its Configuration has no mapping for it",
        ),
    ),
)
