"""One caller per file: bytes and environment in, bytes and status out."""
