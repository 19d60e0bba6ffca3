"""The table of hosts that a run prints: what each told of the same manifests, beside what the command told."""

import sys

import pytest

ROWS = pytest.StashKey()
TITLE = "five faults through every host"


@pytest.fixture
def row(request):
    """Add a host to the table."""

    def add(host, build, expected):
        same = sum(finding in build.findings for finding in expected.findings)
        added = len(build.findings) - same
        text = f"{host:<30} {same} of {len(expected.findings)} findings of the command, {added} others, exit {build.status}"
        request.config.stash.setdefault(ROWS, []).append(text)

    return add


def pytest_terminal_summary(terminalreporter, config):
    """Print the table of a run in one process."""
    rows = config.stash.get(ROWS, [])
    if rows:
        terminalreporter.section(TITLE)
        terminalreporter.write_line("\n".join(rows))


def pytest_sessionfinish(session):
    """Print the rows of an xdist worker: all that reaches the terminal from there is the standard error of the process."""
    rows = session.config.stash.get(ROWS, [])
    if rows and hasattr(session.config, "workerinput"):
        sys.__stderr__.write("\n" + "".join(f"{TITLE}: {text}\n" for text in rows))
        sys.__stderr__.flush()
