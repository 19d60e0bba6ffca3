"""Label selectors of pods (``LabelSelector`` of the API), read once."""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


class Condition(Record):
    """One condition on a label: ``In``, ``NotIn``, ``Exists`` or ``DoesNotExist``."""

    key: str
    operator: str
    values: tuple[str, ...]

    def holds(self, labels: Mapping[str, Any]) -> bool:
        """Say whether labels meet it."""
        match self.operator:
            case "In":
                return labels.get(self.key) in self.values
            case "NotIn":
                return labels.get(self.key) not in self.values
            case "Exists":
                return self.key in labels
            case "DoesNotExist":
                return self.key not in labels
        return False


class LabelSelector(Record):
    """Conditions that must all hold. None of them: everything is selected; ``nothing``: none was written at all."""

    conditions: tuple[Condition, ...] = ()
    nothing: bool = False

    def selects(self, labels: Mapping[str, Any]) -> bool:
        """Say whether something with these labels is selected."""
        return not self.nothing and all(condition.holds(labels) for condition in self.conditions)

    @property
    def is_empty(self) -> bool:
        """Whether it is written and selects everything."""
        return not self.nothing and not self.conditions


def label_selector_from(data: Any, more: Iterable[Condition] = ()) -> LabelSelector:
    """Read a LabelSelector and add conditions to it; what is absent selects nothing."""
    if not isinstance(data, dict):
        return LabelSelector(nothing=True)
    labels = (Condition(key, "In", (str(value),)) for key, value in as_map(data.get("matchLabels")).items())
    expressions = (
        Condition(
            as_text(item.get("key")) or "",
            as_text(item.get("operator")) or "",
            tuple(map(str, as_list(item.get("values")))),
        )
        for item in map(as_map, as_list(data.get("matchExpressions")))
    )
    return LabelSelector((*labels, *expressions, *more))


def of_own_labels(keys: Any, labels: Mapping[str, Any], operator: str) -> tuple[Condition, ...]:
    """Return conditions for keys (``matchLabelKeys``) with the values that a pod itself has; absent ones are left out."""
    own = [key for key in as_list(keys) if isinstance(key, str) and key in labels]
    return tuple(Condition(key, operator, (str(labels[key]),)) for key in own)
