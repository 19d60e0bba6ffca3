"""The schema of a ``Dralign`` configuration, once: the quick check, the words of jsonschema and ``schemas/`` all read it."""

from __future__ import annotations

from dralign.settings import KUBE_VERSIONS, MODES, PROFILES, STRATEGIES, THRESHOLDS, WORKLOAD_CLASSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

API_VERSION = "dralign.dev/v1alpha1"
KIND = "Dralign"


def _text(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def _choice(description: str, *values: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "enum": list(values), "description": description, **more}


def _object(description: str, properties: dict[str, Any], *required: str) -> dict[str, Any]:
    schema = {"type": "object", "description": description, "additionalProperties": False, "properties": properties}
    return schema | ({"required": list(required)} if required else {})


def _map(description: str, values: Any) -> dict[str, Any]:
    return {"type": "object", "description": description, "additionalProperties": values}


def _list(description: str, items: Any) -> dict[str, Any]:
    return {"type": "array", "description": description, "items": items}


RULE_SEVERITIES = ("error", "warning", "info", "off")

_RULE = {
    "description": "A severity, or options of the rule with an optional severity among them.",
    "anyOf": [
        {"type": "string", "enum": list(RULE_SEVERITIES)},
        {"type": "object", "properties": {"severity": {"type": "string", "enum": list(RULE_SEVERITIES)}}},
    ],
}

SPEC: dict[str, Any] = _object(
    "What to check, against which Kubernetes, how strictly, and what to do about it.",
    {
        "mode": _choice(
            "check: findings only; fix: repair; validate: as check, silent on stdout when all is well.",
            *MODES,
            default="check",
        ),
        "profile": _choice("How much is asked: from what never runs to every advice.", *PROFILES, default="default"),
        "failOn": _choice("Severity from which the exit status is 1.", *THRESHOLDS, default="error"),
        "kubeVersion": _choice(
            "Kubernetes minor release that will read the manifests.", *KUBE_VERSIONS, default="1.37"
        ),
        "featureGates": _map("Feature gates that differ from the release's defaults.", {"type": "boolean"}),
        "drivers": _map(
            "What the fleet runs, per DRA driver name; default is the newest release in the catalogue.",
            _object(
                "One driver.",
                {
                    "version": _text("Release of the driver."),
                    "options": {
                        "type": "object",
                        "description": "Options of the driver that change what it publishes.",
                    },
                },
            ),
        ),
        "inventory": _object(
            "Where the devices are described.",
            {
                "files": _list(
                    "Files with ResourceSlices, DeviceClasses, Nodes and the like, relative to the working directory.",
                    {"type": "string"},
                ),
                "presets": _list("Built-in machines: NAME or NAME:key=value,...", {"type": "string"}),
                "inline": _list("The objects themselves.", {"type": "object"}),
            },
        ),
        "alignment": _object(
            "What counts as aligned, and whether to repair towards it.",
            {
                "attribute": _text(
                    "Qualified name of the topology attribute.", default="resource.kubernetes.io/numaNode"
                ),
                "level": _choice(
                    "What a match of list values must mean.", "physical", "intersect", "socket", default="physical"
                ),
                "strategy": _choice(
                    "Asks for alignment, and says how: by a constraint, with the CPUs in the claim, by literal NUMA nodes.",
                    *STRATEGIES,
                ),
                "zone": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "NUMA node that strategy pin pins to; default all that the inventory shows, else 0.",
                },
            },
        ),
        "qos": _object(
            "Repairs of the QoS class.",
            {"roundCpu": _choice("What to do with fractional CPUs.", "up", "never", default="up")},
        ),
        "workloadClass": _list(
            "Which workloads are serving, training or batch; the label dralign.dev/workload-class wins.",
            _object(
                "One pattern; all that is given must fit, names may hold *.",
                {
                    "kind": _text("Kind of the workload."),
                    "label": _text("Label of the workload: key or key=value."),
                    "name": _text("Name of the workload."),
                    "class": _choice("The class.", *WORKLOAD_CLASSES),
                },
                "class",
            ),
        ),
        "rules": _map("Severity or options per rule id.", _RULE),
        "rulesVersion": _text("Rules newer than this release of dralign speak as info only.", pattern=r"^\d+\.\d+$"),
        "ignore": _list(
            "Findings that are known and accepted.",
            _object(
                "One exception; what is left out matches anything, names may hold *.",
                {
                    "rule": _text("Rule id."),
                    "kind": _text("Kind of the object."),
                    "namespace": _text("Namespace of the object."),
                    "name": _text("Name of the object."),
                    "reason": _text("Why this is accepted.", minLength=1),
                    "expires": _text("Last day on which it holds.", pattern=r"^\d{4}-\d{2}-\d{2}$"),
                },
                "rule",
                "reason",
            ),
        ),
        "annotate": _choice(
            "What to write on judged objects; default is checked for KRM functions, none elsewhere.",
            "checked",
            "verdict",
            "none",
        ),
    },
)

CONFIG_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://dralign.dev/schemas/functionconfig.schema.json",
    "title": "Dralign configuration",
    **_object(
        "Configuration of dralign: KRM functionConfig, .dralign.yaml, or --config.",
        {
            "apiVersion": {"const": API_VERSION},
            "kind": {"const": KIND},
            "metadata": {"type": "object", "description": "Name and annotations, as on any object."},
            "spec": SPEC,
        },
        "apiVersion",
        "kind",
    ),
}


def accepts(schema: Any, value: Any) -> bool:
    """Say whether ``value`` fits ``schema``: the few keywords used above, without a library.

    Only where this says no is jsonschema imported, to find the words.
    """
    if "const" in schema:
        return bool(value == schema["const"])
    if "anyOf" in schema:
        return any(accepts(option, value) for option in schema["anyOf"])
    kind = schema.get("type")
    return kind is None or _ACCEPTED[kind](schema, value)


def _accepts_object(schema: Any, value: Any) -> bool:
    if not isinstance(value, dict) or any(key not in value for key in schema.get("required", ())):
        return False
    properties, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
    for key, item in value.items():
        expected = properties.get(key, rest)
        if expected is False or (expected is not True and not accepts(expected, item)):
            return False
    return True


def _accepts_list(schema: Any, value: Any) -> bool:
    return isinstance(value, list) and all(accepts(schema["items"], item) for item in value)


def _accepts_whole_number(schema: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= schema.get("minimum", value)


def _accepts_text(schema: Any, value: Any) -> bool:
    if not isinstance(value, str) or value not in schema.get("enum", (value,)):
        return False
    if len(value) < schema.get("minLength", 0):
        return False
    if "pattern" not in schema:
        return True
    import re  # noqa: PLC0415 -- only two rarely used keys have a pattern

    return re.search(schema["pattern"], value) is not None


_ACCEPTED: dict[str, Callable[[Any, Any], bool]] = {
    "object": _accepts_object,
    "array": _accepts_list,
    "string": _accepts_text,
    "integer": _accepts_whole_number,
    "boolean": lambda _, value: isinstance(value, bool),
}
