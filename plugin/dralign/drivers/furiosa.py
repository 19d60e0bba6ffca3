"""FuriosaAI NPUs: npu.furiosa.ai.

Names of the device plugin only, by its partitioning policy. Seen in: furiosa-ai/furiosa-device-plugin README and tests.
"""

from __future__ import annotations

from dralign.model.driver import DriverProfile
from dralign.model.plugin_names import LegacyPattern, LegacyResource

_CLOSED = "attributes of npu.furiosa.ai are not public, so that a claim could not be checked"
_CARDS = ("rngd", "warboy")


def _cores(text: str) -> str | None:
    """Return a partition such as '2core.12gb', None for anything else."""
    cores, dot, memory = text.partition("core.")
    ours = dot and cores.isdecimal() and memory.endswith("gb") and memory[:-2].isdecimal()
    return text if ours else None


DRIVER = DriverProfile(
    name="npu.furiosa.ai",
    device="npu",
    marks=("furiosa.ai",),
    resources=tuple(LegacyResource(f"furiosa.ai/{card}", device="npu", no_twin=_CLOSED) for card in _CARDS),
    patterns=tuple(
        LegacyPattern(
            f"furiosa.ai/{card}-",
            LegacyResource(f"furiosa.ai/{card}-<cores>", "fractional", device="npu", no_twin=_CLOSED),
            _cores,
        )
        for card in _CARDS
    ),
)
