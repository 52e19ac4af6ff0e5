"""Sends, edits and deletes messages, with icons, and translates the outcomes into the port's terms.

Icons of buttons are emojis of the application, uploaded once. An emoji is named by a hash of its picture: a
changed picture is uploaded under a new name, and the old one is deleted. Until all are uploaded, and after
Discord has refused one, buttons have no icons.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from http import HTTPStatus
from secrets import token_hex
from typing import Any, TypeVar

import aiohttp
import discord
import structlog
from cachetools import TTLCache
from discord.http import handle_message_parameters

from adapters import port
from adapters.discord.refs import PLATFORM, MessageLocation, interaction_of
from adapters.discord.render import Application, Rendered, TableLink, render, with_table_links

log = structlog.get_logger()

SEARCHED = 100  # newest messages of a channel, searched for an answer that may have arrived already


async def send_message(
    client: discord.Client, place: tuple[str, int], key: str, rendered: Rendered
) -> port.MessageRef:
    """Sends a new message to a channel; `place` is its guild (or `@me`) and its id.

    If `key` belongs to an answer to an interaction, the message may exist already, and is searched for first.
    Only the id and the flags of Discord's response are read: `Messageable.send` raises if the library cannot
    read the rest, although the message was sent.
    """
    guild, channel = place
    if (interaction := interaction_of(key)) is not None:
        answer = await _answer_to(client, channel, interaction)
        if answer is not None:
            return _location(guild, channel, answer).ref

    with handle_message_parameters(
        **rendered.parts(),
        flags=discord.MessageFlags(suppress_embeds=True),
        nonce=key or token_hex(8),
    ) as params:
        message = await client.http.send_message(channel, params=params)

    return _location(guild, channel, message).ref


def _location(guild: str, channel: int, message: Mapping[str, Any]) -> MessageLocation:
    """Reads a message's location; one that existed already may have another form than the rendered one."""
    has_container = bool(message.get("flags", 0) & discord.MessageFlags.components_v2.flag)
    return MessageLocation(guild, channel, int(message["id"]), has_container=has_container)


async def _answer_to(client: discord.Client, channel: int, interaction: int) -> Mapping[str, Any] | None:
    """Finds the newest public message that answers an interaction; None if it cannot be found."""
    with suppress(discord.Forbidden):
        for message in await client.http.logs_from(channel, SEARCHED):
            metadata = message.get("interaction_metadata")
            is_ephemeral = message.get("flags", 0) & discord.MessageFlags.ephemeral.flag
            if metadata and metadata["id"] == str(interaction) and not is_ephemeral:
                return message

    return None


