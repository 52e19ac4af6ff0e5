"""Sends, edits and deletes messages; raises what the library raises."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from secrets import token_hex

import aiohttp
import discord
import structlog

from adapters.discord.refs import PLATFORM, MessageLocation, interaction_of
from adapters.discord.render import Rendered
from adapters.port import Delivered, Delivery, Gone, Lost, MessageRef, NeedsOptIn, Throttled, UserRef

log = structlog.get_logger()

AFTER_TROUBLE = 5.0
"""Seconds to wait after a failure of the network or of Discord."""

AFTER_REFUSED_DM_CHANNEL = 30.0
"""Seconds to wait after Discord called the opening of direct messages too fast."""

UNKNOWN_MESSAGE = 10008
UNKNOWN_INTERACTION = 10062
INVALID_WEBHOOK_TOKEN = 50027
ALREADY_ANSWERED = 40060
OPENING_DIRECT_MESSAGES_TOO_FAST = 40003
CANNOT_MESSAGE_THIS_USER = frozenset({50007, 50278})
TOO_OLD_TO_EDIT_OFTEN = 30046
MISSING_PERMISSIONS = 50013
ARCHIVED_THREAD = 50083
NO_ROOM = frozenset({10003, 50001, MISSING_PERMISSIONS, ARCHIVED_THREAD, 160005})
"""Unknown channel, no access, no permission, archived thread, locked thread."""

LATE = frozenset({UNKNOWN_INTERACTION, INVALID_WEBHOOK_TOKEN})
"""The interaction can no longer be answered; whatever it was about is still there."""

TROUBLE = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
"""Everything sending can raise that is not our own mistake."""


async def deliver(sending: Awaitable[MessageRef], to: UserRef | None = None) -> Delivery:
    """Wait for a sending and say what became of it.

    Args:
        sending: Sends and returns the message's reference.
        to: The person, for a direct message: there a lost room means that they cannot be written to.
    """
    try:
        return Delivered(await sending)
    except TROUBLE as error:
        return outcome(error, to)


def outcome(error: BaseException, to: UserRef | None = None) -> Delivery:
    """Translate what discord.py raised."""
    match error:
        case discord.RateLimited():
            return Throttled(error.retry_after)
        case discord.DiscordServerError():
            return Throttled(AFTER_TROUBLE)
        case discord.HTTPException():
            return _refusal(error, to)
        case _:
            return Throttled(AFTER_TROUBLE)


def _refusal(error: discord.HTTPException, to: UserRef | None) -> Delivery:
    why = f"{error.status} {error.code}"  # Discord's sentence may quote the message, so only the numbers
    delivery: Delivery
    match error.status, error.code:
        case _, code if code in CANNOT_MESSAGE_THIS_USER and to is not None:
            delivery = NeedsOptIn(to)
        case _, code if code == OPENING_DIRECT_MESSAGES_TOO_FAST:
            delivery = Throttled(_retry_after(error, AFTER_REFUSED_DM_CHANNEL))
        case _, code if code == TOO_OLD_TO_EDIT_OFTEN:
            delivery = Gone(Lost.MESSAGE, why)  # a new message may be edited as often as one likes
        case HTTPStatus.TOO_MANY_REQUESTS | HTTPStatus.UNAUTHORIZED, _:
            delivery = Throttled(_retry_after(error, AFTER_TROUBLE))
        case _, code if code == ALREADY_ANSWERED:
            # Or our answer arrived and its receipt did not; with two processes it happens all the time.
            log.warning("token_in_use", platform=PLATFORM, why="another process may be using this token")
            delivery = Throttled(0.0)
        case _, code if code in LATE:
            delivery = Throttled(0.0)
        case _, code if code == UNKNOWN_MESSAGE:
            delivery = Gone(Lost.MESSAGE, why)
        case status, code if code in NO_ROOM or status in {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}:
            delivery = Gone(Lost.ROOM, why) if to is None else NeedsOptIn(to)
        case _:
            delivery = Gone(Lost.CONTENT, why)
    return delivery


def lacks_permission(delivery: Delivery) -> bool:
    """Return whether the bot may not do that where it tried."""
    return isinstance(delivery, Gone) and delivery.why.endswith(f" {MISSING_PERMISSIONS}")


def _retry_after(error: discord.HTTPException, otherwise: float) -> float:
    try:
        return float(error.response.headers["Retry-After"])
    except (KeyError, ValueError):
        return otherwise


# --- Sends, edits and deletes messages; raises what the library raises ---


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
