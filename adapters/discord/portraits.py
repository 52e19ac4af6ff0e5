"""The avatars of people on Discord: remembered by the hash that names them, and fetched on request."""

import re
from http import HTTPStatus

import aiohttp
import discord
from cachetools import LRUCache

from adapters import port
from adapters.discord.inbound import Person
from adapters.discord.messages import TROUBLE

SIZE = 128  # dots; Discord scales avatars itself
MAX_REMEMBERED = 10_000  # people whose hash is kept; for others it is requested
FETCHED_WITHIN = 5.0  # seconds

_HASH = re.compile(r"(a_)?[0-9a-f]{32}", re.ASCII)  # other text could lead to another address of Discord


class Portraits:
    """The avatars of people, by the hashes that come with their commands and presses.

    The address of an avatar contains its owner's id, so it stays in here.
    """

    def __init__(self, address: str) -> None:
        """Fetches from the server of pictures at this address, such as `https://cdn.discordapp.com`."""
        self._address = address
        self._hashes = LRUCache[int, str](MAX_REMEMBERED)  # empty for people without an avatar

    def note(self, person: Person) -> None:
        """Remembers the hash of somebody who did something just now."""
        self._hashes[person.id] = _hash_of(person)

    def forget(self, user: int) -> None:
        """Forgets a person's hash."""
        self._hashes.pop(user, None)

    async def of(self, user: int, client: discord.Client) -> bytes | None:
        """Fetches a person's avatar; None if they have none.

        Asks Discord for the hash if it is unknown, as after a restart.

        Raises:
            OSError: It did not come, or is too large.
        """
        name = self._hashes.get(user)
        try:
            if name is None:
                name = self._hashes[user] = _hash_of(await client.fetch_user(user))
            if not name:
                return None

            return await self._fetch(f"{self._address}/avatars/{user}/{name}.png?size={SIZE}")
        except TROUBLE:  # their words may contain the address, and so the person's id
            raise OSError("the avatar did not come") from None

    async def _fetch(self, address: str) -> bytes | None:
        """Returns the content of an address; None if there is nothing."""
        timeout = aiohttp.ClientTimeout(total=FETCHED_WITHIN)
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(address, allow_redirects=False) as response,
        ):
            if response.status == HTTPStatus.NOT_FOUND:  # it was replaced in the meantime
                return None

            response.raise_for_status()
            content = bytearray()
            async for piece in response.content.iter_any():
                content += piece
                if len(content) > port.MAX_PORTRAIT:
                    raise OSError("the avatar is too large")

        return bytes(content)


def _hash_of(person: Person) -> str:
    """Returns the hash of a person's avatar; empty if they have none."""
    name = "" if person.avatar is None else person.avatar.key
    return name if _HASH.fullmatch(name) else ""
