"""Fixtures of the page with one visitor; a test that needs another page overrides `site`."""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.web.client import Company, Visitor, visitors
from tests.adapters.web.site import Site, web_site


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with web_site() as site:
        yield site


@pytest.fixture
async def company() -> AsyncIterator[Company]:
    async with visitors() as company:
        yield company


@pytest.fixture
async def anna(site: Site, company: Company) -> Visitor:
    return await company.newcomer(site.url, "Anna")
