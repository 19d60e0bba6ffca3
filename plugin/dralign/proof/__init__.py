"""Proofs of alignment: whether a pod's devices, CPUs and memory share a NUMA node, whatever others hold."""

from dralign.proof.known import Aim, Drivers, Known, Machines
from dralign.proof.prover import prove
from dralign.proof.question import ContainerUse, HeldResult, Question
from dralign.proof.replay import crosses, replay, reproduces, state_of

__all__ = [
    "Aim",
    "ContainerUse",
    "Drivers",
    "HeldResult",
    "Known",
    "Machines",
    "Question",
    "crosses",
    "prove",
    "replay",
    "reproduces",
    "state_of",
]
