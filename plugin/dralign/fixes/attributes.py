"""Attributes and capacities in selectors as their driver publishes them: under their own domain, in their own type."""

from __future__ import annotations

import re

from dralign.fixes.forms import NUMBER, ORDER, STRING, version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

    from dralign.model.catalogue import DriverView

_FIELDS = frozenset({"driver", "attributes", "capacity", "allowMultipleAllocations"})
"""What ``device`` has."""

_STANDARD = {"numaNode": "resource.kubernetes.io/numaNode", "pcieRoot": "resource.kubernetes.io/pcieRoot"}
"""What has its place under every driver."""

_MEANT = {
    "numa": "numaNode",
    "numa_node": "numaNode",
    "numaNodeID": "numaNode",
    "numaNodeId": "numaNode",
    "numaID": "numaNode",
    "pcie_root": "pcieRoot",
    "pcieRootComplex": "pcieRoot",
    "pciRoot": "pcieRoot",
    "model": "productName",
    "product": "productName",
    "product_name": "productName",
    "migProfile": "profile",
    "memorySize": "memory",
    "vram": "memory",
    "gpuMemory": "memory",
}
"""What an attribute is called elsewhere, and here."""

_READ = (
    r"device\.attributes\[(?P<quote>['\"])(?P<domain>[^'\"]+)(?P=quote)\]"
    r"(?:\.(?P<optional>\??)(?P<name>\w+)|\[(?P<mark>['\"])(?P<key>\w+)(?P=mark)\])"
)


def as_published(text: str, view: DriverView | None) -> str:
    """Return an expression that reads what the driver publishes; what is not known stays as it is.

    Args:
        text: a selector.
        view: whose devices it is asked on, None if nobody can tell: then the standard attributes are known.
    """
    text = _with_domains(text, view)
    text = re.sub(_READ, lambda found: _moved(found, view), text)
    text = _as_versions(text, view)
    return _guarded(text, view)


def _with_domains(text: str, view: DriverView | None) -> str:
    """Give a domain to what has none: ``device.numaNode``, ``device.attributes.numaNode``, ``device.attributes['type']``."""

    def placed(found: Match[str]) -> str:
        name = next(name for name in found.groups() if name is not None)
        known = None if name in _FIELDS else _known(name, view)
        return known or found[0]

    # a name in quotes can be a string beside the expression's own, so that both spellings are tried on their own
    text = re.sub(r"\bdevice\.(?:attributes|capacity)\[(?:'(\w+)'|\"(\w+)\")\](?!\s*(?:\[|\.(?!\w+\()))", placed, text)
    return re.sub(r"\bdevice\.(?:attributes\.|capacity\.)?(\w+)\b(?!\s*[(\[])", placed, text)


def _known(name: str, view: DriverView | None) -> str | None:
    """Return the whole read of an attribute or a capacity that is called so, None if the driver has none."""
    name = _MEANT.get(name, name)
    whole = _own(name, view)
    if whole is not None:
        return _place("attributes", whole)
    capacities = view.profile.capacities if view is not None and view.profile else ()
    amount = next((row.name for row in capacities if row.name.rpartition("/")[2] == name), None)
    return _place("capacity", amount) if amount is not None else None


def _own(name: str, view: DriverView | None) -> str | None:
    """Return the qualified name of the published attribute with that last part, None if there is none."""
    if view is None or view.profile is None:
        return _STANDARD.get(name)
    published = (row.name for row in view.profile.attributes if view.published(row.name) is not None)
    return next((whole for whole in published if whole.rpartition("/")[2] == name), None)


def _place(kind: str, whole: str, optional: str = "") -> str:
    domain, _, name = whole.rpartition("/")
    return f"device.{kind}['{domain}'].{optional}{name}"


def _moved(found: Match[str], view: DriverView | None) -> str:
    """Put an attribute that the driver does not publish under that domain where it belongs."""
    name = found["name"] or found["key"]
    whole = f"{found['domain']}/{name}"
    if view is None or view.profile is None or view.published(whole) is not None:
        return found[0]
    retired = view.profile.retired(whole, view.version)
    successor = retired.successor if retired is not None else ""
    same = [row for row in view.profile.attributes if row.name == successor and retired and row.value == retired.value]
    own = successor if same else _own(_MEANT.get(name, name), view)
    return _place("attributes", own, found["optional"] or "") if own is not None else found[0]


def _as_versions(text: str, view: DriverView | None) -> str:
    """Compare versions as versions: they have no order by operators, and equal no string."""

    def compared(found: Match[str]) -> str:
        whole = f"{found['domain']}/{found['name'] or found['key']}"
        of = view.types.get(whole, ()) if view is not None else ()
        if not (of[:1] == ("kubernetes.Semver",) or (not of and whole.lower().endswith("version"))):
            return found[0]
        read, wanted = found["read"], version(found["inner"] or found["value"])
        order = found["order"]
        return f"{read} {order} {wanted}" if order in ("==", "!=") else f"{read}.compareTo({wanted}) {order} 0"

    text = re.sub(rf"semver\(\s*(?P<read>{_READ})\s*\)", lambda found: _bare(found, view), text)
    value = rf"(?:semver\(\s*(?P<inner>{STRING})\s*\)|(?P<value>['\"][vV]?{NUMBER}['\"]|{NUMBER}))"
    return re.sub(rf"(?P<read>{_READ})\s*(?P<order>==|!=|{ORDER})\s*{value}", compared, text)


def _bare(found: Match[str], view: DriverView | None) -> str:
    """Return a version that ``semver()`` is called on without the call: it is one already."""
    of = view.types.get(f"{found['domain']}/{found['name'] or found['key']}", ()) if view is not None else ()
    return found["read"] if of == ("kubernetes.Semver",) else found[0]


def _guarded(text: str, view: DriverView | None) -> str:
    """Guard attributes that the driver may leave out where a literal is compared, and write the literal in its type."""

    def entry(found: Match[str]) -> str:
        whole = f"{found['domain']}/{found['name'] or found['key']}"
        answer = view.published(whole) if view is not None else None
        if view is None or answer is None or found["optional"]:
            return found[0]
        of = view.types.get(whole, ("",))[0]
        value = found["value"].strip("'\"") if of == "int" else found["value"]
        absent = {"int": "-1", "string": "''"}.get(of)
        if answer.optional and absent:
            return f"{_place('attributes', whole, '?')}.orValue({absent}) {found['order']} {value}"
        return found[0] if value == found["value"] else f"{_place('attributes', whole)} {found['order']} {value}"

    return re.sub(rf"{_READ}\s*(?P<order>==|!=)\s*(?P<value>-?\d+|{STRING})", entry, text)
