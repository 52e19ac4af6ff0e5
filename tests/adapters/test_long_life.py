"""Adapters run for months, so their records of rooms and people are evicted."""

import asyncio

import pytest
from discord.http import HTTPClient

from adapters.discord.library import MAX_LIMITS, raise_instead_of_waiting

ROOMS = 5_000


async def test_the_limits_of_channels_nobody_writes_in_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    now = 0.0
    monkeypatch.setattr(loop, "time", lambda: now)
    http = HTTPClient(loop)
    limits = raise_instead_of_waiting(http)

    for number in range(ROOMS):
        now += 1.0
        async with http.get_ratelimit(f"edit:{number}"):
            pass

    assert len(limits) <= MAX_LIMITS < ROOMS
