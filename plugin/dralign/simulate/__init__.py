"""Simulations: what the nodes of an inventory do with each pod template, drawn, explained and priced."""

from __future__ import annotations

from dralign.simulate.report import Case, Change, Drawn, Fit, Replay, Simulated
from dralign.simulate.running import simulate

__all__ = ["Case", "Change", "Drawn", "Fit", "Replay", "Simulated", "simulate"]
