"""What is answered to create requests: codes, fields, words, defaults and drops, and our own hints."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admission.objects import (
    ADMIN,
    CLAIM,
    CLASS,
    DEPLOYMENT,
    FLAT_CLAIM,
    FLAT_SLICE,
    JOB,
    POD,
    POD_WITH_CLAIM,
    SLICE,
    STATEFUL_SET,
    TAINT_RULE,
    TEMPLATE,
    VALID,
    ask,
    fields,
    messages,
    put,
    server,
)
from dralign.admission.changes import MISSING
from dralign.admission.review import defaulted, review

EXACT = "spec/devices/requests/0/exactly"
DEVICE = "spec/devices/0"


@pytest.mark.parametrize("name", VALID)
def test_valid_objects_are_accepted(name):
    assert ask(VALID[name]).causes == ()
    assert ask(VALID[name]).accepted


@pytest.mark.parametrize("name", VALID)
def test_an_object_that_is_asked_about_stays_as_it_is(name):
    before = copy.deepcopy(VALID[name])
    review(VALID[name], server())
    assert VALID[name] == before


@pytest.mark.parametrize(
    ("obj", "code", "field", "message"),
    [
        pytest.param(
            put(CLAIM, f"{EXACT}/count", "2"),
            400,
            "spec.devices.requests[0].exactly.count",
            "json: cannot unmarshal string into Go struct field ExactDeviceRequest.spec.devices.requests.exactly.count "
            "of type int64",
            id="text for a number",
        ),
        pytest.param(
            put(CLAIM, f"{EXACT}/capacity", {"requests": {"memory": "80 Gi"}}),
            400,
            "spec.devices.requests[0].exactly.capacity.requests[memory]",
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
            id="no quantity",
        ),
        pytest.param(
            put(CLAIM, f"{EXACT}/deviceClass", "x"),
            400,
            "spec.devices.requests[0].exactly.deviceClass",
            'unknown field "spec.devices.requests[0].exactly.deviceClass"',
            id="unknown field",
        ),
        pytest.param(
            put(CLAIM, f"{EXACT}/allocationMode", "Some"),
            422,
            "spec.devices.requests[0].exactly.allocationMode",
            'Unsupported value: "Some": supported values: "All", "ExactCount"',
            id="enumeration",
        ),
        pytest.param(
            put(CLAIM, EXACT, None),
            422,
            "spec.devices.requests[0]",
            "Required value: exactly one of `exactly` or `firstAvailable` is required",
            id="one of",
        ),
        pytest.param(
            put(CLASS, "spec/extendedResourceName", "gpu"),
            422,
            "spec.extendedResourceName",
            "Invalid value: \"gpu\": a name must be a domain-prefixed path, such as 'example.com/my-prop'",
            id="extended resource without a domain",
        ),
        pytest.param(
            put(SLICE, "spec/allNodes", True),
            422,
            "spec",
            'Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, '
            "`perDeviceNodeSelection` is required, but multiple fields are set",
            id="two ways to name nodes",
        ),
        pytest.param(
            put(SLICE, f"{DEVICE}/attributes/type/int", 1),
            422,
            "spec.devices[0].attributes[type]",
            'Invalid value: "{int, string}": must specify exactly one of: `int`, `bool`, `string`, `version`, `ints`, '
            "`bools`, `strings`, `versions`",
            id="two values of an attribute",
        ),
        pytest.param(
            put(TAINT_RULE, "spec/taint/effect", "Evict"),
            422,
            "spec.taint.effect",
            'Unsupported value: "Evict": supported values: "NoExecute", "NoSchedule", "None"',
            id="effect of a taint",
        ),
        pytest.param(
            put(POD, "spec/containers/0/resources/limits/cpu", "2"),
            422,
            "spec.containers[0].resources.requests",
            'Invalid value: "4": must be less than or equal to cpu limit of 2',
            id="limit below the request",
        ),
        pytest.param(
            put(POD_WITH_CLAIM, "spec/containers/0/resources/claims/0/name", "gpu"),
            422,
            "spec.containers[0].resources.claims[0]",
            'Not found: "gpu": must be one of the names in pod.spec.resourceClaims: dev',
            id="claim that the pod does not have",
        ),
        pytest.param(
            put(JOB, "spec/template/spec/restartPolicy", "Always"),
            422,
            "spec.template.spec.restartPolicy",
            'Required value: valid values: "OnFailure", "Never"',
            id="restart policy of a job",
        ),
        pytest.param(
            put(STATEFUL_SET, "spec/selector/matchLabels/app", "y"),
            422,
            "spec.template.metadata.labels",
            'Invalid value: {"app":"x"}: `selector` does not match template `labels`',
            id="selector that selects nothing",
        ),
    ],
)
def test_one_thing_wrong_is_one_cause(obj, code, field, message):
    said = ask(obj)
    assert (said.code, fields(said), messages(said)) == (code, [field], [message])


@pytest.mark.parametrize(
    ("release", "field"),
    [
        pytest.param("1.34", "spec.devices[1].name", id="at the name"),
        pytest.param("1.35", "spec.devices[1]", id="at the device"),
        pytest.param("1.37", "spec.devices[1]", id="still at the device"),
    ],
)
def test_each_release_has_its_own_place_for_duplicates(release, field):
    twice = put(SLICE, "spec/devices", [{"name": "gpu-0"}, {"name": "gpu-0"}])
    assert fields(ask(twice, server(release))) == [field]


@pytest.mark.parametrize(
    ("obj", "release", "code"),
    [
        pytest.param(TAINT_RULE, "1.36", 404, id="version of a later release"),
        pytest.param(put(CLAIM, "apiVersion", "resource.k8s.io/v1alpha2"), "1.37", 404, id="version that is gone"),
        pytest.param(FLAT_CLAIM, "1.37", 201, id="version that is off by default"),
    ],
)
def test_versions_that_a_release_does_not_know(obj, release, code):
    assert ask(obj, server(release)).code == code


def test_other_kinds_are_not_judged():
    assert review({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}}, server()) is None
    assert review({"apiVersion": 1, "kind": ["Service"]}, server()) is None


@pytest.mark.parametrize(
    ("obj", "hint"),
    [
        pytest.param(put(CLAIM, f"{EXACT}/toleration", []), "did you mean `tolerations`?", id="misspelt"),
        pytest.param(put(CLAIM, f"{EXACT}/device_class_name", "x"), "did you mean `deviceClassName`?", id="snake case"),
        pytest.param(
            put(CLAIM, "spec/devices/requests/0/count", 2), "`count` belongs under `exactly`", id="one level too high"
        ),
        pytest.param(
            put(FLAT_CLAIM, "spec/devices/requests/0/exactly", {}),
            "`exactly` is a field of resource.k8s.io/v1; here its contents stand one level higher",
            id="of a newer version",
        ),
        pytest.param(
            put(SLICE, f"{DEVICE}/basic", {}),
            "`basic` is a field of resource.k8s.io/v1beta1; here its contents stand one level higher",
            id="of an older version",
        ),
        pytest.param(put(CLASS, "spec/suitableNodes", {}), "releases know `suitableNodes` up to 1.31", id="gone"),
        pytest.param(
            put(SLICE, f"{DEVICE}/nodeAllocatableResourceMappings", {}),
            "releases know `nodeAllocatableResourceMappings` up to 1.36",
            id="of an older release",
        ),
        pytest.param(
            put(POD_WITH_CLAIM, "spec/containers/0/resourceClaims", []),
            "`resourceClaims` belongs to `spec`",
            id="too deep",
        ),
        pytest.param(
            put(DEPLOYMENT, "spec/resourceClaims", []), "`resourceClaims` belongs under `template.spec`", id="too high"
        ),
        pytest.param(
            put(POD_WITH_CLAIM, "spec/resourceClaims/0/source", {}),
            "since 1.31 `resourceClaimName` and `resourceClaimTemplateName` stand beside `name`",
            id="old form of a pod's claim",
        ),
        pytest.param(put(CLAIM, "spec/bananas", 1), None, id="nothing like it"),
    ],
)
def test_hint_for_an_unknown_field(obj, hint):
    assert [cause.hint for cause in ask(obj).causes] == [hint]


@pytest.mark.parametrize(
    ("mode", "hint"),
    [
        pytest.param("all", "did you mean `All`?", id="small letters"),
        pytest.param("ExactCounts", "did you mean `ExactCount`?", id="misspelt"),
        pytest.param("Some", None, id="nothing like it"),
    ],
)
def test_hint_for_a_word_that_is_not_supported(mode, hint):
    assert [cause.hint for cause in ask(put(CLAIM, f"{EXACT}/allocationMode", mode)).causes] == [hint]


def test_duplicate_keys_are_refused_where_they_stand():
    said = review(CLAIM, server(), [("spec", "devices")])
    assert said is not None
    assert (said.code, messages(said)) == (400, ['duplicate field "spec.devices"'])


def test_defaults_are_filled_in():
    said = ask(CLAIM)
    told = {change.location[-1]: (change.before, change.after) for change in defaulted(CLAIM, said, server())}
    assert told == {"allocationMode": (MISSING, "ExactCount"), "count": (MISSING, 1)}


@pytest.mark.parametrize(
    ("release", "gates", "kept"),
    [
        pytest.param("1.35", (), False, id="off in 1.35"),
        pytest.param("1.35", ("DRADeviceTaints",), True, id="turned on"),
        pytest.param("1.37", (), True, id="on in 1.37"),
    ],
)
def test_a_gate_that_is_off_drops_its_field_with_all_its_mistakes(release, gates, kept):
    wrong = put(SLICE, f"{DEVICE}/taints", [{"key": "a", "effect": "Evict"}])
    assert fields(ask(wrong, server(release, *gates))) == (["spec.devices[0].taints[0].effect"] if kept else [])


@pytest.mark.parametrize(
    ("namespaces", "wanted"),
    [
        pytest.param({"team-a": ADMIN}, [], id="labelled"),
        pytest.param({"team-a": {}}, ["spec.devices.requests[0].adminAccess"], id="not labelled"),
        pytest.param({}, ["spec.devices.requests[0].adminAccess"], id="missing"),
        pytest.param(None, [], id="not known"),
    ],
)
@pytest.mark.parametrize("base", [CLAIM, TEMPLATE], ids=["claim", "template"])
def test_admin_access_needs_a_labelled_namespace(base, namespaces, wanted):
    path = EXACT if base is CLAIM else f"spec/{EXACT}"
    said = ask(put(base, f"{path}/adminAccess", True), server(namespaces=namespaces))
    assert fields(said) == wanted


def test_a_cause_knows_its_place_in_the_object_as_given():
    cause = ask(put(TEMPLATE, f"spec/{EXACT}/adminAccess", True), server(namespaces={})).causes[0]
    assert cause.location == ("spec", "spec", "devices", "requests", 0, "exactly", "adminAccess")


def test_v1beta1_keeps_devices_under_basic():
    said = ask(put(FLAT_SLICE, f"{DEVICE}/basic/capacity/a b", {"value": "1"}))
    assert fields(said) == ["spec.devices[0].basic.capacity"]
    assert ask(put(FLAT_SLICE, f"{DEVICE}/basic", None)).accepted


def test_a_pod_is_refused_for_a_priority_class_that_is_not_there():
    named = put(POD, "spec/priorityClassName", "high")
    assert ask(named).accepted
    said = ask(named, server(priority_classes={}))
    assert (said.code, said.message) == (403, "no PriorityClass with name high was found")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=20),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


def places(value, at=()):
    """Yield the places of all values inside a value."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*at, key)
        yield from places(item, (*at, key))


