"""Rates of repairs over generated workloads: what share of them comes out as it must.

usage: python tests/rates.py [COUNT [SEED [STRATEGY]]]

A rate is a function in ``RATES``: it takes a workload and what became of it, and returns what is wrong, or nothing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "plugin")]

from dralign import kinds, registry  # noqa: E402  the path comes first
from dralign.admission import gates  # noqa: E402
from dralign.admission.review import review  # noqa: E402
from dralign.admission.server import Server  # noqa: E402
from dralign.bundle import Bundle  # noqa: E402
from dralign.config import settings_from  # noqa: E402
from dralign.context import Context, Surroundings  # noqa: E402
from dralign.context.loss import KEEPS  # noqa: E402
from dralign.context.stock import Stock  # noqa: E402
from dralign.finding import NewManifest  # noqa: E402
from dralign.fixes import legacy  # noqa: E402
from dralign.hosts import inventory  # noqa: E402
from dralign.manifest import Manifest  # noqa: E402
from dralign.selector import compile_selector  # noqa: E402
from dralign.settings import InventorySettings  # noqa: E402
from generated_workloads import BESIDE, Workload, workloads  # noqa: E402
from repairing import CATALOGUE, bundle, repaired, written  # noqa: E402

RELEASE = "1.37"
FEATURES = gates.features(RELEASE, {})
MACHINES = {
    "dgx-h100": ("nvidia.com/gpu",),
    "dgx-h100:mig=all-1g.10gb": ("nvidia.com/mig-1g.10gb",),
    "dgx-h100:mig=all-balanced": ("nvidia.com/mig-1g.10gb", "nvidia.com/mig-2g.20gb", "nvidia.com/mig-3g.40gb"),
    "dgx-a100": ("nvidia.com/gpu",),
    "r760xa-l40s": ("nvidia.com/gpu",),
    "mi300x": ("amd.com/gpu",),
    "mi300x:partition=cpx_nps4": ("amd.com/cpx_nps4",),
}
"""Presets, and the extended resources that stand for their devices."""

SHOWN = 10


class Repair(NamedTuple):
    """A workload after ``fix --align STRATEGY``: the objects, the text, and the configuration."""

    after: Bundle
    text: str
    spec: dict


Complaints = Iterable[str] | None
"""What is wrong; nothing where all is well, None where the question does not arise."""

Rate = Callable[[Workload, Repair], Complaints]


# --- accepted by the API server


def _compile(expression: str, release: str, features: frozenset[str], stored: bool, derived: bool) -> object:
    return compile_selector(expression, release, features, stored, derived)


SERVER = Server(RELEASE, FEATURES, _compile)


def refused(data: dict) -> Iterator[str]:
    """Yield what the API server has against an object, and against the pods it makes."""
    row = kinds.rows_for(data["apiVersion"], data["kind"])
    pods = [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": found.spec}
        for known in row
        for found in kinds.find_templates(known, data)
    ]
    for asked in (data, *pods):
        answer = review(asked, SERVER)
        if answer is not None and not answer.accepted:
            yield from (f"{cause.field}: {cause.message}" for cause in answer.causes)


def accepted(_: Workload, repair: Repair) -> Iterator[str]:
    """Yield what the API server has against what comes out."""
    for manifest in repair.after.manifests:
        yield from refused(manifest.data)


# --- no other byte changed

_TOKEN = re.compile(r"#[^\n]*|\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s{}\[\],:\"'#]+(?:[:/#][^\s{}\[\],]+)*|\s+|.", re.DOTALL)
_STRUCTURE = frozenset("{}[],:-")
_TAKEN_OFF = {"cpu", "memory", "requests", "limits", "resources", "&res", "*res"}
_PUT_IN = _TAKEN_OFF | {"claims", "name", "request", "resourceClaims", "resourceClaimTemplateName"}


def untouched(workload: Workload, repair: Repair) -> Iterator[str]:
    """Yield what changed in the workload's own text without being about resources and claims."""
    (own,) = (manifest for manifest in repair.after.manifests if manifest.ref.name == workload.data["metadata"]["name"])
    texts = (text.removeprefix("---").lstrip("\r\n") for text in (workload.text, own.document.text))
    before, after = map(_TOKEN.findall, texts)
    names = _claim_words(repair.after)
    comments = {token for line in workload.text.splitlines() if _mentions(line) for token in _TOKEN.findall(line)}
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for token in before[a:b]:
            if not (_plain(token) in _TAKEN_OFF | workload.resources or _is_amount(token) or token in comments):
                yield f"took out {token!r}"
        for token in after[c:d]:
            if not (_plain(token) in _PUT_IN | names | workload.resources or _is_amount(token) or token in comments):
                yield f"put in {token!r}"


def _claim_words(after: Bundle) -> set[str]:
    """Return the names of templates, claims and requests."""
    templates = [manifest for manifest in after.manifests if manifest.ref.kind == "ResourceClaimTemplate"]
    words = {manifest.ref.name or "" for manifest in templates}
    words |= {request["name"] for m in templates for request in m.data["spec"]["spec"]["devices"]["requests"]}
    for manifest in after.manifests:
        for row in kinds.rows_for(manifest.ref.api_version, manifest.ref.kind):
            for found in kinds.find_templates(row, manifest.data):
                words |= {str(entry["name"]) for entry in found.spec.get("resourceClaims", ())}
    return words


def _mentions(line: str) -> bool:
    """Say whether a line is about amounts: a comment behind them goes with them."""
    return any(word in line for word in ("/", "requests:", "limits:", "cpu:", "memory:", "# remark"))


def _plain(token: str) -> str:
    return token.strip("\"'")


