"""What an Argo CD application asks of the plugin: ``ARGOCD_APP_PARAMETERS`` and variables named ``DRALIGN_…``.

Argo CD hands on an application's own variables with the prefix ``ARGOCD_ENV_``; those of the sidecar come without it and
win, since the platform set them. Values of variables that are not ours are never looked at.
"""

from __future__ import annotations

from dralign.errors import UsageError
from dralign.record import Record
from dralign.settings import KUBE_VERSIONS, MODES, PROFILES, STRATEGIES, THRESHOLDS
from dralign.spelling import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

PREFIX, ARGO_PREFIX = "DRALIGN_", "ARGOCD_ENV_"
KUBE_VERSION = "KUBE_VERSION"
"""The release of the cluster, which Argo CD always tells."""


class Parameter(Record):
    """One parameter: its name, where its value goes in the configuration, the values it takes, what it is for."""

    name: str
    title: str
    path: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    collection: str = ""

    @property
    def variable(self) -> str:
        """Name of the environment variable that says the same."""
        return PREFIX + self.name.replace("-", "_").upper()


KNOWN = (
    Parameter("profile", "How much is asked; minimal unless said otherwise", ("profile",), PROFILES),
    Parameter("fail-on", "Severity from which the sync is refused", ("failOn",), THRESHOLDS),
    Parameter("mode", "check, or fix to repair as well", ("mode",), MODES[:2]),
    Parameter("kube-version", "Kubernetes release that reads the manifests", ("kubeVersion",), KUBE_VERSIONS),
    Parameter("align", "How to align where repairs are made", ("alignment", "strategy"), STRATEGIES),
    Parameter("config", "Configuration file in the repository"),
    Parameter("inventory", "Files of slices, classes and nodes", ("inventory", "files"), collection="array"),
    Parameter("presets", "Machines that stand for the cluster's", ("inventory", "presets"), collection="array"),
    Parameter("kustomize-flags", "Flags of kustomize build", collection="array"),
    Parameter("helm-values", "Value files of helm template", collection="array"),
    Parameter("helm-set", "Values of helm template", collection="map"),
)
_BY_NAME = {parameter.name: parameter for parameter in KNOWN}


class Parameters(Record):
    """What was asked, read: keys of the configuration, and what the renderers get.

    ``sources``: which parameter or variable each value came from, in words and without the value; the release that Argo CD
    always tells is left out.
    """

    spec: Mapping[str, Any]
    config: str | None
    kustomize_flags: tuple[str, ...]
    helm_values: tuple[str, ...]
    helm_set: Mapping[str, str]
    warnings: tuple[str, ...]
    sources: tuple[str, ...] = ()


def announced() -> list[dict[str, Any]]:
    """Return the announcement of all parameters (argo-cd ``ParameterAnnouncement``)."""
    return [
        {
            "name": parameter.name,
            "title": parameter.title,
            "tooltip": f"one of {', '.join(parameter.choices)}" if parameter.choices else parameter.title,
            "itemType": "string",
            "collectionType": parameter.collection or "string",
        }
        for parameter in KNOWN
    ]


def read_parameters(environment: Mapping[str, str]) -> Parameters:
    """Read what an application asked for. Parameters win over variables.

    Raises:
        UsageError: a parameter that is none, or a value that it does not take.
    """
    warnings: list[str] = []
    found: dict[str, tuple[Any, str]] = _release(environment, warnings)
    found |= _variables(environment, warnings)
    given = _given(environment.get("ARGOCD_APP_PARAMETERS", ""))
    found |= {name: (value, "ARGOCD_APP_PARAMETERS") for name, value in given.items()}
    values = {name: value for name, (value, _) in found.items()}
    spec: dict[str, Any] = {}
    for name, value in values.items():
        parameter = _BY_NAME[name]
        if parameter.choices and value not in parameter.choices:
            raise UsageError(f"parameter {name}: got '{value}', want one of {', '.join(parameter.choices)}")
        if parameter.path:
            _put(spec, parameter.path, value)
    return Parameters(
        spec,
        values.get("config"),
        tuple(values.get("kustomize-flags", ())),
        tuple(values.get("helm-values", ())),
        values.get("helm-set", {}),
        tuple(warnings),
        tuple(f"{name} comes from {source}" for name, (_, source) in found.items() if source != KUBE_VERSION),
    )


def _put(spec: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        spec = spec.setdefault(key, {})
    spec[path[-1]] = value


def _release(environment: Mapping[str, str], warnings: list[str]) -> dict[str, tuple[Any, str]]:
    """Take the cluster's release from Argo CD; one newer than all known is judged by the newest known."""
    text = environment.get(KUBE_VERSION, "").removeprefix("v")
    parts = text.split(".")
    if len(parts) < 2 or not (parts[0].isdecimal() and parts[1].rstrip("+").isdecimal()):
        return {}
    minor = int(parts[1].rstrip("+"))
    newest = int(KUBE_VERSIONS[-1].partition(".")[2])
    if minor > newest:
        warnings.append(f"the cluster runs 1.{minor}; judged by {KUBE_VERSIONS[-1]}, the newest release that is known")
        return {"kube-version": (KUBE_VERSIONS[-1], KUBE_VERSION)}
    release = f"1.{minor}"
    return {"kube-version": (release, KUBE_VERSION)} if release in KUBE_VERSIONS else {}


def _variables(environment: Mapping[str, str], warnings: list[str]) -> dict[str, tuple[Any, str]]:
    by_variable = {parameter.variable: parameter for parameter in KNOWN if parameter.path or not parameter.collection}
    values: dict[str, tuple[Any, str]] = {}
    for variable, parameter in by_variable.items():
        own, asked = environment.get(variable), environment.get(ARGO_PREFIX + variable)
        if own is not None and asked is not None and own != asked:
            warnings.append(f"{variable} of the sidecar wins over {ARGO_PREFIX}{variable} of the application")
        value, source = (own, variable) if own is not None else (asked, ARGO_PREFIX + variable)
        if value:
            values[parameter.name] = value.split(",") if parameter.collection else value, source
    for name in sorted(environment):
        bare = name.removeprefix(ARGO_PREFIX)
        if bare.startswith(PREFIX) and bare not in by_variable:
            warnings.append(f"no variable is called {name}{suggestion(bare, by_variable)}")
    return values


def _given(text: str) -> dict[str, Any]:
    """Read ``ARGOCD_APP_PARAMETERS``: a JSON list of name and string, array or map."""
    if not text:
        return {}
    import json  # noqa: PLC0415

    try:
        items = json.loads(text)
    except ValueError as error:
        raise UsageError(f"ARGOCD_APP_PARAMETERS: no JSON: {error}") from error
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise UsageError("ARGOCD_APP_PARAMETERS: want a list of objects with a name and a value")
    values: dict[str, Any] = {}
    for item in items:
        name = item.get("name")
        if name not in _BY_NAME:
            raise UsageError(f"no parameter is called '{name}'{suggestion(str(name), _BY_NAME)}")
        kind = _BY_NAME[name].collection or "string"
        if not _is_value(item.get(kind), kind):
            raise UsageError(f"parameter {name}: want a value of type {kind}")
        if item[kind]:
            values[name] = item[kind]
    return values


def _is_value(value: Any, kind: str) -> bool:
    """Say whether a value is what Argo CD sends for a parameter of this kind: text, or texts in a list or map."""
    if kind == "string":
        return isinstance(value, str)
    if kind == "array":
        return isinstance(value, list) and all(isinstance(part, str) for part in value)
    return isinstance(value, dict) and all(isinstance(part, str) for part in value.values())
