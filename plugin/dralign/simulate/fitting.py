"""How many replicas of a pod fit on the inventory, beside what is taken: devices, CPUs, memory, ports and affinity count."""

from __future__ import annotations

from dralign.context.loss import defaulted
from dralign.sim.claim_book import ClaimBook
from dralign.sim.placement import Placed, Unknown
from dralign.sim.podspec import podspec_from
from dralign.sim.scheduler import Options
from dralign.sim.simulation import Simulation, with_named_nodes
from dralign.sim.workloads import pods_of
from dralign.simulate.report import Fit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.context import Context
    from dralign.model.claim import ClaimSpec
    from dralign.model.workload import PodView
    from dralign.sim.placement import Placement

MOST = 10_000
"""Replicas after which nobody counts on."""

STEPS = 50_000
"""Steps of the search for the devices of one replica on one node."""

DAEMON_SET = "DaemonSet"


def fit_of(ctx: Context, pod: PodView, wanted: int | None) -> Fit | None:
    """Count replicas up to ``wanted``, None for as many as there is room for; None where no devices are known."""
    if not ctx.has_slices:
        return None
    fit = _counted(ctx, pod, wanted, tied=True)
    if not _is_tied(ctx, pod) or (wanted is not None and fit.placed == wanted):
        return fit
    return fit.replace(loose=_counted(ctx, pod, wanted, tied=False).placed)


def _is_tied(ctx: Context, pod: PodView) -> bool:
    found = (ctx.any_claim_of(pod, entry) for entry in pod.claims)
    return any(tie.match_attribute for claim in found if claim for tie in claim.spec.constraints)


def _counted(ctx: Context, pod: PodView, wanted: int | None, *, tied: bool) -> Fit:
    book = ClaimBook(manifest.data for manifest in (*ctx.inventory, *ctx.bundle.manifests))
    if not tied:
        book.templates = {key: _loose(spec) for key, spec in book.templates.items()}
        for claim in book.claims.values():
            claim.spec = _loose(claim.spec)
    cluster, release = with_named_nodes(ctx.cluster), ctx.settings.kube_version
    options = Options(exhaustive=False, step_limit=STEPS)
    simulation = Simulation(cluster, release, ctx.gates, book, options)
    if pod.manifest.ref.kind == DAEMON_SET:
        return _on_each_node(simulation, pod)
    most = MOST if wanted is None else wanted
    if not most:
        return Fit(0, wanted)
    data = {"metadata": pod.metadata, "spec": defaulted(pod.spec)}
    namespace, name = pod.manifest.ref.namespace or "default", pod.manifest.ref.name or ""
    found = simulation.replicas(podspec_from(data, namespace, name), most)
    beyond = f"not counted beyond {MOST}" if wanted is None else ""
    return Fit(len(found.placed), wanted, None, _words(found.next) if found.next is not None else beyond)


def _on_each_node(simulation: Simulation, pod: PodView) -> Fit:
    ref = pod.manifest.ref
    made = pods_of(pod.manifest.data, simulation.scheduler.nodes, ready=True)
    placements = [
        simulation.place(
            podspec_from({**item.body, "spec": defaulted(item.body["spec"])}, ref.namespace or "default", item.name)
        ).placement
        for item in made
    ]
    missing = next((item for item in placements if not isinstance(item, Placed)), None)
    placed = sum(isinstance(item, Placed) for item in placements)
    return Fit(placed, len(placements), None, _words(missing) if missing is not None else "", "nodes")


def _words(placement: Placement) -> str:
    match placement:
        case Placed():
            return ""
        case Unknown(why=why):
            return why
    return placement.message.rstrip(".")


def _loose(spec: ClaimSpec) -> ClaimSpec:
    return spec.replace(constraints=tuple(tie for tie in spec.constraints if tie.match_attribute is None))
