"""Extended resources of device plugins rewritten as claims: a template before the workload, and its pod wired to it.

One template per shape of ask and namespace, named by its content, so that equal workloads share it and a second run makes
nothing new. Amounts on a device (HAMi's gpumem and the like) and replicas of time-slicing have no twin: a container with
one of those is left as it is; so is one whose resource is a slice or a share on the nodes of the inventory.
"""

from __future__ import annotations

from dralign.context.kueue import kueue_config, queue_of
from dralign.context.loss import NOWHERE
from dralign.edit import Append, Remove
from dralign.finding import Fix, NewManifest, Patch
from dralign.fixes import cpus
from dralign.fixes.template import LABEL_LENGTH, Ask, Take, slug, template
from dralign.model.workload import quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.context import Context, LegacyUse
    from dralign.finding import Patches
    from dralign.manifest import Manifest
    from dralign.model.workload import Container, PodView


def rewrite(ctx: Context, pod: PodView) -> Fix | None:
    """Return the fix that turns the extended resources of a pod into claims; the same object for every caller.

    None where nothing of it can be rewritten: the pod template is not written out, or no resource has a twin; and where the
    kubelet can keep the devices with the pod's CPUs, which it could not do for a claim.
    """
    if ctx.kubelet_could_align(pod):
        return None
    return ctx.shared_fix(("legacy", id(pod)), lambda: _rewrite(ctx, pod))


def rewrite_of(ctx: Context, use: LegacyUse) -> Fix | None:
    """Return the fix of a pod's extended resources for one of them; None where its container stays as it is."""
    if use.pod is None or use.container is None or not asks_of(ctx, use.pod, use.container):
        return None
    return rewrite(ctx, use.pod)


def _rewrite(ctx: Context, pod: PodView) -> Fix | None:
    asked = [(container, asks_of(ctx, pod, container)) for container in pod.containers]
    asked = [(container, asks) for container, asks in asked if asks]
    if not asked or not pod.written:
        return None
    rewriting = _Rewriting(ctx, pod, asked)
    if ctx.loss(rewriting.make) == NOWHERE:
        untied = _Rewriting(ctx, pod, asked, tied=False)
        rewriting = untied if ctx.loss(untied.make) != NOWHERE else rewriting
    titles = dict.fromkeys(ask.resource for _, asks in asked for ask in asks)
    what = f"claim {', '.join(titles)} by DRA"
    if rewriting.takes_cpus:
        what = f"claim {', '.join(titles)} and CPUs by DRA ({cpus.NODES_NEED})"
    against = _against(ctx, pod, asked)
    if against is not None:
        return Fix(what, rewriting.make, "unsafe", f"{against}, only with --unsafe")
    runs_as_it_is = any(ctx.class_behind(name) is not None for name in titles)
    return ctx.alignment_fix(what, rewriting.make, judged=not runs_as_it_is)


def _against(ctx: Context, pod: PodView, asked: Sequence[tuple[Container, tuple[Ask, ...]]]) -> str | None:
    """Return why a pod had better keep its extended resources, whatever was asked for; None if nothing is against it."""
    if ctx.kubelet_could_align(pod):
        return "the kubelet can align it as it is, and sees no claimed device"
    queue = queue_of(pod)
    if queue is None:
        return None
    config = kueue_config((*ctx.inventory, *ctx.bundle.manifests))
    classes = {ask.device_class for _, asks in asked for ask in asks}
    unmapped = sorted(classes - (config.resources.keys() if config else set()))
    if not unmapped:
        return None
    told = "no Kueue Configuration is at hand that counts" if config is None else "Kueue's Configuration does not count"
    return f"queue '{queue.name}' admits it as it is, and {told} DeviceClass '{unmapped[0]}'"


