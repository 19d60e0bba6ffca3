"""``includes``: a list has the value, or a scalar equals it; never an error over types.

Source: k8s.io/apiserver/pkg/cel/library/lists.go; for 1.36 k8s.io/dynamic-resource-allocation/cel/compile.go.
"""

from __future__ import annotations

from dralign.cel.functions.equality import same
from dralign.cel.values import LISTS, CelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value

_LIMIT_136 = 48
"""resource.k8s.io ResourceSliceMaxAttributeValuesPerDevice."""


def includes(target: Value, wanted: Value) -> bool:
    """``includes(x)`` from 1.37."""
    if type(target) in LISTS:
        return any(same(element, wanted) is True for element in target)
    return same(target, wanted) is True


def includes_48(target: Value, wanted: Value) -> bool:
    """``includes(x)`` of 1.36, which looks at 48 elements and refuses a 49th."""
    if type(target) not in LISTS:
        return same(target, wanted) is True
    for index, element in enumerate(target):
        if index >= _LIMIT_136:
            raise CelError(f"'includes' function cannot be applied to lists longer than {_LIMIT_136} values")
        if same(element, wanted) is True:
            return True
    return False
