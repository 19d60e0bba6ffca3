"""What the devices of the inventory offer, by class: for repairs that write numbers and names of a cluster."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.context import Context


def zones_of(ctx: Context, device_class: str, attribute: str) -> frozenset[int]:
    """Return the NUMA nodes on which the inventory shows devices of a class's driver; of several the device's own."""
    view = ctx.view_of_class(device_class)
    found: set[int] = set()
    for device in ctx.devices_of_driver(view.driver) if view is not None else ():
        value = device.attribute(attribute)
        first = value[0] if isinstance(value, tuple) and value else value
        if isinstance(first, int) and not isinstance(first, bool) and first >= 0:
            found.add(first)
    return frozenset(found)


def capacity_name(ctx: Context, driver: str, name: str) -> str | None:
    """Return how devices of a driver call a capacity, which may be written with or without the driver's domain."""
    written = (key for device in ctx.devices_of_driver(driver) for key in device.capacity)
    return next((key for key in written if key.rpartition("/")[2] == name), None)
