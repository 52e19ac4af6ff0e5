"""Whatever is promised of the storage is promised of every database."""

import pytest

from tests.bot.databases import on_every_database


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database_url" in metafunc.fixturenames:
        metafunc.parametrize(*on_every_database.args, **on_every_database.kwargs)
