"""The catalogue of drivers, asked by class and by resource name, with what the fleet runs filled in."""

from __future__ import annotations

from dralign.lazy import lazy
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from dralign.cel.analysis import Facts
    from dralign.model.driver import DriverProfile, Published, ShippedClass
    from dralign.model.plugin_names import LegacyResource

_CEL_TYPES = {"string": "string", "int": "int", "bool": "bool", "version": "kubernetes.Semver"}


class DriverView:
    """The devices that one ask can get: whose they are, of which type, at which release of the driver.

    ``profile`` is None for a driver that the catalogue does not know; ``device_type`` is None where any type may come.
    What it says of attributes is worked out once: few views answer for all claims.
    """

    def __init__(
        self,
        driver: str,
        profile: DriverProfile | None,
        device_type: str | None,
        version: str | None,
        features: Collection[str],
    ) -> None:
        self.driver = driver
        self.profile = profile
        self.device_type = device_type
        self.version = version
        self.features = features
        self._published: dict[str, Published | None] = {}
        self._by_role: dict[str, tuple[str, ...]] = {}
        self._roles: dict[str, frozenset[str]] = {}

    @property
    def device(self) -> str | None:
        """What the devices are: gpu, nic, cpu, memory, npu or fabric; None for an unknown driver."""
        return self.profile.device if self.profile else None

    def published(self, attribute: str) -> Published | None:
        """Say how the devices publish an attribute; None if they do not, or nobody knows."""
        if attribute not in self._published and self.profile is not None:
            found = self.profile.published(attribute, self.version, self.features, self.device_type)
            self._published[attribute] = found
        return self._published.get(attribute)

    def attributes(self, role: str) -> tuple[str, ...]:
        """Return the published attributes of a role, best first."""
        if role not in self._by_role and self.profile is not None:
            found = self.profile.attribute_names(role, self.version, self.features, self.device_type)
            self._by_role[role] = found
        return self._by_role.get(role, ())

    @lazy
    def types(self) -> dict[str, tuple[str, ...]]:
        """Map published attributes to the CEL types that their values may have: the scalar, a list of it, or either."""
        rows = self.profile.attributes if self.profile else ()
        values = {name: {row.value for row in rows if row.name == name} for name in {row.name for row in rows}}
        gated = {row.name for row in rows if row.list_gate}
        types = {}
        for name, kinds in values.items():
            published = self.published(name)
            if published is not None and len(kinds) == 1:
                scalar = _CEL_TYPES[next(iter(kinds))]
                of_form = {"scalar": scalar, "list": f"list({scalar})"}
                types[name] = tuple(of_form.values()) if name in gated else (of_form[published.form],)
        return types

    def roles(self, attribute: str) -> frozenset[str]:
        """Return the roles of an attribute by its name, whatever the release; empty for one that nobody knows."""
        if attribute not in self._roles:
            rows = self.profile.attributes if self.profile else ()
            self._roles[attribute] = frozenset(row.role for row in rows if row.name == attribute)
        return self._roles[attribute]


class Legacy(Record):
    """An extended resource of the catalogue, and the driver whose devices it stands for."""

    profile: DriverProfile
    resource: LegacyResource


class Catalogue:
    """All driver profiles of a run."""

    def __init__(self, profiles: tuple[DriverProfile, ...]) -> None:
        self.profiles = profiles
        self._by_driver = {profile.name: profile for profile in profiles}
        self._by_class = {item.name: (profile, item) for profile in profiles for item in profile.classes}
        self._legacy: dict[str, Legacy | None] = {}
        self._views: dict[tuple[object, ...], DriverView] = {}

    def driver(self, name: str) -> DriverProfile | None:
        """Return the profile of a driver by its name."""
        return self._by_driver.get(name)

    def shipped(self, name: str) -> ShippedClass | None:
        """Return a DeviceClass as its driver ships it; None if no driver known here does."""
        known = self._by_class.get(name)
        return known[1] if known else None

    @property
    def classes(self) -> Collection[str]:
        """Names of the DeviceClasses that drivers ship."""
        return frozenset(name for name, (_, known) in self._by_class.items() if not known.usual)

    @lazy
    def attributes(self) -> frozenset[str]:
        """Names of the attributes that drivers publish, whatever the release."""
        return frozenset(row.name for profile in self.profiles for row in profile.attributes)

    def legacy(self, resource: str) -> Legacy | None:
        """Return what an extended resource stands for; None if it is no accelerator, partition or NIC known here."""
        if resource not in self._legacy:
            found = ((profile, profile.legacy(resource)) for profile in self.profiles)
            self._legacy[resource] = next((Legacy(profile, item) for profile, item in found if item is not None), None)
        return self._legacy[resource]

    def view(
        self, name: str, class_expressions: tuple[str, ...] | None, own: tuple[str, ...], fleet: Mapping[str, Any]
    ) -> DriverView | None:
        """Return the devices that a request can get, None if nobody can tell whose they are.

        Args:
            name: DeviceClass of the request.
            class_expressions: selectors of that class where the bundle holds it, else None: then the classes that
                drivers ship are known by name.
            own: selectors of the request.
            fleet: ``spec.drivers`` of the configuration.
        """
        shipped = self._by_class.get(name)
        if class_expressions is None and shipped is not None:
            if not own:
                return self._view(shipped[0].name, _type_of_class(*shipped), fleet)
            class_expressions = (shipped[1].selector,)
        from dralign.cel.analysis import facts  # noqa: PLC0415 -- most bundles hold no claim, and so no expression

        known = facts((*(class_expressions or ()), *own))
        driver = known.driver or (shipped[0].name if shipped and class_expressions is None else None)
        if driver is None:
            return None
        return self._view(driver, _device_type(self._by_driver.get(driver), known), fleet)

    def _view(self, driver: str, device_type: str | None, fleet: Mapping[str, Any]) -> DriverView:
        settings = fleet.get(driver)
        features = frozenset(key for key, on in settings.options.items() if on is True) if settings else frozenset()
        version = settings.version if settings else None
        key = driver, device_type, version, features
        if key not in self._views:
            self._views[key] = DriverView(driver, self._by_driver.get(driver), device_type, version, features)
        return self._views[key]


def _type_of_class(profile: DriverProfile, shipped: ShippedClass) -> str | None:
    """Return the device type of a class as its driver ships it; None for more than one."""
    return shipped.device_type or (profile.types[0].name if len(profile.types) == 1 else None)


def _device_type(profile: DriverProfile | None, known: Facts) -> str | None:
    """Return the device type that selectors narrow a driver's devices to; None for more than one.

    An attribute that must be there, and that only one type carries, tells as much as the selector of that type.
    """
    if profile is None:
        return None
    from dralign.cel.analysis import facts  # noqa: PLC0415

    fits = [item.name for item in profile.types if not known.contradict(facts((item.selector,)))]
    if len(fits) > 1:
        asked = {row.name for row in profile.attributes if row.types and known.is_present(row.name)}
        fits = [name for name in fits if asked <= profile.names_of(name)]
    return fits[0] if len(fits) == 1 else None
