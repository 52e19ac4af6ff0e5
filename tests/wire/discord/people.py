"""The people on this Discord: they type commands, press buttons and read messages."""

import re
from dataclasses import dataclass
from typing import Any

from tests.wire.discord.component_tree import Type
from tests.wire.discord.interaction import (
    FOR_GUILD,
    FOR_USER,
    IN_DIRECT_MESSAGES,
    IN_GUILD,
    Asked,
    Interaction,
    context_of,
)
from tests.wire.discord.payloads import (
    account_json,
    attachment_json,
    channel_json,
    guild_json,
    member_json,
    roles_json,
)
from tests.wire.discord.state import DiscordState, until
from tests.wire.discord.world import Account, Attachment, Channel, Guild, Message, Right

STRING = 3
USER = 6
FILE = 11
MAX_TYPED = 4000  # characters
ON_USER = 2  # the type of a command in the menu on a person


@dataclass(eq=False)
class Person:
    """A person with a Discord client."""

    account: Account
    community: "Community"

    @property
    def direct_messages(self) -> Channel:
        """The private chat with the bot."""
        return self.community.state.direct_channel(self.account)

    def sees(self, channel: Channel) -> list[Message]:
        """Returns the visible messages of a channel, oldest first, with ephemeral ones to this person."""
        return [message for message in channel.messages.values() if message.is_seen_by(self.account)]

    def sees_alone(self) -> list[Message]:
        """Returns the messages to this person alone: direct ones, and ephemeral ones of any channel."""
        channels = [
            channel
            for channel in self.community.state.channels.values()
            if channel.recipient is None and channel.has(self.account)
        ]
        ephemeral = [
            message for channel in channels for message in self.sees(channel) if message.only is self.account
        ]

        return sorted([*ephemeral, *self.sees(self.direct_messages)], key=lambda message: message.id)

    async def commands(
        self, name: str, *, in_: Channel, **options: "str | Person | Attachment"
    ) -> Interaction:
        """Uses a slash command, and waits for the answer or for the three seconds to pass."""
        command = self._known(name, in_)
        given = {key: value for key, value in options.items() if value}
        data: dict[str, Any] = {"id": command["id"], "name": name, "type": 1}
        data["options"] = [_option(command, key, value) for key, value in given.items()]
        people = [value.account for value in given.values() if isinstance(value, Person)]
        for text in (value for value in given.values() if isinstance(value, str)):
            people += self.community.mentioned_in(text)

        if people:
            data["resolved"] = self.community.resolved(people, in_.guild)

        for file in (value for value in given.values() if isinstance(value, Attachment)):
            state = self.community.state
            state.files[str(file.id)] = file.content
            shown = attachment_json(file, in_) | {"url": f"{state.files_url}/{file.id}"}
            data.setdefault("resolved", {})["attachments"] = {str(file.id): shown}

        return await self._ask(Interaction(Asked.COMMAND, self.account, in_, data))

    async def chooses(self, name: str, person: "Person", *, in_: Channel) -> Interaction:
        """Chooses an entry in the menu on a person, and waits as for a slash command."""
        command = self._known(name, in_)
        data = {"id": command["id"], "name": name, "type": ON_USER, "target_id": str(person.account.id)}
        data["resolved"] = self.community.resolved([person.account], in_.guild)
        return await self._ask(Interaction(Asked.COMMAND, self.account, in_, data))

    async def completes(
        self, name: str, option: str, typed: str, *, in_: Channel, **others: str
    ) -> dict[str, str]:
        """Types into an option of a slash command, beside `others`, and returns the suggestions."""
        command = self._known(name, in_)
        if not any(known["name"] == option and known.get("autocomplete") for known in command["options"]):
            raise LookupError(f"/{name} completes no option {option}")
        filled = [{"name": other, "type": STRING, "value": value} for other, value in others.items()]
        focused = {"name": option, "type": STRING, "value": typed, "focused": True}
        data = {"id": command["id"], "name": name, "type": 1, "options": [*filled, focused]}
        interaction = await self._ask(Interaction(Asked.COMPLETION, self.account, in_, data))
        return dict(interaction.choices)

    def _known(self, name: str, channel: Channel) -> dict[str, Any]:
        """Finds a registered command that the client offers in this channel."""
        if not channel.has(self.account):
            raise LookupError(f"{self.account.name} cannot see this channel")

        for command in self.community.state.commands:
            if command["name"] == name:
                installs = command.get("integration_types", (FOR_GUILD,))
                is_there = context_of(channel) in command.get("contexts", (IN_GUILD, IN_DIRECT_MESSAGES))
                if not is_there or (channel.is_outside and FOR_USER not in installs):
                    raise LookupError(f"/{name} is not offered here")
                return command

        raise LookupError(f"no command /{name}")

    async def presses(self, message: Message, which: str, *, forged: bool = False) -> Interaction:
        """Presses a button, and waits for the answer or for the three seconds to pass.

        Args:
            message: A visible message.
            which: The token or the label of a button, or of a choice in a menu.
            forged: Press a button that may be missing by now, as a manipulated or belated client does.
        """
        if not message.is_seen_by(self.account):
            raise LookupError(f"{self.account.name} cannot see this message")

        data: dict[str, Any] = {"component_type": Type.BUTTON, "custom_id": which, "id": 1}
        if not forged:  # Discord sends the bot the real message, whatever a client claims
            data = message.press(which)

        return await self._ask(Interaction(Asked.PRESS, self.account, message.channel, data, message))

    async def fills_in(self, press: Interaction, text: str) -> Interaction:
        """Types into the box that a press has opened, and waits as for a press."""
        (label,) = press.box["components"]
        box = label["component"]
        if not 0 < len(text) <= (box.get("max_length") or MAX_TYPED):
            raise LookupError("the client takes no such text")

        typed = {"type": box["type"], "id": 2, "custom_id": box["custom_id"], "value": text}
        data = {
            "custom_id": press.box["custom_id"],
            "components": [{"type": label["type"], "id": 1, "component": typed}],
        }
        return await self._ask(Interaction(Asked.TYPED, self.account, press.channel, data, press.message))

    async def _ask(self, interaction: Interaction) -> Interaction:
        state = self.community.state
        state.interactions[interaction.token] = interaction
        payload = interaction.payload(state.application, state.bot)
        state.spoil_interaction(payload)

        for _ in range(state.deliveries):
            guild = None if interaction.channel.is_outside else interaction.channel.guild
            state.publish("INTERACTION_CREATE", payload, guild)

        await until(
            lambda: interaction.callback is not None or interaction.age > state.answer_within,
            within=state.answer_within + 5,
        )

        return interaction


