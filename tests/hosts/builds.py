"""One build of a set of manifests through each host: real programs around dralign, as the README shows them.

Every build takes a folder to work in, the manifests and the configuration's ``spec``; it returns exit status, what the
host printed as manifests, and what it told a person.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import yaml
from programs import ROOT, commands, found, needed, process, script

HEADER = {"apiVersion": "dralign.dev/v1alpha1", "kind": "Dralign"}
FINDING = re.compile(
    r"(BLOCK|ERROR|WARN|INFO) +(\S+) \((\w+)[^)]*\)[^\n]*?: [^\n]*\[([a-z-]+)\]\n\s*\S+  (?:(\w+/\S+)  )?(\S+)$",
    re.MULTILINE,
)
SEVERITIES = {"BLOCK": "error", "ERROR": "error", "WARN": "warning", "INFO": "info"}


@dataclass
class Build:
    """What came of a build; ``files`` is the folder it ran in."""

    status: int
    output: bytes
    told: str
    files: Path

    @property
    def findings(self):
        """What a person can read: rule, object to act on, path, severity. The object breaks itself where no other is named."""
        rows = FINDING.findall(self.told)
        return sorted(
            {
                (rule, acting or f"{kind}/{ref.rpartition('/')[2]}", path, SEVERITIES[label])
                for label, ref, kind, rule, acting, path in rows
            }
        )

    @property
    def objects(self):
        """The manifests as plain data, by what names them, without the annotation that says what was judged."""
        return {name(loaded): unmarked(loaded) for loaded in yaml.safe_load_all(self.output) if loaded}


def name(manifest):
    """Return apiVersion, kind, namespace and name of an object."""
    metadata = manifest["metadata"]
    return manifest["apiVersion"], manifest["kind"], metadata.get("namespace"), metadata.get("name")


def unmarked(manifest):
    """Return an object without ``dralign.dev/checked``."""
    annotations = {k: v for k, v in manifest["metadata"].get("annotations", {}).items() if k != "dralign.dev/checked"}
    metadata = {k: v for k, v in manifest["metadata"].items() if k != "annotations"}
    return manifest | {"metadata": metadata | ({"annotations": annotations} if annotations else {})}


def configuration(path, spec, function=None):
    """Write a configuration, as a KRM function's where ``function`` says how it is started."""
    annotations = {"annotations": {"config.kubernetes.io/function": json.dumps(function)}} if function else {}
    path.write_text(yaml.safe_dump(HEADER | {"metadata": {"name": "dralign", **annotations}, "spec": spec}))
    return path


def kustomization(folder, text, **fields):
    """Write a kustomization of one file of manifests."""
    folder.mkdir()
    (folder / "manifests.yaml").write_text(text)
    (folder / "kustomization.yaml").write_text(yaml.safe_dump({"resources": ["manifests.yaml"], **fields}))
    return folder


def chart(folder, text):
    """Write a Helm chart of one template."""
    (folder / "templates").mkdir(parents=True)
    (folder / "templates" / "manifests.yaml").write_text(text)
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: app\nversion: 0.1.0\n")
    return folder


def ran(command, env, cwd, report=None):
    """Run a host; what it told is its standard error, or the report that it wrote."""
    done = process(command, env, cwd)
    told = report.read_text() if report and report.exists() else done.stderr.decode()
    return Build(done.returncode, done.stdout, told, cwd)


def cli(folder, text, spec):
    """``dralign check`` or ``fix`` on the manifests themselves."""
    (folder / "manifests.yaml").write_text(text)
    config = configuration(folder / "config", spec)
    done = process(["dralign", spec["mode"], "manifests.yaml", "--config", config], commands(folder / "bin"), folder)
    told = done.stderr if spec["mode"] == "fix" else done.stdout
    return Build(done.returncode, done.stdout, told.decode(), folder)


