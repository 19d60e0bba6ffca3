"""Into what NVIDIA cards can be divided (MIG).

Sources: NVIDIA MIG user guide (profiles, shares, numbers that fit, placements); memory and multiprocessors as
``nvidia-smi mig -lgip`` prints them: A100-40 in the guide, H100-80 in several notes, H100 NVL gpu-operator #900, H200
mig-parted #120, B200 gpu-operator #1351 and #1242, GB200 gpu-operator #1303 and mig-parted #227, GH200-144 mig-parted
#139, RTX PRO 6000 cubecos #312; A30 in the mock of go-nvml. Firmware changes the usable memory of small partitions
(B200: 20.5 or 22 GiB); the smaller number stands here.
"""

from __future__ import annotations

from dralign.model.partition import Card, Engines, PartitionProfile

_ALL = (0, 1, 2, 3, 4, 5, 6)

# Of cards with seven compute slices and eight memory slices: compute, memory, how many fit, id, places to begin at.
_SEVEN = (
    ("1g.{}gb", 1, 1, 7, 19, _ALL),
    ("1g.{}gb+me", 1, 1, 1, 20, _ALL),
    ("1g.{}gb", 1, 2, 4, 15, (0, 2, 4, 6)),
    ("2g.{}gb", 2, 2, 3, 14, (0, 2, 4)),
    ("3g.{}gb", 3, 4, 2, 9, (0, 4)),
    ("4g.{}gb", 4, 4, 1, 5, (0,)),
    ("7g.{}gb", 7, 8, 1, 0, (0,)),
)
_AMPERE = (
    Engines(1),
    Engines(1, 1, 0, 1, 1),
    Engines(1, 1),
    Engines(2, 1),
    Engines(3, 2),
    Engines(4, 2),
    Engines(7, 5, 0, 1, 1),
)
_HOPPER = (
    Engines(1, 1, 0, 1),
    Engines(1, 1, 0, 1, 1),
    Engines(1, 1, 0, 1),
    Engines(2, 2, 0, 2),
    Engines(3, 3, 0, 3),
    Engines(4, 4, 0, 4),
    Engines(8, 7, 0, 7, 1),
)
_BLACKWELL = tuple(engines.replace(copy=copy) for engines, copy in zip(_HOPPER, (2, 2, 2, 4, 6, 8, 16), strict=True))


def _seven(
    name: str,
    products: tuple[str, ...],
    labels: tuple[int, int, int, int],
    memory: tuple[int | None, int | None, int | None, int | None],
    units: tuple[int | None, ...],
    engines: tuple[Engines, ...],
) -> Card:
    """Return a card of seven slices; ``labels`` (GB) and ``memory`` (MiB) are those of 1, 2, 4 and 8 memory slices."""
    place = {1: 0, 2: 1, 4: 2, 8: 3}
    sms = (units[0], *units)  # with media engines as without
    profiles = tuple(
        PartitionProfile(
            name,
            form.format(labels[place[slices]]),
            memory[place[slices]],
            (compute, 7),
            (slices, 8),
            sms[i],
            fits,
            number,
            starts,
            engines[i],
        )
        for i, (form, compute, slices, fits, number, starts) in enumerate(_SEVEN)
    )
    return Card(name, products, profiles)


def _four(
    name: str,
    products: tuple[str, ...],
    rows: tuple[tuple[str, int, int, int | None], ...],
    memory: dict[int, int | None],
    units: dict[int, int | None],
    engines: dict[str, Engines],
    *,
    complete: bool = True,
) -> Card:
    """Return a card of four slices from rows of profile, slices, how many fit, and id."""
    profiles = tuple(
        PartitionProfile(
            name,
            profile,
            memory.get(slices),
            (slices, 4),
            (slices, 4),
            units.get(slices),
            fits,
            number,
            tuple(range(0, 4, slices)),
            engines.get(profile),
        )
        for profile, slices, fits, number in rows
    )
    return Card(name, products, profiles, complete=complete)


_A100_SMS = (14, 14, 28, 42, 56, 98)
_H100_SMS = (16, 26, 32, 60, 64, 132)
_UNSEEN: tuple[None, ...] = (None,) * 6
_A100_40 = "NVIDIA A100-SXM4-40GB", "NVIDIA A100-PCIE-40GB"
_A100_80 = "NVIDIA A100-SXM4-80GB", "NVIDIA A100 80GB PCIe", "NVIDIA A800-SXM4-80GB", "NVIDIA A800 80GB PCIe"
_H100_80 = "NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe", "NVIDIA H800", "NVIDIA H800 PCIe"

