"""Kubernetes' functions on semantic versions. Source: k8s.io/apiserver/pkg/cel/library/semverlib.go."""

from __future__ import annotations

from dralign.cel.values import CelError
from dralign.values import int64
from dralign.values.semver import Semver


def semver(text: str, normalize: bool = False) -> Semver:
    """``semver('1.2.3')``, with ``true`` also of ``v1.2``."""
    try:
        return Semver.parse(text, normalize=normalize)
    except ValueError as error:
        raise CelError(str(error)) from None


def is_semver(text: str, normalize: bool = False) -> bool:
    """``isSemver(text[, normalize])``."""
    try:
        Semver.parse(text, normalize=normalize)
    except ValueError:
        return False
    return True


def major(version: Semver) -> int:
    """``major()``, wrapped into an int."""
    return int64.wrap(version.major)


def minor(version: Semver) -> int:
    """``minor()``, wrapped into an int."""
    return int64.wrap(version.minor)


def patch(version: Semver) -> int:
    """``patch()``, wrapped into an int."""
    return int64.wrap(version.patch)


def is_greater_than(version: Semver, other: Semver) -> bool:
    """``isGreaterThan(v)``."""
    return version > other


def is_less_than(version: Semver, other: Semver) -> bool:
    """``isLessThan(v)``."""
    return version < other


def compare_to(version: Semver, other: Semver) -> int:
    """``compareTo(v)``: -1, 0 or 1."""
    return version.compare(other)
