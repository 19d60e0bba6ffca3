"""Who may import whom, and how long functions and files may be. Lower layers never import higher ones."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "plugin" / "dralign"
FILES = sorted(PACKAGE.rglob("*.py"))

# Lowest first. A module may import from its own row (its own package only, where the row holds several) and from below.
LAYERS = (
    ("errors", "lazy", "record", "spelling", "words"),
    ("values", "yamlio"),
    ("cel", "edit", "manifest"),
    ("document", "kinds"),
    ("model",),
    ("bundle", "drivers"),
    ("selector", "presets"),
    ("sim", "admission", "kubelet"),
    ("proof", "drawing"),
    ("settings",),
    ("finding",),
    ("rule", "context", "suppress"),
    ("fixes",),
    ("rules",),
    ("registry", "repair", "config_schema", "guidelines"),
    ("engine", "config", "pages"),
    ("simulate",),
    ("formats",),
    ("views",),
    ("hosts",),
    ("cli_inventory",),
    ("cli",),
    ("__main__",),
)
LAYER_OF = {name: level for level, names in enumerate(LAYERS) for name in names}

# Beyond the layers: what only some may touch.
ONLY_YAMLIO_IMPORTS_YAML = {"yaml"}
OUTSIDE_WORLD = {"os", "sys", "subprocess", "time", "datetime", "socket", "urllib", "random"}
MAY_TOUCH_IT = ("hosts", "cli", "__main__", "registry", "yamlio", "pages", "cel")
LEAVES = {
    "cel": {"cel", "values", "record"},
    "values": {"values", "record"},
    "sim": {"sim", "model", "manifest", "values", "record", "cel", "selector", "admission"},
    "admission": {"admission", "values", "record", "cel"},
    "kubelet": {"kubelet", "values", "record"},
    "proof": {"proof", "sim", "kubelet", "cel", "model", "values", "record", "lazy"},
    "drivers": {"drivers", "model", "record"},
    "presets": {"presets", "drivers", "model", "record"},
    "drawing": {"drawing", "sim", "model", "record"},
    "edit": {"edit", "yamlio", "errors", "record"},
}
FORBIDDEN_NAMES = {"utils", "util", "common", "helpers", "helper", "base", "misc"}


def part(path):
    """Return the first name under the package: the unit that layers are made of."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path):
    """Yield (module, line) of every import that runs; those for type checkers only are left out."""
    tree = ast.parse(path.read_text())
    typing_only = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for child in block.body
        for node in ast.walk(child)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "dralign":
                for name in node.names:
                    yield f"dralign.{name.name}", node.lineno
            else:
                yield node.module, node.lineno


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_down(path):
    own = part(path)
    if own == "__init__":
        return
    assert own in LAYER_OF, f"{own} has no layer"
    for module, line in imports(path):
        if not module.startswith("dralign."):
            continue
        other = module.split(".")[1]
        if other == "__version__":
            continue
        allowed = LEAVES.get(own)
        if allowed is not None:
            assert other in allowed, f"line {line}: {own} must not import {other}"
        level, target = LAYER_OF[own], LAYER_OF.get(other)
        assert target is not None, f"line {line}: {other} has no layer"
        assert target <= level, f"line {line}: {own} must not import {other}, which lies above it"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_few_touch_the_outside_world(path):
    own = part(path)
    for module, line in imports(path):
        top = module.split(".")[0]
        if top in ONLY_YAMLIO_IMPORTS_YAML:
            assert own == "yamlio", f"line {line}: only yamlio imports yaml"
        if top in OUTSIDE_WORLD:
            assert own in MAY_TOUCH_IT, f"line {line}: {own} must not touch the outside world"


def test_rules_know_no_other_rule_and_no_driver():
    for path in (PACKAGE / "rules").rglob("*.py"):
        for module, line in imports(path):
            assert not module.startswith(("dralign.rules", "dralign.drivers", "dralign.engine", "dralign.yamlio")), (
                path,
                line,
            )


def test_functions_and_files_are_short():
    long = []
    lengths = []
    for path in FILES:
        text = path.read_text()
        if len(text.splitlines()) > 300:
            long.append(f"{path.relative_to(PACKAGE)}: {len(text.splitlines())} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = node.end_lineno - node.lineno + 1
                lengths.append(length)
                if length > 60:
                    long.append(f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.name} has {length} lines")
    assert long == []
    assert sorted(lengths)[len(lengths) // 2] <= 10


def test_no_file_is_a_heap():
    assert [path for path in FILES if path.stem in FORBIDDEN_NAMES] == []


def test_runtime_dependencies_are_imported_where_they_are_used():
    users = {"click": {"cli", "cli_inventory"}, "jsonschema": {"config"}, "yaml": {"yamlio"}, "kubernetes": {"hosts"}}
    for path in FILES:
        for module, line in imports(path):
            top = module.split(".")[0]
            if top in users:
                assert part(path) in users[top], f"{path}:{line}: {top}"
