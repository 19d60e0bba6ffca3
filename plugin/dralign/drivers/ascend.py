"""Huawei Ascend NPUs: drivers npu-<model>.project-hami.io of Project-HAMi/ascend-dra-driver, made at run time.

Names of the device plugins only. Seen in: HAMi charts/hami/templates/scheduler/device-configmap.yaml @00160eb (chips,
-memory, -core); Ascend device plugin (Ascend910, Ascend310P, virtual devices Ascend910-8c, huawei.com/npu).
"""

from __future__ import annotations

from dralign.model.driver import DriverProfile
from dralign.model.plugin_names import LegacyPattern, LegacyResource

_NO_NUMA = "the Ascend driver publishes no NUMA node, so that a claim could not say more about alignment"


def _chip(text: str) -> str | None:
    """Return a chip: '910A', '310P', '910B4-1'."""
    model, _, variant = text.partition("-")
    return text if model[:1].isdecimal() and variant in {"", "1"} else None


def _of_a_chip(text: str) -> str | None:
    """Return what begins with a chip: '910-8c', '310P-2c.1cpu'."""
    return text if text[:1].isdecimal() else None


DRIVER = DriverProfile(
    name="ascend",
    device="npu",
    marks=("huawei.com/",),
    resources=(LegacyResource("huawei.com/npu", device="npu", no_twin=_NO_NUMA),),
    patterns=(
        *(
            LegacyPattern(
                "huawei.com/Ascend",
                LegacyResource(f"huawei.com/Ascend<chip>{suffix}", "capacity", device="npu", no_twin=_NO_NUMA),
                _of_a_chip,
                suffix=suffix,
            )
            for suffix in ("-memory", "-core")
        ),
        LegacyPattern(
            "huawei.com/Ascend", LegacyResource("huawei.com/Ascend<chip>", device="npu", no_twin=_NO_NUMA), _chip
        ),
        LegacyPattern(
            "huawei.com/Ascend",
            LegacyResource("huawei.com/Ascend<chip>-<cores>", "fractional", device="npu", no_twin=_NO_NUMA),
            _of_a_chip,
        ),
    ),
)
