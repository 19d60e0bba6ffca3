"""Where an added object belongs: the namespace of its user, the chart file it came from, and before it in hook order."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from dralign.manifest import Manifest

HELM_FILE = "postrenderer.helm.sh/postrender-filename"
HELM_HOOK, HELM_WEIGHT, HELM_DELETE = "helm.sh/hook", "helm.sh/hook-weight", "helm.sh/hook-delete-policy"
ARGO_HOOK, ARGO_WAVE, ARGO_DELETE = (
    "argocd.argoproj.io/hook",
    "argocd.argoproj.io/sync-wave",
    "argocd.argoproj.io/hook-delete-policy",
)
TEST_HOOKS = {"test", "test-success", "test-failure"}
"""Test hooks run when the release is there: what they need may be an ordinary object of it."""

_LONGEST_NUMBER = 20


def metadata_for(user: Manifest) -> dict[str, Any]:
    """Return namespace and annotations for an object that must exist before ``user``; no name.

    What a hook needs must be an earlier hook, replaced before it is made again, since hooks are not part of the release.
    """
    metadata: dict[str, Any] = {}
    if user.ref.namespace:
        metadata["namespace"] = user.ref.namespace
    annotations = _carried(user.annotations)
    if annotations:
        metadata["annotations"] = annotations
    return metadata


def _carried(annotations: Mapping[str, Any]) -> dict[str, str]:
    carried = {HELM_FILE: annotations[HELM_FILE]} if HELM_FILE in annotations else {}
    hooks = {hook.strip() for hook in str(annotations.get(HELM_HOOK, "")).split(",")} - {""}
    if hooks - TEST_HOOKS:
        carried[HELM_HOOK] = annotations[HELM_HOOK]
        carried[HELM_WEIGHT] = _before(annotations.get(HELM_WEIGHT))
        carried[HELM_DELETE] = "before-hook-creation"
    if ARGO_HOOK in annotations:
        carried[ARGO_HOOK] = annotations[ARGO_HOOK]
        carried[ARGO_WAVE] = _before(annotations.get(ARGO_WAVE))
        carried[ARGO_DELETE] = "BeforeHookCreation"
    elif ARGO_WAVE in annotations:
        carried[ARGO_WAVE] = annotations[ARGO_WAVE]
    return carried


def number_of(written: Any) -> int:
    """Return a weight or wave as a number; absent and unreadable ones count as 0, as Helm and Argo CD take them."""
    text = str(written if written is not None else "").strip()
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < _LONGEST_NUMBER else 0


def _before(number: Any) -> str:
    """Return the weight or wave right before one."""
    return str(number_of(number) - 1)
