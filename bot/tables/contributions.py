"""What the players' own devices give to a shuffle, collected so that nobody can choose the deal.

Whoever sits down commits to a value at once. At the start everything that the deal follows from is fixed, all
commitments included, and goes to every device with the request for its value. A device that does not answer
in time is left out; the record says so.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Mapping
from dataclasses import replace

import structlog

from adapters.port import ChatPort, Devices, UserRef
from bot.model.players import Player
from bot.model.table import Phase, Table
from engine import Contribution, Opening, is_hash

log = structlog.get_logger()

LONGEST = 5.0
"""Seconds after which a game goes on without an answer, whatever a chat does."""


class Contributions:
    """Asks devices, once for each deal."""

    def __init__(self, ports: Mapping[str, ChatPort]) -> None:
        self._ports = ports
        self._asked: defaultdict[int, dict[UserRef, asyncio.Task[str]]] = defaultdict(dict)

    def follow(self, table: Table) -> None:
        """Ask whoever has sat down for a commitment; forget those of who left, or of a lobby that is none."""
        people = table.people() if table.phase is Phase.LOBBY else ()
        if not people:
            self._asked.pop(table.id, None)
            return
        asked = self._asked[table.id]
        for user in asked.keys() - set(people):
            del asked[user]
        for user in people:
            if user not in asked and self._devices(user) is not None:
                asked[user] = asyncio.create_task(self._commitment(table, user))

    async def gathered(self, table: Table, opening: Opening) -> Opening:
        """Return the opening with what every seat gives to its shuffle; every commitment serves once."""
        asked = self._asked.pop(table.id, {})
        committed = await asyncio.gather(*(self._committed(table, each, asked) for each in table.players))
        if not any(each.commitment for each in committed):
            return opening
        fixed = replace(opening, contributions=tuple(committed))
        revealed = await asyncio.gather(
            *(
                self._revealed(table, player, each, fixed.terms)
                for player, each in zip(table.players, committed, strict=True)
            )
        )
        return replace(fixed, contributions=tuple(revealed))

    async def _committed(
        self, table: Table, player: Player, asked: Mapping[UserRef, asyncio.Task[str]]
    ) -> Contribution:
        """Return what a seat has committed to; a device that was out of reach before is asked again."""
        if player.user is None:
            return Contribution(is_house=True)
        early = await asked[player.user] if player.user in asked else ""
        return Contribution(early or await self._commitment(table, player.user))

    async def _commitment(self, table: Table, user: UserRef) -> str:
        devices = self._devices(user)
        answer = "" if devices is None else await _answer(devices.commit(user, table.room))
        return answer if is_hash(answer) else ""

    async def _revealed(
        self, table: Table, player: Player, committed: Contribution, terms: str
    ) -> Contribution:
        devices = None if player.user is None else self._devices(player.user)
        if player.user is None or devices is None or not committed.commitment:
            return committed
        value = await _answer(devices.reveal(player.user, table.room, committed.commitment, terms))
        revealed = replace(committed, value=value)
        return revealed if is_hash(value) and revealed.is_true else committed

    def _devices(self, user: UserRef) -> Devices | None:
        port = self._ports.get(user.platform)
        return None if port is None else port.devices


async def _answer(asked: Awaitable[str]) -> str:
    """Wait for a device, but let no device, and no chat, hold up a game."""
    try:
        async with asyncio.timeout(LONGEST):
            return await asked
    except Exception as error:  # whatever it is, the game starts
        log.warning("device_not_asked", error=type(error).__name__)
        return ""
