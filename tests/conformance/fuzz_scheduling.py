"""Compare dralign's scheduler with a real control plane on random cases.

    fuzz_scheduling.py CONTROLPLANE STATE [--count N] [--seed S]

CONTROLPLANE is the folder with ``schedule.py``, STATE that of a control plane which is up and which nobody else uses. Cases
that disagree are printed with their seeds; each takes two to five seconds.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from scheduling_cases import Case  # noqa: E402  the path comes first
from scheduling_judge import difference  # noqa: E402
from scheduling_random import Maker  # noqa: E402


def recorded(schedule, api, objects, seed, gates):
    """Return what the control plane does with the objects, in the form of the stored outcomes."""
    case = schedule.Case(api)
    try:
        outcome = schedule.stable(case.run(copy.deepcopy(objects)))
    finally:
        case.clean()
    return json.loads(json.dumps(outcome)) | {"note": f"seed {seed}", "gates": gates}


def main():
    """Run as a program; return 0 if all agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("controlplane")
    parser.add_argument("state")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--keep", type=Path, help="folder for the cases and what became of them")
    options = parser.parse_args()
    sys.path.insert(0, options.controlplane)
    import kapi
    import schedule

    api = kapi.Api(options.state).discover()
    gates = (Path(options.state) / "gates").read_text().strip()
    wrong = 0
    for number in range(options.count):
        seed = f"{options.seed}-{number}"
        objects = list(Maker(random.Random(seed)).objects())  # noqa: S311  no secrets here
        outcome = recorded(schedule, api, objects, seed, gates)
        if options.keep:
            (options.keep / f"{seed}.json").write_text(json.dumps({"objects": objects, "outcome": outcome}))
        found = difference(Case(seed, objects, outcome))
        if found is not None:
            wrong += 1
            print(f"seed {seed}\n{found}", flush=True)
    print(f"agree {options.count - wrong} of {options.count}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
