"""Extended resources: the names by which device plugins hand out what a driver serves by claim."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    Share = Literal["whole", "fractional", "capacity"]


class LegacyResource(Record):
    """An extended resource that stands for devices of this driver, and how DRA says the same.

    Attributes:
        name: resource name; in a :class:`LegacyPattern` the way it is told to people.
        share: a ``whole`` device, a ``fractional`` one, or ``capacity``: an amount on a device asked for beside it.
        device: gpu, nic, cpu, memory or npu.
        device_class: class of the request that gets the same; None if none does, or none worth having: ``no_twin`` says why.
        selector: CEL that the request needs beside its class, guarded; empty if the class is enough.
        topology: its device plugin tells the kubelet the NUMA node of each device (``TopologyInfo``).
    """

    name: str
    share: Share = "whole"
    device: str = "gpu"
    device_class: str | None = None
    selector: str = ""
    no_twin: str = ""
    topology: bool = False


class LegacyPattern(Record):
    """Extended resources that carry a value in their name, between ``prefix`` and ``suffix``.

    ``read`` turns that text into what DRA calls it, None if it is no such value; it takes the place of ``{}`` in the
    selector of ``resource``.
    """

    prefix: str
    resource: LegacyResource
    read: Callable[[str], str | None]
    suffix: str = ""

    def match(self, name: str) -> LegacyResource | None:
        """Return what a resource name stands for, None if it is not of this pattern."""
        if not (name.startswith(self.prefix) and name.endswith(self.suffix)):
            return None
        value = self.read(name[len(self.prefix) : len(name) - len(self.suffix)])
        if value is None:
            return None
        return self.resource.replace(name=name, selector=self.resource.selector.replace("{}", value))
