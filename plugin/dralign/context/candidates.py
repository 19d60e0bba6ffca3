"""The known devices that an ask can get, and where they are."""

from __future__ import annotations

from dralign.context.selectors import Ask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from dralign.context import Context
    from dralign.model.claim import Claim, Request
    from dralign.model.device import Attribute, Device


def candidates(ctx: Context, claim: Claim, leaf: Request) -> tuple[Device, ...]:
    """Return the devices of the inventory that meet the selectors of an ask; () where its class is not known."""
    expressions = ctx.class_selectors(leaf.device_class or "")
    return ctx.matching(Ask(claim, leaf, expressions)) if expressions is not None and ctx.devices else ()


def by_node(devices: Iterable[Device]) -> dict[str, list[Device]]:
    """Return devices by the node that they are on; by their pool, where a slice is not of one node."""
    found: dict[str, list[Device]] = {}
    for device in devices:
        found.setdefault(device.slice.scope.node_name or device.slice.pool, []).append(device)
    return found


def by_value(devices: Iterable[Device], attribute: str) -> dict[Attribute, list[Device]]:
    """Return devices by the value of an attribute; those that do not publish it are left out."""
    found: dict[Attribute, list[Device]] = {}
    for device in devices:
        value = device.attribute(attribute)
        if value is not None:
            found.setdefault(value, []).append(device)
    return found
