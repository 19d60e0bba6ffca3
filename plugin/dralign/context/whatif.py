"""What a change of a claim would cost: on which nodes it can be placed as it is, and as it would be."""

from __future__ import annotations

from dralign.context.verdicts import Verdicts
from dralign.model.claim import Constraint
from dralign.model.verdict import ALIGNED, MAY_CROSS, SPANS, UNSATISFIABLE, Verdict, worst
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.claim import Claim, ClaimSpec, Request


class Cost(Record):
    """Nodes whose devices can serve a claim when nothing is taken, and those of them that still can after a change."""

    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def is_total(self) -> bool:
        """Whether all nodes are lost."""
        return bool(self.before) and not self.after


class WhatIf(Verdicts):
    """The bundle with what becomes of it after a change."""

    def able_nodes(self, name: str, spec: ClaimSpec) -> tuple[str, ...]:
        """Return the nodes on which a claim can be allocated when nothing is taken."""
        from dralign.sim.outcome import Allocated  # noqa: PLC0415 -- few runs know any devices
        from dralign.sim.pod_claim import PodClaim  # noqa: PLC0415
        from dralign.sim.taken import Taken  # noqa: PLC0415

        allocator, nothing = self.known.allocator, Taken()
        pod = allocator.prepare((PodClaim(name, spec),))
        outcomes = (allocator.allocate(pod, node, nothing, self.known.aim.steps) for node in self.known.nodes)
        return tuple(outcome.node for outcome in outcomes if isinstance(outcome, Allocated))

    def cost_of_tying(self, claim: Claim, requests: tuple[Request, ...], attribute: str) -> Cost | None:
        """Return what one more constraint costs; None where no devices are known."""
        if not self.has_slices:
            return None
        spec, name = claim.spec, claim.manifest.ref.name or ""
        names = tuple(request.name for request in requests)
        added = Constraint(spec.path / "devices" / "constraints" / len(spec.constraints), names, attribute, None)
        tied = spec.replace(constraints=(*spec.constraints, added))
        return Cost(self.able_nodes(name, spec), self.able_nodes(name, tied))

    def verdict_of_users(self, claim: Claim) -> Verdict | None:
        """Return the worst that is proved of a claim's users, or None without any."""
        found = (self.lasting_verdict_of(use.pod) for use in self.uses_of(claim))
        return worst(verdict for verdict in found if verdict is not None)

    def lowered_in(self, after: WhatIf) -> str | None:
        """Return which pod is worse off in another state of the bundle, in words that follow 'held back:'; None for none.

        Worse is a pod that fits no more, or one that was aligned, or spans by its size, and is so no more.
        """
        here = {(judged.pod.manifest.ref, str(judged.pod.path)): judged.verdict.kind for judged in self.verdicts}
        for judged in after.verdicts:
            old = here.get((judged.pod.manifest.ref, str(judged.pod.path)))
            new = judged.verdict.kind
            was_good = old in (ALIGNED, SPANS) and new not in (ALIGNED, SPANS)
            if old is not None and (was_good or (new == UNSATISFIABLE and old != UNSATISFIABLE)):
                return f"{judged.pod.manifest.ref.kind_and_name} is {old} now and would be {new}"
        return None

    def proof_line(self, verdict: Verdict | None) -> str | None:
        """Return a counterexample on one line; None where there is none."""
        witness = verdict.witness if verdict else None
        if witness is None:
            return None
        parts = " with ".join(self._part(part, witness.numa[part]) for part in witness.crossed)
        taken = ", ".join(_short(held.device) for held in witness.taken[:4])
        more = f" and {len(witness.taken) - 4} more" if witness.taken[4:] else ""
        full = ", ".join(f"{count} CPUs of NUMA node {node}" for node, count in witness.exclusive_cpus.items() if count)
        others = " and ".join(filter(None, (f"{taken}{more}" if taken else "", full)))
        return f"{witness.node}: {parts}" + (f", when others hold {others}" if others else "")

    def reach_line(self, verdict: Verdict | None) -> str | None:
        """Return on how many of the eligible nodes a counterexample holds."""
        if verdict is None or verdict.kind != MAY_CROSS or not verdict.shapes:
            return None
        total = sum(len(shape.nodes) for shape in verdict.shapes if shape.kind != UNSATISFIABLE)
        crossing = sum(len(shape.nodes) for shape in verdict.shapes if shape.kind == MAY_CROSS)
        return f"{crossing or len(verdict.nodes)} of {total} eligible {'node' if total == 1 else 'nodes'}"

    def _part(self, part: str, nodes: tuple[int, ...]) -> str:
        kind, slash, container = part.partition("/")
        name = f"{kind} of container '{container}'" if slash and kind in ("cpus", "memory") else _short(part)
        word = "NUMA node" if len(nodes) == 1 else "NUMA nodes"
        return f"{name.replace('cpus of', 'CPUs of')} ({word} {', '.join(map(str, nodes))})"


def _short(device: str) -> str:
    return device.rpartition("/")[2]
