"""Objects that say how kubelets are configured, and which nodes' kubelets those are.

A KubeletConfiguration as a file, in kubeadm's ConfigMap, or captured from a kubelet (``/configz``) is all that the kubelet
reads. OpenShift's KubeletConfig and Karpenter's node classes hold some of its fields and leave the others as the platform
sets them. Sources: ``kubelet.config.k8s.io/v1beta1``, ``machineconfiguration.openshift.io/v1``, ``karpenter.sh``,
``karpenter.k8s.aws``, ``karpenter.azure.com``, kubeadm's ``kubelet-config``.
"""

from __future__ import annotations

from dralign import yamlio
from dralign.errors import InputError
from dralign.manifest import ROOT, Path, as_list, as_map, as_text
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from dralign.manifest import Manifest

    Labels = Mapping[str, str]

GROUP = "kubelet.config.k8s.io"
KIND = "KubeletConfiguration"
CAPTURE = "kubeletconfig"
"""The key of an answer of ``/configz``: what stands below is the configuration a kubelet runs with."""

_TYPE = {"apiVersion": f"{GROUP}/v1beta1", "kind": KIND}
_OPENSHIFT = "machineconfiguration.openshift.io"
_POOL_LABEL = "pools.operator.machineconfiguration.openshift.io/"
_ROLE_LABEL = "node-role.kubernetes.io/"
_KARPENTER = "karpenter.sh"
_NODE_POOL_LABEL = "karpenter.sh/nodepool"


class KubeletSource(Record):
    """One configuration of kubelets.

    Attributes:
        manifest: the object that holds it.
        path: where its fields stand in there; the text itself, where it is written as text.
        data: the fields, with apiVersion and kind, as the kubelet reads them.
        whole: nothing is added to it; else the platform fills in what it does not say.
        embedded: it is a text inside of the object, so that its fields have no place of their own.
        own: it names its nodes itself, by ``labels``, ``node`` or ``provider_id``; else its file says which they are.
        labels: sets of labels; a node that bears all of one is meant.
        node, provider_id: the one node it was captured from, as far as it says.
    """

    manifest: Manifest
    path: Path
    data: Mapping[str, Any]
    whole: bool = True
    embedded: bool = False
    own: bool = False
    labels: tuple[Labels, ...] = ()
    node: str | None = None
    provider_id: str | None = None

    @property
    def captured(self) -> bool:
        """Whether a running kubelet answered this, so that it started with it."""
        return self.manifest.base[-1:] == (CAPTURE,)

    def place(self, *keys: str | int) -> Path:
        """Return where a field stands."""
        return self.path if self.embedded else self.path.join(keys)


def is_capture(data: Mapping[str, Any]) -> bool:
    """Say whether a document without a kind is an answer of ``/configz``."""
    return isinstance(data.get(CAPTURE), dict) and "kind" not in data


def opened_capture(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration in an answer of ``/configz`` as an object; ``metadata`` beside it may name the node."""
    metadata = {key: data[key] for key in ("metadata",) if key in data}
    return {**_TYPE, **metadata, **data[CAPTURE]}


def sources(objects: Sequence[Manifest]) -> tuple[KubeletSource, ...]:
    """Return all configurations of kubelets among objects, in order."""
    return tuple(found for manifest in objects for found in _sources_in(manifest, objects))


def _sources_in(manifest: Manifest, objects: Sequence[Manifest]) -> Iterator[KubeletSource]:
    kind, group = manifest.ref.kind, manifest.group
    if kind == KIND and group in ("", GROUP):
        yield _plain(manifest)
    elif kind == "KubeletConfig" and group == _OPENSHIFT:
        pools = tuple(_pool_labels(as_map(manifest.get(("spec", "machineConfigPoolSelector"))), objects))
        yield from _part(manifest, ("spec", "kubeletConfig"), pools)
    elif kind == "ConfigMap" and not group and (manifest.ref.name or "").startswith("kubelet-config"):
        yield from _kubeadm(manifest)
    elif kind.endswith("NodeClass") and group.startswith("karpenter."):
        yield from _node_class(manifest, objects)
    elif kind == "NodePool" and group == _KARPENTER:
        labels = ({_NODE_POOL_LABEL: manifest.ref.name or ""},)
        yield from _part(manifest, ("spec", "template", "spec", "kubelet"), labels)


def _plain(manifest: Manifest) -> KubeletSource:
    if manifest.base[-1:] != (CAPTURE,):
        return KubeletSource(manifest, ROOT, manifest.data)
    name, provider = manifest.ref.name, as_text(manifest.data.get("providerID"))
    return KubeletSource(manifest, ROOT, manifest.data, own=bool(name or provider), node=name, provider_id=provider)


def _part(manifest: Manifest, at: tuple[str, ...], labels: tuple[Labels, ...]) -> Iterator[KubeletSource]:
    data = manifest.get(at)
    if isinstance(data, dict):
        yield KubeletSource(manifest, Path(at), {**_TYPE, **data}, whole=False, own=True, labels=labels)


def _kubeadm(manifest: Manifest) -> Iterator[KubeletSource]:
    """Yield what kubeadm hands to every node of its cluster; a text that is no YAML says nothing."""
    text = as_text(manifest.get(("data", "kubelet")))
    if text is None:
        return
    try:
        data = yamlio.load(text, yamlio.SIGS, manifest.document.source).value
    except InputError:
        return
    if isinstance(data, dict) and data.get("kind") == KIND:
        yield KubeletSource(manifest, Path(("data", "kubelet")), data, embedded=True)


def _pool_labels(selector: Mapping[str, Any], objects: Iterable[Manifest]) -> Iterator[Labels]:
    """Yield the labels by which the pools that a selector means choose their nodes.

    A pool that is not among the objects is known by its name: its nodes bear its role.
    """
    wanted = as_map(selector.get("matchLabels"))
    pools = [m for m in objects if m.ref.kind == "MachineConfigPool" and m.group == _OPENSHIFT]
    for pool in pools:
        if wanted and all(pool.labels.get(key) == value for key, value in wanted.items()):
            yield as_map(pool.get(("spec", "nodeSelector", "matchLabels")))
    named = [str(term.get("key")) for term in map(as_map, as_list(selector.get("matchExpressions")))]
    known = {pool.ref.name for pool in pools}
    for key in (*wanted, *named):
        pool_name = key.removeprefix(_POOL_LABEL)
        if pool_name != key and pool_name not in known:
            yield {_ROLE_LABEL + pool_name: ""}


def _node_class(manifest: Manifest, objects: Iterable[Manifest]) -> Iterator[KubeletSource]:
    """Yield what a node class of Karpenter says: its nodes bear its name, or that of a pool that refers to it."""
    if "userData" in as_map(manifest.get(("spec",))) or manifest.get(("spec", "amiFamily")) == "Custom":
        return  # the image's own start decides, and may set any policy
    kind, name = manifest.ref.kind, manifest.ref.name or ""
    pools = (
        {_NODE_POOL_LABEL: pool.ref.name or ""}
        for pool in objects
        if pool.ref.kind == "NodePool" and pool.group == _KARPENTER
        for ref in (as_map(pool.get(("spec", "template", "spec", "nodeClassRef"))),)
        if ref.get("kind") == kind and ref.get("name") == name
    )
    labels = ({f"{manifest.group}/{kind.lower()}": name}, *pools)
    for field in ("kubelet", "kubeletConfiguration"):
        yield from _part(manifest, ("spec", field), labels)
