"""Proofs of alignment: whether a pod's devices, CPUs and memory share a NUMA node, whatever others hold."""

from dralign.proof.known import Aim, Drivers, Known, Machines
from dralign.proof.prover import never_fits, prove
from dralign.proof.question import ContainerUse, HeldResult, Question

__all__ = [
    "Aim",
    "ContainerUse",
    "Drivers",
    "HeldResult",
    "Known",
    "Machines",
    "Question",
    "never_fits",
    "prove",
]
