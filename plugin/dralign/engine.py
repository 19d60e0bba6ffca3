"""One run: ask every rule, drop what is silenced, repair what may be repaired, and ask again until nothing changes."""

from __future__ import annotations

from dralign import kinds, repair
from dralign.context import Context, Surroundings
from dralign.context.stock import stock_of
from dralign.edit import Set
from dralign.finding import (
    INFO,
    Fix,
    FixReport,
    Outcome,
    Patch,
    RelatedReport,
    Report,
    Severities,
    Suppressed,
    VerdictReport,
)
from dralign.manifest import Path
from dralign.model.kubelet_source import GROUP as KUBELET_GROUP
from dralign.model.verdict import worst

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dralign.bundle import Bundle
    from dralign.context.stock import Stock
    from dralign.context.verdicts import Judged
    from dralign.finding import Finding, Related
    from dralign.manifest import Manifest
    from dralign.model.catalogue import Catalogue
    from dralign.model.verdict import Verdict
    from dralign.rule import LoadedRule, Rule
    from dralign.settings import Settings

MAX_ROUNDS = 10
"""Repairs settle in two or three rounds; more means that two rules undo each other, which is a fault of ours."""


def run(
    bundle: Bundle,
    settings: Settings,
    rules: Sequence[LoadedRule],
    catalogue: Catalogue,
    inventory: Iterable[Manifest] | Stock = (),
    previous: tuple[Manifest, ...] = (),
    idle: frozenset[str] = frozenset(),
) -> tuple[Outcome, Bundle]:
    """Check a bundle and, where ``settings.mode`` is ``fix``, repair it.

    ``inventory`` holds objects that tell of the cluster: they are read once, looked at, never judged and never repaired.
    So are those of ``previous``, which hold the version before. ``idle`` are rules that were left out since they can have
    nothing to say.

    Returns the outcome, and the bundle with the repaired text: the same documents where nothing was repaired. The
    outcome's stamps are left to the host, which writes them with whatever else it has to write.

    Raises:
        RuntimeError: repairs did not settle (a fault of ours; the message names the rules).
    """
    applied: list[Report] = []
    held: dict[Fix, str] = {}
    surroundings = Surroundings(catalogue, stock_of(inventory, settings), previous)
    asked = _Round(bundle, settings, rules, surroundings, idle)
    for _ in range(MAX_ROUNDS if settings.mode == "fix" else 0):
        chosen = repair.choose(asked.heard, settings, held)
        if not chosen.picked:
            break
        changed = repair.apply(bundle, chosen.picked)
        held |= changed.refused
        harmful = _harmful(asked.context, bundle, chosen.picked, changed.bundle)
        if harmful:
            held |= harmful
            continue
        applied += [_report(f, s, _state(f.fix, "applied")) for f, s in asked.heard if f.fix in changed.done]
        if not changed.done:
            break
        bundle = changed.bundle
        asked = _Round(bundle, settings, rules, surroundings, idle)
    else:
        if settings.mode == "fix" and repair.choose(asked.heard, settings, held).picked:
            names = ", ".join(sorted({finding.rule for finding, _ in asked.heard if finding.fix}))
            raise RuntimeError(f"repairs did not settle after {MAX_ROUNDS} rounds; rules: {names}")
    return _outcome(asked, tuple(applied), settings, held), bundle


def _harmful(before: Context, bundle: Bundle, fixes: Sequence[Fix], repaired: Bundle) -> dict[Fix, str]:
    """Return the fixes after which a pod can run nowhere any more, or is aligned no more, and what becomes of it.

    Asked only where nodes are known: without, no repair can be shown to do harm. Where no fix alone does, all are held.
    """
    if not (before.has_slices or before.kubelets) or not before.lowered_in(before.of(repaired)):
        return {}
    alone = ((fix, before.lowered_in(before.of(repair.apply(bundle, (fix,)).bundle))) for fix in fixes)
    found = {fix: reason for fix, reason in alone if reason}
    return found or dict.fromkeys(fixes, before.lowered_in(before.of(repaired)) or "")


