"""Edits of the input text: set, append, insert, remove."""
