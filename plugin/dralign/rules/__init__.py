"""One rule per file: docstring, RULE, check(), VALID, INVALID."""
