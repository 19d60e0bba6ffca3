"""Types, and what an expression may name: variables, fields, messages, functions."""