def _is_amount(token: str) -> bool:
    return token in _STRUCTURE or not token.strip() or re.fullmatch(r"[\d.]+(m|[KMG]i?)?", _plain(token)) is not None


# --- a second repair changes nothing


def settled(_: Workload, repair: Repair) -> Iterator[str]:
    """Yield the names of rules that repair what comes out once more."""
    outcome, again = repaired(repair.text, **repair.spec)
    if written(again) != repair.text:
        yield ", ".join(sorted({report.rule for report in outcome.applied}))


# --- rewritten at all


def claimed(workload: Workload, repair: Repair) -> Iterator[str]:
    """Yield the extended resources with a twin that are left."""
    if workload.can_be_claimed:
        context = Context(repair.after, settings_from({}, registry.rule_ids()), Surroundings(CATALOGUE, Stock()))
        for use in context.legacy_uses():
            if use.pod and use.container and legacy.asks_of(context, use.pod, use.container):
                yield use.resource


# --- placed as before, on machines with such devices


def placed(preset: str) -> Rate:
    """Return the rate of pods that a machine can run by claim without any constraint, and still can as repaired."""
    known: tuple[Manifest, ...] = inventory.read(InventorySettings(presets=(preset,)))

    def rate(workload: Workload, repair: Repair) -> Complaints:
        if _fits(workload, known, {}) is not True:
            return None
        return () if _fits(workload, known, repair.spec) else (f"{preset}: no node left",)

    return rate


def _fits(workload: Workload, known: tuple[Manifest, ...], spec: dict) -> bool | None:
    """Say whether a workload as rewritten fits on the inventory; None where nothing is to be rewritten."""
    context = Context(
        bundle(workload.text), settings_from(spec, registry.rule_ids()), Surroundings(CATALOGUE, Stock(known))
    )
    fixes = [legacy.rewrite(context, pod) for pod in context.pods]
    found = [context.loss(fix.patches) == KEEPS for fix in fixes if fix is not None]
    return all(found) if found else None


# --- proved aligned, where devices and CPUs can be in one claim


def aligned(preset: str) -> Rate:
    """Return the rate of workloads that are proved aligned on a machine that can tie their devices and CPUs."""
    known: tuple[Manifest, ...] = inventory.read(InventorySettings(presets=(preset,)))
    spec = {"alignment": {"strategy": "cpu-claim"}}

    def rate(workload: Workload, _: Repair) -> Complaints:
        if not _can_be_aligned(workload, known, spec):
            return None
        outcome, _after = repaired(workload.text, machines=known, **spec)
        return [
            f"{preset}: {report.verdict.kind} {'; '.join(report.verdict.reasons[:1])}"
            for report in outcome.verdicts
            if report.verdict.kind not in GOOD
        ]

    return rate


GOOD = ("aligned", "spans")


def _can_be_aligned(workload: Workload, known: tuple[Manifest, ...], spec: dict) -> bool:
    """Say whether every device of a workload can be claimed with its CPUs, tied, on some node of an inventory."""
    if not workload.can_be_claimed or workload.resources & set(BESIDE):
        return False
    context = Context(
        bundle(workload.text), settings_from(spec, registry.rule_ids()), Surroundings(CATALOGUE, Stock(known))
    )
    for pod in context.pods:
        fix = legacy.rewrite(context, pod)
        if fix is None or context.loss(fix.patches) != KEEPS:
            return False
        made = [patch.data["spec"]["spec"]["devices"] for patch in fix.patches if isinstance(patch, NewManifest)]
        has_cpus = all(any(request["name"] == "cpus" for request in devices["requests"]) for devices in made)
        early = any(
            c.kind == "init" and context.legacy_resources(c) for c in pod.containers
        )  # whose CPUs nobody claims
        if early or not has_cpus or not all("constraints" in devices for devices in made):
            return False
    return True


RATES: dict[str, Rate] = {
    "accepted by the API server": accepted,
    "no other byte changed": untouched,
    "repaired twice as once": settled,
    "claimed where a claim can say it": claimed,
}


class Measure:
    """How many workloads a rate is about, and a line for each that fails it."""

    def __init__(self) -> None:
        self.asked = 0
        self.failed: list[str] = []

    def __str__(self) -> str:
        good = self.asked - len(self.failed)
        return f"{100 * good / self.asked:5.1f} %" if self.asked else "  none "


def measured(found: list[Workload], rates: dict[str, Rate], strategy: str = "constraint") -> dict[str, Measure]:
    """Repair all workloads and put each to every rate."""
    spec = {"alignment": {"strategy": strategy}}
    measures = {name: Measure() for name in rates}
    for workload in found:
        _, after = repaired(workload.text, **spec)
        repair = Repair(after, written(after), spec)
        for name, rate in rates.items():
            complaints = rate(workload, repair)
            if complaints is None:
                continue
            measures[name].asked += 1
            said = list(dict.fromkeys(complaints))
            if said:
                measures[name].failed.append(f"{workload.name} ({workload.style}): {'; '.join(said[:3])}")
    return measures


def main(count: int = 200, seed: int = 0, strategy: str = "constraint") -> int:
    """Print the rates; return 1 if any is below 100 %."""
    measures = measured(workloads(count, seed), RATES, strategy)
    for preset, resources in MACHINES.items():
        rates = {f"placed as before on {preset}": placed(preset), f"aligned on {preset}, CPUs claimed": aligned(preset)}
        measures |= measured(workloads(count // 4, seed, resources), rates, strategy)
    for name, measure in measures.items():
        print(f"{measure}  {name}  ({measure.asked - len(measure.failed)} of {measure.asked})")
        for line in measure.failed[:SHOWN]:
            print(f"         {line}")
    return int(any(measure.failed for measure in measures.values()))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3]), *sys.argv[3:4]))
