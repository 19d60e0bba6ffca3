"""Lists of CPUs or NUMA nodes as texts: ``0-3,8``. Source: ``k8s.io/utils/cpuset``."""

from __future__ import annotations

from dralign.kubelet.strconv import atoi
from dralign.values.gotext import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LONGEST = 1 << 16  # the kubelet would fill its memory with a longer list


def parse(text: str) -> frozenset[int]:
    """Read a list. Raises ValueError with the words of ``cpuset.Parse``."""
    if not text:
        return frozenset()
    return frozenset(cpu for part in text.split(",") for cpu in _range(part))


def write(cpus: Iterable[int]) -> str:
    """Write a list with its ranges joined; empty for no CPU."""
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in _runs(sorted(cpus)))


def _range(part: str) -> range:
    first, dash, last = part.partition("-")
    if not dash:
        number = atoi(first)
        return range(number, number + 1)
    start, end = atoi(first), atoi(last)
    if start > end:
        raise ValueError(f"invalid range {quote(part)} ({start} > {end})")
    if end - start >= _LONGEST:
        raise ValueError(f"range {quote(part)} holds more than {_LONGEST} CPUs")
    return range(start, end + 1)


def _runs(cpus: list[int]) -> Iterator[tuple[int, int]]:
    first = 0
    for i, cpu in enumerate(cpus):
        if i + 1 == len(cpus) or cpus[i + 1] != cpu + 1:
            yield cpus[first], cpu
            first = i + 1