STAMPS = ("checked", "verdict")
CHECKED, VERDICT = (f"dralign.dev/{stamp}" for stamp in STAMPS)


def _stamps(context: Context, settings: Settings) -> Iterator[Patch]:
    """Yield the patches that write on judged objects that they were, and what was proved, where ``annotate`` asks for it.

    No version, no time, nothing on pod templates: any of those would make Argo CD find the object out of sync for ever.
    """
    verdicts = _verdicts_by_object(context) if settings.annotate == "verdict" else {}
    for manifest in context.judged if settings.annotate in STAMPS else ():
        marks = {CHECKED: settings.profile}
        marks |= {VERDICT: verdicts[id(manifest)]} if id(manifest) in verdicts else {}
        for key, value in marks.items() if _takes_annotations(manifest) else ():
            if manifest.annotations.get(key) != value:
                yield Patch(manifest, Set(Path(("metadata", "annotations", key)), value))


def _verdicts_by_object(context: Context) -> dict[int, str]:
    """Return the worst verdict of each object that has any."""
    found: dict[int, list[Verdict]] = {}
    for judged in context.verdicts:
        found.setdefault(id(judged.pod.manifest), []).append(judged.verdict)
    return {key: verdict.kind for key, verdicts in found.items() for verdict in (worst(verdicts),) if verdict}


def _takes_annotations(manifest: Manifest) -> bool:
    """Say whether an annotation has a place in the object, which may be cut off or malformed.

    A kubelet's file has none: the kubelet would log a field that it does not know.
    """
    if manifest.group == KUBELET_GROUP:
        return False
    metadata = manifest.data.get("metadata")
    return metadata is None or (isinstance(metadata, dict) and isinstance(metadata.get("annotations"), dict | None))


class _Round:
    """The answers of all rules on one state of the bundle: ``heard`` with severity, and ``silenced``."""

    def __init__(
        self,
        bundle: Bundle,
        settings: Settings,
        rules: Sequence[LoadedRule],
        surroundings: Surroundings,
        idle: frozenset[str],
    ) -> None:
        self.context = Context(bundle, settings, surroundings)
        self.context.silences.asked |= idle
        self.heard: list[tuple[Finding, str]] = []
        self.silenced: list[tuple[Finding, str, str, str]] = []
        self._alike: dict[tuple[str, ...], int] = {}
        for loaded in sorted(rules, key=lambda item: item.rule.last):
            option = settings.rules.get(loaded.rule.id, {})
            if option.get("severity") != "off":
                self._ask(loaded, option, settings)
        self._drop_explained({loaded.rule.id: loaded.rule.yields_to for loaded in rules if loaded.rule.yields_to})

    def _drop_explained(self, yielding: Mapping[str, tuple[str, ...]]) -> None:
        """Take out what another rule says more exactly of the same object, or of one that either of them points to."""
        findings = [*(item[0] for item in self.heard), *(item[0] for item in self.silenced)]
        named = {name for names in yielding.values() for name in names}
        on: dict[str, set[int]] = {name: set() for name in named}
        about: dict[str, set[int]] = {name: set() for name in named}
        for finding in findings:
            if finding.rule in named:
                on[finding.rule].add(id(finding.manifest))
                about[finding.rule] |= finding.objects

        def is_explained(finding: Finding) -> bool:
            rules, objects = yielding.get(finding.rule, ()), finding.objects
            return any(id(finding.manifest) in about[name] or not objects.isdisjoint(on[name]) for name in rules)

        self.heard = [item for item in self.heard if not is_explained(item[0])]
        self.silenced = [item for item in self.silenced if not is_explained(item[0])]

    def _ask(self, loaded: LoadedRule, option: Mapping[str, object], settings: Settings) -> None:
        self.context.silences.asked.add(loaded.rule.id)
        for found in loaded.check(self.context):
            finding = self._numbered(found)
            silent = self.context.silences.of(finding)
            severity = severity_of(finding, loaded.rule, option, settings)
            if severity is None:
                continue
            if silent:
                self.silenced.append((finding, severity, *silent))
            else:
                self.heard.append((finding, severity))

    def _numbered(self, finding: Finding) -> Finding:
        """Tell findings apart that are alike but for their place in the text."""
        identity = finding.identity
        number = self._alike[identity] = self._alike.get(identity, 0) + 1
        return finding if number == 1 else finding.replace(ordinal=number)