async def change_message(
    client: discord.Client,
    ref: port.MessageRef,
    change: Callable[[discord.PartialMessage], Awaitable[object]],
) -> port.MessageRef:
    """Changes a message in a channel, and reopens its thread for that if it is archived.

    Discord archives a thread after a while without new messages; edits do not count. A locked thread stays
    archived.
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


async def edit_ephemeral(
    webhook: discord.Webhook, ref: port.MessageRef, rendered: Rendered
) -> port.MessageRef:
    """Edits an ephemeral message."""
    with ignore_unreadable():
        await webhook.edit_message(MessageLocation.of(ref).message, **rendered.changes())
    return ref


async def delete_ephemeral(webhook: discord.Webhook, ref: port.MessageRef) -> port.MessageRef:
    """Deletes an ephemeral message."""
    await webhook.delete_message(MessageLocation.of(ref).message)
    return ref


@contextmanager
def ignore_unreadable() -> Iterator[None]:
    """Logs and ignores a response that the library cannot read: its request was carried out."""
    try:
        yield
    except TROUBLE:
        raise
    except RuntimeError as error:  # aiohttp's, for a closed connection: nothing was sent
        raise discord.ClientException("not connected") from error
    except Exception as error:
        where = port.code_location(error)
        log.warning("answer_unreadable", platform=PLATFORM, error=type(error).__name__, where=where)


# --- Icons, and sending with them -------------------------------------------------------------------------

OURS = re.compile(r"icon_[0-9a-f]{24}")  # names of emojis that the bot uploaded; the owner may have others
MIN_WAIT_SECONDS = 1.0  # the shortest wait after Discord has limited the rate
FRESH = 600.0  # seconds for which a channel or a person that takes no files is remembered
MAX_REMEMBERED = 1000

Emojis = Mapping[str, discord.Emoji]
Answer = TypeVar("Answer")


class Icons:
    """The icons of one bot, and the sending of screens that carry them.

    Args:
        pngs: The pictures by the names that `CallbackButton.icon` uses.
    """

    def __init__(self, pngs: Mapping[str, bytes], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._without_files = TTLCache[int | port.UserRef, bool](MAX_REMEMBERED, FRESH, monotonic)
        self._names = {icon: _name_of(png) for icon, png in pngs.items()}
        self._pngs = {_name_of(png): png for png in pngs.values()}
        self.application = Application()
        """What messages refer to, as far as it is known."""
        self.table_link: TableLink | None = None
        """Returns the links that open tables from direct messages; None: a press opens them."""

    async def upload(self, client: discord.Client) -> None:
        """Uploads missing icons, and deletes outdated ones; logs failures."""
        if not self._pngs:
            return

        try:
            emojis = await self._upload_missing(client)
            self._use_icons(
                {
                    icon: discord.PartialEmoji(name=name, id=emojis[name].id)
                    for icon, name in self._names.items()
                }
            )

            for name, emoji in emojis.items():
                if OURS.fullmatch(name) and name not in self._pngs:
                    await _wait_and_call(emoji.delete)
        except TROUBLE as error:
            log.warning("icons_not_uploaded", platform=PLATFORM, why=str(outcome(error)))
        except Exception as error:  # the library cannot read a response: that must not end the connection
            log.warning("icons_not_uploaded", platform=PLATFORM, why=port.code_location(error))

    async def _upload_missing(self, client: discord.Client) -> Emojis:
        emojis = await _list_emojis(client)
        for name, png in self._pngs.items():
            if name in emojis:
                continue

            try:
                upload = partial(client.create_application_emoji, name=name, image=png)
                emojis = {**emojis, name: await _wait_and_call(upload)}
            except discord.HTTPException:
                emojis = await _list_emojis(client)  # another process may have been faster
                if name not in emojis:
                    raise

        return emojis

    async def send(
        self,
        send: Callable[[Rendered], Awaitable[port.MessageRef]],
        screen: port.Screen,
        document: port.Document | None = None,
        *,
        to: port.UserRef | None = None,
        channel: int | None = None,
        is_direct: bool = False,
        in_container: bool = False,
    ) -> port.Delivery:
        """Renders and sends a screen; if Discord refuses it, retries without files, then without icons.

        An emoji can disappear: the owner can delete it, and so can a newer version of the bot. A person or a
        `channel` that refused files gets none for a while. `is_direct` marks a direct message; every message
        `to` a person is one.
        """

        def draw(
            content: port.Screen, file: port.Document | None, application: Application = self.application
        ) -> Rendered:
            return render(content, file, application, in_container=in_container)

        place = channel if to is None else to
        if self.table_link is not None and (is_direct or to is not None):
            screen = with_table_links(screen, self.table_link)

        with_files = screen, document
        without_document = document.left_out_of(screen) if document else screen
        without_files = replace(without_document, picture=None), None
        has_files = (screen.picture is not None or document is not None) and bool(without_files[0].text)
        if has_files and place in self._without_files:
            with_files = without_files
            has_files = False

        rendered = draw(*with_files)
        delivery = await deliver(send(rendered), to)
        if has_files and (lacks_permission(delivery) or port.is_refused(delivery)):
            delivery = await deliver(send(draw(*without_files)), to)
            if isinstance(delivery, port.Delivered):
                if place is not None:
                    self._without_files[place] = True
                return delivery

        if port.is_refused(delivery) and rendered.has_icons:
            without_icons = replace(self.application, icons={})
            delivery = await deliver(send(draw(*with_files, without_icons)), to)
            if not port.is_refused(delivery):
                log.warning("icons_refused", platform=PLATFORM)
                self._use_icons({})

        return delivery

    def _use_icons(self, icons: Mapping[str, discord.PartialEmoji]) -> None:
        self.application = replace(self.application, icons=icons)


async def _list_emojis(client: discord.Client) -> Emojis:
    return {emoji.name: emoji for emoji in await _wait_and_call(client.fetch_application_emojis)}


async def _wait_and_call(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """Repeats a request until Discord no longer limits its rate."""
    while True:
        try:
            return await ask()
        except discord.RateLimited as limit:
            await asyncio.sleep(max(limit.retry_after, MIN_WAIT_SECONDS))


def _name_of(png: bytes) -> str:
    return f"icon_{blake2b(png, digest_size=12).hexdigest()}"


# --- Outcomes ---------------------------------------------------------------------------------------------

RETRY_SECONDS = 5.0  # seconds to wait after a failure of the network or of Discord

# Seconds to wait after Discord refused because direct messages were opened too fast.
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

# Everything a request can raise, except bugs and answers that the library cannot read.
TROUBLE = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)


async def deliver(sending: Awaitable[port.MessageRef], to: port.UserRef | None = None) -> port.Delivery:
    """Awaits a send call, and returns its outcome.

    `to` is the recipient of a direct message, for whom a lost room means that the bot cannot write to them.
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
        # Our answer arrived, but its receipt did not. If this is frequent, two processes are running.
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
    """Returns why a message could not be pinned; None if it was pinned, or no longer exists."""
    match delivery:
        case port.Delivered() | port.Gone(port.Lost.MESSAGE):
            return None
        case port.Throttled():
            return delivery
        case port.Gone(_, why) if why.endswith(f" {TOO_MANY_PINS}"):
            return port.PinTrouble.FULL

    return port.PinTrouble.NO_RIGHT if lacks_permission(delivery) else port.PinTrouble.REFUSED


def lacks_permission(delivery: port.Delivery) -> bool:
    """Returns whether a delivery failed because the bot lacks a permission."""
    return isinstance(delivery, port.Gone) and delivery.why.endswith(f" {MISSING_PERMISSIONS}")


def _retry_after(error: discord.HTTPException, otherwise: float) -> float:
    try:
        return float(error.response.headers["Retry-After"])
    except (KeyError, ValueError):
        return otherwise
