"""Device taints and tolerations (KEP-5055)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from dralign.model.device import Taint

_KEEPS_OFF = frozenset({"NoSchedule", "NoExecute"})


def repelling(taints: Iterable[Taint], tolerations: Iterable[Mapping[str, Any]]) -> Taint | None:
    """Return the first taint that keeps the request off; other effects than NoSchedule and NoExecute never do."""
    for taint in taints:
        if taint.effect in _KEEPS_OFF and not any(_tolerates(item, taint) for item in tolerations):
            return taint
    return None


def _tolerates(toleration: Mapping[str, Any], taint: Taint) -> bool:
    """Follow ``resourceclaim.ToleratesTaint``: no effect and no key stand for any; operator Equal is the default."""
    if toleration.get("effect") not in (None, "", taint.effect) or toleration.get("key") not in (None, "", taint.key):
        return False
    match toleration.get("operator"):
        case "Exists":
            return True
        case None | "" | "Equal":
            return (toleration.get("value") or "") == taint.value
    return False
