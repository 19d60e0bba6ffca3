"""One machine per file: PRESET = Preset(...)."""
