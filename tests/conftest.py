"""Settings of all tests."""

import sys
from pathlib import Path
from random import Random

import pytest

from tests.examples import register_profiles
from tests.folders import is_below

TESTS = Path(__file__).parent
# Folders of tests that play whole games through the entry point, or in a browser.
WHOLE_GAMES = (TESTS / "e2e", TESTS / "adapters" / "page")
# Folders of the longest tests, which begin first: a run ends with its last one, beside idle cores.
LONGEST_FIRST = (TESTS / "slow", TESTS / "e2e")

register_profiles()
# Assertions in helpers also show their values, except in modules that this one imports.
modules = {f"tests.{path.stem}" for path in Path(__file__).parent.iterdir() if path.name[0] not in "_."}
pytest.register_assert_rewrite(*sorted(modules - sys.modules.keys()))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests that `-m 'not slow'` skips; a file that restarts processes marks itself."""
    for item in items:
        if any(is_below(folder, item.path) for folder in WHOLE_GAMES):
            item.add_marker(pytest.mark.slow)

    for folder in reversed(LONGEST_FIRST):
        items.sort(key=lambda item: not is_below(folder, item.path))


@pytest.fixture(autouse=True)
def _same_deals_each_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds the deals of a test by its name, so that a rare draw doesn't fail one run in a hundred."""
    if "bot.tables.deals" in sys.modules:
        seeds = Random(request.node.name)
        monkeypatch.setattr("bot.tables.deals.new_seed", lambda: f"{seeds.getrandbits(128):032x}")
