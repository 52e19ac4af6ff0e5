"""Who may do what where: people, and the bot itself."""

import time
from collections.abc import Callable

import discord
from cachetools import TTLCache

from adapters.discord.errors import TROUBLE
from adapters.discord.inbound import AnyInteraction

FRESH = 60.0
"""Seconds for which the rights seen in somebody's last interaction are believed."""

MOST_REMEMBERED = 1000


class ModeratorCache:
    """Remembers the rights people had in the interactions they sent, and asks Discord about others."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._seen = TTLCache[tuple[int, int], bool](MOST_REMEMBERED, FRESH, monotonic)

    def note(self, interaction: AnyInteraction) -> None:
        """Remember what an interaction says about its sender's rights."""
        if interaction.guild_id is None or interaction.channel_id is None:
            return
        key = (interaction.user.id, interaction.channel_id)
        self._seen[key] = _moderates(interaction.permissions)

    async def is_moderator(self, client: discord.Client, user: int, guild: int, channel: int) -> bool:
        """Return whether the person may manage messages in the channel; False when Discord does not say."""
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


def missing_rights(interaction: AnyInteraction) -> tuple[str, ...]:
    """Name what the bot lacks to keep a table where an interaction came from, as Discord's settings do."""
    rights = interaction.app_permissions
    needed = {"View Channel": rights.view_channel}
    if isinstance(interaction.channel, discord.Thread):
        needed["Send Messages in Threads"] = rights.send_messages_in_threads
    else:
        needed["Send Messages"] = rights.send_messages
    is_everywhere = interaction.guild_id is None or rights.administrator
    return () if is_everywhere else tuple(name for name, is_given in needed.items() if not is_given)


def _moderates(rights: discord.Permissions) -> bool:
    return rights.administrator or rights.manage_guild or rights.manage_messages
