"""The sections of the README about hosts work when they are pasted into an empty folder."""

import re

import pytest
import yaml
from programs import ROOT, commands, needed, process

README = (ROOT / "README.md").read_text()
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL))
BLOCKS = {
    f"{title} {number}": block
    for title in ("kustomize", "Helm 3", "Helm 4", "Argo CD")
    for number, block in enumerate(re.findall(r"```sh\n(.*?)```", SECTIONS[title], re.DOTALL), 1)
}
PROGRAMS = {
    "kustomize 1": ("kustomize", "kustomize"),
    "kustomize 2": ("kubectl", "kubectl"),
    "Helm 3 1": ("helm", "helm3"),
    "Helm 4 1": ("helm", "helm4"),
    "Argo CD 1": None,
}


def test_all_sections_are_run():
    assert set(BLOCKS) == set(PROGRAMS)


@pytest.mark.parametrize("block", PROGRAMS)
def test_a_section_works_in_an_empty_folder(block, tmp_path):
    program = PROGRAMS[block]
    env = commands(tmp_path / "bin", *([(program[0], needed(program[1]))] if program else []))
    folder = tmp_path / "empty"
    folder.mkdir()
    done = process(["sh", "-eu"], env, folder, BLOCKS[block].encode())
    assert done.returncode == 0, done.stderr
    assert b"kind: ResourceClaimTemplate" in done.stdout
    assert b"nvidia.com/mig-3g.40gb:" not in done.stdout
    told = done.stdout + done.stderr
    assert b"1 repaired" in told or (block == "kustomize 2" and not done.stderr)


def test_the_plugin_in_the_readme_is_the_one_that_is_shipped():
    shipped = (ROOT / "plugin" / "helm4" / "plugin.yaml").read_text()
    assert shipped in BLOCKS["Helm 4 1"]


def test_the_command_for_kpt_works(tmp_path):
    (command,) = re.findall(r"^kpt fn eval.*$", SECTIONS["kpt"], re.MULTILINE)
    env = commands(tmp_path / "bin", ("kpt", needed("kpt")))
    (tmp_path / "deploy").mkdir()
    (pod,) = set(re.findall(r"> pod.yaml <<'END'\n(.*?)END", BLOCKS["kustomize 1"], re.DOTALL))
    (tmp_path / "deploy" / "pod.yaml").write_text(pod)
    done = process(["sh", "-eu"], env, tmp_path, command.encode())
    assert done.returncode == 0, done.stderr
    assert "resourceClaims" in (tmp_path / "deploy" / "pod.yaml").read_text()


@pytest.fixture
def app(tmp_path):
    """A kustomization whose function is never run: nothing is on PATH that could."""
    folder = tmp_path / "app"
    folder.mkdir()
    files = re.findall(r"cat > (\S+) <<'END'\n(.*?)END\n", BLOCKS["kustomize 1"], re.DOTALL)
    for name, text in files:
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("program", ["kubectl", "kustomize"])
def test_a_skipped_function_is_seen_by_the_missing_annotation(program, app, tmp_path):
    command = [needed(program), "kustomize" if program == "kubectl" else "build", "--enable-alpha-plugins", app]
    done = process(command, commands(tmp_path / "bin"), app)
    assert done.returncode == 0
    assert "dralign.dev/checked" not in done.stdout.decode()


def test_the_component_adds_the_check(app, tmp_path):
    (app / "kustomization.yaml").write_text(yaml.safe_dump({"resources": ["pod.yaml"], "components": ["component"]}))
    (app / "component").mkdir()
    for file in (ROOT / "kustomize" / "component").iterdir():
        (app / "component" / file.name).write_text(file.read_text())
    command = [needed("kustomize"), "build", "--enable-alpha-plugins", "--enable-exec", app]
    done = process(command, commands(tmp_path / "bin"), app)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"[legacy-partition-resource]" in done.stderr


@pytest.mark.parametrize("version", ["helm3", "helm4"])
def test_the_helm_3_plugin_judges_a_chart(version, tmp_path):
    folder = tmp_path / "app" / "templates"
    folder.mkdir(parents=True)
    (folder.parent / "Chart.yaml").write_text("apiVersion: v2\nname: app\nversion: 0.1.0\n")
    (folder / "pod.yaml").write_text(re.search(r"> pod.yaml <<'END'\n(.*?)END", BLOCKS["kustomize 1"], re.DOTALL)[1])
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "dralign").symlink_to(ROOT / "plugin" / "helm3")
    env = commands(tmp_path / "bin") | {"HELM_PLUGINS": str(tmp_path / "plugins")}
    done = process([needed(version), "dralign", "check", "app"], env, tmp_path)
    assert done.returncode == 1
    assert b"[legacy-partition-resource]" in done.stdout
    (folder / "pod.yaml").write_text('{{ fail "no" }}')
    done = process([needed(version), "dralign", "check", "app"], env, tmp_path)
    assert done.returncode == 2
    assert done.stdout == b""
