"""What the catalogue knows of a DRA driver: device types, attributes by release, classes, names used before DRA.

One driver is one :class:`DriverProfile`, written as data in ``drivers/``. Names of attributes and capacities are
qualified (``gpu.nvidia.com/profile``), also where the driver publishes the bare identifier.
"""

from __future__ import annotations

from dralign.model.release import rank
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Literal

    from dralign.model.parameters import OpaqueConfig
    from dralign.model.partition import Card, PartitionProfile
    from dralign.model.plugin_names import LegacyPattern, LegacyResource

    Form = Literal["scalar", "list"]

STANDARD = "resource.kubernetes.io/"
"""Domain of the attributes that mean the same for every driver (dra-standard-device-attributes)."""

NUMA, PCIE_ROOT, PCI_BUS_ID, SOCKET = "numa", "pcieRoot", "pciBusID", "socket"
TYPE, PROFILE, MODE, PARENT, UNIQUE, FABRIC = "type", "profile", "mode", "parent", "unique", "fabric"
"""Roles of attributes. Topology: the first line. PARENT is equal for partitions of one card, UNIQUE differs for all.

All attributes of role MODE together say what PROFILE says alone.

FABRIC is equal for cards that one switch of their own links; its name ends in the number of cards that this can be."""

MEMORY, COMPUTE, CPUS, SHARES = "memory", "compute", "cpus", "shares"
"""Roles of capacities: memory in bytes, share of the compute units, logical CPUs, places for those who share a device."""

LIST_GATE = "DRAListTypeAttributes"
"""Gate of several drivers, called as the cluster's (KEP-5491), that makes numaNode a list."""


class DeviceType(Record):
    """One sort of devices of a driver, or one way it groups them; ``selector`` is CEL that tells such a device.

    ``one_per_process``: a process can use one of them at a time, however many it is given.
    """

    name: str
    selector: str
    one_per_process: bool = False


class Attribute(Record):
    """One attribute in one span of releases.

    Attributes:
        name: qualified name.
        value: ``string``, ``int``, ``bool`` or ``version``; of list attributes, of their items.
        role: what it stands for, one of the roles above; empty for any other.
        types: device types that carry it; () for all.
        since, until: first and last release that publishes it; empty for the first and the latest known.
        optional: a device may lack it, be it unknown or a matter of the hardware.
        form: ``scalar`` or ``list``; ``list_gate`` is the gate or option of the driver that turns the one into the other.
        needs: gates or options of the driver without which it is not published.
        unknown: number that stands for "not known" and so equals that of other such devices; None if there is none.
        successor: what to use instead, where the attribute was renamed or is on its way out.
    """

    name: str
    value: str = "string"
    role: str = ""
    types: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    optional: bool = False
    form: Form = "scalar"
    list_gate: str = ""
    needs: tuple[str, ...] = ()
    unknown: int | None = None
    successor: str = ""


class Capacity(Record):
    """One capacity: device types as in :class:`Attribute`; ``consumable`` ones are shared by several claims."""

    name: str
    role: str = ""
    types: tuple[str, ...] = ()
    unknown: int | None = None
    consumable: bool = False
    needs: tuple[str, ...] = ()


class ShippedClass(Record):
    """A DeviceClass that comes with the driver: its selector as shipped, and the device type it stands for.

    ``device_type`` is empty where it takes all types; ``extended_resource`` is what the vendor sets by default. ``usual``:
    nobody ships it, but users call theirs so, which tells whose devices a class means that is not to be seen.
    """

    name: str
    selector: str
    device_type: str = ""
    extended_resource: str = ""
    since: str = ""
    needs: tuple[str, ...] = ()
    usual: bool = False


class Published(Record):
    """How an attribute is published; see :class:`Attribute`."""

    form: Form
    optional: bool
    unknown: int | None


