"""The folder with corpus, field cases and conformance data that are not copied here; it may be absent."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def truth():
    """Return the folder that DRALIGN_TRUTH names, by default the one beside the repository."""
    return Path(os.environ.get("DRALIGN_TRUTH", ROOT.parent / "shared"))
