"""Silence: annotations, exceptions with reason and end, baselines; counted, and told when it is of no use."""

import json
import os

import pytest

from dralign import registry
from dralign.config import settings_from
from dralign.engine import severity_of
from dralign.finding import Severities, named_path
from dralign.manifest import Path
from dralign.rule import Rule
from judging import BOTH, CLAIM, judged, saying
from running import resource_list, run

ONE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: pair
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
"""
CPUS = """\
    - name: cpus
      exactly:
        deviceClassName: dra.cpu
        capacity: {requests: {dra.cpu/cpu: "8"}}
"""
PAIR = ONE + CPUS
OTHER = PAIR.replace("name: pair", "name: other")
CONFIG = "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec:\n  ignore:\n  - {rule: numa-constraint-missing, reason: one socket%s}\n"


def data(*args, text=PAIR, cwd, status=None):
    process = run("check", "--format", "json", *args, "-", stdin=text.encode(), cwd=cwd)
    assert process.returncode in ((0, 1) if status is None else (status,)), process.stderr
    return json.loads(process.stdout)


def said(report):
    return [(item["rule"], item["severity"], item["message"]) for item in report["findings"]]


# Fingerprints


def fingerprints(text, *rules, **spec):
    return [report.fingerprint for report in judged(text, *rules, **spec).findings]


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(("apiVersion", "# a comment\n\napiVersion"), id="lines move"),
        pytest.param(("resource.k8s.io/v1\n", "resource.k8s.io/v1beta2\n"), id="another version of the API"),
        pytest.param(
            ("      - name: gpu\n", "      - name: first\n        exactly: {deviceClassName: x}\n      - name: gpu\n"),
            id="an item goes before it",
        ),
    ],
)
def test_a_fingerprint_survives(edit):
    def named(ctx):
        body = ctx.claims[0].manifest.data["spec"]["spec"]["devices"]["requests"]
        at = next(i for i, item in enumerate(body) if item["name"] == "gpu")
        path = Path(("spec", "spec", "devices", "requests", at, "name"))
        yield rule.rule.finding(ctx.claims[0].manifest, path, f"request 'gpu' stands in line {at}")

    rule = saying().replace(check=named)
    assert fingerprints(CLAIM, rule) == fingerprints(CLAIM.replace(*edit), rule)


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(("name: llama", "name: other"), id="another object"),
        pytest.param(("namespace: serving", "namespace: training"), id="another namespace"),
        pytest.param(("name: gpu", "name: card"), id="another field"),
    ],
)
def test_a_fingerprint_tells_apart(edit):
    assert fingerprints(CLAIM, saying("x")) != fingerprints(CLAIM.replace(*edit), saying("x"))


def test_what_a_message_names_tells_findings_apart_but_its_wording_does_not():
    one, two, reworded = (
        fingerprints(CLAIM, saying(text)) for text in ("no 'a'", "no 'b'", "there is no 'a' in 3 places")
    )
    assert one == reworded
    assert one != two


def test_findings_that_are_alike_are_numbered():
    first, second = fingerprints(CLAIM, saying("no 'a'", "no 'a'"))
    assert first != second
    assert [first] == fingerprints(CLAIM, saying("no 'a'"))


def test_a_named_path_goes_by_the_names_of_list_items():
    tree = {"spec": {"containers": [{"name": "main", "ports": [{"port": 1}]}]}}
    assert (
        named_path(tree, Path(("spec", "containers", 0, "ports", 0, "port")))
        == "spec.containers[name=main].ports[0].port"
    )


# Baselines


def test_a_baseline_silences_what_was_there_and_nothing_else(tmp_path):
    process = run("check", "--write-baseline", "known.json", "-", stdin=PAIR.encode(), cwd=tmp_path)
    assert (process.returncode, process.stderr) == (0, b"wrote 1 finding to known.json\n")
    assert process.stdout == "1 of 1 object judged · 1 silenced     exit 0\n".encode()
    text = "# moved\n" + PAIR.replace("metadata:\n", "metadata:\n  labels: {a: b}\n") + "---\n" + OTHER
    report = data("--baseline", "known.json", text=text, cwd=tmp_path, status=1)
    assert [item["object"]["name"] for item in report["findings"]] == ["other"]
    assert [(item["object"]["name"], item["by"], item["suppressionReason"]) for item in report["suppressed"]] == [
        ("pair", "baseline", "known since known.json was written")
    ]


def test_a_baseline_is_the_same_whenever_it_is_written(tmp_path):
    for name, text in (("a.json", f"{PAIR}---\n{OTHER}"), ("b.json", f"# again\n{OTHER}---\n{PAIR}")):
        run("check", "--write-baseline", name, "-", stdin=text.encode(), cwd=tmp_path)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_a_baseline_written_with_one_at_hand_keeps_what_is_still_there(tmp_path):
    run("check", "--write-baseline", "known.json", "-", stdin=PAIR.encode(), cwd=tmp_path)
    both = f"{PAIR}---\n{OTHER}"
    run("check", "--baseline", "known.json", "--write-baseline", "known.json", "-", stdin=both.encode(), cwd=tmp_path)
    report = data("--baseline", "known.json", text=both, cwd=tmp_path, status=0)
    assert report["summary"]["suppressed"] == 2
    run("check", "--baseline", "known.json", "--write-baseline", "known.json", "-", stdin=OTHER.encode(), cwd=tmp_path)
    assert [item["object"] for item in json.loads((tmp_path / "known.json").read_text())["findings"]] == [
        "ResourceClaim/other"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            None,
            "known.json: No such file or directory; want a baseline, as --write-baseline writes it",
            id="not there",
        ),
        pytest.param(
            "{", "known.json:1:2: this is no JSON: a name in double quotes or '}' is wanted here", id="cut off"
        ),
        pytest.param(
            "[]", "known.json: this is no baseline; want one of form 1, as --write-baseline writes it", id="other JSON"
        ),
        pytest.param(
            '{"dralignBaseline": 2, "findings": []}',
            "known.json: this is a baseline of form '2'; want one of form 1, as --write-baseline writes it",
            id="of a later release",
        ),
        pytest.param(
            '{"dralignBaseline": 1, "findings": [{}]}',
            "known.json:1:37: findings[0]: want texts under fingerprint, rule, object, path, message",
            id="an entry that is none",
        ),
        pytest.param("\xff", "known.json:1:1: byte 0xFF is not UTF-8 text", id="no text"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_refused_in_one_line(tmp_path, text, message):
    if text is not None:
        (tmp_path / "known.json").write_bytes(text.encode("latin-1"))
    process = run("check", "--baseline", "known.json", "-", stdin=PAIR.encode(), cwd=tmp_path)
    assert (process.returncode, process.stdout) == (2, b"")
    assert process.stderr.decode().startswith(f"dralign: {message}")
    assert process.stderr.count(b"\n") == 1


def test_a_baseline_that_cannot_be_written_leaves_nothing_behind(tmp_path):
    process = run("check", "--write-baseline", "no/known.json", "-", stdin=PAIR.encode(), cwd=tmp_path)
    assert (process.returncode, process.stdout) == (2, b"")
    assert (
        process.stderr == b"dralign: --write-baseline: no/known.json: No such file or directory; nothing was written\n"
    )
    assert os.listdir(tmp_path) == []


def test_entries_of_a_baseline_that_are_gone_are_told_once(tmp_path):
    run("check", "--write-baseline", "known.json", "-", stdin=f"{PAIR}---\n{OTHER}".encode(), cwd=tmp_path)

    report = data("--baseline", "known.json", "--profile", "strict", text=f"{ONE}---\n{OTHER}", cwd=tmp_path, status=0)
    (found,) = [item for item in report["findings"] if item["rule"] == "unused-ignore"]
    assert (
        found["message"]
        == "1 of 2 findings of the baseline is gone in this run, the first: 'numa-constraint-missing' on ResourceClaim/pair"
    )
    assert (found["severity"], found["file"], found["path"], found["line"]) == (
        "warning",
        "known.json",
        "findings[1]",
        3,
    )


def test_entries_of_a_baseline_whose_objects_may_stand_elsewhere_are_info(tmp_path):
    run("check", "--write-baseline", "known.json", "-", stdin=PAIR.encode(), cwd=tmp_path)
    clean = OTHER.removesuffix(CPUS)
    report = data("--baseline", "known.json", "--profile", "strict", text=clean, cwd=tmp_path, status=0)
    assert [(item["rule"], item["severity"]) for item in report["findings"]] == [("unused-ignore", "info")]


# Exceptions of the configuration


def test_an_exception_that_ended_is_told_where_it_stands(tmp_path):
    (tmp_path / ".dralign.yaml").write_text(CONFIG % ", name: pair, expires: '2020-01-01'")
    report = data("--profile", "strict", cwd=tmp_path, status=1)
    assert (
        "unused-ignore",
        "warning",
        "the exception for 'numa-constraint-missing' ended on '2020-01-01', and silences nothing any more",
    ) in said(report)
    (found,) = [item for item in report["findings"] if item["rule"] == "unused-ignore"]
    assert (found["file"], found["line"], found["path"], found["object"]["name"]) == (
        ".dralign.yaml",
        5,
        "spec.ignore[0]",
        ".dralign.yaml",
    )


@pytest.mark.parametrize(
    ("entry", "severity", "message"),
    [
        (
            ", name: other",
            "warning",
            "the exception silences nothing: 'numa-constraint-missing' finds nothing in this run in what it is meant for",
        ),
        (
            ", name: elsewhere",
            "info",
            "the exception for 'numa-constraint-missing' silences nothing: no object of this run is what it is meant for",
        ),
    ],
)
def test_an_exception_that_silences_nothing_is_told(tmp_path, entry, severity, message):
    (tmp_path / ".dralign.yaml").write_text(CONFIG % entry)
    clean = OTHER.removesuffix(CPUS)
    report = data("--profile", "strict", text=clean, cwd=tmp_path)
    assert said(report) == [("unused-ignore", severity, message)]
    text = run("check", "--profile", "strict", "-", stdin=clean.encode(), cwd=tmp_path).stdout.decode()
    assert '  silence  rules: {unused-ignore: "off"} under spec of .dralign.yaml\n' in text


def test_an_exception_ends_in_every_host(tmp_path):
    config = CONFIG % ", expires: '2020-01-01'"
    process = run(stdin=resource_list([PAIR], config).encode(), cwd=tmp_path, entry="function")
    assert process.returncode == 1
    assert b"ended on '2020-01-01'" in process.stderr
    assert b"  -:23:7  spec.ignore[0]\n" in process.stderr
    (tmp_path / ".dralign.yaml").write_text(config)
    assert run(stdin=PAIR.encode(), cwd=tmp_path, entry="post_renderer").returncode == 1


def test_what_nobody_can_judge_is_left_alone(tmp_path):
    text = PAIR.replace("metadata:\n", "metadata:\n  annotations: {ignore.dralign.dev/numa-constraint-missing: why}\n")
    (tmp_path / ".dralign.yaml").write_text(
        "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec: {rules: {numa-constraint-missing: 'off'}}\n"
    )
    assert said(data("--profile", "strict", text=text, cwd=tmp_path)) == []


def test_a_silence_that_only_a_stricter_profile_needs_is_of_use(tmp_path):
    text = PAIR.replace("metadata:\n", "metadata:\n  annotations: {ignore.dralign.dev/numa-constraint-missing: why}\n")
    (tmp_path / ".dralign.yaml").write_text(
        "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec: {rules: {unused-ignore: warning}}\n"
    )
    assert said(data("--profile", "minimal", text=text, cwd=tmp_path)) == []


def test_an_annotation_on_an_object_in_which_nothing_else_of_ours_stands_is_told(tmp_path):
    text = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations: {ignore.dralign.dev/kubelet-blind: why}\n"
    (found,) = data(text=text, cwd=tmp_path)["findings"]
    assert (found["rule"], found["severity"], found["path"], found["line"]) == (
        "unused-ignore",
        "info",
        "metadata.annotations[ignore.dralign.dev/kubelet-blind]",
        5,
    )


def test_an_annotation_on_a_pod_template_that_silences_nothing_is_told(tmp_path):
    text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  template:\n    metadata:\n      annotations: {ignore.dralign.dev/kubelet-blind: why}\n    spec: {containers: [{name: c}]}\n"
    (found,) = data(text=text, cwd=tmp_path)["findings"]
    assert found["path"] == "spec.template.metadata.annotations[ignore.dralign.dev/kubelet-blind]"


# Severities


def test_pedantic_is_strict_with_advice_raised():
    advice = judged(BOTH, saying("x", severities=Severities("info", "info", "info")), profile="pedantic")
    assert [report.severity for report in advice.findings] == ["warning"]
    silent = judged(BOTH, saying("x", severities=Severities("error", "error", None)), profile="pedantic")
    assert silent.findings == ()


def test_a_rule_newer_than_rules_version_is_info_unless_its_severity_was_chosen():
    new = saying("x").replace(rule=Rule("example", Severities("error", "error", "error"), "", "", "0.4"))
    (muted,) = judged(BOTH, new, rulesVersion="0.3").findings
    assert muted.severity == "info"
    assert [report.severity for report in judged(BOTH, new, rulesVersion="0.4").findings] == ["error"]
    settings = settings_from({"rulesVersion": "0.3"}, registry.rule_ids())
    finding = next(iter(new.check(_Context())))
    assert severity_of(finding, new.rule, {"severity": "error"}, settings) == "error"


class _Context:
    """As much of a context as the rule of :func:`saying` looks at."""

    class _Claim:
        manifest = None

    claims = (_Claim,)
    pods = ()
