"""Translates Discord's interactions into the port's terms."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import aiohttp
import discord

from adapters import port
from adapters.discord.refs import (
    DIRECT,
    MessageLocation,
    answer_key,
    direct_room,
    guild_room,
    outside_room,
    user_ref,
)
from adapters.discord.render import token_of

AnyInteraction = discord.Interaction[discord.Client]
Person = discord.User | discord.Member

MENTION = re.compile(r"<@!?(\d+)>,?")  # somebody chosen from the list while a text is typed
TEXT = "text"  # in a reduced press, the key of the text typed into the box that the button opened
SHOWN = "shown"  # in a reduced press, the key of the ids of all enabled buttons on its message


def essential_interaction(data: Mapping[str, Any]) -> dict[str, Any]:
    """Reduces an interaction, as the gateway sends it, to the parts that the bot needs.

    Nothing else that Discord leaves out, adds or changes can then make a press or a command unreadable.

    Raises:
        KeyError, TypeError: Something is missing that the bot needs.
    """
    guild = data.get("guild_id")
    channel = data.get("channel") or {}
    channel_id = data.get("channel_id") or channel["id"]
    person = data["user"] if guild is None else data["member"]["user"]
    avatar = person.get("avatar")
    user = {
        "id": person["id"],
        "username": person.get("username") or "",
        "global_name": person.get("global_name"),
        "discriminator": "0",
        "avatar": avatar if isinstance(avatar, str) else None,
    }

    if not channel and guild is None:  # the library needs this if only the channel's id is known
        channel = {"id": channel_id, "type": 1, "recipients": [user]}
    elif not channel:
        channel = {"id": channel_id, "type": 0, "name": "", "position": 0, "permission_overwrites": []}

    fields = ("id", "application_id", "type", "token", "data", "locale", "app_permissions", "context")
    reduced: dict[str, Any] = {
        **{key: data[key] for key in fields if key in data},
        "version": 1,
        "attachment_size_limit": 0,
        "authorizing_integration_owners": data.get("authorizing_integration_owners") or {"0": guild or "0"},
        "channel_id": channel_id,
        "channel": channel,
    }

    if guild is None:
        reduced["user"] = user
    else:
        reduced["guild_id"] = guild
        reduced["member"] = {
            "user": user,
            "roles": [],
            "flags": 0,
            "nick": data["member"].get("nick"),
            "permissions": data["member"].get("permissions", "0"),
        }

    if data["type"] == discord.InteractionType.modal_submit.value:
        reduced["type"] = discord.InteractionType.component.value

    if "message" in data:
        pressed = {"component_type": 2, "custom_id": _pressed(data["data"]), TEXT: _typed(data["data"])}
        reduced["data"] = {**pressed, SHOWN: _custom_ids(data["message"])}
        button = {"type": 2, "style": 2, "label": "?", "custom_id": pressed["custom_id"]}
        reduced["message"] = {
            "id": data["message"]["id"],
            "channel_id": channel_id,
            "type": 0,
            "flags": data["message"].get("flags", 0),
            "author": user,
            "content": "",
            "timestamp": None,
            "edited_timestamp": None,
            "tts": False,
            "pinned": False,
            "mention_everyone": False,
            "embeds": [],
            "attachments": [],
            "components": [{"type": 1, "components": [button]}],
        }

    return reduced


def _typed(data: Mapping[str, Any]) -> str:
    """Returns the text that was typed into a box; empty if there was no box."""
    for part in _walk(data.get("components", ())):
        box = part.get("component", part)
        if "value" in box:
            return str(box["value"])

    return ""


def _pressed(data: Mapping[str, Any]) -> str:
    """Returns the id of the pressed button or of the choice in a menu."""
    chosen = data.get("values") or (data["custom_id"],)
    return str(chosen[0])


def _custom_ids(message: Mapping[str, Any]) -> list[str] | None:
    """Returns the ids of a message's enabled buttons and choices; None if Discord leaves them out."""
    if "components" not in message:
        return None

    try:
        ids = list[str]()
        for component in _walk(message["components"]):
            if "options" in component:
                ids += [option["value"] for option in component["options"]]
            elif "custom_id" in component and not component.get("disabled"):
                ids.append(component["custom_id"])
    except (AttributeError, KeyError, TypeError):  # they must not make the press unreadable
        return []

    return ids


