"""Writes the field tables of ``dralign.admission`` from the Go types of the Kubernetes API.

    python tests/admission/make_schema.py MODULES plugin/dralign/admission

MODULES is a Go module cache with k8s.io/api and k8s.io/apimachinery of every release in VERSIONS
(``go mod download k8s.io/api@v0.37.2`` ...). A developer runs this when a release is added; the product never does.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

VERSIONS = {32: "v0.32.13", 33: "v0.33.10", 34: "v0.34.4", 35: "v0.35.4", 36: "v0.36.3", 37: "v0.37.2"}
# package name in the tables -> module, folder
PACKAGES = {
    "meta": ("apimachinery", "pkg/apis/meta/v1"),
    "core": ("api", "core/v1"),
    "apps": ("api", "apps/v1"),
    "batch": ("api", "batch/v1"),
    "scheduling": ("api", "scheduling/v1alpha3"),
    "resource.v1": ("api", "resource/v1"),
    "resource.v1beta2": ("api", "resource/v1beta2"),
    "resource.v1beta1": ("api", "resource/v1beta1"),
    "resource.v1alpha3": ("api", "resource/v1alpha3"),
}
IMPORTS = {"metav1": "meta", "v1": "core", "corev1": "core", "schedulingv1alpha3": "scheduling"}
SCALARS = {
    "string": "string",
    "bool": "bool",
    "int": "int64",
    "int32": "int32",
    "int64": "int64",
    "uint32": "int64",
    "float64": "float64",
    "byte": "byte",
    "resource.Quantity": "Quantity",
    "intstr.IntOrString": "IntOrString",
    "runtime.RawExtension": "RawExtension",
    "types.UID": "UID",
    "meta.Time": "Time",
    "meta.MicroTime": "Time",
    "meta.Duration": "string",
    "meta.FieldsV1": "RawExtension",
}
DRA_KINDS = ("ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "ResourceSlice")
FILES = {
    "schema_meta": {"meta": ("ObjectMeta", "LabelSelector", "Condition")},
    "schema_core": {
        "core": ("Pod", "PodTemplate", "ReplicationController", "PersistentVolumeClaim", "ObjectReference"),
    },
    "schema_workload": {
        "apps": ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"),
        "batch": ("Job", "CronJob"),
        "scheduling": (
            "WorkloadPodGroupDisruptionMode",
            "WorkloadPodGroupResourceClaim",
            "WorkloadPodGroupSchedulingConstraints",
            "WorkloadPodGroupSchedulingPolicy",
        ),
    },
    "schema_resource": {
        "resource.v1": (*DRA_KINDS, "DeviceTaintRule"),
        "resource.v1beta2": (*DRA_KINDS, "DeviceTaintRule"),
        "resource.v1beta1": DRA_KINDS,
        "resource.v1alpha3": ("DeviceTaintRule",),
    },
}
DOCSTRINGS = {
    "schema_meta": "Field tables of the metadata of all objects",
    "schema_core": "Field tables of Pods and what Pods are made of",
    "schema_workload": "Field tables of the kinds that hold pod templates",
    "schema_resource": "Field tables of resource.k8s.io in all its versions",
}


class Source:
    """The types of one package in one release."""

    def __init__(self, folder):
        self.structs, self.aliases = {}, {}
        texts = [path.read_text() for path in sorted(folder.glob("*types*.go"))] if folder.is_dir() else []
        text = re.sub(r"//.*", "", "\n".join(texts))
        for match in re.finditer(r"^type (\w+) struct \{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE):
            self.structs[match[1]] = match[2]
        for match in re.finditer(r"^type (\w+) (?!struct|interface)(\S+)$", text, re.MULTILINE):
            self.aliases[match[1]] = match[2]
        for match in re.finditer(r"^\t(\w+) (string|int32|int64)$", text, re.MULTILINE):
            self.aliases.setdefault(match[1], match[2])


class Reader:
    """Collects, for one package, the fields of every type that is reached from its kinds, over all releases."""

    def __init__(self, package, sources):
        self.package, self.sources = package, sources
        self.types = {}  # name -> {field: {release: specification}}
        self.releases = {}  # name -> the releases that have the type
        self.aliases = {}

    def reach(self, name):
        if name in self.types or name in self.aliases:
            return
        alias = next((source.aliases[name] for source in self.sources.values() if name in source.aliases), None)
        if alias is not None:
            self.aliases[name] = ""
            self.aliases[name] = self.specification(alias)
            return
        fields = self.types[name] = {}
        self.releases[name] = [release for release, source in self.sources.items() if name in source.structs]
        for release in self.releases[name]:
            source = self.sources[release]
            for field, specification in self.fields(source, source.structs[name]):
                fields.setdefault(field, {})[release] = specification

    def fields(self, source, body):
        for line in body.splitlines():
            match = re.match(r'\s*(?:(\w+)\s+)?(\S+)\s+`json:"([^"]*)"', line)
            if not match:
                continue
            go_type, tag = match[2], match[3]
            field, *options = tag.split(",")
            if not match[1] and not field:
                inner = go_type.lstrip("*")
                if inner != "metav1.TypeMeta":
                    for field, specification in self.fields(source, source.structs[inner]):
                        yield field, f"{specification}^{inner}"
                else:
                    yield from (("kind", "string"), ("apiVersion", "string"))
            elif field != "-":
                keep = "" if {"omitempty", "omitzero"} & set(options) else "!"
                zero = "?" if "omitzero" in options else ""
                yield field, self.specification(go_type) + keep + zero

    def specification(self, go_type):
        if go_type.startswith("*"):
            return "*" + self.specification(go_type[1:])
        if go_type == "[]byte":
            return "bytes"
        if go_type.startswith("[]"):
            return "[]" + self.specification(go_type[2:])
        match = re.match(r"map\[([\w.]+)\](.*)", go_type)
        if match:
            key = self.named(match[1])
            return "{" + ("" if key == "string" else key) + "}" + self.specification(match[2])
        return self.named(go_type)

    def named(self, go_type):
        if go_type in SCALARS:
            return SCALARS[go_type]
        package, _, name = go_type.rpartition(".")
        home = IMPORTS.get(package, "") if package else self.package
        if f"{home}.{name}" in SCALARS:
            return SCALARS[f"{home}.{name}"]
        if home == self.package:
            self.reach(name)
            return name
        return f"{home}.{name}"


def spans(by_release, all_releases):
    """Yield each form that a field had, with its releases: "" for all of its type, "@35", "@-36", "@35-36"."""
    for specification in dict.fromkeys(by_release.values()):
        present = [release for release, form in by_release.items() if form == specification]
        since = "" if min(present) == min(all_releases) else str(min(present))
        until = "" if max(present) == max(all_releases) else f"-{max(present)}"
        yield specification + (f"@{since}{until}" if since or until else "")


def rows(reader):
    for name, fields in sorted(reader.types.items()):
        parts = [name]
        for field, by_release in fields.items():
            parts += [f"{field}={form}" for form in spans(by_release, reader.releases[name])]
        yield " ".join(parts)
    for name, specification in sorted(reader.aliases.items()):
        yield f"{name}:{specification}"


def wrapped(row):
    return "\n".join(textwrap.wrap(row, 116, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))


def section(package, kinds, modules):
    module, folder = PACKAGES[package]
    sources = {
        release: Source(modules / "k8s.io" / f"{module}@{version}" / folder) for release, version in VERSIONS.items()
    }
    reader = Reader(package, sources)
    for kind in kinds:
        reader.reach(kind)
    return f"[{package}]\n" + "\n".join(wrapped(row) for row in rows(reader))


def without_repeats(sections):
    """Drop from the older versions of a group the rows that its v1 has as well."""
    known, kept = set(), []
    for text in sections:
        head, *lines = re.sub(r"\n  ", " ", text).splitlines()
        fresh = [line for line in lines if line not in known]
        known.update(lines)
        kept.append("\n".join([head, *map(wrapped, fresh)]))
    return kept


def main():
    modules, target = Path(sys.argv[1]), Path(sys.argv[2])
    for name, packages in FILES.items():
        sections = without_repeats([section(package, kinds, modules) for package, kinds in packages.items()])
        head = (
            f'"""{DOCSTRINGS[name]}; written by tests/admission/make_schema.py, see ``schema.py``."""\n\n'
            "from __future__ import annotations\n\n"
        )
        body = "\n".join(sections)
        (target / f"{name}.py").write_text(f'{head}TABLE = """\\\n{body}\n"""\n')


if __name__ == "__main__":
    main()
