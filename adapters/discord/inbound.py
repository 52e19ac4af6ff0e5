"""Discord's interactions in the bot's words."""

import discord

from adapters.discord.refs import DIRECT, MessageLocation, answer_key, direct_room, guild_room, user_ref
from adapters.discord.render import token_of
from adapters.port import Command, Press, RoomRef, Typing, User

AnyInteraction = discord.Interaction[discord.Client]
Person = discord.User | discord.Member


def user_from(person: Person, locale: discord.Locale | None = None) -> User:
    """Name a person as they are shown in the chat."""
    language = locale.value.partition("-")[0] if locale is not None else ""
    return User(user_ref(person.id), person.display_name, language)


def room_from(interaction: AnyInteraction) -> RoomRef:
    """Name the place an interaction came from."""
    channel = interaction.channel
    if channel is None:
        raise ValueError(
            "an interaction from no channel"
        )  # Discord sends one with every kind that is used here
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


def press_from(interaction: AnyInteraction, text: str) -> Press:
    """Read a pressed button; `text` is its custom id."""
    if interaction.message is None:
        raise ValueError("a press on no message")
    return Press(
        user_from(interaction.user, interaction.locale),
        room_from(interaction),
        token_of(text),
        location_of(interaction.message, interaction.guild_id).ref,
        str(interaction.id),
        is_private=is_seen_by_one(interaction),
    )


def command_from(
    interaction: AnyInteraction, name: str, args: tuple[str, ...], people: tuple[Person, ...]
) -> Command:
    """Read a slash command; its options have been put in order."""
    return Command(
        user_from(interaction.user, interaction.locale),
        room_from(interaction),
        name,
        args,
        tuple(user_from(person) for person in people),
        str(interaction.id),
        is_private=True,
        answer_key=answer_key(interaction.id),
    )


def typing_from(interaction: AnyInteraction, command: str, argument: str, text: str) -> Typing:
    """Read what somebody has typed so far."""
    user = user_from(interaction.user, interaction.locale)
    others = tuple(str(value) for name, value in interaction.namespace if name != argument)
    return Typing(user, room_from(interaction), command, argument, text, others)


def is_seen_by_one(interaction: AnyInteraction) -> bool:
    """Return whether only the presser sees the pressed message: it may become their private screen."""
    message = interaction.message
    return message is not None and (interaction.guild_id is None or message.flags.ephemeral)
