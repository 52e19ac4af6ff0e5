"""What holds for all tests."""

from pathlib import Path

import pytest

from tests.examples import register_profiles

WHOLE_GAMES = (Path(__file__).parent / "e2e", Path(__file__).parent / "adapters" / "page")
"""Folders of tests that play whole games through the entry point, or in a browser."""

register_profiles()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `-m 'not slow'` leaves out; a file that starts processes again and again marks itself."""
    for item in items:
        if any(folder in item.path.parents for folder in WHOLE_GAMES):
            item.add_marker(pytest.mark.slow)
