"""Configuration: a ``Dralign`` document, a ConfigMap's ``data`` or flags become :class:`Settings`.

Later sources win key by key: ``.dralign.yaml``, then ``--config``, functionConfig or Argo CD parameters, then flags.
Every error names the key, the value and what was wanted; unknown keys get a suggestion.
"""

from __future__ import annotations

from dralign.config_schema import CONFIG_SCHEMA, KIND, SPEC, accepts
from dralign.errors import UsageError
from dralign.manifest import ROOT, Path, as_map
from dralign.settings import Alignment, ClassPattern, DriverSettings, Ignore, InventorySettings, Settings
from dralign.spelling import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from dralign.manifest import Manifest


class ConfigError(UsageError):
    """A configuration that cannot be used. ``path`` is the key inside the document, so that a host can say the line."""

    def __init__(self, message: str, path: Path = ROOT) -> None:
        super().__init__(f"config: {path}: {message}" if path else f"config: {message}")
        self.message = message
        self.path = path


def spec_of(document: Any) -> dict[str, Any]:
    """Return ``spec`` of a configuration document after checking it against the schema.

    Takes kind ``Dralign``, or a ConfigMap (kpt) whose ``data`` holds the keys of ``spec``; values of a ConfigMap are
    text, so those that are no plain words are read as YAML by the caller beforehand.

    Raises:
        ConfigError: another kind, an unknown key, a wrong type or value.
    """
    if not isinstance(document, dict):
        raise ConfigError(f"got {_kind_of(document)}, want a mapping with kind {KIND}")
    if document.get("kind") == "ConfigMap":
        return checked(as_map(document.get("data")), Path(("data",)))
    if not accepts(CONFIG_SCHEMA, document):
        raise _explain(CONFIG_SCHEMA, document, ROOT)
    return as_map(document.get("spec"))


def spec_key(document: Any) -> tuple[str, ...]:
    """Return where the keys of ``spec`` stand in a configuration document: a ConfigMap has them under ``data``."""
    return ("data",) if document.get("kind") == "ConfigMap" else ("spec",)


def placed(spec: dict[str, Any], manifest: Manifest, at: tuple[str, ...] = ("spec",)) -> dict[str, Any]:
    """Return a checked ``spec``, which stands at ``at`` of ``manifest``, with exceptions that know where they stand."""
    if not spec.get("ignore"):
        return spec
    path = Path((*at, "ignore"))
    return spec | {"ignore": [item | {"manifest": manifest, "path": path / i} for i, item in enumerate(spec["ignore"])]}


def checked(spec: dict[str, Any], at: Path = ROOT) -> dict[str, Any]:
    """Return ``spec`` if it fits the schema.

    Raises:
        ConfigError: it does not; the path in it begins at ``at``.
    """
    if not accepts(SPEC, spec):
        raise _explain(SPEC, spec, at)
    return spec


def _explain(schema: Mapping[str, Any], value: Any, at: Path) -> ConfigError:
    """Word the first fault of a configuration that the quick check refused."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- slow to import, needed for faults only

    def depth(error: Any) -> tuple[int, list[str]]:
        return (len(error.absolute_path), [str(key) for key in error.absolute_path])

    error = min(Draft202012Validator(schema).iter_errors(value), key=depth)
    path = at.join(error.absolute_path)
    match error.validator:
        case "additionalProperties":
            unknown = next(key for key in error.instance if key not in error.schema["properties"])
            return ConfigError(
                f"unknown key{_suggestion(str(unknown), error.schema['properties'])}", path / str(unknown)
            )
        case "required":
            missing = next(key for key in error.validator_value if key not in error.instance)
            return ConfigError(f"missing key '{missing}'", path)
        case "enum" | "const":
            wanted = error.validator_value if error.validator == "enum" else [error.validator_value]
            return ConfigError(f"got {_shown(error.instance)}, want {_one_of(wanted)}", path)
        case "anyOf":
            return ConfigError(
                f"got {_shown(error.instance)}, want a severity (error, warning, info, off) or a mapping", path
            )
        case "type":
            return ConfigError(f"got {_shown(error.instance)}, want {_TYPE_WORDS[error.validator_value]}", path)
    return ConfigError(f"got {_shown(error.instance)}, want {_form(error)}", path)


_TYPE_WORDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "boolean": "true or false",
    "integer": "a whole number",
}


def _form(error: Any) -> str:
    if error.validator == "pattern":
        return "a date like 2027-01-31" if r"\d{4}" in error.validator_value else "a version like 0.3"
    return "a text that is not empty" if error.validator == "minLength" else f"at least {error.validator_value}"


def _one_of(values: list[str]) -> str:
    return values[0] if len(values) == 1 else f"one of {', '.join(values)}"


def _shown(value: Any) -> str:
    if isinstance(value, (dict, list)) or value is None:
        return _kind_of(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}'" if isinstance(value, str) else str(value)


def _kind_of(value: Any) -> str:
    return {dict: "a mapping", list: "a list", type(None): "nothing"}.get(type(value), f"'{value}'")


def _suggestion(word: str, known: Any) -> str:
    return suggestion(word, known) or f", want one of {', '.join(known)}"


def merged(*specs: Mapping[str, Any]) -> dict[str, Any]:
    """Merge specs, the later ones winning: mappings key by key, everything else whole."""
    result: dict[str, Any] = {}
    for spec in specs:
        for key, value in spec.items():
            old = result.get(key)
            result[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result


def settings_from(spec: Mapping[str, Any], rule_ids: frozenset[str]) -> Settings:
    """Return the typed settings of a checked spec.

    Raises:
        ConfigError: a rule id that does not exist, under ``rules`` or ``ignore``.
    """
    _refuse_unknown_rules(spec, rule_ids)
    alignment, inventory = spec.get("alignment", {}), spec.get("inventory", {})
    return Settings(
        drivers={
            name: DriverSettings(item.get("options", {}), item.get("version"))
            for name, item in spec.get("drivers", {}).items()
        },
        feature_gates=spec.get("featureGates", {}),
        rules={
            name: {"severity": item} if isinstance(item, str) else item for name, item in spec.get("rules", {}).items()
        },
        mode=spec.get("mode", "check"),
        profile=spec.get("profile", "default"),
        fail_on=spec.get("failOn", "error"),
        kube_version=spec.get("kubeVersion", "1.37"),
        inventory=InventorySettings(*(tuple(inventory.get(key, ())) for key in ("files", "presets", "inline"))),
        alignment=Alignment(**alignment),
        round_cpu=spec.get("qos", {}).get("roundCpu", "up"),
        classes=tuple(
            ClassPattern(item["class"], item.get("kind"), item.get("label"), item.get("name"))
            for item in spec.get("workloadClass", ())
        ),
        rules_version=spec.get("rulesVersion"),
        ignore=tuple(Ignore(**item) for item in spec.get("ignore", ())),
        annotate=spec.get("annotate"),
    )


def _refuse_unknown_rules(spec: Mapping[str, Any], rule_ids: frozenset[str]) -> None:
    for rule, path in _named_rules(spec):
        if rule not in rule_ids:
            raise ConfigError(f"no rule is called '{rule}'{_suggestion(rule, sorted(rule_ids))}", path)


def _named_rules(spec: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    for rule in spec.get("rules", {}):
        yield rule, Path(("spec", "rules", rule))
    for i, item in enumerate(spec.get("ignore", ())):
        yield item["rule"], Path(("spec", "ignore", i, "rule"))
