"""What to write instead of what a kubelet refuses."""

from __future__ import annotations

from dralign.kubelet.policy_options import CPU_OPTIONS, TOPOLOGY_OPTIONS

_TIPS = (
    ("unable to determine reserved CPU", "reserve CPUs for the system: reservedSystemCPUs, or cpu in systemReserved"),
    ("unsupported options", "set cpuManagerPolicy: static, or take the options off"),
    ("Alpha-level", "set featureGates: {CPUManagerPolicyAlphaOptions: true}, or take the option off"),
    ("Beta-level", "take featureGates.CPUManagerPolicyBetaOptions: false off, or the option"),
    ("at the same time", "keep one of the two options"),
    ("is incompatible with", "take align-by-socket off, or set topologyManagerPolicy: restricted"),
    ("you should specify the system reserved memory", "list the reserved memory of each NUMA node in reservedMemory"),
    (
        "is not equal to the value",
        "let reservedMemory add up to kubeReserved, systemReserved and evictionHard memory.available (100Mi if unset)",
    ),
    ("feature gate", "take the gate off featureGates"),
    ("depends on features", "turn on the gates that it depends on as well"),
    ('one of: ["none"', "set topologyManagerPolicy: single-numa-node"),
    ("more than", "set topologyManagerPolicyOptions: {max-allowable-numa-nodes: ...} to the number of NUMA nodes"),
    ("not a subset of online-cpus", "list CPUs that the node has"),
    ("unable to reserve the required amount", "reserve fewer CPUs than the node has"),
    ("has a reservation of", "reserve less than the node has"),
    ("parsing", "write it as the kubelet reads it: true or false, a number, or a list such as 0-3,8"),
    ("unknown CPU Manager Policy option", f"known options are {', '.join(option.name for option in CPU_OPTIONS)}"),
    (
        "unknown Topology Manager Policy option",
        f"known options are {', '.join(option.name for option in TOPOLOGY_OPTIONS)}",
    ),
    ("quantities must match", "write an amount such as 2, 500m or 4Gi"),
    ("quantity for", "write an amount such as 2, 500m or 4Gi"),
    ("unit in duration", "write a duration with its unit, such as 10s"),
    ("of type map", "write a map"),
    ("of type []", "write a list"),
    ("of type string", 'write it as a text, in quotes: "true", "4"'),
    ("of type int", "write a whole number, without quotes"),
    ("of type bool", "write true or false, without quotes"),
    ("registered for version", "write apiVersion: kubelet.config.k8s.io/v1beta1"),
    ("'apiVersion' is missing", "write apiVersion: kubelet.config.k8s.io/v1beta1"),
    ("does not exist on this machine", "number the NUMA nodes as the machine does, from 0"),
    ("may not be zero", "take the entry off, or reserve something"),
    ("has a duplicate value", "join the entries of this NUMA node"),
    ("is not supported, only", "reserve memory or hugepages-<size> there, CPUs in reservedSystemCPUs"),
    ("cannot reserve", "reserve cpu, memory, ephemeral-storage or pid"),
    ("unsupported eviction signal", "write a signal such as memory.available or nodefs.available"),
    ("eviction threshold", "write an amount above 0, such as 100Mi"),
    ("eviction percentage", "write a percentage from 0% to 100%, or an amount such as 100Mi"),
    ("not available for platform", "set memoryManagerPolicy: Static or None"),
)
_POLICIES = {
    "cpuManagerPolicy": ("none", "static"),
    "memoryManagerPolicy": ("None", "Static"),
    "topologyManagerPolicy": ("none", "best-effort", "restricted", "single-numa-node"),
    "topologyManagerScope": ("container", "pod"),
}


def right_value(field: str, written: str) -> str | None:
    """Return the value of a policy that another spelling of it means; None if it is none."""
    known = _POLICIES.get(field, ())
    return next((value for value in known if value.lower() == written.strip().lower() and value != written), None)


def policies(field: str) -> tuple[str, ...]:
    """Return the values that a policy can have; empty for other fields."""
    return _POLICIES.get(field, ())


def tip(field: str, message: str) -> str:
    """Return what to do about a refusal."""
    known = policies(field)
    if known and ("unknown policy" in message or "must be one of" in message or "of type string" in message):
        return f"write {field}: {', '.join(known[:-1])} or {known[-1]}"
    return next((advice for words, advice in _TIPS if words in message), f"correct {field}, or take it off")
