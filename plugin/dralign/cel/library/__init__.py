"""The functions of CEL and of the API server's extensions: one table of plain text per library."""
