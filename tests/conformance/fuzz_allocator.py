"""Compare dralign's allocator with the real one on random requests: fuzz_allocator.py ORACLE --count N --seed S

ORACLE is an ``allocoracle`` (built with its taint tracker for --taint-rules; of v0.36.6 for --release 1.36). Requests on
which it takes more than 20,000 steps are left out. --tight makes requests that need long searches, and looks for
shortcuts from the first setback on.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from allocator_cases import Maker, TightMaker
from allocator_requests import Case, agrees, comparable

SHOWN = 5
REPEATS_IN_RANDOM_ORDER = 60


def request_for(seed, options):
    """Return the request of one seed."""
    rng = random.Random(seed)  # noqa: S311  no secrets here
    if options.tight:
        return TightMaker(rng).request()
    return Maker(rng, taint_rules=options.taint_rules, newest=options.release == "1.37").request()


def ask(oracle, request):
    """Ask the real allocator; where it visits pools in random order, several times."""
    stable = "-DRAConsumableCapacity" in request.get("features", ())
    oracle.stdin.write(json.dumps(request | {"repeat": REPEATS_IN_RANDOM_ORDER if stable else 1}) + "\n")
    oracle.stdin.flush()
    return json.loads(oracle.stdout.readline())


def compare(oracle, options, selectors=None):
    """Ask both about ``options.count`` requests; print disagreements; return how many there were."""
    differ = left_out = 0
    for number in range(options.count):
        seed = f"{options.seed}-{number}"
        request = request_for(seed, options)
        want = ask(oracle, request)
        if '"errorClass": "steps"' in json.dumps(want):
            left_out += 1
            continue
        got = Case(request, {}, options.release, selectors).run()
        if not agrees(want, got):
            differ += 1
            if differ <= SHOWN:
                print(f"seed {seed}\n  request {json.dumps(request)}")
                print(
                    f"  want {comparable(want)} {want.get('error', '')}\n  got  {comparable(got)} {got.get('error', '')}"
                )
    print(f"agree {options.count - differ - left_out} of {options.count - left_out} ({left_out} left out)")
    return differ


def main(selectors=None):
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("oracle")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--release", default="1.37")
    parser.add_argument("--taint-rules", action="store_true")
    parser.add_argument("--tight", action="store_true")
    options = parser.parse_args()
    if options.tight:
        from dralign.sim import search

        search.PATIENCE = 1
    with subprocess.Popen([options.oracle], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as oracle:
        differ = compare(oracle, options, selectors)
        oracle.stdin.close()
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
