"""Who may manage messages where."""

from collections.abc import Callable
from time import monotonic

import discord
from cachetools import TTLCache

from adapters.discord.delivery import TROUBLE
from adapters.discord.inbound import AnyInteraction

FRESH = 60.0
"""Seconds for which the rights seen in somebody's last interaction are believed."""

MOST_REMEMBERED = 1000


class Rights:
    """Remembers the rights people had in the interactions they sent, and asks Discord about others."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._seen = TTLCache[tuple[int, int], bool](MOST_REMEMBERED, FRESH, clock)

    def note(self, interaction: AnyInteraction) -> None:
        """Remember what an interaction says about its sender's rights."""
        if interaction.guild_id is None or interaction.channel_id is None:
            return
        key = (interaction.user.id, interaction.channel_id)
        self._seen[key] = _moderates(interaction.permissions)

    async def moderates(self, client: discord.Client, user: int, guild: int, channel: int) -> bool:
        """Whether the person may manage messages in the channel; False when Discord does not say."""
        seen = self._seen.get((user, channel))
        if seen is not None:
            return seen
        known = client.get_guild(guild)
        if known is None:
            return False
        if known.owner_id == user:
            return True
        place = known.get_channel_or_thread(channel)
        try:
            member = await known.fetch_member(user)
        except TROUBLE:
            return False
        return _moderates(place.permissions_for(member) if place is not None else member.guild_permissions)


def _moderates(rights: discord.Permissions) -> bool:
    return rights.administrator or rights.manage_guild or rights.manage_messages
