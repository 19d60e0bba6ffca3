"""The kubelet of a node: does it take its configuration, does it start on a machine, where does it put a pod.

A leaf: plain data in, answers out. ``configuration.read`` reads a KubeletConfiguration, ``starting.start`` starts a kubelet
on a ``machine.Machine``, ``Node.admit`` places pods; ``pinning`` and ``placement`` answer what can be said beforehand. The
model is that of Linux kubelets 1.37; device plugins, the scheduler and cgroups are no part of it.
"""

from __future__ import annotations
