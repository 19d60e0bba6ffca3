"""What people read: what breaks, where, proof, reach, fix, silence."""

from dralign.formats import text
from judging import ASKED_FOR, BOTH, CLAIM, SAFE, USER, judged, saying


def test_a_finding_with_all_its_sides_reads_from_what_breaks_to_how_to_silence_it():
    rule = saying(
        "GPU and CPUs can be on different NUMA nodes",
        label="'cpus' is not tied",
        proof="h100-07: gpu-4 (NUMA node 1) with cpudevnuma000 (NUMA node 0)",
        reach="24 of 24 eligible nodes",
        tip="requests: [gpu, cpus]",
        fix=SAFE,
    )
    head = f"BLOCK serving/llama (Deployment {text.TIMES}6): GPU and CPUs can be on different NUMA nodes"
    assert text.render(judged(BOTH, rule)) == (
        f"{head:<96}  [example]\n"
        "  apps/llama.yaml:8:9  ResourceClaimTemplate/llama  spec.spec.devices.requests[0].name\n"
        "  8 |       - name: gpu\n"
        "    |         ^ 'cpus' is not tied\n"
        "  see      apps/llama.yaml:14:1  Deployment/llama: uses it\n"
        "  proof    h100-07: gpu-4 (NUMA node 1) with cpudevnuma000 (NUMA node 0)\n"
        "  reach    24 of 24 eligible nodes\n"
        "  tip      requests: [gpu, cpus]\n"
        "  fix      tie gpu, cpus   safe   dralign fix apps/llama.yaml --only example --write\n"
        '  silence  ignore.dralign.dev/example: "<reason>"   on ResourceClaimTemplate/llama\n'
        "\n"
        "undecided 1\n"
        "2 of 2 objects judged · 1 error     exit 1 (1 error)\n"
    )


def test_more_than_one_workload_that_suffers_is_counted():
    other = USER.replace("name: llama, namespace", "name: other, namespace")
    outcome = judged(f"{BOTH}---\n{other}", saying("x"))
    assert text.render(outcome).startswith(f"BLOCK serving/llama (Deployment {text.TIMES}6) and 1 more: x ")


def test_an_object_nobody_uses_is_what_breaks():
    outcome = judged(CLAIM, saying("x", users=False))
    lines = text.render(outcome).splitlines()
    assert lines[0].startswith("BLOCK serving/llama (ResourceClaimTemplate): x ")
    assert lines[1] == "  apps/llama.yaml:8:9  spec.spec.devices.requests[0].name"
    assert lines[-3] == '  silence  ignore.dralign.dev/example: "<reason>"'


def test_no_command_is_offered_for_what_cannot_be_written_or_is_held_back():
    assert "   safe\n" in text.render(judged(CLAIM, saying("x", fix=SAFE), name="-"))
    assert "   unsafe: only with --align constraint\n" in text.render(judged(CLAIM, saying("x", fix=ASKED_FOR)))


def test_a_file_name_that_a_shell_would_cut_is_quoted():
    outcome = judged(CLAIM, saying("x", fix=SAFE), name="my apps/llama.yaml")
    assert "dralign fix 'my apps/llama.yaml' --only example --write" in text.render(outcome)


def test_the_last_line_counts_each_severity_that_made_the_run_fail():
    outcome = judged(BOTH, failOn="info", profile="strict")
    last = text.render(outcome).splitlines()[-1]
    assert last == "2 of 2 objects judged · 2 errors     exit 1 (2 errors)"


def test_under_kustomize_related_places_are_named_by_the_files_they_came_from():
    user = USER.replace(
        "{name: llama, namespace: serving}",
        "\n  name: llama\n  namespace: serving\n  annotations: {config.kubernetes.io/path: apps/user.yaml}",
    )
    assert "  see      apps/user.yaml  Deployment/llama: uses it\n" in text.render(
        judged(f"{CLAIM}---\n{user}", saying("x"))
    )


def test_of_many_related_places_a_few_are_shown_and_the_rest_is_counted():
    users = [USER.replace("name: llama, namespace", f"name: llama-{number}, namespace") for number in range(20)]
    lines = text.render(judged("---\n".join([CLAIM, *users]), saying("x"))).splitlines()
    seen = [line for line in lines if line.startswith("  see ")]
    assert len(seen) == text.SEEN + 1
    assert seen[-1] == f"  see      {20 - text.SEEN} more places, all in --format json"
