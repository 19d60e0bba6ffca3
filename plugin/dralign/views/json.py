"""A simulation as the data that ``check`` prints, of ``schemas/outcome.schema.json``: its verdicts, and what fits."""

from __future__ import annotations

import json

from dralign.formats.json import outcome_data
from dralign.views import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.simulate import Case, Change, Fit, Simulated


def render(simulated: Simulated) -> str:
    """Return the outcome as indented JSON; of each verdict also ``replicas`` and ``change``.

    ``arguments`` tell whoever replays a case which files it needs.
    """
    data = outcome_data(simulated.outcome) | {"arguments": simulated.arguments}
    data["verdicts"] = [
        verdict | _beside(case) for verdict, case in zip(data["verdicts"], simulated.cases, strict=True)
    ]
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _beside(case: Case) -> dict[str, Any]:
    beside: dict[str, Any] = {"replicas": _fit(case.fit), "change": _change(case.change)}
    if case.replay is not None:
        beside["replay"] = {"reproduces": case.replay.reproduces, "differs": case.replay.differs or None}
    return beside


def _fit(fit: Fit | None) -> dict[str, Any] | None:
    if fit is None:
        return None
    return {"fit": fit.placed, "wanted": fit.wanted, "unconstrained": fit.loose, "stop": fit.stop or None}


def _change(change: Change | None) -> dict[str, Any] | None:
    if change is None:
        return None
    return {"repairs": list(change.titles), "flags": change.flags, "gives": change.gives, "replicas": _fit(change.fit)}


VIEW = View("json", render)
