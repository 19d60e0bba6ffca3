"""One output format per file: FORMAT = Format(...)."""
