"""Finds out who moderates a channel: from the rights in interactions, or by a request."""

import time
from collections.abc import Callable

import discord
from cachetools import TTLCache

from adapters.discord import inbound
from adapters.discord.messages import TROUBLE
from adapters.discord.places import place_in, rights_in

FRESH = 60.0  # seconds for which the rights in a person's last interaction are cached
MAX_REMEMBERED = 1000


class ModeratorCache:
    """Caches the rights that interactions contain, and asks Discord about people without a recent one."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._seen = TTLCache[tuple[int, int, int | None], bool](MAX_REMEMBERED, FRESH, monotonic)

    def note(self, interaction: inbound.AnyInteraction) -> None:
        """Caches the rights of an interaction's sender."""
        if interaction.guild_id is None or interaction.channel_id is None:
            return

        key = (interaction.user.id, interaction.guild_id, interaction.channel_id)
        self._seen[key] = _moderates(interaction.permissions)

    async def is_moderator(self, client: discord.Client, user: int, guild: int, channel: int | None) -> bool:
        """Returns whether the person moderates the channel, or without a channel the whole guild.

        False if Discord does not answer.
        """
        answer = self._seen.get((user, guild, channel))
        if answer is not None:
            return answer

        server = client.get_guild(guild)
        if server is None:
            return False
        if server.owner_id == user:
            return True

        try:
            member = await server.fetch_member(user)
            if channel is None:
                return _moderates(member.guild_permissions)

            place = await place_in(server, channel)
        except TROUBLE:
            return False

        return _moderates(rights_in(place, member))


def _moderates(rights: discord.Permissions) -> bool:
    return rights.administrator or rights.manage_guild or rights.manage_messages
