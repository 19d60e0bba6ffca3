"""Proofs of alignment: whether a pod's devices, CPUs and memory share a NUMA node, whatever others hold."""

from dralign.proof.known import Aim, Drivers, Known, Machines
from dralign.proof.price import Price, price
from dralign.proof.prover import prove
from dralign.proof.question import ContainerUse, HeldResult, Question
from dralign.proof.replay import replay, reproduces

__all__ = [
    "Aim",
    "ContainerUse",
    "Drivers",
    "HeldResult",
    "Known",
    "Machines",
    "Price",
    "Question",
    "price",
    "prove",
    "replay",
    "reproduces",
]