class _Rewriting:
    """The templates that a pod needs, by name, and the patches that wire it to them.

    Device plugins let init containers use the devices of those that come after them; a claim of their own would take
    more devices than before. So they come last, and share the claim of a container that has as much. ``tied`` False: no
    constraint, since no node could meet it.
    """

    def __init__(
        self, ctx: Context, pod: PodView, asked: Sequence[tuple[Container, tuple[Ask, ...]]], *, tied: bool = True
    ) -> None:
        self.ctx = ctx
        self.tied = tied
        self.pod = pod
        self.asked = asked
        self.several = len(asked) > 1
        self.early = [asks for container, asks in asked if container.kind == "init"]
        self.names = {claim.name for claim in pod.claims}
        self.given: list[tuple[Take, str]] = []
        self._made: dict[str, NewManifest] = {}
        self._wiring: list[Patch] = []

    def make(self) -> Patches:
        """Return all that is to be done, worked out at the first call."""
        if not self._wiring:
            for container, asks in sorted(self.asked, key=lambda pair: pair[0].kind == "init"):
                self._claim(container, asks)
        return (*self._made.values(), *self._wiring)

    @property
    def takes_cpus(self) -> bool:
        """Whether any of the claims takes CPUs."""
        return cpus.are_claimed(self.ctx) and bool(self.make()) and any(take.beside for take, _ in self.given)

    def _claim(self, container: Container, asks: tuple[Ask, ...]) -> None:
        """Give a container its claim, and take its extended resources off."""
        shared = self._claim_of_app(asks) if container.kind == "init" else None
        take, name = shared or (self._take(container, asks), "")
        if not name:
            name = _free_name(_claim_name(asks, container, several=self.several), self.names)
            self.given.append((take, name))
            self._declare(take, name)
        entry = {"name": name}
        if shared and take.beside:
            entry["request"] = asks[0].name  # claimed CPUs are for one container alone
        at = container.resources_path / "claims"
        self._wiring.append(Patch(self.pod.manifest, Append(at, entry)))
        self._wiring += take_off(self.pod.manifest, container, [ask.resource for ask in asks])

    def _take(self, container: Container, asks: tuple[Ask, ...]) -> Take:
        """Return what a container takes: no CPUs where an init container will share several of its requests."""
        beside = cpus.beside(self.ctx, container) if self.tied else ()
        found = Take(asks, beside, tied=self.tied)
        is_shared = container.kind != "init" and len(asks) > 1 and any(_covers(found, early) for early in self.early)
        attribute = self.ctx.common_numa_attribute(found.all_classes)
        return Take(asks, tied=self.tied) if is_shared or attribute is None or found.is_large else found

    def _claim_of_app(self, asks: tuple[Ask, ...]) -> tuple[Take, str] | None:
        return next(((take, name) for take, name in self.given if _covers(take, asks)), None)

    def _declare(self, take: Take, name: str) -> None:
        """Make the template, if it is not there, and enter the claim into the pod."""
        manifest = self.pod.manifest
        data = template(self.ctx, manifest, take)
        called = data["metadata"]["name"]
        if not self.ctx.has_template(manifest, called):
            self._made.setdefault(called, NewManifest(manifest, data))
        entry = {"name": name, "resourceClaimTemplateName": called}
        self._wiring.append(Patch(manifest, Append(self.pod.path / "resourceClaims", entry)))


def _covers(take: Take, asks: Sequence[Ask]) -> bool:
    """Say whether a claim brings at least what is asked for."""
    there = {ask.resource: ask.count for ask in take.asks}
    return all(ask.count <= there.get(ask.resource, 0) for ask in asks)


def asks_of(ctx: Context, pod: PodView, container: Container) -> tuple[Ask, ...]:
    """Return what of a container's extended resources a claim can say; empty as soon as one has no twin."""
    asks: list[Ask] = []
    for name in ctx.legacy_resources(container):
        known = ctx.catalogue.legacy(name)
        if known is not None and known.resource.device in ctx.left_to_plugins:
            continue
        twin = ctx.twin_of(name) if ctx.meaning_of(name, pod) is None else None
        amount = quantity(container.limits.get(name, container.requests.get(name)))
        if twin is None or amount is None or not amount.is_whole:
            return ()
        taken = {ask.name for ask in asks}
        asks.append(Ask(name, *twin, amount.ceil(), _free_name(slug(name), taken)))
    return tuple(asks)


def take_off(manifest: Manifest, container: Container, resources: Sequence[str]) -> Iterator[Patch]:
    """Yield the patches that remove resources from limits and requests; a section that they empty goes with them."""
    for section, amounts in (("limits", container.limits), ("requests", container.requests)):
        at = container.resources_path / section
        present = [name for name in amounts if name in resources]
        if present and len(present) == len(amounts):
            yield Patch(manifest, Remove(at))
        else:
            yield from (Patch(manifest, Remove(at / name)) for name in present)


def _claim_name(asks: Sequence[Ask], container: Container, *, several: bool) -> str:
    name = asks[0].name
    return f"{container.name}-{name}"[:LABEL_LENGTH].rstrip("-") if several else name


def _free_name(wanted: str, taken: set[str]) -> str:
    """Return the wanted name, with a number behind it where it is taken, and take it."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted[: LABEL_LENGTH - 3]}-{number}", number + 1
    taken.add(name)
    return name
