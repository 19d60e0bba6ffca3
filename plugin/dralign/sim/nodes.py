"""Which nodes a slice or a device is for: node name, all nodes, or a node selector.

Follows ``NodeMatches`` of the allocator and k8s.io/component-helpers/scheduling/corev1/nodeaffinity.
"""

from __future__ import annotations

from dralign.values import int64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dralign.model.device import Scope
    from dralign.model.node import Node, NodeSelector, Requirement


class NodeSelectorError(Exception):
    """A node selector that Kubernetes cannot parse. The text says what is wrong with it."""


def reaches(scope: Scope, node: Node) -> bool:
    """Say whether something of this scope can be reached from ``node``. Raises NodeSelectorError."""
    if scope.node_name is not None:
        return scope.node_name == node.name
    if scope.all_nodes:
        return True
    return scope.selector is not None and selects(scope.selector, node)


def selects(selector: NodeSelector, node: Node) -> bool:
    """Say whether any term of a node selector fits; empty terms fit nothing. Raises NodeSelectorError."""
    fields = {"metadata.name": node.name}
    tests = [([_label_test(r) for r in term.labels], [_field_test(r) for r in term.fields]) for term in selector.terms]
    return any(
        (on_labels or on_fields)
        and all(test(node.labels) for test in on_labels)
        and all(test(fields) for test in on_fields)
        for on_labels, on_fields in tests
    )


def _label_test(requirement: Requirement) -> Callable[[Mapping[str, str]], bool]:
    key, operator, values = requirement.key, requirement.operator, requirement.values
    match operator:
        case "In" | "NotIn" if values:
            wanted = operator == "In"
            return lambda labels: (labels[key] in values) is wanted if key in labels else not wanted
        case "Exists" | "DoesNotExist" if not values:
            wanted = operator == "Exists"
            return lambda labels: (key in labels) is wanted
        case "Gt" | "Lt" if len(values) == 1 and (bound := _int64(values[0])) is not None:
            sign = 1 if operator == "Gt" else -1
            return lambda labels: (found := _int64(labels.get(key, ""))) is not None and sign * (found - bound) > 0
    raise NodeSelectorError(f"matchExpressions: key {key!r}: operator {operator!r} with {len(values)} values")


def _field_test(requirement: Requirement) -> Callable[[Mapping[str, str]], bool]:
    key, operator, values = requirement.key, requirement.operator, requirement.values
    if operator not in {"In", "NotIn"} or len(values) != 1:
        raise NodeSelectorError(f"matchFields: key {key!r}: operator {operator!r} with {len(values)} values")
    wanted = operator == "In"
    return lambda fields: (fields.get(key, "") == values[0]) is wanted


def _int64(text: str) -> int | None:
    """Read a number as Go's ``strconv.ParseInt`` does; None if it is none."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits.lstrip("0")) <= 19):
        return None
    number = int(digits) * (-1 if text[0] == "-" else 1)
    return number if int64.MIN <= number <= int64.MAX else None
