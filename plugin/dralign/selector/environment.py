"""What a device selector may use, by release, feature gates, and whether the expression is new or already stored.

The API server checks a new or changed expression against what the release before it knew (its minimum compatibility
version); the scheduler, and the API server for stored expressions, use everything the release knows.
Sources: k8s.io/apiserver/pkg/cel/environment/base.go and k8s.io/dynamic-resource-allocation/cel/compile.go of
v0.34.13, v0.35.10, v0.36.6 and v0.37.2; resource.k8s.io/v1 for the limits.
"""

from __future__ import annotations

from dralign.cel.declarations.env import Environment
from dralign.cel.declarations.shapes import Shape
from dralign.cel.declarations.signature import parse_type
from dralign.cel.declarations.types import ANY, BOOL, DYN, STRING, map_of
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from dralign.cel.declarations.types import Type

RELEASES = ("1.34", "1.35", "1.36", "1.37")
"""Releases whose selectors are known; the minor version alone decides."""

CONSUMABLE_CAPACITY = "DRAConsumableCapacity"
LIST_ATTRIBUTES = "DRAListTypeAttributes"

DEVICE_TYPE = "kubernetes.DRADevice"

_EVERYTHING = 1_000  # a minor version that knows all libraries

# library, the minor version of Kubernetes that brought it
_LIBRARIES = (
    ("operators", 0),
    ("ordering", 28),
    ("standard", 0),
    ("moments", 0),
    ("urls", 0),
    ("regex", 0),
    ("aggregates", 0),
    ("authorization", 27),
    ("optionals", 28),
    ("quantities", 28),
    ("strings", 29),
    ("sets", 29),
    ("ip", 30),
    ("cidr", 30),
    ("formats", 31),
    ("two_variables", 32),
    ("versions", 33),
    ("lists", 34),
)

_BY_CEL_GO = ("standard", "lists")  # have a second table per version of cel-go, such as standard_029

_INCLUDES_MINOR = 37  # in the lists library of the API server from here on
_INCLUDES_GATED_MINOR = 36

# Limits of resource.k8s.io/v1
_DOMAIN = Shape(63)
_IDENTIFIER = Shape(32)
_DRIVER_NAME = Shape(63)
_QUANTITY = Shape(0)
_ATTRIBUTE = Shape(64)
_ENTRIES = 32

_CAPACITY_SHAPE = Shape(_ENTRIES, _DOMAIN, Shape(_ENTRIES, _IDENTIFIER, _QUANTITY))
_ATTRIBUTES_SHAPE = Shape(_ENTRIES, _DOMAIN, Shape(_ENTRIES, _IDENTIFIER, _ATTRIBUTE, any_field=True))
_DEVICE_SHAPE = Shape(
    0,
    fields={
        "driver": _DRIVER_NAME,
        "attributes": _ATTRIBUTES_SHAPE,
        "capacity": _CAPACITY_SHAPE,
        "allowMultipleAllocations": Shape(1),
    },
)

_CAPACITY = parse_type("map(string, map(string, kubernetes.Quantity))")


class Setting(Record):
    """One environment: of a release, under some gates, for new or for stored expressions.

    Args:
        minor: the release, such as 37 for 1.37.
        consumable: ``DRAConsumableCapacity`` is on.
        lists: ``DRAListTypeAttributes`` is on.
        stored: for expressions that are stored already, and for the scheduler.
    """

    minor: int
    consumable: bool
    lists: bool
    stored: bool

    @property
    def cel_go(self) -> str:
        """The version of cel-go in that release."""
        return "0.26" if self.minor < _INCLUDES_MINOR else "0.29"

    @property
    def known_minor(self) -> int:
        """The release whose libraries may be used."""
        return _EVERYTHING if self.stored else self.minor - 1

    @property
    def attribute_type(self) -> Type:
        """The type of an attribute: dyn where lists are possible, any where they are not."""
        known = self.lists or (self.stored and self.minor >= _INCLUDES_MINOR)
        return DYN if known and self.minor >= _INCLUDES_GATED_MINOR else ANY

    @property
    def converts_lists(self) -> bool:
        """Whether list attributes of a device can be converted: always from 1.37 on, in 1.36 under the gate."""
        return self.minor >= _INCLUDES_MINOR or (self.lists and self.minor >= _INCLUDES_GATED_MINOR)


def setting(release: str, features: Collection[str], stored: bool) -> Setting:
    """Return the environment's setting.

    Args:
        release: one of ``RELEASES``.
        features: names of the feature gates that are on; only two of them matter here.
        stored: whether the expression is stored already.
    """
    if release not in RELEASES:
        raise ValueError(f"release: got '{release}', want one of {', '.join(RELEASES)}")
    return Setting(int(release[2:]), CONSUMABLE_CAPACITY in features, LIST_ATTRIBUTES in features, stored)


def environment(of: Setting) -> Environment:
    """Make the environment of a setting."""
    attributes = map_of(STRING, map_of(STRING, of.attribute_type))
    fields = {"driver": STRING, "attributes": attributes, "capacity": _CAPACITY}
    if of.consumable or of.stored:
        fields["allowMultipleAllocations"] = BOOL
    device = parse_type(DEVICE_TYPE)
    return Environment(
        libraries=_libraries(of),
        variables={"device": device},
        objects={DEVICE_TYPE: fields},
        # The API server registers the maps inside the device under the paths of their fields.
        type_names={
            DEVICE_TYPE: device,
            f"{DEVICE_TYPE}.attributes": attributes,
            f"{DEVICE_TYPE}.capacity": _CAPACITY,
        },
        shapes={"device": _DEVICE_SHAPE},
        cel_go="0.26" if of.cel_go == "0.26" else "0.29",
    )


def macro_groups(of: Setting) -> tuple[str, ...]:
    """Return the groups of macros that the parser knows."""
    groups = ("standard", "optionals", "bindings", "two-variable")
    return (*groups, "lists") if "lists" in _libraries(of) else groups


def _libraries(of: Setting) -> tuple[str, ...]:
    names = [name for name, minor in _LIBRARIES if of.known_minor >= minor]
    version = of.cel_go.replace(".", "")
    names.append(f"standard_{version}")
    if "lists" in names:
        names.append(f"lists_{version}")
    if of.minor == _INCLUDES_GATED_MINOR and (of.lists or of.stored):
        names.append("includes_136")
    if of.minor >= _INCLUDES_MINOR and (of.lists or of.known_minor >= _INCLUDES_MINOR):
        names.append("includes")
    return tuple(names)
