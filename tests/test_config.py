"""Configuration: defaults, precedence, and one clear line for everything that is wrong in it."""

import json
from pathlib import Path

import pytest

from dralign.config import ConfigError, checked, merged, settings_from, spec_of
from dralign.config_schema import API_VERSION, CONFIG_SCHEMA, SPEC, accepts
from dralign.settings import Alignment, ClassPattern, Ignore

RULES = frozenset({"kubelet-blind", "api-version", "legacy-device-resource"})
SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"


def config(**spec):
    return {"apiVersion": API_VERSION, "kind": "Dralign", "spec": spec}


def test_defaults():
    settings = settings_from({}, RULES)
    assert (settings.mode, settings.profile, settings.fail_on, settings.kube_version) == (
        "check",
        "default",
        "error",
        "1.37",
    )
    assert settings.alignment == Alignment("resource.kubernetes.io/numaNode", "physical", None, None)
    assert settings.round_cpu == "up"
    assert not settings.asks_for_alignment


def test_every_key_reaches_the_settings():
    spec = spec_of(
        config(
            mode="fix",
            profile="strict",
            failOn="never",
            kubeVersion="1.35",
            featureGates={"DRAListTypeAttributes": True},
            drivers={"gpu.nvidia.com": {"version": "0.4", "options": {"DRAListTypeAttributes": True}}},
            inventory={"files": ["slices.yaml"], "presets": ["hgx-h100"], "inline": [{"kind": "Node"}]},
            alignment={"attribute": "dra.net/numaNode", "level": "socket", "strategy": "pin", "zone": 1},
            qos={"roundCpu": "never"},
            workloadClass=[{"kind": "Job", "name": "train-*", "class": "training"}],
            rules={"kubelet-blind": "off", "api-version": {"severity": "info"}},
            rulesVersion="0.3",
            ignore=[{"rule": "kubelet-blind", "name": "x", "reason": "one socket", "expires": "2027-01-31"}],
            annotate="none",
        )
    )
    settings = settings_from(spec, RULES)
    assert (settings.mode, settings.profile, settings.fail_on, settings.kube_version) == (
        "fix",
        "strict",
        "never",
        "1.35",
    )
    assert settings.feature_gates == {"DRAListTypeAttributes": True}
    assert settings.drivers["gpu.nvidia.com"].version == "0.4"
    assert settings.inventory.files == ("slices.yaml",)
    assert settings.alignment == Alignment("dra.net/numaNode", "socket", "pin", 1)
    assert settings.round_cpu == "never"
    assert settings.classes == (ClassPattern("training", "Job", None, "train-*"),)
    assert settings.rules == {"kubelet-blind": {"severity": "off"}, "api-version": {"severity": "info"}}
    assert settings.rules_version == "0.3"
    assert settings.ignore == (Ignore("kubelet-blind", "one socket", None, None, "x", "2027-01-31"),)
    assert settings.annotate == "none"


