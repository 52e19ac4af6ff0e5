"""Sends, edits and deletes messages; raises what the library raises."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from secrets import token_hex

import discord

from adapters.discord.errors import ARCHIVED_THREAD
from adapters.discord.refs import MessageLocation, interaction_of
from adapters.discord.render import Rendered
from adapters.port import MessageRef

LOOKED_THROUGH = 100
"""So many of a channel's newest messages are looked through for one whose arrival nobody noted."""


async def send_message(
    client: discord.Client, place: tuple[str, int], key: str, drawn: Rendered
) -> MessageRef:
    """Send a new message to a channel; `place` is its guild (or `@me`) and its id.

    The `key` of an answer to an interaction may be that of a message which stands there already.
    """
    guild, channel = place
    if (interaction := interaction_of(key)) is not None:
        answer = await _answer_to(client, channel, interaction)
        if answer is not None:
            return MessageLocation(guild, channel, answer).ref
    message = await client.get_partial_messageable(channel).send(
        drawn.content,
        files=drawn.files(),
        view=drawn.view or discord.utils.MISSING,
        allowed_mentions=drawn.mentions,
        suppress_embeds=True,
        nonce=key or token_hex(8),
    )
    return MessageLocation(guild, channel, message.id).ref


async def _answer_to(client: discord.Client, channel: int, interaction: int) -> int | None:
    """Find the newest message with which the bot has answered an interaction; None if it cannot be found."""
    with suppress(discord.Forbidden):
        async for message in client.get_partial_messageable(channel).history(limit=LOOKED_THROUGH):
            source = message.interaction_metadata
            if source is not None and source.id == interaction and not message.flags.ephemeral:
                return message.id
    return None


async def edit_message(client: discord.Client, ref: MessageRef, drawn: Rendered) -> MessageRef:
    """Make a message show something else."""
    message = _message(client, MessageLocation.of(ref))
    await _awake(client, message, lambda: message.edit(**drawn.changes()))
    return ref


async def edit_ephemeral(webhook: discord.Webhook, ref: MessageRef, drawn: Rendered) -> MessageRef:
    """Make a message that one person sees show something else."""
    await webhook.edit_message(MessageLocation.of(ref).message, **drawn.changes())
    return ref


async def delete_message(client: discord.Client, ref: MessageRef) -> MessageRef:
    """Remove a message."""
    message = _message(client, MessageLocation.of(ref))
    await _awake(client, message, message.delete)
    return ref


async def delete_ephemeral(webhook: discord.Webhook, ref: MessageRef) -> MessageRef:
    """Remove a message that one person sees."""
    await webhook.delete_message(MessageLocation.of(ref).message)
    return ref


async def _awake(
    client: discord.Client, message: discord.PartialMessage, change: Callable[[], Awaitable[object]]
) -> None:
    """Change a message; a thread that fell asleep is woken for it, as by anything that is said there.

    A thread is archived when nobody has written for a while, and edits do not count. A locked one stays so.
    """
    try:
        await change()
    except discord.HTTPException as error:
        if error.code != ARCHIVED_THREAD:
            raise
        thread = await client.fetch_channel(message.channel.id)
        if not isinstance(thread, discord.Thread) or thread.locked:
            raise
        await thread.edit(archived=False)
        await change()


def _message(client: discord.Client, location: MessageLocation) -> discord.PartialMessage:
    return client.get_partial_messageable(location.channel).get_partial_message(location.message)