def _option(command: dict[str, Any], name: str, value: "str | Person | Attachment") -> dict[str, Any]:
    for option in command.get("options", ()):
        if option["name"] == name:
            wanted = {Person: USER, Attachment: FILE}.get(type(value), STRING)
            if option["type"] != wanted:
                raise LookupError(f"the option {name} is of another type")

            choices = [choice["value"] for choice in option.get("choices", ())]
            if choices and value not in choices:
                raise LookupError(f"{value!r} is not among the choices {choices}")

            given = str(value.account.id) if isinstance(value, Person) else value
            given = str(given.id) if isinstance(given, Attachment) else given
            return {"name": name, "type": option["type"], "value": given}

    raise LookupError(f"/{command['name']} has no option {name}")


@dataclass(eq=False)
class Community:
    """All people, and the events of guilds, channels and messages."""

    state: DiscordState

    def person(self, name: str) -> Person:
        account = Account(name)
        self.state.accounts[account.id] = account
        return Person(account, self)

    def mentioned_in(self, text: str) -> list[Account]:
        """Returns the people who were chosen from the list while a text option was typed."""
        return [self.state.accounts[int(number)] for number in re.findall(r"<@!?(\d+)>", text)]

    def resolved(self, people: list[Account], guild: Guild | None) -> dict[str, Any]:
        """Returns the people named in a command."""
        users = {str(account.id): account_json(account) for account in people}
        if guild is None:
            return {"users": users}

        members = {}
        for account in (account for account in people if account.id in guild.members):
            member = member_json(guild, account) | {"permissions": str(guild.members[account.id].value)}
            members[str(account.id)] = {
                key: part for key, part in member.items() if key not in {"user", "deaf", "mute"}
            }

        return {"users": users, "members": members}

    def removes_bot(self, guild: Guild) -> None:
        """Removes the bot from a guild."""
        self.state.publish("GUILD_DELETE", {"id": str(guild.id)}, guild)
        guild.has_bot = False

    def invites_bot(self, guild: Guild) -> None:
        guild.has_bot = True
        joined = guild_json(guild, self.state.bot)
        del joined["unavailable"]  # a guild with this field is back in order, one without is new
        self.state.publish("GUILD_CREATE", joined, guild)

    def loses(self, guild: Guild) -> None:
        """Makes a guild unavailable for a while; the bot is still in it."""
        self.state.publish("GUILD_DELETE", {"id": str(guild.id), "unavailable": True}, guild)

    def deletes_channel(self, channel: Channel) -> None:
        guild = channel.guild
        state = self.state
        if guild is None:
            raise ValueError("direct messages cannot be deleted")

        payload = self._channel(channel)
        for deleted in [known for known in guild.channels if channel in {known, known.parent}]:
            guild.channels.remove(deleted)
            del state.channels[deleted.id]

        event = "CHANNEL_DELETE" if channel.parent is None else "THREAD_DELETE"
        state.publish(event, payload, guild)

    def forbids_writing(self, channel: Channel) -> None:
        channel.bot_rights &= ~(Right.SEND_MESSAGES | Right.SEND_IN_THREADS)
        self.state.publish("CHANNEL_UPDATE", self._channel(channel), channel.guild)

    def allows_writing(self, channel: Channel) -> None:
        channel.bot_rights = Right.ORDINARY
        self.state.publish("CHANNEL_UPDATE", self._channel(channel), channel.guild)

    def lets_bot_pin(self, channel: Channel, *, is_allowed: bool) -> None:
        """Lets the bot pin messages in a channel, or forbids it there."""
        pinning = Right.PIN_MESSAGES
        channel.bot_rights = channel.bot_rights | pinning if is_allowed else channel.bot_rights & ~pinning
        self.state.publish("CHANNEL_UPDATE", self._channel(channel), channel.guild)

    def changes_everyone(self, guild: Guild, rights: Right) -> None:
        """Changes the rights of everyone's role, as an admin does."""
        guild.everyone = rights
        payload = {"guild_id": str(guild.id), "role": roles_json(guild)[0]}
        self.state.publish("GUILD_ROLE_UPDATE", payload, guild)

    def changes_bot(self, guild: Guild) -> None:
        """Reports a change of the bot's membership, as after an admin's change."""
        payload = member_json(guild, self.state.bot) | {"guild_id": str(guild.id)}
        self.state.publish("GUILD_MEMBER_UPDATE", payload, guild)

    def archives(self, thread: Channel, *, locked: bool = False) -> None:
        """Archives a thread, as a moderator or a long silence does."""
        thread.archived = True
        thread.locked = locked
        self.state.publish("THREAD_UPDATE", self._channel(thread), thread.guild)

    def reopens(self, thread: Channel) -> None:
        thread.archived = thread.locked = False
        self.state.publish("THREAD_UPDATE", self._channel(thread), thread.guild)

    def deletes(self, message: Message) -> None:
        """Deletes a message, as a moderator does."""
        message.deleted = True

    def _channel(self, channel: Channel) -> dict[str, Any]:
        return channel_json(channel, self.state.bot)