@pytest.mark.parametrize(
    ("document", "message"),
    [
        pytest.param(["a"], "config: got a list, want a mapping with kind Dralign", id="a list"),
        pytest.param(None, "config: got nothing, want a mapping with kind Dralign", id="nothing"),
        pytest.param({"kind": "Deployment"}, "config: missing key 'apiVersion'", id="no version"),
        pytest.param(
            {"apiVersion": API_VERSION, "kind": "Dralgin"},
            "config: kind: got 'Dralgin', want Dralign",
            id="another kind",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "Dralign"},
            f"config: apiVersion: got 'v1', want {API_VERSION}",
            id="another version",
        ),
        pytest.param(
            config(failOn="warn"),
            "config: spec.failOn: got 'warn', want one of error, warning, info, never",
            id="a value that is none",
        ),
        pytest.param(config(profil="strict"), "config: spec.profil: unknown key, did you mean 'profile'?", id="a slip"),
        pytest.param(
            config(inventory={"xyz": 1}),
            "config: spec.inventory.xyz: unknown key, want one of files, presets, inline",
            id="an unknown key far from all",
        ),
        pytest.param(
            config(inventory={"files": "a.yaml"}),
            "config: spec.inventory.files: got 'a.yaml', want a list",
            id="a text for a list",
        ),
        pytest.param(
            config(inventory={"files": [1]}),
            "config: spec.inventory.files[0]: got 1, want a text",
            id="a number for a text",
        ),
        pytest.param(
            config(alignment={"zone": -1}), "config: spec.alignment.zone: got -1, want at least 0", id="below the least"
        ),
        pytest.param(
            config(alignment={"zone": True}),
            "config: spec.alignment.zone: got true, want a whole number",
            id="true is no number",
        ),
        pytest.param(
            config(featureGates={"X": "on"}),
            "config: spec.featureGates.X: got 'on', want true or false",
            id="a gate as text",
        ),
        pytest.param(
            config(ignore=[{"rule": "api-version"}]), "config: spec.ignore[0]: missing key 'reason'", id="no reason"
        ),
        pytest.param(
            config(ignore=[{"rule": "api-version", "reason": ""}]),
            "config: spec.ignore[0].reason: got '', want a text that is not empty",
            id="an empty reason",
        ),
        pytest.param(
            config(ignore=[{"rule": "api-version", "reason": "x", "expires": "soon"}]),
            "config: spec.ignore[0].expires: got 'soon', want a date like 2027-01-31",
            id="no date",
        ),
        pytest.param(
            config(rulesVersion="3"),
            "config: spec.rulesVersion: got '3', want a version like 0.3",
            id="no version of rules",
        ),
        pytest.param(
            config(rules={"api-version": "fatal"}),
            "config: spec.rules.api-version: got 'fatal', want a severity (error, warning, info, off) or a mapping",
            id="no severity",
        ),
        pytest.param({**config(), "spec": None}, "config: spec: got nothing, want a mapping", id="an empty spec"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(document, message):
    with pytest.raises(ConfigError) as caught:
        spec_of(document)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            {"rules": {"kubelet-blnd": "off"}},
            "config: spec.rules.kubelet-blnd: no rule is called 'kubelet-blnd', did you mean 'kubelet-blind'?",
        ),
        (
            {"ignore": [{"rule": "x", "reason": "y"}]},
            "config: spec.ignore[0].rule: no rule is called 'x', want one of api-version, kubelet-blind, legacy-device-resource",
        ),
    ],
)
def test_rules_that_do_not_exist_are_refused(spec, message):
    with pytest.raises(ConfigError) as caught:
        settings_from(checked(spec), RULES)
    assert str(caught.value) == message


def test_a_config_map_gives_the_keys_of_spec():
    assert spec_of({"kind": "ConfigMap", "data": {"profile": "strict"}}) == {"profile": "strict"}


def test_later_specs_win_key_by_key():
    first = {"profile": "strict", "alignment": {"level": "socket", "strategy": "pin"}, "ignore": [1]}
    assert merged(first, {"alignment": {"strategy": "constraint"}, "ignore": []}) == {
        "profile": "strict",
        "alignment": {"level": "socket", "strategy": "constraint"},
        "ignore": [],
    }


def test_the_published_schema_is_this_one(update):
    path = SCHEMAS / "functionconfig.schema.json"
    text = json.dumps(CONFIG_SCHEMA, indent=2) + "\n"
    if update:
        path.write_text(text)
    assert path.read_text() == text


VALUES = ["x", "", 1, -1, 1.5, True, None, [], ["x"], {}, {"x": 1}]


@pytest.mark.parametrize("key", sorted(SPEC["properties"]))
def test_the_quick_check_and_jsonschema_agree(key):
    from jsonschema import Draft202012Validator

    schema = SPEC["properties"][key]
    choices = [
        *VALUES,
        *schema.get("enum", ()),
        [{"rule": "a", "reason": "b"}],
        {"strategy": "pin"},
        {"files": ["a"]},
        {"a": True},
    ]
    for value in choices:
        assert accepts(schema, value) == Draft202012Validator(schema).is_valid(value), value