CARDS = (
    _seven("A100-40", _A100_40, (5, 10, 20, 40), (4864, 9856, 19968, 40192), _A100_SMS, _AMPERE),
    _seven("A100-80", _A100_80, (10, 20, 40, 80), (9856, 19968, 40192, 80384), _A100_SMS, _AMPERE),
    _seven("H100-80", _H100_80, (10, 20, 40, 80), (9984, 20096, 40448, 81152), _H100_SMS, _HOPPER),
    _seven("H100-94", ("NVIDIA H100 NVL",), (12, 24, 47, 94), (11008, 22144, None, None), _H100_SMS, _HOPPER),
    _seven(
        "H100-96", ("NVIDIA GH200 480GB", "NVIDIA H20"), (12, 24, 48, 96), (None, None, None, None), _UNSEEN, _HOPPER
    ),
    _seven(
        "GH200-144", ("NVIDIA GH200 144G HBM3e",), (18, 36, 72, 144), (17920, 36096, None, None), _H100_SMS, _HOPPER
    ),
    _seven(
        "H200-141",
        ("NVIDIA H200", "NVIDIA H200 NVL"),
        (18, 35, 71, 141),
        (16384, 33024, 71168, 143104),
        _H100_SMS,
        _HOPPER,
    ),
    _seven(
        "B200-180",
        ("NVIDIA B200",),
        (23, 45, 90, 180),
        (20992, 45312, None, None),
        (18, 30, 36, None, None, None),
        _BLACKWELL,
    ),
    _seven(
        "GB200-186",
        ("NVIDIA GB200",),
        (23, 47, 93, 186),
        (20480, 46592, None, None),
        (18, 32, 38, None, None, None),
        _BLACKWELL,
    ).replace(complete=False),  # early firmware called them 1g.24gb, 3g.95gb, 4g.95gb and 7g.189gb
    _seven(
        "B300-269", ("NVIDIA B300 SXM6 AC",), (34, 67, 135, 269), (None, None, None, None), _UNSEEN, _BLACKWELL
    ).replace(complete=False),
    _four(
        "A30-24",
        ("NVIDIA A30",),
        (
            ("1g.6gb", 1, 4, 14),
            ("1g.6gb+me", 1, 1, 21),
            ("2g.12gb", 2, 2, 5),
            ("2g.12gb+me", 2, 1, 6),
            ("4g.24gb", 4, 1, 0),
        ),
        {1: 5836, 2: 11672, 4: 23344},
        {1: 14, 2: 28, 4: 56},
        {
            "1g.6gb": Engines(1),
            "1g.6gb+me": Engines(1, 1, 0, 1, 1),
            "2g.12gb": Engines(2, 2),
            "2g.12gb+me": Engines(2, 2, 0, 1, 1),
            "4g.24gb": Engines(4, 4, 0, 1, 1),
        },
    ),
    _four(
        "RTX-PRO-6000-96",
        tuple(
            f"NVIDIA RTX PRO 6000 Blackwell {edition} Edition"
            for edition in ("Server", "Workstation", "Max-Q Workstation")
        ),
        (
            ("1g.24gb", 1, 4, 14),
            ("1g.24gb+me", 1, 1, 21),
            ("1g.24gb+gfx", 1, 4, 47),
            ("1g.24gb+me.all", 1, 1, 65),
            ("1g.24gb-me", 1, 4, 67),
            ("2g.48gb", 2, 2, 5),
            ("2g.48gb+gfx", 2, 2, 35),
            ("2g.48gb+me.all", 2, 1, 64),
            ("2g.48gb-me", 2, 2, 66),
            ("4g.96gb", 4, 1, 0),
            ("4g.96gb+gfx", 4, 1, 32),
        ),
        {1: 23680, 2: 47616},
        {1: 46, 2: 94},
        {},
    ),
    # editions of the guide differ on these two
    _four(
        "RTX-PRO-5000-48",
        ("NVIDIA RTX PRO 5000 Blackwell",),
        (
            ("1g.12gb", 1, 1, None),
            ("1g.12gb+me", 1, 1, None),
            ("1g.12gb+gfx", 1, 1, None),
            ("1g.12gb-me", 1, 3, None),
            ("2g.24gb-me", 2, 1, None),
            ("4g.48gb", 4, 1, None),
            ("4g.48gb+gfx", 4, 1, None),
        ),
        {},
        {},
        {},
        complete=False,
    ),
)
"""Cards that can be divided."""