class DriverProfile(Record):
    """All that the catalogue knows of one driver.

    Attributes:
        name: driver name as in ``device.driver``; a word without a dot where vendors have device plugins only.
        device: what its devices are: gpu, nic, cpu, memory, npu or fabric.
        marks: strings one of which is part of every name by which a manifest can mean this driver.
        releases: release lines, oldest first, each with all the ways to call it: version, older numbering, date.
        types: device types; ``default_type`` is the one a driver has where nobody chose another.
        configs: vendor parameters that it reads; () where they are not known, or ``ignores_parameters``: it reads none.
        partial: it publishes attributes that are not known here.
        skip: its claims have no topology and are left alone.
        partitions: makes the table of cards that can be divided; few runs ask for it.
        serves_pods: devices come to the pod as a whole (network interfaces), so that no container needs to name them.
    """

    name: str
    device: str
    marks: tuple[str, ...]
    releases: tuple[tuple[str, ...], ...] = ()
    types: tuple[DeviceType, ...] = ()
    default_type: str = ""
    attributes: tuple[Attribute, ...] = ()
    capacities: tuple[Capacity, ...] = ()
    classes: tuple[ShippedClass, ...] = ()
    configs: tuple[OpaqueConfig, ...] = ()
    resources: tuple[LegacyResource, ...] = ()
    patterns: tuple[LegacyPattern, ...] = ()
    partitions: Callable[[], tuple[Card, ...]] = tuple
    partial: bool = False
    skip: bool = False
    serves_pods: bool = False
    ignores_parameters: bool = False

    def words(self) -> tuple[bytes, ...]:
        """Return byte strings; one of them stands in every manifest that names the driver, its classes or resources."""
        return tuple(mark.encode() for mark in self.marks)

    @property
    def tells_all(self) -> bool:
        """Whether an attribute that is not known here is not published."""
        return bool(self.attributes) and not self.partial

    @property
    def profiles(self) -> tuple[PartitionProfile, ...]:
        """All ways to cut a part out of a card; one name can mean different parts of different cards."""
        return tuple(profile for card in self.partitions() for profile in card.profiles)

    def card(self, product: str) -> Card | None:
        """Return the card that devices call ``product`` (productName), None for one that is not known to be divisible."""
        return next((card for card in self.partitions() if product in card.products), None)

    def legacy(self, name: str) -> LegacyResource | None:
        """Return what an extended resource stands for; None if it is none of this driver's."""
        for resource in self.resources:
            if resource.name == name:
                return resource
        found = (pattern.match(name) for pattern in self.patterns)
        return next((resource for resource in found if resource is not None), None)

    def published(
        self,
        attribute: str,
        version: str | None = None,
        features: Collection[str] = (),
        device_type: str | None = None,
    ) -> Published | None:
        """Say how devices publish an attribute; None if they do not.

        Args:
            attribute: qualified name.
            version: of the driver, in any of its numberings; None for the latest known.
            features: gates and options that the driver runs with, not those of the cluster.
            device_type: None if any type may come: then an attribute that only some types carry counts as optional.
        """
        wanted = device_type or self.default_type
        named = tuple(row for row in self.attributes if row.name == attribute)
        rows = self._alive(named, version, features, wanted)
        if not rows:
            return None
        everywhere = wanted or not all(row.types for row in rows) or {t.name for t in self.types} <= _types_of(rows)
        listed = any(row.form == "list" or row.list_gate in features for row in rows)
        unknown = next((row.unknown for row in rows if row.unknown is not None), None)
        optional = not everywhere or any(row.optional for row in rows)
        return Published("list" if listed else "scalar", optional, unknown)

    def carried(self, device_type: str, version: str | None = None, features: Collection[str] = ()) -> list[Attribute]:
        """Return the attributes that devices of a type carry; arguments as in :meth:`published`."""
        return self._alive(self.attributes, version, features, device_type)

    def names_of(self, device_type: str) -> frozenset[str]:
        """Return the names of all attributes that devices of a type can carry, whatever the release and its gates."""
        return frozenset(row.name for row in self.attributes if _carries(row.types, device_type))

    def attribute_names(
        self,
        role: str,
        version: str | None = None,
        features: Collection[str] = (),
        device_type: str | None = None,
    ) -> tuple[str, ...]:
        """Return the published attributes of a role, best first; arguments as in :meth:`published`."""
        playing = tuple(row for row in self.attributes if row.role == role)
        rows = self._alive(playing, version, features, device_type or self.default_type)
        return tuple(dict.fromkeys(row.name for row in rows))

    def retired(self, attribute: str, version: str | None = None) -> Attribute | None:
        """Return an attribute that older releases published and this one does not; None if there is no such one."""
        now = self.rank(version)
        rows = [row for row in self.attributes if row.name == attribute]
        gone = [row for row in rows if row.until and self._line(row.until) < now]
        return gone[-1] if gone and len(gone) == len(rows) else None

    def capacity(self, role: str, device_type: str | None = None) -> Capacity | None:
        """Return the first capacity of a role that a device type has."""
        wanted = device_type or self.default_type
        return next((c for c in self.capacities if c.role == role and _carries(c.types, wanted)), None)

    def rank(self, version: str | None) -> int:
        """Return the place of the release line that a version belongs to, 0 for the oldest; None is the latest."""
        return rank(self.releases, version or "")

    def since(self, release: str, version: str | None = None) -> bool:
        """Say whether a version (None for the latest known) is of a release line or of a later one."""
        return not release or self._line(release) <= self.rank(version)

    def _line(self, release: str) -> int:
        return next(place for place, line in enumerate(self.releases) if release in line)

    def _alive(
        self, rows: tuple[Attribute, ...], version: str | None, features: Collection[str], wanted: str
    ) -> list[Attribute]:
        """Return those of some attributes that the wanted device type, empty for any, carries in a release."""
        now = self.rank(version)
        return [
            row
            for row in rows
            if _carries(row.types, wanted)
            and (not row.since or self._line(row.since) <= now)
            and (not row.until or self._line(row.until) >= now)
            and all(need in features for need in row.needs)
        ]


def _carries(types: tuple[str, ...], wanted: str) -> bool:
    return not types or not wanted or wanted in types


def _types_of(rows: list[Attribute]) -> set[str]:
    return {name for row in rows for name in row.types}
