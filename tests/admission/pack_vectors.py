"""Copies recorded answers of API servers into tests/conformance/admission, compressed.

usage: pack_vectors.py SOURCE TARGET    SOURCE is a conformance/admission folder; its public manifests are not copied
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "conformance"))

from admission_rows import rows

PLAIN = (
    "mutations",
    "mutations-alpha",
    "older-mutations",
    "qos",
    "older-qos",
    "updates",
    "older-updates",
    "ratchet",
    "releases",
)
DROPPED = ("warnings", "reason")


def main(source: Path, target: Path) -> None:
    """Write all files."""
    for name in PLAIN:
        write(target / f"{name}.jsonl.gz", [json.dumps(slim(row), separators=(",", ":")) for row in rows(source, name)])
    for path in sorted(source.glob("*.tsv")):
        write(target / f"{path.name}.gz", path.read_text().splitlines())


def slim(row: dict) -> dict:
    """Return a row without what no test looks at."""
    return {key: value for key, value in row.items() if key not in DROPPED}


def write(path: Path, lines: list[str]) -> None:
    """Write lines so that the same lines give the same bytes."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write("".join(f"{line}\n" for line in lines).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
