"""What all tests share: the folder with the truth that is not copied, and the switch that rewrites golden files."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser):
    parser.addoption("--update", action="store_true", help="rewrite golden files with what the product says now")


@pytest.fixture
def update(request):
    return request.config.getoption("--update")


@pytest.fixture
def in_empty_folder(tmp_path, monkeypatch):
    """Work where no ``.dralign.yaml`` of anybody can be found."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def truth():
    """Return the folder with corpus, field cases and conformance data that are not copied here; it may be absent."""
    return Path(os.environ.get("DRALIGN_TRUTH", ROOT.parent / "shared"))
