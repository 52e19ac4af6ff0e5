"""REST: messages of channels, and the shared steps of writing one."""

import re
from datetime import UTC, datetime
from typing import Any

from tests.wire.discord.component_tree import texts
from tests.wire.discord.components import completed, missing_files
from tests.wire.discord.components import problems as find_problems
from tests.wire.discord.errors import ApiError, Refusal
from tests.wire.discord.payloads import channel_json, message_json
from tests.wire.discord.state import Call, DiscordState
from tests.wire.discord.world import Account, Attachment, Channel, Message, MessageFlag, Right

MAX_CHARACTERS = 2000
ANYWHERE = MessageFlag.SUPPRESS_EMBEDS | MessageFlag.CONTAINERS
BY_BOTS = ANYWHERE | MessageFlag.EPHEMERAL
MAX_PINS = 250
MENTION = re.compile(r"<@!?(\d+)>")


def write(state: DiscordState, message: Message, call: Call, body: dict[str, Any]) -> None:
    """Updates a message with the fields of a request; missing fields stay as they are.

    Raises:
        ApiError: Discord would refuse the request.
    """
    content = (body.get("content") or "").strip() if "content" in body else message.content
    components = (body.get("components") or []) if "components" in body else message.components
    attachments = _attachments(message, call, body)
    flags = MessageFlag(body["flags"]) if body.get("flags") is not None else message.flags

    problems = find_problems(message, flags, components, set(state.emojis))
    if "components" in body:
        problems += missing_files(components, attachments)
    if len(content) > MAX_CHARACTERS:
        problems.append(f"content: must be {MAX_CHARACTERS} or fewer in length.")
    if MessageFlag.CONTAINERS in flags and (content or body.get("embeds")):
        problems.append("content: cannot be used with the flag IS_COMPONENTS_V2")
    if problems:
        raise ApiError(Refusal.INVALID_FORM, *problems)
    if not (content or components or attachments):
        raise ApiError(Refusal.EMPTY_MESSAGE)

    message.content = content
    message.attachments = attachments
    message.flags |= flags & MessageFlag.CONTAINERS
    if "components" in body:
        message.components = completed(components, attachments)

    text = "\n".join((content, *texts(message.components)))
    people = [int(number) for number in MENTION.findall(text)]
    message.mentioned = tuple(
        state.accounts[number] for number in dict.fromkeys(people) if number in state.accounts
    )
    if {"content", "components"} & body.keys():
        message.notified = _notified(body, message.mentioned)
    state.transcript.add(message, call.body, call.raw)


def _attachments(message: Message, call: Call, body: dict[str, Any]) -> list[Attachment]:
    if body.get("attachments") is None:
        return message.attachments

    kept = {str(attachment.id): attachment for attachment in message.attachments}
    attachments: list[Attachment] = []
    for wanted in body["attachments"]:
        upload = call.files.get(f"files[{wanted['id']}]")
        if upload is not None:
            attachments.append(Attachment(upload[0], upload[1], wanted.get("description")))
        elif str(wanted["id"]) in kept:
            attachments.append(kept[str(wanted["id"])])
        else:
            raise ApiError(Refusal.INVALID_FORM, f"attachments: {wanted['id']} was not uploaded")

    return attachments


def _notified(body: dict[str, Any], mentioned: tuple[Account, ...]) -> frozenset[int]:
    allowed = body.get("allowed_mentions")
    if allowed is None or "users" in (allowed.get("parse") or ()):
        return frozenset(account.id for account in mentioned)
    named = {int(number) for number in allowed.get("users") or ()}
    return frozenset(account.id for account in mentioned if account.id in named)


def _check_files(channel: Channel, call: Call) -> None:
    if call.files and Right.ATTACH_FILES not in channel.rights:
        raise ApiError(Refusal.MISSING_PERMISSIONS)


# --- endpoints --------------------------------------------------------------------------------------------


