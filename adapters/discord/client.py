"""The connection to Discord: which events the bot takes from it."""

import asyncio
import re
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import discord
import structlog
from discord import app_commands

from adapters.discord.commands import SummaryTranslator, announce, slash_command
from adapters.discord.ephemeral import EphemeralMessages
from adapters.discord.errors import TROUBLE
from adapters.discord.icons import Icons
from adapters.discord.inbound import AnyInteraction, Person, command_from, press_from, typing_from
from adapters.discord.messages import send_message
from adapters.discord.permissions import ModeratorCache, missing_rights
from adapters.discord.rate_limits import refuse_instead_of_waiting
from adapters.discord.refs import PLATFORM, guild_room
from adapters.discord.replies import CommandReply, PressReply
from adapters.discord.unreadable import skip_unreadable
from adapters.port import CommandSpec, Inbox, RoomRef, Suggestion

log = structlog.get_logger()


class AnyButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=re.compile(r"(?s:.+)")):
    """Every button the bot ever sent, also before a restart: what it means stands in its id."""

    @classmethod
    async def from_custom_id(
        cls, interaction: AnyInteraction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the button that was pressed."""
        del interaction, item
        return cls(discord.ui.Button(custom_id=match[0]))

    async def callback(self, interaction: AnyInteraction) -> None:
        """Hand the press to the connection."""
        if isinstance(interaction.client, DiscordClient):
            interaction.client.pressed(interaction, self.custom_id)


class SlashCommands(app_commands.CommandTree["DiscordClient"]):
    """The slash commands."""

    async def on_error(
        self, interaction: discord.Interaction["DiscordClient"], error: app_commands.AppCommandError, /
    ) -> None:
        """Log what could not even be handed over, such as a command that no longer exists."""
        del interaction
        log.debug("command_not_understood", error=type(error).__name__)


class DiscordClient(discord.AutoShardedClient):
    """One login at Discord. Events are answered in tasks of `tasks`, so that they end with it."""

    def __init__(
        self,
        inbox: Inbox,
        specs: Sequence[CommandSpec],
        icons: Icons,
        tasks: asyncio.TaskGroup,
        *,
        shard_ids: Sequence[int] | None,
        shard_count: int | None,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            shard_ids=list(shard_ids) if shard_ids else None,  # type: ignore[arg-type] # None is its default
            shard_count=shard_count,
        )
        refuse_instead_of_waiting(self.http)
        skip_unreadable(self._connection, partial(inbox.event_skipped, PLATFORM))
        self._inbox = inbox
        self._icons = icons
        self._tasks = tasks
        self._shards_up: set[int] = set()
        self._guilds_left: set[int] = set()
        self.ephemeral_messages = EphemeralMessages()
        self.moderators = ModeratorCache()
        self._tree = SlashCommands(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        for spec in specs:
            self._tree.add_command(slash_command(spec, self.commanded, self.suggested))

    @property
    def is_up(self) -> bool:
        """Whether every shard receives events."""
        shards = self.shard_ids if self.shard_ids is not None else range(self.shard_count or 1)
        return not self.is_closed() and self._shards_up.issuperset(shards)

    async def setup_hook(self) -> None:
        """Get ready before the first event: buttons, then commands."""
        self.add_dynamic_items(AnyButton)
        await self._tree.set_translator(SummaryTranslator())
        if self.application_id is None:
            raise ValueError("logged in without an application")
        try:
            if await announce(self._tree, self.application_id):
                log.info("commands_announced", platform="discord")
        except TROUBLE as error:
            # The commands Discord knows from before go on working.
            log.warning("commands_not_announced", platform="discord", why=str(error))

    # --- events -------------------------------------------------------------------------------------------

    async def on_shard_connect(self, shard_id: int) -> None:
        """Note that Discord sends this shard's events from now on."""
        self._shards_up.add(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that Discord sends this shard's events again."""
        self._shards_up.add(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that no events of this shard arrive for now."""
        self._shards_up.discard(shard_id)

    def pressed(self, interaction: AnyInteraction, text: str) -> None:
        """Answer a press."""
        self._tasks.create_task(_guarded(self._answer_press(interaction, text)))

    async def _answer_press(self, interaction: AnyInteraction, text: str) -> None:
        self.moderators.note(interaction)
        press = press_from(interaction, text)
        answer = PressReply(interaction, self._icons, self.ephemeral_messages, self._tasks)
        reply = await answer.reply_from(lambda: self._inbox.press(press))
        await answer.show(press, reply, self._inbox)

    async def commanded(
        self, interaction: AnyInteraction, name: str, words: tuple[str, ...], people: tuple[Person, ...]
    ) -> None:
        """Answer a slash command."""
        self._tasks.create_task(_guarded(self._answer_command(interaction, name, words, people)))

    async def _answer_command(
        self, interaction: AnyInteraction, name: str, words: tuple[str, ...], people: tuple[Person, ...]
    ) -> None:
        self.moderators.note(interaction)
        command = replace(
            command_from(interaction, name, words, people), missing_rights=missing_rights(interaction)
        )
        answer = CommandReply(interaction, self._icons, self.ephemeral_messages, self._tasks)
        reply = await answer.reply_from(lambda: self._inbox.command(command))
        await answer.show(command, reply, self._inbox)

    async def suggested(
        self, interaction: AnyInteraction, command: str, argument: str, text: str
    ) -> Sequence[Suggestion]:
        """Ask what somebody could be typing."""
        return await self._inbox.suggest(typing_from(interaction, command, argument, text))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Report the channels of a server that the bot was added to, perhaps again."""
        self._guilds_left.discard(guild.id)
        await self._report_reachable(_rooms(guild))
        await self._say_hello(guild)

    async def _say_hello(self, guild: discord.Guild) -> None:
        """Let the bot speak where a server's own notices go, or in the first channel where it may."""
        channels = [guild.system_channel, *guild.text_channels]
        channel = next((each for each in channels if each is not None and _may_write(each)), None)
        if channel is None:
            return
        reply = await self._inbox.added(guild_room(guild.id, channel.id), guild.preferred_locale.value)
        if reply.public is not None:
            send = partial(send_message, self, (str(guild.id), channel.id), "")
            await self._icons.send(send, reply.public, channel=channel.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Report a server that was left before: early on, the library calls a return by this name."""
        if guild.id in self._guilds_left:
            await self.on_guild_join(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Report the channels of a server that the bot was removed from, or that is no more."""
        self._guilds_left.add(guild.id)
        await self._report_unreachable(_rooms(guild))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Report a channel that is no more."""
        await self._report_unreachable([guild_room(channel.guild.id, channel.id)])

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Report a thread that is no more."""
        await self._report_unreachable([guild_room(payload.guild_id, payload.parent_id, payload.thread_id)])

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Report a channel that was changed, perhaps in who may write there."""
        room = [guild_room(after.guild.id, after.id)]
        if _may_write(after):
            await self._report_reachable(room)
        elif _may_write(before):
            await self._report_unreachable(room)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Report the channels that a changed role may have opened to the bot."""
        if before.permissions != after.permissions:
            await self._report_reachable(_open_rooms(after.guild))

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Report the channels open to the bot itself, which has other roles now or is silenced no more."""
        del before
        await self._report_reachable(_open_rooms(after.guild))

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Report a thread that was changed: perhaps it is open again."""
        if not payload.data["thread_metadata"]["archived"]:
            await self._report_reachable([guild_room(payload.guild_id, payload.parent_id, payload.thread_id)])

    async def _report_unreachable(self, rooms: Iterable[RoomRef]) -> None:
        for room in rooms:
            await self._inbox.became_unreachable(room)

    async def _report_reachable(self, rooms: Iterable[RoomRef]) -> None:
        for room in rooms:
            await self._inbox.became_reachable(room)


async def _guarded(answering: Coroutine[Any, Any, None]) -> None:
    """Let a mistake in one answer cost that answer, not the connection."""
    try:
        await answering
    except Exception:
        log.exception("answer_failed", platform="discord")


def _rooms(guild: discord.Guild) -> list[RoomRef]:
    return [
        guild_room(guild.id, channel.id)
        for channel in guild.channels
        if isinstance(channel, discord.abc.Messageable | discord.ForumChannel)
    ]


def _open_rooms(guild: discord.Guild) -> list[RoomRef]:
    return [guild_room(guild.id, channel.id) for channel in guild.channels if _may_write(channel)]


def _may_write(channel: discord.abc.GuildChannel) -> bool:
    rights = channel.permissions_for(channel.guild.me)
    return rights.view_channel and rights.send_messages
