"""The guidelines of the two seed standards, and how far each can be held by reading manifests.

Standard A is the NUMA slicing invariant (A1 to A6), standard B PCIe isolation and memory reservation (B1 to B5). Which rules
hold a guideline is said by the rules: ``Rule.standards``.
"""

from __future__ import annotations

from dralign.record import Record


class Guideline(Record):
    """One guideline: what it demands, what is checked and repaired, and what no reading of manifests can tell."""

    id: str
    demands: str
    checked: str
    repaired: str
    unknown: str


GUIDELINES = (
    Guideline(
        "A1",
        "fractions of accelerators are had by claim only",
        "names of partitions and shares (MIG, CPX, time-slicing, HAMi) in requests and limits of all containers of every "
        "known kind of workload; pods that take devices both ways",
        "the container claims the partition, with one claim template for each shape",
        "what an operator writes into the pod later; a resource name that only one cluster knows",
    ),
    Guideline(
        "A2",
        "all devices of a claim are on one NUMA node, as the nodes' single-numa-node policy wants it",
        "constraints and literal selectors over all requests of a claim, every alternative included; whether the drivers "
        "publish the attribute; kubelet configurations that are in the input",
        "a matchAttribute over all requests, or a selector for one NUMA node",
        "which devices are free at that moment; the NUMA nodes of a machine that no inventory or preset describes",
    ),
    Guideline(
        "A3",
        "no selector can match a GPU that hangs on another NUMA node than the pod's CPUs",
        "selectors and constraints that force different NUMA nodes or leave them open; selectors that match no device",
        "the selector or constraint, where one form is right",
        "attributes that a driver publishes only at run time and no inventory shows",
    ),
    Guideline(
        "A4",
        "pods that hold devices are Guaranteed, with as many whole CPUs requested as limited",
        "QoS class and whole CPUs, sidecars and pod-level resources included; claimed CPUs against requested ones",
        "requests and limits become the larger of the two, CPUs are rounded up",
        "limits that a LimitRange or a webhook of the cluster adds; what a sidecar injector asks for",
    ),
    Guideline(
        "A5",
        "DeviceClasses look at the NUMA attribute, in expressions that are right",
        "every CEL expression as the API server and the scheduler judge it; classes whose users leave the NUMA node open",
        "expressions of invented form; a selector on the NUMA node in the class, where one zone was asked for",
        "the zone that a pod will be on: no expression can name it, so that a constraint in the claim has to",
    ),
    Guideline(
        "A6",
        "latency-sensitive and training work never falls back across the socket link",
        "alternatives, counts and 'all devices' that let a claim cross sockets quietly",
        "the constraint covers every alternative",
        "which work is latency-sensitive: the user says so by label or configuration",
    ),
    Guideline(
        "B1",
        "no counts of whole GPUs as extended resources",
        "nvidia.com/gpu and its like in requests and limits of all containers",
        "the container claims the device",
        "what an operator writes into the pod later",
    ),
    Guideline(
        "B2",
        "GPU, CPUs and the local NIC are in one PCIe tree",
        "constraints that tie GPU and NIC of a claim, or cannot, because they are in two claims",
        "a matchAttribute by PCIe root, or by NUMA node where roots never meet",
        "NICs outside of DRA; the tree of a machine that no inventory or preset describes",
    ),
    Guideline(
        "B3",
        "latency-sensitive work has no share of a device without memory and engines of its own",
        "claims that a container misses or takes by accident; shares without a reservation; parameters of drivers",
        "entries of the pod that are missing or misspelt",
        "how a node's device plugin or driver is set up to share, unless the input shows it",
    ),
    Guideline(
        "B4",
        "several GPUs of a pod are tied by NVLink or PCIe peer-to-peer",
        "constraints on the interconnect over claims of several GPUs, where such domains are known",
        "a matchAttribute on the interconnect, where devices can meet it",
        "links that a driver does not publish as attributes",
    ),
    Guideline(
        "B5",
        "memory and multiprocessors of a partition are fixed when it is allocated",
        "profile or capacity in request or class; profiles that no card has",
        "nothing: how large the partition has to be is for its user to say",
        "the cards of a cluster without an inventory",
    ),
)