async def post_message(state: DiscordState, call: Call) -> dict[str, Any]:
    channel = state.writable_channel(call.params["channel_id"])
    _check_files(channel, call)
    nonce = call.body.get("nonce")
    if nonce is not None and call.body.get("enforce_nonce"):
        for known in channel.messages.values():
            if known.nonce == nonce and datetime.now(UTC) - known.created < state.nonce_lives:
                return message_json(known)

    flags = MessageFlag(call.body.get("flags") or 0) & ANYWHERE
    message = Message(channel, state.bot, flags=flags, nonce=nonce)
    write(state, message, call, call.body)
    channel.messages[message.id] = message
    channel.archived = False  # as any message in a thread does

    return message_json(message)


async def list_messages(state: DiscordState, call: Call) -> list[dict[str, Any]]:
    """Returns the newest messages of a channel; none without the right to read its history."""
    channel = state.readable_channel(call.params["channel_id"])
    if Right.READ_HISTORY not in channel.rights:
        return []
    known = [message for message in channel.messages.values() if not message.deleted and message.only is None]
    newest = sorted(known, key=lambda message: message.id, reverse=True)
    return [message_json(message) for message in newest[: int(call.query.get("limit", 50))]]


async def get_message(state: DiscordState, call: Call) -> dict[str, Any]:
    channel = state.readable_channel(call.params["channel_id"])
    message = channel.messages.get(int(call.params["message_id"]))
    if message is None or message.deleted or message.only is not None:
        raise ApiError(Refusal.UNKNOWN_MESSAGE)
    return message_json(message)


async def edit_message(state: DiscordState, call: Call) -> dict[str, Any]:
    channel = state.readable_channel(call.params["channel_id"])
    message = state.own_message(channel, call.params["message_id"])
    if channel.archived:
        raise ApiError(Refusal.ARCHIVED_THREAD)
    _check_files(channel, call)
    write(state, message, call, call.body)
    message.edited = datetime.now(UTC)
    return message_json(message)


async def delete_message(state: DiscordState, call: Call) -> None:
    channel = state.readable_channel(call.params["channel_id"])
    message = state.own_message(channel, call.params["message_id"])
    if channel.archived:
        raise ApiError(Refusal.ARCHIVED_THREAD)
    message.deleted = True


async def pin_message(state: DiscordState, call: Call) -> None:
    message = _pinnable(state, call)
    if message not in message.channel.pinned:
        if len(message.channel.pinned) >= MAX_PINS:
            raise ApiError(Refusal.TOO_MANY_PINS)
        message.channel.pinned.append(message)


async def unpin_message(state: DiscordState, call: Call) -> None:
    message = _pinnable(state, call)
    if message in message.channel.pinned:
        message.channel.pinned.remove(message)


def _pinnable(state: DiscordState, call: Call) -> Message:
    channel = state.readable_channel(call.params["channel_id"])
    if channel.guild is not None and Right.PIN_MESSAGES not in channel.rights:
        raise ApiError(Refusal.MISSING_PERMISSIONS)
    message = channel.messages.get(int(call.params["message_id"]))
    if message is None or message.deleted:
        raise ApiError(Refusal.UNKNOWN_MESSAGE)
    return message


async def get_channel(state: DiscordState, call: Call) -> dict[str, Any]:
    return channel_json(state.readable_channel(call.params["channel_id"]), state.bot)


async def edit_channel(state: DiscordState, call: Call) -> dict[str, Any]:
    """Reopens an archived thread; it takes the right to write there, and no lock."""
    channel = state.writable_channel(call.params["channel_id"])
    if channel.parent is None or call.body != {"archived": False}:
        raise ApiError(Refusal.MISSING_PERMISSIONS)
    channel.archived = False
    return channel_json(channel, state.bot)


async def open_direct_messages(state: DiscordState, call: Call) -> dict[str, Any]:
    """Opens direct messages with anyone; people who accept none refuse the message itself."""
    account = state.accounts.get(int(call.body["recipient_id"]))
    if account is None:
        raise ApiError(Refusal.UNKNOWN_USER)
    return channel_json(state.direct_channel(account), state.bot)
