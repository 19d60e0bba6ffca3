"""Which group, version and kind an API server serves by default, per release.

Sources: discovery of kube-apiserver 1.34.4, 1.35.4, 1.36.3 and 1.37.2; for earlier and later releases the
``prerelease-lifecycle`` facts of the API types (introduced, deprecated, removed).
"""

from __future__ import annotations

from dralign.record import Record

SERVED = "served"
OFF_BY_DEFAULT = "off by default"
NOT_YET = "not yet"
REMOVED = "removed"
UNKNOWN = "unknown"

CLASSIC_VERSIONS = ("v1alpha1", "v1alpha2")
"""Versions of classic DRA in resource.k8s.io, in which drivers allocated devices (KEP-3063)."""


class Served(Record):
    """How a release treats a group/version and kind.

    ``state`` is one of SERVED, OFF_BY_DEFAULT (needs ``--runtime-config``), NOT_YET (a later release brings it),
    REMOVED and UNKNOWN (no built-in kind that is known here). ``deprecated`` and ``removed`` are the releases from
    which it is deprecated and gone, also when these lie after the one asked about; ``use`` is the group/version that
    this release serves instead, None when there is none or the one asked about is as good.
    """

    state: str
    deprecated: str | None = None
    removed: str | None = None
    use: str | None = None


class _Life(Record):
    """Minor releases of 1.x: introduced, on by default (None: never), deprecated, removed."""

    introduced: int
    on: int | None
    deprecated: int | None = None
    removed: int | None = None


_CLAIM_KINDS = ("ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "ResourceSlice")
_APPS_KINDS = ("Deployment", "DaemonSet", "ReplicaSet", "StatefulSet")

# group/version -> ((kinds, life), ...); newest first within a group, so that the first served one is the one to use.
_LIVES: dict[str, tuple[tuple[tuple[str, ...], _Life], ...]] = {
    "resource.k8s.io/v1": ((_CLAIM_KINDS, _Life(34, 34)), (("DeviceTaintRule",), _Life(37, 37))),
    "resource.k8s.io/v1beta2": (
        (_CLAIM_KINDS, _Life(33, None, 36, 39)),
        (("DeviceTaintRule",), _Life(36, None, 39, 42)),
    ),
    "resource.k8s.io/v1beta1": ((_CLAIM_KINDS, _Life(32, None, 35, 38)),),
    "resource.k8s.io/v1alpha3": (
        (_CLAIM_KINDS, _Life(31, None, 31, 34)),
        (("DeviceTaintRule",), _Life(33, None, 36, 39)),
        (("PodSchedulingContext",), _Life(31, None, 31, 32)),
        (("ResourcePoolStatusRequest",), _Life(36, None, 39, 42)),
    ),
    "resource.k8s.io/v1alpha2": (
        (
            ("ResourceClaim", "ResourceClaimTemplate", "ResourceClass", "PodSchedulingContext", "ResourceSlice"),
            _Life(27, None, 30, 31),
        ),
        (("ResourceClaimParameters", "ResourceClassParameters"), _Life(30, None, 30, 31)),
    ),
    "resource.k8s.io/v1alpha1": (
        (("ResourceClaim", "ResourceClaimTemplate", "ResourceClass", "PodScheduling"), _Life(26, None, 26, 27)),
    ),
    "scheduling.k8s.io/v1": ((("PriorityClass",), _Life(14, 14)),),
    "v1": ((("Pod", "PodTemplate", "ReplicationController"), _Life(0, 0)),),
    "apps/v1": ((_APPS_KINDS, _Life(9, 9)),),
    "apps/v1beta2": ((_APPS_KINDS, _Life(8, 8, 9, 16)),),
    "apps/v1beta1": ((("Deployment", "StatefulSet"), _Life(6, 6, 8, 16)),),
    "extensions/v1beta1": ((("Deployment", "DaemonSet", "ReplicaSet"), _Life(1, 1, 8, 16)),),
    "batch/v1": ((("Job",), _Life(2, 2)), (("CronJob",), _Life(21, 21))),
    "batch/v1beta1": ((("CronJob",), _Life(8, 8, 21, 25)),),
    "batch/v2alpha1": ((("CronJob",), _Life(5, None, 8, 21)),),
}
# A kind that lives on under another name or in another group.
_SUCCESSORS = {"ResourceClass": "DeviceClass"}
_SUCCESSOR_GROUPS = {"extensions": "apps"}


_answers: dict[tuple[str, str, str], Served] = {}


def served(group_version: str, kind: str, release: str) -> Served:
    """Say how ``release`` ("1.37") treats ``kind`` in ``group_version`` ("resource.k8s.io/v1beta1", "v1")."""
    key = (group_version, kind, release)
    answer = _answers.get(key)
    if answer is None:
        answer = _answers[key] = _answer(group_version, kind, int(release.partition(".")[2]))
    return answer


def _answer(group_version: str, kind: str, minor: int) -> Served:
    life = _life(group_version, kind)
    if life is None:
        return Served(UNKNOWN, use=_best(_group(group_version), kind, minor))
    best = _best(_group(group_version), kind, minor)
    return Served(
        _state(life, minor), _release(life.deprecated), _release(life.removed), None if best == group_version else best
    )


def _state(life: _Life, minor: int) -> str:
    if minor < life.introduced:
        return NOT_YET
    if life.removed is not None and minor >= life.removed:
        return REMOVED
    return SERVED if life.on is not None and minor >= life.on else OFF_BY_DEFAULT


def _best(group: str, kind: str, minor: int) -> str | None:
    """Return the newest version of the group (or its successor) that serves the kind, those on by default first."""
    wanted = _SUCCESSORS.get(kind, kind)
    group = _SUCCESSOR_GROUPS.get(group, group)
    by_state: dict[str, str] = {}
    for group_version in _LIVES:
        life = _life(group_version, wanted) if _group(group_version) == group else None
        if life is not None:
            by_state.setdefault(_state(life, minor), group_version)
    return by_state.get(SERVED) or by_state.get(OFF_BY_DEFAULT)


def _life(group_version: str, kind: str) -> _Life | None:
    return next((life for kinds, life in _LIVES.get(group_version, ()) if kind in kinds), None)


def _group(group_version: str) -> str:
    group, slash, _ = group_version.partition("/")
    return group if slash else ""


def _release(minor: int | None) -> str | None:
    return None if minor is None else f"1.{minor}"
