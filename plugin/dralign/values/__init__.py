"""Kubernetes' own scalar values: quantities and semantic versions. A leaf: imports nothing else of dralign."""