def severity_of(finding: Finding, rule: Rule, option: Mapping[str, object], settings: Settings) -> str | None:
    """Return the severity of a finding in this run, or None where its profile is silent.

    A severity that the user set for the rule counts in every profile; any other of a rule newer than ``rulesVersion`` is
    muted to info.
    """
    severities: Severities = finding.severities
    severity: str | None = severities.under(settings.profile, marked=finding.marked)
    chosen = option.get("severity")
    if isinstance(chosen, str):
        return chosen
    if severity is not None and settings.rules_version and _version(rule.since) > _version(settings.rules_version):
        return INFO
    return severity


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def _outcome(asked: _Round, applied: tuple[Report, ...], settings: Settings, held: Mapping[Fix, str]) -> Outcome:
    findings = [_report(f, s, _remaining(f, settings, held)) for f, s in asked.heard]
    silenced = [Suppressed(_report(f, s, None), by, reason) for f, s, by, reason in asked.silenced]  # type: ignore[arg-type]
    return Outcome(
        findings=tuple(sorted(findings, key=lambda report: report.order)),
        applied=tuple(sorted(applied, key=lambda report: report.order)),
        suppressed=tuple(sorted(silenced, key=lambda item: item.report.order)),
        objects=asked.context.bundle.objects,
        judged=len(asked.context.judged),
        fail_on=settings.fail_on,
        profile=settings.profile,
        kube_version=settings.kube_version,
        stamps=tuple(_stamps(asked.context, settings)),
        verdicts=tuple(verdict_report(judged) for judged in asked.context.verdicts),
    )


def verdict_report(judged: Judged) -> VerdictReport:
    """Return what was proved of a pod template, located."""
    pod, manifest = judged.pod, judged.pod.manifest
    return VerdictReport(manifest.ref, str(pod.path), _replicas(manifest), judged.verdict)


def _remaining(finding: Finding, settings: Settings, held: Mapping[Fix, str]) -> FixReport | None:
    """Say why the fix of a finding that remains was not made: nobody asked for it, or it was held back."""
    fix = finding.fix
    if fix is None:
        return None
    if settings.mode != "fix":
        return FixReport(fix.title, fix.safety, "proposed", fix.reason)
    return FixReport(fix.title, fix.safety, "held", held.get(fix) or repair.hold(finding, settings))


def _state(fix: Fix | None, state: str) -> FixReport | None:
    return None if fix is None else FixReport(fix.title, fix.safety, state, None)  # type: ignore[arg-type]


def _report(finding: Finding, severity: str, fix: FixReport | None) -> Report:
    location = finding.manifest.location(finding.path)
    return Report(
        rule=finding.rule,
        severity=severity,  # type: ignore[arg-type]
        audience=finding.audience,
        message=finding.message,
        tip=finding.tip,
        label=finding.label,
        ref=finding.manifest.ref,
        path=str(finding.path),
        location=location,
        origin=finding.manifest.origin,
        index=finding.manifest.index,
        excerpt=finding.manifest.document.excerpt(location),
        detail=finding.detail,
        related=tuple(_related(place) for place in finding.related),
        fix=fix,
        proof=finding.proof,
        reach=finding.reach,
        replicas=_replicas(finding.manifest),
        identity=finding.identity,
    )


def _related(place: Related) -> RelatedReport:
    manifest = place.manifest
    location = manifest.location(place.path)
    return RelatedReport(manifest.ref, str(place.path), place.message, location, manifest.origin, _replicas(manifest))


def _replicas(manifest: Manifest) -> int:
    """Return how many pods a workload says it wants, 1 where it does not say; 0 for what is no workload."""
    if not kinds.rows_for(manifest.ref.api_version, manifest.ref.kind):
        return 0
    wanted = manifest.get(("spec", "replicas"))
    return wanted if isinstance(wanted, int) and wanted > 1 else 1