def _kustomize(folder, text, spec, field, program, function, *flags):
    app = kustomization(folder / "app", text, **{field: ["dralign.yaml"]})
    configuration(app / "dralign.yaml", spec, function)
    env = commands(folder / "bin")
    script(folder / "bin" / "docker", "#!/bin/sh\nexec dralign-fn\n")
    return ran([needed(program), *flags, "--enable-alpha-plugins", str(app)], env, folder)


EXEC, CONTAINER = {"exec": {"path": "dralign-fn"}}, {"container": {"image": "dralign"}}


def kustomize_exec(folder, text, spec):
    """kustomize with an exec function."""
    return _kustomize(folder, text, spec, "transformers", "kustomize", EXEC, "build", "--enable-exec")


def kubectl_container(folder, text, spec):
    """kubectl with a container function; the program named docker runs the function."""
    return _kustomize(folder, text, spec, "transformers", "kubectl", CONTAINER, "kustomize")


def kustomize_validator(folder, text, spec):
    """kustomize with an exec function under ``validators``."""
    return _kustomize(
        folder, text, spec | {"mode": "validate"}, "validators", "kustomize", EXEC, "build", "--enable-exec"
    )


def kubectl_validator(folder, text, spec):
    """kubectl with a container function under ``validators``."""
    return _kustomize(folder, text, spec | {"mode": "validate"}, "validators", "kubectl", CONTAINER, "kustomize")


def kubectl_legacy(folder, text, spec):
    """kubectl with the older kind of plugin, found by the kind of its configuration."""
    app = kustomization(folder / "app", text, transformers=["dralign.yaml"])
    configuration(app / "dralign.yaml", spec)
    env = commands(folder / "bin") | {"KUSTOMIZE_PLUGIN_HOME": str(folder / "plugins")}
    script(folder / "plugins" / HEADER["apiVersion"] / "dralign" / "Dralign", '#!/bin/sh\nexec dralign-fn "$@"\n')
    return ran([needed("kubectl"), "kustomize", "--enable-alpha-plugins", app], env, folder)


def helm3(folder, text, spec):
    """Helm 3 with a post-renderer; it shows standard error only when that fails, so what it told is its report."""
    chart(folder / "app", text)
    arguments = [f"--config={configuration(folder / 'config', spec)}", "--report=report"]
    flags = [part for word in arguments for part in ("--post-renderer-args", word)]
    command = [needed("helm3"), "template", "rel", "app", "--post-renderer", "dralign-helm", *flags]
    build = ran(command, commands(folder / "bin"), folder)
    if build.status == 0:
        build.told = (folder / "report").read_text()
    return build


def _helm4(folder, text, spec, *arguments):
    chart(folder / "app", text)
    arguments = [f"--config={configuration(folder / 'config', spec)}", *arguments]
    flags = [part for word in arguments for part in ("--post-renderer-args", word)]
    command = [needed("helm4"), "template", "rel", "app", "--post-renderer", "dralign", *flags]
    plugins = folder / "plugins"
    plugins.mkdir()
    (plugins / "dralign").symlink_to(ROOT / "plugin" / "helm4")
    return command, commands(folder / "bin") | {"HELM_PLUGINS": str(plugins)}


def helm4_report(folder, text, spec):
    """Helm 4 with the plugin; what it told is its report."""
    command, env = _helm4(folder, text, spec, "--report=report")
    return ran(command, env, folder, folder / "report")


def helm4_error(folder, text, spec):
    """Helm 4 with the plugin; what it told is Helm's own error."""
    command, env = _helm4(folder, text, spec)
    return ran(command, env, folder)


def _cmp(folder, spec, *programs):
    configuration(folder / "app" / "dralign.yaml", spec)
    env = commands(folder / "bin", *programs) | {"DRALIGN_CONFIG": "dralign.yaml", "ARGOCD_APP_NAME": "rel"}
    return ran(["dralign", "cmp", "generate"], env, folder / "app")


