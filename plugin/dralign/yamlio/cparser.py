"""libyaml's event parser as PyYAML ships it, without the import of the whole ``yaml`` package.

Of PyYAML the product needs ``yaml._yaml.CParser`` alone, but ``import yaml`` runs seventeen modules and compiles dozens
of regular expressions, which takes longer than the interpreter's own start. The C module asks its package only for the
classes it makes and raises, so this module puts a package before it that has the real ``error``, ``tokens`` and ``nodes``,
events of our own and, of the others, nothing but their exception class. Afterwards ``sys.modules`` is as it was, save for
one entry: ``yaml._yaml`` waits for a later ``import yaml`` and then hands the C module over to the real package.
"""

from __future__ import annotations

import sys

from dralign.errors import UsageError
from dralign.yamlio import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType as _Module
    from typing import Any
else:
    _Module = type(sys)

_REAL = ("error", "tokens", "nodes")
# module of the package -> the one class of it that the C module looks up, and that class's base in yaml.error
_STAND_INS = {
    "reader": ("ReaderError", "YAMLError"),
    "scanner": ("ScannerError", "MarkedYAMLError"),
    "parser": ("ParserError", "MarkedYAMLError"),
    "composer": ("ComposerError", "MarkedYAMLError"),
    "constructor": ("ConstructorError", "MarkedYAMLError"),
    "emitter": ("EmitterError", "YAMLError"),
    "serializer": ("SerializerError", "YAMLError"),
    "representer": ("RepresenterError", "YAMLError"),
}
_NOT_INSTALLED = "PyYAML is not installed: pip install 'pyyaml>=6.0.2'"
_WITHOUT_LIBYAML = (
    "this PyYAML was built without libyaml, and its Python parser does not read YAML as Kubernetes does: "
    "pip install --force-reinstall --only-binary :all: 'pyyaml>=6.0.2'"
)

_loaded: list[Any] = []


def libyaml() -> Any:
    """Return PyYAML's C module: ``CParser``, the event classes it makes, ``YAMLError``.

    Look its attributes up at each use: they become the real package's classes when ``yaml`` itself is imported later.

    Raises:
        UsageError: PyYAML is missing, or was built without libyaml.
    """
    if not _loaded:
        _loaded.append(_import())
    return _loaded[0]


def _import() -> Any:
    if "yaml" not in sys.modules:
        before = set(sys.modules)
        try:
            return _import_alone()
        except Exception:  # noqa: BLE001  whatever a future PyYAML changes here, the plain import still works
            for name in set(sys.modules) - before:
                if name == "yaml" or name.startswith("yaml."):
                    del sys.modules[name]
    return _import_package()


def _import_package() -> Any:
    try:
        import yaml  # noqa: F401, PLC0415  only when the short way is closed
    except ImportError as error:
        raise UsageError(_NOT_INSTALLED) from error
    try:
        from yaml import _yaml  # noqa: PLC0415  likewise
    except ImportError as error:
        raise UsageError(_WITHOUT_LIBYAML) from error
    return _yaml


def _import_alone() -> Any:
    package = _bare_package()
    sys.modules["yaml"] = package
    package.events = sys.modules["yaml.events"] = events
    names = ["yaml", "yaml.events"]
    try:
        for name in _REAL:
            __import__(f"yaml.{name}")
            names.append(f"yaml.{name}")
        for name, (class_name, base) in _STAND_INS.items():
            module = _Module(f"yaml.{name}")
            made = type(class_name, (getattr(package.error, base),), {"__module__": f"yaml.{name}"})
            setattr(module, class_name, made)
            setattr(package, name, module)
        __import__("yaml._yaml")
        names.append("yaml._yaml")
    finally:
        for name in names:
            del sys.modules[name]
    module = package._yaml  # noqa: SLF001  PyYAML's own name for it
    sys.modules["yaml._yaml"] = _Handover(module)
    return module


def _bare_package() -> Any:
    for finder in sys.meta_path:
        spec = finder.find_spec("yaml", None)
        if spec is not None:
            break
    else:
        raise ImportError("yaml")
    package: Any = _Module("yaml")
    package.__path__ = spec.submodule_search_locations
    return package


class _Handover(_Module):
    """Stands at ``yaml._yaml`` until the real package asks for it, which then gets the C module with its own classes."""

    def __init__(self, module: Any) -> None:
        super().__init__("yaml._yaml")
        self.__spec__ = module.__spec__
        self.__dict__["_module"] = module

    def __getattr__(self, name: str) -> Any:
        module = self.__dict__["_module"]
        package = sys.modules.get("yaml")
        if package is not None:
            sys.modules["yaml._yaml"] = module
            _rebind(module, package)
        return getattr(module, name)


def _rebind(module: Any, package: Any) -> None:
    module.yaml = package
    package._yaml = module  # noqa: SLF001  where the import system would have put it
    for name, value in list(vars(module).items()):
        if isinstance(value, type):
            home = sys.modules.get(value.__module__)
            setattr(module, name, getattr(home, name, value))
