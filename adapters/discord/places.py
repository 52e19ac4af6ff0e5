"""The channels and threads of a guild, and who can read them.

Discord is asked only for what the library has not cached, such as archived threads.
"""

from typing import TypeAlias

import discord

Place: TypeAlias = discord.abc.GuildChannel | discord.Thread


async def place_in(guild: discord.Guild, channel: int) -> Place | None:
    """Returns a channel or thread of a guild, also an archived one; None if the bot cannot see it.

    Raises:
        discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError: Discord does not answer.
    """
    place = guild.get_channel_or_thread(channel)
    if place is not None:
        return place

    try:
        return await guild.fetch_channel(channel)
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        return None


def rights_in(place: Place | None, member: discord.Member) -> discord.Permissions:
    """Returns the rights of a member in a place; none if the place, or a thread's parent, is unknown."""
    if place is None or (isinstance(place, discord.Thread) and place.parent is None):
        return discord.Permissions.none()
    return place.permissions_for(member)


async def can_read(place: Place | None, member: discord.Member) -> bool:
    """Returns whether a member can read a place; a private thread has its own member list.

    Raises:
        discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError: Discord does not answer.
    """
    rights = rights_in(place, member)
    if not isinstance(place, discord.Thread) or not place.is_private():
        return rights.view_channel
    if not rights.view_channel or rights.manage_threads:
        return rights.view_channel

    try:
        await place.fetch_member(member.id)
    except (discord.NotFound, discord.Forbidden):
        return False

    return True


async def can_pin(place: Place | None, member: discord.Member) -> bool:
    """Returns whether a member may pin messages in a place."""
    rights = rights_in(place, member)
    return rights.view_channel and rights.pin_messages
