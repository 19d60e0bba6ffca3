"""Compare dralign's allocator with stored answers of the real one: run_allocator.py [DIR]

DIR holds vectors (*.jsonl or *.jsonl.gz) and inventories.json(.gz); without it, the copied vectors are used. Everything
in an answer must agree but the text of errors, which must name the same claim, request, class and device.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from allocator_requests import Case, agrees, comparable  # noqa: E402  the path comes first

FOLDER = HERE / "allocator"
SHOWN = 20


def text(path):
    """Return the text of a file, unpacked if it ends in .gz."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def lines(path):
    """Return the objects of a .jsonl or .jsonl.gz file."""
    return map(json.loads, text(path).splitlines())


def vectors(folder):
    """Yield (file, id, tags, request, wanted answer, release, inventories) of every row."""
    files = {path.name.partition(".jsonl")[0]: path for path in sorted(folder.glob("*.jsonl*"))}
    shared = next(iter(folder.glob("inventories.json*")), None)
    inventories = json.loads(text(shared)) if shared else {}
    requests = {}
    for name in sorted(files, key=lambda name: name.startswith("release-")):  # they name requests of other files
        for row in lines(files[name]):
            if name.startswith("release-"):
                request, release = requests[row["id"]], name.removeprefix("release-")
            else:
                request = requests[row["id"]] = row["request"]
                release = "1.37"
            yield name, row["id"], row.get("tags") or row.get("family"), request, row["answer"], release, inventories


def run(folder, selectors=None):
    """Run all rows of a folder; return counts of agreement and of all by file, and what disagrees as text."""
    right, total, differences = {}, {}, []
    for name, key, tags, request, want, release, inventories in vectors(folder):
        got = Case(request, inventories, release, selectors).run()
        total[name] = total.get(name, 0) + 1
        if agrees(want, got):
            right[name] = right.get(name, 0) + 1
        else:
            shown = f"want {comparable(want)} {want.get('error', '')}\n  got  {comparable(got)} {got.get('error', '')}"
            differences.append(f"{name} {key} {tags}\n  {shown}")
    return right, total, differences


def main(arguments):
    """Print disagreements and counts; return 0 if all agree."""
    right, total, differences = run(Path(arguments[0]) if arguments else FOLDER)
    for difference in differences[:SHOWN]:
        print(difference[:2000])
    for name, count in total.items():
        print(f"{name}: {right.get(name, 0)} of {count}")
    print(f"agree {sum(right.values())} of {sum(total.values())}")
    return 1 if differences or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