@given(name=st.sampled_from(sorted(VALID)), data=st.data(), release=st.sampled_from(["1.34", "1.35", "1.36", "1.37"]))
def test_whatever_stands_anywhere_there_is_an_answer(name, data, release):
    changed = copy.deepcopy(VALID[name])
    *steps, last = data.draw(st.sampled_from(list(places(changed))))
    holder = changed
    for step in steps:
        holder = holder[step]
    holder[last] = data.draw(JSON)
    said = review(changed, server(release))
    assert said is None or said.accepted or said.causes or said.message


def test_a_runtime_class_that_does_not_exist_is_refused():
    named = put(POD, "spec/runtimeClassName", "fast")
    said = ask(named, server(runtime_classes=frozenset()))
    assert (said.code, said.message) == (403, 'pod rejected: RuntimeClass "fast" not found')
    assert ask(named, server(runtime_classes=frozenset({"fast"}))).accepted
    assert ask(named, server()).accepted


@pytest.mark.parametrize("scope", [{"nodeName": "n"}, {"allNodes": True}])
def test_devices_that_stand_for_node_resources_need_nodes_that_know_them(scope):
    mapped = put(SLICE, f"{DEVICE}/nodeAllocatableResources", {"cpu": {"mapping": {"deviceMultiplier": "2"}}})
    mapped["spec"] = {key: value for key, value in mapped["spec"].items() if key != "nodeName"} | scope
    gate = "DRANodeAllocatableResources"
    one = server(nodes=frozenset({"n"}), node_features={})
    one = one.replace(features=one.features | {gate})
    said = ask(mapped, one)
    assert (said.code, said.message) == (403, f'node "n" does not support {gate} feature')
    assert ask(mapped, one.replace(node_features={"n": frozenset({gate})})).accepted
