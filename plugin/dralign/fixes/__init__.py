"""Repairs that more than one rule proposes, as patches; whether they are made is the engine's matter."""
