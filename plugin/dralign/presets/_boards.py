"""Boards of eight accelerators that several vendors build servers around, and rows to write machines in."""

from __future__ import annotations

from dralign.presets._machine import Machine, Nic, Slot, Zone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Row = tuple[int, str, str, str, str]
"""NUMA node, root complex, accelerator, its NIC, the NIC's name."""

DGX_HOPPER: tuple[Row, ...] = (
    (0, "0000:15", "0000:1b:00.0", "0000:18:00.0", "ibp24s0"),
    (0, "0000:3d", "0000:43:00.0", "0000:40:00.0", "ibp64s0"),
    (0, "0000:4c", "0000:52:00.0", "0000:4f:00.0", "ibp79s0"),
    (0, "0000:5b", "0000:61:00.0", "0000:5e:00.0", "ibp94s0"),
    (1, "0000:97", "0000:9d:00.0", "0000:9a:00.0", "ibp154s0"),
    (1, "0000:bd", "0000:c3:00.0", "0000:c0:00.0", "ibp192s0"),
    (1, "0000:cb", "0000:d1:00.0", "0000:ce:00.0", "ibp206s0"),
    (1, "0000:d9", "0000:df:00.0", "0000:dc:00.0", "ibp220s0"),
)
"""DGX H100 and H200."""

HGX: tuple[Row, ...] = (
    (0, "0000:15", "0000:1a:00.0", "0000:18:00.0", "ibp24s0"),
    (0, "0000:37", "0000:3b:00.0", "0000:3a:00.0", "ibp58s0"),
    (0, "0000:48", "0000:4c:00.0", "0000:4b:00.0", "ibp75s0"),
    (0, "0000:59", "0000:5d:00.0", "0000:5c:00.0", "ibp92s0"),
    (1, "0000:97", "0000:9b:00.0", "0000:9a:00.0", "ibp154s0"),
    (1, "0000:b7", "0000:bb:00.0", "0000:ba:00.0", "ibp186s0"),
    (1, "0000:c7", "0000:ca:00.0", "0000:c9:00.0", "ibp201s0"),
    (1, "0000:d7", "0000:dc:00.0", "0000:db:00.0", "ibp219s0"),
)
"""HGX boards behind two Xeon of the fourth or fifth generation."""


def paired(
    name: str, rows: Sequence[Row], zones: tuple[Zone, ...], labels: Mapping[str, str], *, cpu: str = "Intel"
) -> Machine:
    """Return a machine whose accelerators each have a NIC on their own root complex."""
    return Machine(
        name=name,
        cpu=cpu,
        zones=zones,
        accelerators=tuple(Slot(zone, root, gpu) for zone, root, gpu, _, _ in rows),
        nics=tuple(
            Nic(Slot(zone, root, nic), interface, f"mlx5_{number}")
            for number, (zone, root, _, nic, interface) in enumerate(rows)
        ),
        labels=labels,
    )


def in_halves(index: int, _: Slot) -> int:
    """Place the first two of the four accelerators (or NICs) of a socket on its first half."""
    return index % 4 // 2
