"""Partitions: into what a card can be divided, and how much of it each part gets."""

from __future__ import annotations

from dralign.record import Record


class Engines(Record):
    """Engines of an NVIDIA partition beside its multiprocessors, as ``nvidia-smi mig -lgip`` counts them."""

    copy: int
    decoders: int = 0
    encoders: int = 0
    jpeg: int = 0
    ofa: int = 0


class PartitionProfile(Record):
    """One way to cut a part out of a card.

    Attributes:
        card: name of the :class:`Card`.
        profile: as the driver publishes it: ``1g.10gb+me``, ``cpx_nps4``.
        memory: what the part can use, in MiB, which is less than the name says; None where nobody wrote it down.
        compute: parts of the compute units, of how many: (3, 7).
        memory_slices: parts of the memory, of how many: (4, 8).
        units: multiprocessors or compute units; None where nobody wrote it down.
        fits: how many of them a card can be cut into, if into nothing else.
        number: NVML's id of the GPU instance profile; None for cards of other vendors.
        starts: memory slices at which the part can begin.
        engines: see :class:`Engines`; None where nobody wrote it down.
    """

    card: str
    profile: str
    memory: int | None
    compute: tuple[int, int]
    memory_slices: tuple[int, int]
    units: int | None
    fits: int
    number: int | None = None
    starts: tuple[int, ...] = ()
    engines: Engines | None = None


class Card(Record):
    """A model of card that can be divided.

    Attributes:
        name: how the catalogue calls it, with its memory: ``H100-80``.
        products: what the driver publishes as productName, one for each form in which it is sold.
        profiles: in the order in which the vendor lists them.
        complete: whether no other profile is known to exist; a name that is not here may be right where this is False.
    """

    name: str
    products: tuple[str, ...]
    profiles: tuple[PartitionProfile, ...]
    complete: bool = True

    def profile(self, name: str) -> PartitionProfile | None:
        """Return a profile by its name, None if the card has none of that name."""
        return next((profile for profile in self.profiles if profile.profile == name), None)
