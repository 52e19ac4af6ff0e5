"""Discord's interactions in the bot's words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord

from adapters import port
from adapters.discord.refs import DIRECT, MessageLocation, answer_key, direct_room, guild_room, user_ref
from adapters.discord.render import token_of

AnyInteraction = discord.Interaction[discord.Client]
Person = discord.User | discord.Member


def essential_interaction(data: Mapping[str, Any]) -> dict[str, Any]:
    """Reduce an interaction, as the gateway sends it, to what the bot needs.

    So nothing else that Discord leaves out, adds or changes makes a press or a command unreadable.

    Raises:
        KeyError, TypeError: Something is missing that the bot needs.
    """
    guild, channel = data.get("guild_id"), data.get("channel") or {}
    channel_id = data.get("channel_id") or channel["id"]
    user = _essential_user(data["user"] if guild is None else data["member"]["user"])
    kept = ("id", "application_id", "type", "token", "data", "locale", "app_permissions", "context")
    reduced: dict[str, Any] = {
        **{key: data[key] for key in kept if key in data},
        "version": 1,
        "attachment_size_limit": 0,
        "channel_id": channel_id,
        "channel": channel or _unnamed_channel(channel_id, user, is_direct=guild is None),
    }
    if guild is None:
        reduced["user"] = user
    else:
        member = {"user": user, "roles": [], "flags": 0, "nick": data["member"].get("nick")}
        reduced |= {
            "guild_id": guild,
            "member": {**member, "permissions": data["member"].get("permissions", "0")},
        }
    if "message" in data:
        button = {"type": 2, "style": 2, "label": "?", "custom_id": data["data"]["custom_id"]}
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


def _essential_user(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": data["id"],
        "username": data.get("username") or "",
        "global_name": data.get("global_name"),
        "discriminator": "0",
        "avatar": None,
    }


def _unnamed_channel(channel: str, user: Mapping[str, Any], *, is_direct: bool) -> dict[str, Any]:
    """Return a channel of which only the id is known, as the library wants it."""
    if is_direct:
        return {"id": channel, "type": 1, "recipients": [user]}
    return {"id": channel, "type": 0, "name": "", "position": 0, "permission_overwrites": []}


def user_from(person: Person, locale: discord.Locale | None = None) -> port.User:
    """Name a person as they are shown in the chat."""
    language = locale.value.partition("-")[0] if locale is not None else ""
    return port.User(user_ref(person.id), person.display_name, language, is_person=not person.bot)


def room_from(interaction: AnyInteraction) -> port.RoomRef:
    """Name the place an interaction came from."""
    channel = interaction.channel
    if channel is None:
        raise ValueError("an interaction from no channel")  # or from one of a kind the library doesn't know
    if interaction.guild_id is None:
        return direct_room(interaction.user.id, channel.id)
    if isinstance(channel, discord.Thread):
        return guild_room(interaction.guild_id, channel.parent_id, channel.id)
    return guild_room(interaction.guild_id, channel.id)


def location_of(message: discord.Message, guild: int | None) -> MessageLocation:
    """Return where a message of an interaction stands."""
    return MessageLocation(
        DIRECT if guild is None else str(guild),
        message.channel.id,
        message.id,
        is_ephemeral=message.flags.ephemeral,
    )


def press_from(interaction: AnyInteraction, text: str) -> port.Press:
    """Read a pressed button; `text` is its custom id."""
    if interaction.message is None:
        raise ValueError("a press on no message")
    return port.Press(
        user_from(interaction.user, interaction.locale),
        room_from(interaction),
        token_of(text),
        location_of(interaction.message, interaction.guild_id).ref,
        str(interaction.id),
        is_private=is_seen_by_one(interaction),
    )


@dataclass(frozen=True, slots=True)
class Given:
    """What the options of a slash command hold, put in order."""

    words: tuple[str, ...] = ()
    people: tuple[Person, ...] = ()
    file: discord.Attachment | None = None


def command_from(interaction: AnyInteraction, name: str, given: Given) -> port.Command:
    """Read a slash command."""
    return port.Command(
        user_from(interaction.user, interaction.locale),
        room_from(interaction),
        name,
        given.words,
        tuple(user_from(person) for person in given.people),
        str(interaction.id),
        is_private=True,
        answer_key=answer_key(interaction.id),
        attachment=None if given.file is None else _attachment(given.file),
    )


def _attachment(file: discord.Attachment) -> port.Attachment:
    async def fetch() -> bytes:
        try:
            return await file.read()
        except (discord.DiscordException, aiohttp.ClientError, TimeoutError) as error:
            raise OSError("the file did not come") from error

    return port.Attachment(file.filename, file.size, fetch)


def typing_from(interaction: AnyInteraction, command: str, argument: str, text: str) -> port.Typing:
    """Read an argument that is being typed."""
    user = user_from(interaction.user, interaction.locale)
    others = tuple(str(value) for name, value in interaction.namespace if name != argument)
    return port.Typing(user, room_from(interaction), command, argument, text, others)


def is_seen_by_one(interaction: AnyInteraction) -> bool:
    """Return whether only the presser sees the pressed message: it may become their private screen."""
    message = interaction.message
    return message is not None and (interaction.guild_id is None or message.flags.ephemeral)
