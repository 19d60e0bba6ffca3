"""The short way to libyaml's parser: that it is short, that a later ``import yaml`` works, and what stands in if it fails."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PLUGIN = Path(__file__).resolve().parent.parent / "plugin"

SHORT = "from dralign.yamlio.cparser import libyaml; api = libyaml()"
REAL = "import yaml"
# what must work, whichever came first
USE = """
assert yaml.__with_libyaml__
assert yaml.load("a: [1, {b: c}]", Loader=yaml.CSafeLoader) == {"a": [1, {"b": "c"}]}
assert yaml.dump({"a": ["b"]}, Dumper=yaml.CSafeDumper) == "a:\\n- b\\n"
assert yaml.safe_load("a: 1") == {"a": 1}
assert yaml._yaml is api is sys.modules["yaml._yaml"]
assert issubclass(yaml.scanner.ScannerError, yaml.YAMLError)
for text, error in {"a: 'b": yaml.scanner.ScannerError, "a: [": yaml.parser.ParserError, "\\x07": yaml.reader.ReaderError}.items():
    try:
        yaml.load(text, Loader=yaml.CSafeLoader)
    except error as found:
        assert isinstance(found, yaml.error.YAMLError)
    else:
        raise AssertionError(text)
assert isinstance(api.CParser("a").get_event(), yaml.events.StreamStartEvent)
from dralign.yamlio import SIGS, load
assert load("a: &x [1]\\nb: *x\\n", SIGS, "-").value == {"a": [1], "b": [1]}
"""
WITHOUT_LIBYAML = """
class Without:
    def find_spec(self, name, path=None, target=None):
        if name == "yaml._yaml":
            raise ImportError(name)
sys.meta_path.insert(0, Without())
"""
WITHOUT_PYYAML = """
class Without:
    def find_spec(self, name, path=None, target=None):
        if name == "yaml":
            raise ImportError(name)
sys.meta_path.insert(0, Without())
"""
OTHER_NODES = """
import importlib.abc
class Changed(importlib.abc.Loader):
    # a PyYAML whose nodes module needs more of its package than the short way has
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        sys.meta_path.remove(finder)
        import yaml
        yaml.scanner.Scanner
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "yaml.nodes" and not hasattr(sys.modules["yaml"], "__file__"):
            return importlib.machinery.ModuleSpec(name, Changed())
finder = Finder()
sys.meta_path.insert(0, finder)
"""


def run(*parts: str) -> subprocess.CompletedProcess[str]:
    code = "\n".join([f"import sys; sys.path.insert(0, {str(PLUGIN)!r})", *map(textwrap.dedent, parts)])
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param((SHORT, REAL, USE), id="short way first"),
        pytest.param((REAL, SHORT, USE), id="real package first"),
        pytest.param((OTHER_NODES, SHORT, REAL, USE), id="short way fails"),
        pytest.param((SHORT, "from yaml._yaml import CParser; import yaml", USE), id="the C module asked for by name"),
        pytest.param((SHORT, "import yaml.events, yaml", USE), id="a part of the package first"),
    ],
)
def test_the_package_works_whatever_came_first(parts):
    done = run(*parts)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_short_way_loads_little_and_leaves_less():
    code = """
    import site
    before = set(sys.modules)
    from dralign import yamlio
    assert yamlio.load("a: [b, 'c', 1]", yamlio.SIGS, "-").value == {"a": ["b", "c", 1]}
    loaded = set(sys.modules) - before
    print(sorted(name for name in loaded if not name.startswith(("dralign", "_cython"))))
    """
    assert run(code).stdout == "['__future__', 'cython_runtime', 'gc', 'yaml._yaml']\n"


@pytest.mark.parametrize(
    ("obstacle", "message"),
    [
        pytest.param(
            WITHOUT_LIBYAML,
            "this PyYAML was built without libyaml, and its Python parser does not read YAML as Kubernetes does: "
            "pip install --force-reinstall --only-binary :all: 'pyyaml>=6.0.2'",
            id="PyYAML without libyaml",
        ),
        pytest.param(WITHOUT_PYYAML, "PyYAML is not installed: pip install 'pyyaml>=6.0.2'", id="no PyYAML"),
    ],
)
def test_what_to_do_without_libyaml(obstacle, message):
    code = """
    from dralign.errors import UsageError
    from dralign.yamlio import SIGS, load
    try:
        load("a: 1", SIGS, "-")
    except UsageError as error:
        print(error)
    """
    done = run(obstacle, code)
    assert (done.stdout, done.stderr) == (f"{message}\n", "")


def test_without_libyaml_the_package_itself_still_loads():
    done = run(
        WITHOUT_LIBYAML,
        "try:\n    " + SHORT.replace("; ", "\n    ") + "\nexcept Exception: pass",
        "import yaml; print(yaml.safe_load('a: 1'))",
    )
    assert (done.stdout, done.stderr) == ("{'a': 1}\n", "")


def test_libyamls_own_bound_on_nesting_is_put_back():
    code = """
    from dralign.yamlio import SIGS, load
    load("[" * 5000 + "]" * 5000, SIGS, "-")
    from dralign.yamlio.cparser import libyaml
    bound = getattr(libyaml(), "_get_max_nest_level", lambda: 1000)()
    print(bound)
    """
    assert run(code).stdout == "1000\n"
