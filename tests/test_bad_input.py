"""Input that cannot be used: one line for each fault, exit 2, and nothing on standard output."""

import os

import pytest

from running import resource_list, run

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: c\n    resources: {limits: {nvidia.com/gpu: 1}}\n"
DEEP = "a: " + "[" * 20_000 + "]" * 20_000 + " # nvidia.com/gpu\n"
BOMB = "kind: Pod # nvidia.com/gpu\na: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + chr(ord(name) - 1)] * 9)}]\n" for name in "bcdefghij"
)

# (name, bytes, what the line says after "dralign: NAME"); the same through a file and through a ResourceList on stdin.
TEXTS = [
    pytest.param(b"kind: Pod # nvidia.com/gpu\na: [1,\n", id="an open bracket"),
    pytest.param(b"kind: Pod # nvidia.com/gpu\nkind: Pod\n", id="a key twice"),
    pytest.param(b"kind: Pod # nvidia.com/gpu\na: \xff\xfe\n", id="no utf-8"),
    pytest.param(b"kind: Pod # nvidia.com/gpu\na: \x00\n", id="a nul byte"),
    pytest.param(b"kind: Pod # nvidia.com/gpu\na: *nobody\n", id="an alias of nothing"),
    pytest.param(b"kind: Pod # nvidia.com/gpu\na: &x [1, *x]\n", id="an anchor that holds itself"),
    pytest.param(BOMB.encode(), id="an alias bomb"),
    pytest.param(DEEP.encode(), id="twenty thousand levels"),
]


def expect_one_line(process, start):
    assert process.returncode == 2, process
    assert process.stdout == b""
    text = process.stderr.decode()
    assert text.count("\n") == 1, text
    assert text.startswith(f"dralign: {start}"), text
    assert len(text) < 400, text
    assert "Traceback" not in text


@pytest.mark.parametrize("data", TEXTS)
@pytest.mark.parametrize("verb", ["check", "fix"])
def test_files(tmp_path, data, verb):
    (tmp_path / "bad.yaml").write_bytes(data)
    expect_one_line(run(verb, "bad.yaml", cwd=tmp_path), "bad.yaml:")


# kpt hands on keys that stand twice, and the list must come back to it.
@pytest.mark.parametrize("data", [item for item in TEXTS if item.id != "a key twice"])
def test_resource_lists(tmp_path, data):
    text = b"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- " + data.replace(b"\n", b"\n  ")
    expect_one_line(run(stdin=text, cwd=tmp_path, entry="function"), "-:")


@pytest.mark.parametrize(
    ("args", "stdin", "line"),
    [
        pytest.param(["check", "-"], b"", "-: empty input; want Kubernetes manifests", id="nothing on stdin"),
        pytest.param(
            ["check", "-"],
            b"# just a comment\n",
            "-: no document with a 'kind'; want Kubernetes manifests",
            id="comments only",
        ),
        pytest.param(
            ["check", "gone.yaml"],
            b"",
            "gone.yaml: No such file or directory; want a readable file or folder",
            id="no such file",
        ),
        pytest.param(
            ["check", "empty"],
            b"",
            "empty: no document with a 'kind'; want Kubernetes manifests",
            id="a folder without manifests",
        ),
        pytest.param(
            ["check", "--config", "gone.yaml", "-"],
            b"kind: x",
            "gone.yaml: No such file or directory; want a configuration of kind Dralign",
            id="no such config",
        ),
        pytest.param(
            ["check", "--config", "cfg.yaml", "-"],
            b"kind: x",
            "cfg.yaml:4:3: config: spec.profil: unknown key, did you mean 'profile'?",
            id="an unknown config key",
        ),
        pytest.param(
            ["check", "--format", "xml", "-"],
            b"kind: x",
            "--format: got 'xml', want one of github, json, junit, markdown, sarif, text",
            id="no such format",
        ),
        pytest.param(
            ["fix", "--only", "nope", "-"],
            b"kind: x",
            "--only: no rule is called 'nope'; see 'dralign explain'",
            id="no such rule",
        ),
        pytest.param(
            ["fix", "--write", "-"],
            b"kind: x",
            "--write needs files; standard input cannot be written",
            id="stdin cannot be written",
        ),
        pytest.param(
            ["fix", "--write", "--diff", "x"], b"", "--diff and --write exclude each other", id="diff and write"
        ),
        pytest.param(
            ["explain", "nope"],
            b"",
            "no rule is called 'nope'; 'dralign explain' lists them",
            id="explain what is not there",
        ),
        pytest.param(["check", "--frm"], b"", "No such option '--frm'", id="no such option"),
        pytest.param(["chekc"], b"", "No such command 'chekc'", id="no such verb"),
        pytest.param(["check", "--profile", "x", "-"], b"", "Invalid value for '--profile'", id="no such profile"),
    ],
)
def test_called_wrongly(tmp_path, args, stdin, line):
    (tmp_path / "empty").mkdir()
    (tmp_path / "cfg.yaml").write_text("apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec:\n  profil: strict\n")
    expect_one_line(run(*args, stdin=stdin, cwd=tmp_path), line)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read(tmp_path):
    (tmp_path / "secret.yaml").write_text(POD)
    (tmp_path / "secret.yaml").chmod(0)
    expect_one_line(
        run("check", "secret.yaml", cwd=tmp_path), "secret.yaml: Permission denied; want a readable file or folder"
    )


def test_a_folder_where_a_file_is_wanted_to_be_read_as_config(tmp_path):
    expect_one_line(
        run("check", "--config", ".", "-", stdin=b"kind: x", cwd=tmp_path),
        ".: Is a directory; want a configuration of kind Dralign",
    )


def test_every_unreadable_file_is_named(tmp_path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text("kind: Pod # nvidia.com/gpu\na: [\n")
    process = run("check", ".", cwd=tmp_path)
    assert process.returncode == 2
    assert process.stdout == b""
    assert [line.split(":")[0] for line in process.stderr.decode().replace("dralign: ", "").splitlines()] == [
        "./a.yaml",
        "./b.yaml",
    ]


@pytest.mark.parametrize(
    ("stdin", "line"),
    [
        pytest.param("", "-: empty input; want a ResourceList", id="nothing"),
        pytest.param(
            POD,
            "-:1:1: want a ResourceList (apiVersion config.kubernetes.io/v1); for plain manifests use 'dralign check'",
            id="plain manifests",
        ),
        pytest.param(
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n",
            "-:1:1: ResourceList without items; want a list, empty where there are none",
            id="no items",
        ),
        pytest.param(
            "apiVersion: v1\nkind: ResourceList\nitems: []\n",
            "-:1:1: ResourceList: got apiVersion 'v1', want config.kubernetes.io/v1",
            id="another version",
        ),
        pytest.param(
            resource_list([POD], "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec:\n  failOn: warn"),
            "-:15:5: config: spec.failOn: got 'warn', want one of error, warning, info, never",
            id="a wrong value in functionConfig",
        ),
        pytest.param(
            resource_list([], "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec:\n  profil: x"),
            "-:8:5: config: spec.profil: unknown key, did you mean 'profile'?",
            id="an unknown key, where nothing else is to be judged",
        ),
        pytest.param(
            resource_list([POD], "apiVersion: dralign.dev/v1alpha1\nkind: Dralign\nspec: []"),
            "-:14:3: config: spec: got a list, want a mapping",
            id="a wrong type in functionConfig",
        ),
    ],
)
def test_functions(tmp_path, stdin, line):
    expect_one_line(run(stdin=stdin.encode(), cwd=tmp_path, entry="function"), line)
