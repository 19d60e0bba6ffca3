"""What the names of node resources mean: native, extended, huge pages.

Source: k8s.io/kubernetes/pkg/apis/core/helper/helpers.go.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.values.quantity import Quantity

HUGE_PAGES = "hugepages-"
CONTAINER_RESOURCES = frozenset({"cpu", "memory", "ephemeral-storage"})
_OBJECTS = frozenset(
    {
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    }
)
_STANDARD = (
    CONTAINER_RESOURCES
    | _OBJECTS
    | {"storage", "requests.storage"}
    | {f"{kind}.{name}" for kind in ("requests", "limits") for name in CONTAINER_RESOURCES}
)
_NATIVE_DOMAIN = "kubernetes.io/"
_QUOTA_PREFIX = "requests."


def is_huge_page(name: str) -> bool:
    """Say whether a resource is huge pages of some size."""
    return name.startswith(HUGE_PAGES)


def is_standard(name: str) -> bool:
    """Say whether a name without a domain is one that the server knows from anywhere."""
    return name in _STANDARD or name.startswith((HUGE_PAGES, "requests.hugepages-"))


def is_container_resource(name: str) -> bool:
    """Say whether a name without a domain is one that a container may ask for."""
    return name in CONTAINER_RESOURCES or is_huge_page(name)


def is_native(name: str) -> bool:
    """Say whether a resource is Kubernetes' own."""
    return "/" not in name or _NATIVE_DOMAIN in name


def is_extended(name: str) -> bool:
    """Say whether a resource is one that drivers and device plugins offer, such as ``nvidia.com/gpu``."""
    return not is_native(name) and not name.startswith(_QUOTA_PREFIX) and not names.label_key(_QUOTA_PREFIX + name)


def is_whole(name: str) -> bool:
    """Say whether a resource is counted in whole numbers."""
    return name in _OBJECTS or is_extended(name)


def is_overcommitted(name: str) -> bool:
    """Say whether a resource may be asked for in a range, the limit above the request."""
    return is_native(name) and not is_huge_page(name)


def is_pod_level(name: str) -> bool:
    """Say whether a resource may be set for a pod as a whole (KEP-2837)."""
    return name in ("cpu", "memory") or is_huge_page(name)


def divides_into_pages(name: str, quantity: Quantity) -> bool:
    """Say whether a quantity of huge pages is a whole number of pages of the size in the resource's name."""
    try:
        size = Quantity.parse(name.removeprefix(HUGE_PAGES))
    except ValueError:
        return False
    if size.sign <= 0 or size.scaled_value(-3) % 1000:
        return False
    pages = size.scaled_value()
    return pages != 0 and quantity.scaled_value() % pages == 0
