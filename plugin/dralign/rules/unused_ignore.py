"""A suppression silences nothing

What it does
  Reports annotations ignore.dralign.dev/<rule>, entries of ignore in the configuration, and entries of the baseline that
  silenced no finding of this run; exceptions whose last day is over; and annotations that name no rule, give no reason, or
  stand on a pod whose claim is what the finding is about, which never silenced anything.

Why it matters
  A suppression outlives the problem it was written for. When the problem comes back, in this object or in another one
  of that name, nobody is told.

What it needs to know
  All the objects that the suppression is meant for. Where none of them is in this run, they may stand elsewhere, and this is
  said in strict only, as info. A rule that is switched off cannot tell whether it would have spoken, so its suppressions are
  left alone.

What the fix does
  There is none: whether the problem is gone, or only out of sight of this run, is for the one who wrote the reason to say.
"""

from __future__ import annotations

from dralign.finding import INFO, WARNING, Related, Severities
from dralign.rule import Example, Rule
from dralign.spelling import suggestion
from dralign.suppress import covers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.manifest import Manifest
    from dralign.settings import Ignore, Known
    from dralign.suppress import Note

RULE = Rule(
    id="unused-ignore",
    severities=Severities(None, INFO, WARNING),
    summary="a suppression silences nothing",
    tip="delete it",
    since="0.1",
    last=True,
)
ELSEWHERE = Severities(None, None, INFO)
"""Where no object of the run is what a suppression is meant for: a run over one file of many has nothing to say of it."""

SHOWN = 10
"""Entries of a baseline that are shown as related places: enough to see what kind they are."""


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per annotation and exception that is of no use, and one for all such entries of a baseline."""
    for note in ctx.silences.unused_notes():
        if note.rule != RULE.id:
            yield _annotation(ctx, note)
    for entry in ctx.silences.unused_exceptions():
        if entry.manifest is not None and entry.rule != RULE.id:
            yield _exception(ctx, entry, entry.manifest)
    known = ctx.silences.unused_known()
    if known:
        yield _baseline(ctx, known)


def _annotation(ctx: Context, note: Note) -> Finding:
    if note.rule not in ctx.silences.asked:
        guess = suggestion(note.rule, sorted(ctx.silences.asked))
        return _useless(note, f"no rule is called '{note.rule}'{guess}")
    if note.reason is None:
        tip = "write the reason as its value, or delete it"
        return _useless(note, f"it gives no reason why '{note.rule}' is to be silent", tip)
    meant = ctx.silences.meant_by(note)
    if meant is not None:
        there = meant.kind_and_name
        return _useless(
            note, f"'{note.rule}' speaks on {there}, not here", f"move it to metadata.annotations of {there}"
        )
    return _useless(note, f"'{note.rule}' finds nothing here in this run")


def _useless(note: Note, why: str, tip: str | None = None) -> Finding:
    return RULE.finding(note.manifest, note.path, f"the annotation silences nothing: {why}", tip=tip)


def _exception(ctx: Context, entry: Ignore, config: Manifest) -> Finding:
    if ctx.silences.is_expired(entry):
        message = f"the exception for '{entry.rule}' ended on '{entry.expires}', and silences nothing any more"
        return RULE.finding(config, entry.path, message, tip="delete it, or give it a new date under expires")
    if any(covers(entry, manifest) for manifest in ctx.bundle.manifests):
        message = f"the exception silences nothing: '{entry.rule}' finds nothing in this run in what it is meant for"
        return RULE.finding(config, entry.path, message)
    message = f"the exception for '{entry.rule}' silences nothing: no object of this run is what it is meant for"
    return RULE.finding(config, entry.path, message, severities=ELSEWHERE)


def _baseline(ctx: Context, unused: Sequence[Known]) -> Finding:
    here = {(m.ref.kind, m.ref.namespace, m.ref.name) for m in ctx.bundle.manifests}
    sure = any((known.kind, known.namespace, known.name) in here for known in unused)
    count = (
        f"{len(unused)} of {len(ctx.settings.baseline)} findings of the baseline {'is' if len(unused) == 1 else 'are'}"
    )
    return RULE.finding(
        unused[0].manifest,
        unused[0].path,
        f"{count} gone in this run, the first: {_told(unused[0])}",
        severities=None if sure else ELSEWHERE,
        tip="write it anew with --write-baseline, over all objects that it is meant for",
        related=tuple(Related(known.manifest, known.path, f"gone: {_told(known)}") for known in unused[1:SHOWN]),
    )


def _told(known: Known) -> str:
    return f"'{known.rule}' on {known.kind}/{known.name}"


_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: web
  annotations:
    {}
spec:
  containers:
  - name: main
    resources:
      limits: {{cpu: 1, memory: 1Gi, nvidia.com/gpu: 1}}
"""
_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: pair
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: gpu.nvidia.com, count: 2}
---
apiVersion: v1
kind: Pod
metadata:
  name: web
  annotations:
    ignore.dralign.dev/numa-constraint-missing: "one socket a machine"
spec:
  resourceClaims:
  - {name: pair, resourceClaimTemplateName: pair}
  containers:
  - name: main
    resources:
      limits: {cpu: 1, memory: 1Gi}
      claims: [{name: pair}]
"""
_CPU = {"rules": {"legacy-device-resource": "off"}}

VALID = (
    Example(
        "it silences something",
        _POD.format('ignore.dralign.dev/legacy-device-resource: "moves next quarter"'),
    ),
    Example(
        "its rule is switched off",
        _POD.format('ignore.dralign.dev/legacy-device-resource: "moves next quarter"'),
        spec=_CPU,
    ),
)
INVALID = (
    Example(
        "the CPUs are whole by now",
        _POD.format('ignore.dralign.dev/cpu-not-integer: "half a core is enough"'),
        messages=("the annotation silences nothing: 'cpu-not-integer' finds nothing here in this run",),
        spec=_CPU,
    ),
    Example(
        "on the pod, where the claim is what has to change",
        _CLAIM,
        messages=(
            "the annotation silences nothing: 'numa-constraint-missing' speaks on ResourceClaimTemplate/pair, not here",
        ),
    ),
    Example(
        "no such rule",
        _POD.format('ignore.dralign.dev/cpu-not-intger: "half a core is enough"'),
        messages=(
            "the annotation silences nothing: no rule is called 'cpu-not-intger', did you mean 'cpu-not-integer'?",
        ),
        spec=_CPU,
    ),
    Example(
        "no reason",
        _POD.format('ignore.dralign.dev/kubelet-blind: ""'),
        messages=("the annotation silences nothing: it gives no reason why 'kubelet-blind' is to be silent",),
        spec=_CPU,
    ),
)