def renderer(folder):
    """Return kustomize, or kubectl's where there is no standalone one."""
    if found("kustomize"):
        return "kustomize", found("kustomize")
    text = f'#!/bin/sh\nshift\nexec {needed("kubectl")} kustomize "$@"\n'
    return "kustomize", script(folder / "shim" / "kustomize", text)


def cmp_kustomize(folder, text, spec):
    """Argo CD's generate command in a kustomize folder."""
    kustomization(folder / "app", text)
    return _cmp(folder, spec, renderer(folder))


def cmp_helm3(folder, text, spec):
    """Argo CD's generate command in a chart, rendered by Helm 3."""
    chart(folder / "app", text)
    return _cmp(folder, spec, ("helm", needed("helm3")))


def cmp_helm4(folder, text, spec):
    """Argo CD's generate command in a chart, rendered by Helm 4."""
    chart(folder / "app", text)
    return _cmp(folder, spec, ("helm", needed("helm4")))


def cmp_plain(folder, text, spec):
    """Argo CD's generate command in a folder of manifests."""
    (folder / "app").mkdir()
    (folder / "app" / "manifests.yaml").write_text(text)
    return _cmp(folder, spec)


def kpt(folder, text, spec):
    """A kpt function: items with path and index, and a ConfigMap, whose values are text, as configuration."""
    items = []
    for index, manifest in enumerate(yaml.safe_load_all(text)):
        place = {
            f"{prefix}config.kubernetes.io/{key}": value
            for prefix in ("", "internal.")
            for key, value in (("path", "app.yaml"), ("index", str(index)))
        }
        items.append(manifest | {"metadata": manifest["metadata"] | {"annotations": place}})
    data = {key: value if isinstance(value, str) else json.dumps(value) for key, value in spec.items()}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "function-input"}, "data": data}
    given = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items, "functionConfig": config}
    done = process(["dralign-fn"], commands(folder / "bin"), folder, yaml.safe_dump(given, sort_keys=False).encode())
    answer = yaml.safe_load(done.stdout) if done.stdout else {"items": []}
    for item in answer["items"]:
        kept = {k: v for k, v in item["metadata"].pop("annotations", {}).items() if "config.kubernetes.io/" not in k}
        item["metadata"] |= {"annotations": kept} if kept else {}
    failed = done.returncode != 0  # kpt then writes no file, whatever came out
    return Build(
        done.returncode, b"" if failed else yaml.safe_dump_all(answer["items"]).encode(), done.stderr.decode(), folder
    )


def kpt_eval(folder, text, spec):
    """kpt itself, on files in place; it writes none when a function fails, and shows each line of it in quotes."""
    (folder / "app").mkdir()
    (folder / "app" / "app.yaml").write_text(text)
    values = [f"{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in spec.items()]
    command = [needed("kpt"), "fn", "eval", "app", "--truncate-output=false", "--exec", "dralign-fn", "--", *values]
    build = ran(command, commands(folder / "bin"), folder)
    build.told = re.sub(r'^ +"(.*)"$', r"\1", build.told, flags=re.MULTILINE)
    files = [file.read_text() for file in sorted((folder / "app").rglob("*.yaml"))]
    assert build.status == 0 or files == [text]
    build.output = b"" if build.status else "---\n".join(files).encode()
    return build


VALIDATORS = {"kustomize validators, exec": kustomize_validator, "kubectl validators, container": kubectl_validator}
WRITERS = {
    "kustomize exec": kustomize_exec,
    "kubectl container": kubectl_container,
    "kubectl legacy plugin": kubectl_legacy,
    "kpt function": kpt,
    "kpt fn eval": kpt_eval,
    "helm 3 post-renderer": helm3,
    "helm 4 plugin, report": helm4_report,
    "argo cd, kustomize": cmp_kustomize,
    "argo cd, helm 3 chart": cmp_helm3,
    "argo cd, helm 4 chart": cmp_helm4,
    "argo cd, plain": cmp_plain,
}
ALL = {**WRITERS, **VALIDATORS, "helm 4 plugin, error": helm4_error}