def _walk(components: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yields components and all that are nested in them."""
    for component in components:
        yield component
        yield from _walk(component.get("components", ()))


def user_from(person: Person, locale: discord.Locale | None = None) -> port.User:
    """Returns a person with the name that the chat shows, and their language."""
    language = locale.value.partition("-")[0] if locale is not None else ""
    return port.User(user_ref(person.id), person.display_name, language, is_person=not person.bot)


def is_outside(interaction: AnyInteraction) -> bool:
    """Returns whether an interaction comes from a channel that the bot is not a member of.

    The person has then installed the bot for themselves.
    """
    if interaction.guild_id is None:
        return interaction.context.private_channel
    return not interaction.is_guild_integration()


def room_from(interaction: AnyInteraction) -> port.RoomRef:
    """Returns the room that an interaction came from."""
    channel = interaction.channel
    if channel is None:
        raise ValueError("an interaction from no channel")  # or from an unknown kind of channel
    if is_outside(interaction):
        return outside_room(interaction.guild_id, channel.id)
    if interaction.guild_id is None:
        return direct_room(interaction.user.id, channel.id)
    if isinstance(channel, discord.Thread):
        return guild_room(interaction.guild_id, channel.parent_id, channel.id)

    return guild_room(interaction.guild_id, channel.id)


def location_of(message: discord.Message, interaction: AnyInteraction) -> MessageLocation:
    """Returns the location of a message that an interaction was pressed on or has made."""
    server = DIRECT if interaction.guild_id is None else str(interaction.guild_id)
    return MessageLocation(
        server,
        message.channel.id,
        message.id,
        is_ephemeral=message.flags.ephemeral,
        has_container=message.flags.components_v2,
        is_outside=is_outside(interaction) and not message.flags.ephemeral,
    )


def press_from(interaction: AnyInteraction, text: str) -> port.Press:
    """Reads a pressed button; `text` is its custom id."""
    if interaction.message is None:
        raise ValueError("a press on no message")

    is_direct = interaction.guild_id is None and not is_outside(interaction)
    on_private_message = is_direct or interaction.message.flags.ephemeral
    return port.Press(
        user_from(interaction.user, interaction.locale),
        room_from(interaction),
        token_of(text),
        location_of(interaction.message, interaction).ref,
        str(interaction.id),
        on_private_message=on_private_message,
        tokens=_tokens_on(interaction, on_private_message=on_private_message),
        missing_rights=missing_rights(interaction),
        text=_text_in(interaction),
    )


def _text_in(interaction: AnyInteraction) -> str:
    data: Mapping[str, Any] = interaction.data or {}
    return str(data.get(TEXT, ""))


def _tokens_on(interaction: AnyInteraction, *, on_private_message: bool) -> frozenset[str] | None:
    """Returns the tokens on the pressed message; None for a private one that comes without its buttons."""
    data: Mapping[str, Any] = interaction.data or {}
    ids = data.get(SHOWN)
    if ids is None:
        return None if on_private_message else frozenset()
    return frozenset(map(token_of, ids))


def command_from(
    interaction: AnyInteraction,
    name: str,
    words: Sequence[str] = (),
    people: Iterable[Person] = (),
    file: discord.Attachment | None = None,
) -> port.Command:
    """Reads a slash command from the values of its options; mentions in `words` count as `people`."""
    is_on_server = {user_from(person): isinstance(person, discord.Member) for person in people}
    is_on_server |= dict(_mentioned_in(words, interaction))
    attachment = None
    if file is not None:
        attachment = port.Attachment(file.filename, file.size, partial(_content, file))

    return port.Command(
        user_from(interaction.user, interaction.locale),
        room_from(interaction),
        name,
        tuple(_without_mentions(words, is_on_server)),
        tuple(is_on_server),
        str(interaction.id),
        missing_rights(interaction),
        can_reply_ephemerally=True,
        answer_key=answer_key(interaction.id),
        attachment=attachment,
        strangers=frozenset(user.ref for user, is_member in is_on_server.items() if not is_member),
    )


def _mentioned_in(words: Sequence[str], interaction: AnyInteraction) -> Iterator[tuple[port.User, bool]]:
    """Yields the people mentioned in typed words, and whether they are on the server."""
    data: Mapping[str, Any] = interaction.data or {}
    resolved = data.get("resolved", {})
    users = resolved.get("users", {})
    members = resolved.get("members", {})
    for number in MENTION.findall(" ".join(words)):
        if number not in users:
            continue

        user = users[number]
        nick = members.get(number, {}).get("nick")
        name = nick or user.get("global_name") or user["username"]
        is_person = not user.get("bot", False)
        yield port.User(user_ref(int(number)), name, is_person=is_person), number in members


def _without_mentions(words: Sequence[str], people: Iterable[port.User]) -> Iterator[str]:
    """Yields typed words without the mentions of these people."""
    named_ids = {user.ref.id for user in people}
    for word in words:
        rest = MENTION.sub(lambda found: "" if found[1] in named_ids else found[0], word)
        if rest:
            yield rest


async def _content(file: discord.Attachment) -> bytes:
    try:
        return await file.read()
    except (discord.DiscordException, aiohttp.ClientError, TimeoutError) as error:
        raise OSError("the file did not come") from error


def missing_rights(interaction: AnyInteraction) -> tuple[str, ...]:
    """Lists Discord's names for the rights that the bot lacks to keep a table in an interaction's channel."""
    rights = interaction.app_permissions
    rights_by_name = {port.gettext_noop("View Channel"): rights.view_channel}
    if isinstance(interaction.channel, discord.Thread):
        rights_by_name[port.gettext_noop("Send Messages in Threads")] = rights.send_messages_in_threads
    else:
        rights_by_name[port.gettext_noop("Send Messages")] = rights.send_messages

    needs_none = interaction.guild_id is None or is_outside(interaction)
    is_everywhere = needs_none or rights.administrator
    return () if is_everywhere else tuple(name for name, is_given in rights_by_name.items() if not is_given)


def typing_from(interaction: AnyInteraction, command: str, argument: str, text: str) -> port.Typing:
    """Reads an argument that is being typed."""
    user = user_from(interaction.user, interaction.locale)
    others = tuple(str(value) for name, value in interaction.namespace if name != argument)
    return port.Typing(user, room_from(interaction), command, argument, text, others)
