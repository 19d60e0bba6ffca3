"""Device selectors: what the API server says of an expression, and what the scheduler gets from it on a device.

The only bridge between CEL and devices.
"""

from __future__ import annotations

from dralign.selector.chain import Chain
from dralign.selector.compiled import Compiled, Evaluation, compile_selector
from dralign.selector.environment import RELEASES

__all__ = ["RELEASES", "Chain", "Compiled", "Evaluation", "compile_selector"]
