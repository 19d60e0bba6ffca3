"""Byte strings that stand in documents which matter, beside those of the drivers. Read on every start."""

from __future__ import annotations

CLAIMS = (
    b"resource.k8s.io",  # claims, templates, classes, slices
    b"resource.kubernetes.io",  # standard attributes, implicit extended resources, the admin-access label
    b"resourceClaim",  # pods, and kinds that make claim templates
    b"claims",  # containers that use a claim which their pod may have forgotten to declare
)
CORE = (
    *CLAIMS,
    b"istio-injection",  # namespaces whose pods get a sidecar
    b"linkerd.io/inject",
    b"ignore.dralign.dev/",  # annotations of ours, which may silence nothing any more
)
KUBELETS = (
    b"KubeletConfiguration",  # a kubelet's own file, or kubeadm's text of it
    b"kubeletConfig",  # OpenShift's KubeletConfig
    b"kubeletconfig",  # what a kubelet answers about itself
    b"MachineConfigPool",  # OpenShift's pools of nodes
    b"NodeClass",  # Karpenter's, and its pools, which refer to them
)
NODES = (*KUBELETS, b"NodeResourceTopology", b"allocatable")
"""What tells of nodes and of what runs on them."""
BESIDE = (
    # the namespace decides whether admin access is allowed
    ((b"adminAccess",), (b"Namespace",)),
    # what Kueue is told to count, where something waits in its queues
    ((b"kueue.x-k8s.io/queue-name",), (b"config.kueue.x-k8s.io",)),
    # what a class serves by DRA can have any name
    ((b"extendedResourceName",), (b"limits",)),
    # a kubelet gives CPUs and memory to pods of all kinds: those are Guaranteed by their limits; and what tells of nodes
    (KUBELETS, (b"limits", b"NodeResourceTopology", b"allocatable")),
)
"""Words, and others whose documents matter only beside one of them."""
