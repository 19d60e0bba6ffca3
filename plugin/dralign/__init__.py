"""Keeps accelerators claimed through Kubernetes DRA, their CPUs, memory and NICs on one NUMA node."""

__version__ = "0.1.0"
