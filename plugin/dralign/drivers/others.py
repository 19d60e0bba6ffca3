"""Accelerators and ways to share them that have device plugins or schedulers of their own and no DRA driver read here.

Seen in: HAMi charts/hami/{values.yaml,templates/scheduler/device-configmap.yaml} @00160eb, device plugins of the
vendors, docs of Volcano (vgpu), Koordinator (gpu-core and others) and Alibaba Cloud (gpu-mem).
"""

from __future__ import annotations

from dralign.model.driver import DriverProfile
from dralign.model.plugin_names import LegacyPattern, LegacyResource

_NO_DRIVER = "no DRA driver is known that serves such devices"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.plugin_names import Share

_NAMES: dict[Share, tuple[str, ...]] = {
    "whole": (
        *("cambricon.com/mlu", "iluvatar.com/gpu", "iluvatar.ai/gpu", "metax-tech.com/gpu", "enflame.com/gcu"),
        *("kunlunxin.com/xpu", "baidu.com/xpu", "mthreads.com/gpu", "hygon.com/dcu", "vastaitech.com/va"),
        *("birentech.com/gpu", "koordinator.sh/gpu"),
    ),
    "fractional": (
        *("cambricon.com/vmlu", "metax-tech.com/sgpu", "enflame.com/drs-gcu", "enflame.com/vgcu", "kunlunxin.com/vxpu"),
        *("mthreads.com/vgpu", "hygon.com/hcunum", "hygon.com/dcunum", "volcano.sh/vgpu-number"),
        *("koordinator.sh/gpu.shared",),
    ),
    "capacity": (
        *("cambricon.com/mlu.smlu.vmemory", "cambricon.com/mlu.smlu.vcore"),
        *("metax-tech.com/vmemory", "metax-tech.com/vcore"),
        *("enflame.com/gcu-memory", "enflame.com/gcu-core", "enflame.com/vgcu-percentage", "kunlunxin.com/vxpu-memory"),
        *("mthreads.com/sgpu-memory", "mthreads.com/sgpu-core"),
        *("hygon.com/hcumem", "hygon.com/hcucores", "hygon.com/dcumem", "hygon.com/dcucores"),
        *("volcano.sh/vgpu-memory", "volcano.sh/vgpu-memory-percentage", "volcano.sh/vgpu-cores"),
        *("koordinator.sh/gpu-core", "koordinator.sh/gpu-memory", "koordinator.sh/gpu-memory-ratio"),
        *("aliyun.com/gpu-mem", "aliyun.com/gpu-core.percentage"),
    ),
}

_ILUVATAR: tuple[tuple[str, Share], ...] = (("-vgpu", "fractional"), (".vMem", "capacity"), (".vCore", "capacity"))

_NPUS = ("cambricon", "enflame", "kunlunxin", "baidu", "vastaitech")


def _device(name: str) -> str:
    return "npu" if name.startswith(_NPUS) else "gpu"


def _chip(text: str) -> str | None:
    """Return an Iluvatar chip such as 'BI-V150', None for longer names."""
    return text if text and "." not in text else None


DRIVER = DriverProfile(
    name="others",
    device="gpu",
    marks=(
        *("cambricon.com", "iluvatar.", "metax-tech.com", "enflame.com", "kunlunxin.com", "baidu.com/xpu"),
        *("mthreads.com", "hygon.com", "vastaitech.com", "birentech.com", "volcano.sh/vgpu", "koordinator.sh/gpu"),
        "aliyun.com/gpu-",
    ),
    resources=tuple(
        LegacyResource(name, share, device=_device(name), no_twin=_NO_DRIVER)
        for share, names in _NAMES.items()
        for name in names
    ),
    patterns=tuple(
        LegacyPattern(
            "iluvatar.ai/",
            LegacyResource(f"iluvatar.ai/<chip>{suffix}", share, no_twin=_NO_DRIVER),
            _chip,
            suffix=suffix,
        )
        for suffix, share in _ILUVATAR
    ),
)
