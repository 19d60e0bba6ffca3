"""Text to documents: the only importer of yaml."""
