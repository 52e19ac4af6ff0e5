"""Converts Telegram's updates to the port's events."""

import re
from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any

import telegram
from telegram.error import TelegramError

from adapters import port
from adapters.telegram.refs import PLATFORM, address_of, ephemeral_id_of, room_ref

TOKENS_KEY = "shown"  # the key under which a pressed message carries the tokens of its buttons

_SPOKEN = re.compile(r"/([A-Za-z0-9_]+)(?:@(\w+))?")


def command_from(
    message: telegram.Message,
    bot: telegram.User,
    commands: Collection[str],
    usernames: Mapping[str, port.User],
) -> port.Command | None:
    """Returns the command in a message, if it is for this bot; `usernames` maps usernames to people.

    In a group, an unknown command without a bot's name is assumed to be another bot's.
    """
    sender = sender_of(message)
    spoken = _SPOKEN.match(message.text or message.caption or "")
    if sender is None or spoken is None:
        return None

    name = spoken[1].lower()
    address = (spoken[2] or "").lower()
    if address and address != (bot.username or "").lower():
        return None
    if not address and name not in commands and message.chat.type != telegram.constants.ChatType.PRIVATE:
        return None

    words, mentioned = _words(message, spoken.end(), usernames)
    number = str(message.message_id)
    ephemeral_id = ephemeral_id_of(message)
    if ephemeral_id is not None and message.from_user is not None:  # unique only per sender
        number = f"{message.from_user.id}.{ephemeral_id}"

    return port.Command(
        sender,
        room_of(message),
        name,
        words,
        mentioned,
        f"{message.chat.id}.{number}.{message.date.timestamp():.0f}",
        can_reply_ephemerally=ephemeral_id is not None,
        attachment=_attachment(message),
        strangers=frozenset(user.ref for user in mentioned) - _find_members(message),
    )


def _find_members(message: telegram.Message) -> frozenset[port.UserRef]:
    """Returns the mentioned people who are certainly in the chat; a bare `@username` proves nothing."""
    read = message.parse_entities if message.text else message.parse_caption_entities
    people = [entity.user for entity in read([telegram.MessageEntity.TEXT_MENTION])]
    users = {user_from(user).ref for user in people if user is not None}
    replied_to = message.reply_to_message
    author = None if replied_to is None else sender_of(replied_to)
    return frozenset(users if author is None else {*users, author.ref})


def _attachment(message: telegram.Message) -> port.Attachment | None:
    """Returns the file that has the command as its caption, or that the command replies to."""
    replied_to = message.reply_to_message
    file = message.document or (replied_to.document if replied_to is not None else None)
    if file is None:
        return None

    async def fetch() -> bytes:
        try:
            return bytes(await (await file.get_file()).download_as_bytearray())
        except TelegramError as error:
            raise OSError("the file did not come") from error

    return port.Attachment(file.file_name or "", file.file_size or 0, fetch)


def press_from(query: telegram.CallbackQuery) -> port.Press | None:
    """Returns the press of a button; of a very old message Telegram sends only chat and id."""
    if query.message is None or query.data is None:
        return None

    message = query.message
    address = address_of(message)
    room = room_of(message) if isinstance(message, telegram.Message) else room_ref(address.chat)
    return port.Press(
        user_from(query.from_user),
        room,
        query.data,
        address.ref,
        query.id,
        on_private_message=address.receiver is not None
        or message.chat.type == telegram.constants.ChatType.PRIVATE,
        tokens=_tokens_on(message),
    )


def tokens_of(message: Mapping[str, Any]) -> list[str] | None:
    """Returns the tokens of the buttons in a message, as Telegram sends it; None without a keyboard.

    An unreadable keyboard counts as empty, so that the press itself stays readable.
    """
    if "reply_markup" not in message:
        return None

    try:
        buttons = chain.from_iterable(message["reply_markup"]["inline_keyboard"])
        return [button["callback_data"] for button in buttons if "callback_data" in button]
    except (LookupError, TypeError):
        return []


def _tokens_on(message: telegram.MaybeInaccessibleMessage) -> frozenset[str] | None:
    """Returns the tokens that a pressed message shows now; empty if Telegram sent no buttons.

    None for an ephemeral message without its buttons.
    """
    tokens = message.api_kwargs.get(TOKENS_KEY)
    if tokens is None:
        return frozenset() if address_of(message).receiver is None else None
    return frozenset(tokens)


def is_present(member: telegram.ChatMember) -> bool:
    """Returns whether this membership means that the person is in the chat."""
    if isinstance(member, telegram.ChatMemberRestricted):
        return member.is_member
    return member.status not in {telegram.ChatMember.LEFT, telegram.ChatMember.BANNED}


def may_write(member: telegram.ChatMember) -> bool:
    """Returns whether a member with this membership may write in the chat."""
    if isinstance(member, telegram.ChatMemberRestricted):
        return member.is_member and member.can_send_messages
    return is_present(member)


def user_from(user: telegram.User) -> port.User:
    """Returns a person with their full name, which is empty for a deleted account."""
    name = " ".join(filter(None, (user.first_name, user.last_name)))
    ref = port.UserRef(PLATFORM, str(user.id))
    return port.User(ref, name, user.language_code or "", handle=(user.username or "").lower())


def handles_in(message: telegram.Message) -> set[str]:
    """Returns the usernames mentioned in a message, in lower case and without the `@`."""
    read = message.parse_entities if message.text else message.parse_caption_entities
    mentions = read([telegram.MessageEntity.MENTION]).values()
    return {mention.removeprefix("@").lower() for mention in mentions}


def room_of(message: telegram.Message) -> port.RoomRef:
    """Returns the room of a message.

    Outside a forum, a thread id only refers to the message that was replied to.
    """
    topic = message.message_thread_id if message.is_topic_message else None
    return room_ref(message.chat.id, topic)


def sender_of(message: telegram.Message) -> port.User | None:
    """Returns the sender, which is the group for an anonymous administrator; None for a bot.

    A channel speaks for itself, but its automatic forwards have no sender.
    """
    if message.is_automatic_forward:
        return None

    if message.sender_chat is not None:
        group = message.sender_chat
        return port.User(port.UserRef(PLATFORM, str(group.id)), group.effective_name or "", is_person=False)

    if message.from_user is None or message.from_user.is_bot:
        return None

    return user_from(message.from_user)


def _words(
    message: telegram.Message, start: int, usernames: Mapping[str, port.User]
) -> tuple[tuple[str, ...], tuple[port.User, ...]]:
    """Returns the command's arguments, and the people whom it mentions or replies to.

    Telegram does not resolve a bare `@username`, so one that the bot does not know remains an argument.
    """
    text = message.text or message.caption or ""
    people = list[port.User]()
    read = message.parse_entities if message.text else message.parse_caption_entities
    for entity, name in read([telegram.MessageEntity.TEXT_MENTION, telegram.MessageEntity.MENTION]).items():
        user = usernames.get(name.removeprefix("@").lower())
        if entity.user is not None and not entity.user.is_bot:
            user = user_from(entity.user)

        if user is not None:
            people.append(user)
            text = text[:start] + text[start:].replace(name, " ", 1)

    replied_to = message.reply_to_message
    # In a topic every message replies to the topic's first message.
    is_reply = replied_to is not None and replied_to.forum_topic_created is None
    author = sender_of(replied_to) if replied_to is not None and is_reply else None
    if author is not None:
        people.append(author)

    return tuple(text[start:].split()), tuple(dict.fromkeys(people))
