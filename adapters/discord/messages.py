"""Sending, editing and deleting messages, and the outcome of each in the port's terms."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from secrets import token_hex

import aiohttp
import discord
import structlog
from discord.http import handle_message_parameters

from adapters import port
from adapters.discord.refs import PLATFORM, MessageLocation, interaction_of
from adapters.discord.render import Rendered

log = structlog.get_logger()

SEARCHED = 100  # how many of a channel's newest messages are searched for one whose arrival is not known


async def send_message(
    client: discord.Client, place: tuple[str, int], key: str, drawn: Rendered
) -> port.MessageRef:
    """Sends a new message to a channel; `place` is its guild (or `@me`) and its id.

    If `key` belongs to an answer to an interaction, the message may be there already. Of Discord's answer
    only the id is read: `Messageable.send` raises if the library cannot read the rest, though the message is
    there.
    """
    guild, channel = place
    if (interaction := interaction_of(key)) is not None:
        answer = await _answer_to(client, channel, interaction)
        if answer is not None:
            return MessageLocation(guild, channel, answer).ref

    with handle_message_parameters(
        drawn.content,
        files=drawn.files(),
        view=drawn.view or discord.utils.MISSING,
        allowed_mentions=drawn.mentions,
        flags=discord.MessageFlags(suppress_embeds=True),
        nonce=key or token_hex(8),
    ) as params:
        sent = await client.http.send_message(channel, params=params)

    return MessageLocation(guild, channel, int(sent["id"])).ref


async def _answer_to(client: discord.Client, channel: int, interaction: int) -> int | None:
    """Finds the newest message with which the bot has answered an interaction; None if it cannot be found."""
    with suppress(discord.Forbidden):
        for message in await client.http.logs_from(channel, SEARCHED):
            metadata = message.get("interaction_metadata")
            is_ephemeral = message.get("flags", 0) & discord.MessageFlags.ephemeral.flag
            if metadata and metadata["id"] == str(interaction) and not is_ephemeral:
                return int(message["id"])
    return None


async def change_message(
    client: discord.Client,
    ref: port.MessageRef,
    change: Callable[[discord.PartialMessage], Awaitable[object]],
) -> port.MessageRef:
    """Changes a message in a channel, and opens its thread for that if it was archived.

    Discord archives a thread when nothing was written there for a while, and edits do not count. A locked one
    stays so.
    """
    location = MessageLocation.of(ref)
    message = client.get_partial_messageable(location.channel).get_partial_message(location.message)
    with ignore_unreadable():
        try:
            await change(message)
        except discord.HTTPException as error:
            if error.code != ARCHIVED_THREAD:
                raise
            thread = await client.fetch_channel(location.channel)
            if not isinstance(thread, discord.Thread) or thread.locked:
                raise
            await thread.edit(archived=False)
            await change(message)

    return ref


async def edit_ephemeral(webhook: discord.Webhook, ref: port.MessageRef, drawn: Rendered) -> port.MessageRef:
    """Makes a message that one person sees show something else."""
    with ignore_unreadable():
        await webhook.edit_message(MessageLocation.of(ref).message, **drawn.changes())
    return ref


async def delete_ephemeral(webhook: discord.Webhook, ref: port.MessageRef) -> port.MessageRef:
    """Removes a message that one person sees."""
    await webhook.delete_message(MessageLocation.of(ref).message)
    return ref


@contextmanager
def ignore_unreadable() -> Iterator[None]:
    """Goes on after an answer that the library cannot read: the request it answers was carried out."""
    try:
        yield
    except TROUBLE:
        raise
    except RuntimeError as error:  # aiohttp's where the connection was closed: nothing was sent
        raise discord.ClientException("not connected") from error
    except Exception as error:
        where = port.code_location(error)
        log.warning("answer_unreadable", platform=PLATFORM, error=type(error).__name__, where=where)


# --- Outcomes ---------------------------------------------------------------------------------------------

RETRY_SECONDS = 5.0  # seconds to wait after a failure of the network or of Discord

# Seconds to wait after Discord called the opening of direct messages too fast.
AFTER_REFUSED_DM_CHANNEL = 30.0

# Seconds to wait after a refusal that names no known reason, such as a page of Cloudflare or of a proxy.
AFTER_UNKNOWN_REFUSAL = 30.0

UNKNOWN_MESSAGE = 10008
UNKNOWN_WEBHOOK = 10015
UNKNOWN_INTERACTION = 10062
INVALID_WEBHOOK_TOKEN = 50027
ALREADY_ANSWERED = 40060
OPENING_DIRECT_MESSAGES_TOO_FAST = 40003
TOO_OLD_TO_EDIT_OFTEN = 30046
MISSING_PERMISSIONS = 50013
TOO_MANY_PINS = 30003
ARCHIVED_THREAD = 50083
# The bot cannot write there.
CLOSED = frozenset(
    {
        10003,  # unknown channel
        10004,  # unknown guild
        10013,  # unknown user
        50001,  # missing access
        50007,  # cannot send messages to this user
        MISSING_PERMISSIONS,
        ARCHIVED_THREAD,
        50278,  # cannot send messages to this user: no server in common
        160005,  # locked thread
    }
)

TOO_LATE = port.Throttled(0.0)
# The interaction can no longer be answered; its message is still there.
LATE = frozenset({UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, INVALID_WEBHOOK_TOKEN})

# Everything a request can raise that is neither a bug nor an answer that the library cannot read.
TROUBLE = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)


async def deliver(sending: Awaitable[port.MessageRef], to: port.UserRef | None = None) -> port.Delivery:
    """Waits for a sending and returns its outcome.

    `to` is the person, for a direct message: there a lost room means that they cannot be written to.
    """
    try:
        return port.Delivered(await sending)
    except TROUBLE as error:
        return outcome(error, to)


def outcome(error: BaseException, to: port.UserRef | None = None) -> port.Delivery:
    """Translates an error of discord.py."""
    match error:
        case discord.RateLimited():
            return port.Throttled(error.retry_after)
        case discord.HTTPException() if not isinstance(error, discord.DiscordServerError):
            return _refusal(error, to)
        case _:
            return port.Throttled(RETRY_SECONDS)


def _refusal(error: discord.HTTPException, to: port.UserRef | None) -> port.Delivery:
    why = f"{error.status} {error.code}"  # Discord's sentence may quote the message, so only the numbers
    code = error.code
    if code in CLOSED:
        return port.Gone(port.Lost.ROOM, why) if to is None else port.NeedsOptIn(to)
    if code == OPENING_DIRECT_MESSAGES_TOO_FAST:
        return port.Throttled(_retry_after(error, AFTER_REFUSED_DM_CHANNEL))
    if code == ALREADY_ANSWERED:
        # Or our answer arrived and its receipt did not; with two processes it happens all the time.
        log.warning("token_in_use", platform=PLATFORM, why="another process may be using this token")
        return port.Throttled(0.0)
    if code in LATE:
        return TOO_LATE

    if code in {UNKNOWN_MESSAGE, TOO_OLD_TO_EDIT_OFTEN}:  # a new message may be edited again
        return port.Gone(port.Lost.MESSAGE, why)
    if error.status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.UNAUTHORIZED}:
        return port.Throttled(_retry_after(error, RETRY_SECONDS))
    if error.status in {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}:
        log.warning("refused_without_known_reason", platform=PLATFORM, why=why)
        return port.Throttled(_retry_after(error, AFTER_UNKNOWN_REFUSAL))

    return port.Gone(port.Lost.CONTENT, why)


def pin_trouble(delivery: port.Delivery) -> port.PinTrouble | port.Throttled | None:
    """Returns why a message could not be pinned; None if it was."""
    match delivery:
        case port.Delivered() | port.Gone(port.Lost.MESSAGE):
            return None
        case port.Throttled():
            return delivery
        case port.Gone(_, why) if why.endswith(f" {TOO_MANY_PINS}"):
            return port.PinTrouble.FULL
    return port.PinTrouble.NO_RIGHT if lacks_permission(delivery) else port.PinTrouble.REFUSED


def lacks_permission(delivery: port.Delivery) -> bool:
    """Returns whether the bot may not do that where it tried."""
    return isinstance(delivery, port.Gone) and delivery.why.endswith(f" {MISSING_PERMISSIONS}")


def _retry_after(error: discord.HTTPException, otherwise: float) -> float:
    try:
        return float(error.response.headers["Retry-After"])
    except (KeyError, ValueError):
        return otherwise
