"""What is worked out once for things that are alike is still told of each, and of nothing that only looks alike."""

import pytest

from dralign import yamlio
from dralign.context.plain import is_plain
from dralign.manifest import content
from dralign.record import Record
from judging import judged

CLAIM = """\
apiVersion: {version}
kind: ResourceClaimTemplate
metadata: {{name: {name}}}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {{deviceClassName: gpu.nvidia.com, count: {count}}}
      - name: nic
        exactly: {{deviceClassName: dranet}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: {name}}}
spec:
  resourceClaims:
  - {{name: devices, resourceClaimTemplateName: {name}}}
  containers:
"""
CONTAINER = "  - {{name: {name}, image: 'a:1', resources: {{claims: [{claims}]}}}}\n"
WHOLE = CONTAINER.format(name="main", claims="{name: devices}")
APART = "".join(
    CONTAINER.format(name=request, claims=f"{{name: devices, request: {request}}}") for request in ("gpu", "nic")
)


def bundle(name, *, count=1, version="resource.k8s.io/v1", containers=WHOLE):
    return CLAIM.format(name=name, count=count, version=version) + "---\n" + POD.format(name=name) + containers


def told(*texts, **spec):
    """Return rule, object, path, severity and message of all findings, and the verdicts, by object."""
    outcome = judged("---\n".join(texts), **spec)
    found = [(str(one.ref), one.rule, one.path, one.severity, one.message) for one in outcome.findings]
    return sorted(found), sorted((str(one.ref), one.verdict.kind, one.verdict.reasons) for one in outcome.verdicts)


VARIANTS = {
    "alike": {},
    "held apart": {"containers": APART},
    "more devices": {"count": 2},
    "refused": {"count": -1},
    "another version": {"version": "resource.k8s.io/v1beta2"},
    "a version in which it is wrong": {"version": "resource.k8s.io/v1beta1"},
}


@pytest.mark.parametrize("spec", [{}, {"inventory": {"presets": ["hgx-h100"]}}], ids=["text", "preset"])
@pytest.mark.parametrize("other", VARIANTS)
@pytest.mark.parametrize("one", VARIANTS)
def test_claims_side_by_side_are_told_as_each_alone(one, other, spec):
    texts = [bundle("one", **VARIANTS[one]), bundle("two", **VARIANTS[other])]
    alone = [told(text, profile="strict", **spec) for text in texts]
    both = told(*texts, profile="strict", **spec)
    assert both == tuple(sorted(first + second) for first, second in zip(*alone, strict=True))


@pytest.mark.parametrize("metadata", ["{name: Two}", "{name: two_}", "{name: 2}", "{}", "{name: two, namespace: A}"])
def test_an_accepted_spec_under_a_wrong_name_is_refused(metadata):
    right = CLAIM.format(name="one", count=1, version="resource.k8s.io/v1")
    wrong = right.replace("{name: one}", metadata)
    rules = [rule for _, rule, *_ in told(right, wrong)[0]]
    assert rules.count("object-invalid") == [rule for _, rule, *_ in told(wrong)[0]].count("object-invalid") == 1


DEEP = "{a: " * 1_500 + "1" + "}" * 1_500


def test_parameters_nested_deeper_than_python_prints_are_judged():
    config = f"      config:\n      - opaque: {{driver: gpu.example.com, parameters: {DEEP}}}\n"
    text = CLAIM.format(name="one", count=1, version="resource.k8s.io/v1") + config
    assert told(text + "---\n" + POD.format(name="one") + WHOLE)[1]


@pytest.mark.parametrize("other", [True, 1.0, "1", [1], {"1": 1}, None])
def test_contents_that_are_equal_to_python_only_differ(other):
    assert content({"a": 1}) != content({"a": other})
    assert content({"a": other}) == content({"a": other})


def test_content_does_not_depend_on_what_is_shared():
    part = {"a": ["text"]}
    assert content([part, part]) == content([{"a": ["text"]}, {"a": ["te" + "xt"[:2]]}])
    assert content(yamlio.load(f"a: {'[' * 5_000}{']' * 5_000}\n", yamlio.KUBECTL, "-").value) is None


class Base(Record):
    one: int
    two: str = "b"


class Derived(Base):
    three: tuple[int, ...] = ()


@pytest.mark.parametrize("made", [1, 1_000])
def test_records_are_the_same_however_many_were_made(made):
    for number in range(made):
        assert Base(number) == Base(one=number, two="b") != Base(number, "c")
        assert Derived(number, three=(1,)) == Derived(number, "b", (1,)) != Derived(number)
    assert repr(Derived(1)) == "Derived(one=1, two='b', three=())"
    assert Base(1).replace(two="c") == Base(1, "c") != Derived(1, "c")
    for wrong in (Base, lambda: Base(1, "b", 3), lambda: Base(1, one=1), lambda: Base(1, four=4)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(AttributeError, match="frozen"):
        Base(1).one = 2


def test_plain_resources_are_known_again_and_no_others():
    containers = [
        {"name": "a", "resources": {"limits": {"nvidia.com/gpu": amount}}} for amount in (1, 1, 1.5, "1", True, -1)
    ]
    known = set()
    assert [is_plain({"containers": [one]}, known) for one in containers] == [True, True, False, True, False, False]
    assert [is_plain({"containers": [one]}, set()) for one in containers] == [True, True, False, True, False, False]
