"""What all tests share: the switch that rewrites golden files, and a folder where nobody's configuration stands."""

import pytest
from hypothesis import settings

# Machines differ, and are busy; chance is for the fuzzers in conformance/, so that a change that is right stays right.
settings.register_profile("ours", deadline=None, derandomize=True)
settings.load_profile("ours")


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
