"""The connection to Discord: its events, commands and buttons."""

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import discord
import structlog
from cachetools import LRUCache, TTLCache
from discord import app_commands

from adapters import port
from adapters.discord import commands, inbound
from adapters.discord.activity import Activity
from adapters.discord.library import global_refusals, raise_instead_of_waiting, skip_unreadable
from adapters.discord.messages import TROUBLE, Icons, send_message
from adapters.discord.moderators import ModeratorCache
from adapters.discord.portraits import Portraits
from adapters.discord.refs import PLATFORM, guild_room, outside_server
from adapters.discord.render import LIMITS, suits_container
from adapters.discord.replies import CommandReply, PressReply, Webhooks

log = structlog.get_logger()

NO_ACTIVITIES = (
    "DURAK_DISCORD_CLIENT_SECRET is set, and Activities are off in the portal, under Activities, Settings: "
    "until they are on, tables open in the browser."
)
COMMANDS_WITHIN = 5.0  # seconds to wait for the commands to be announced before connecting
MAX_HEARD = 1000  # interactions that are remembered, so that one delivered twice is answered once


class DiscordClient(discord.AutoShardedClient):
    """One login at Discord: passes its events to the bot, and answers them in tasks of the group `tasks`."""

    def __init__(
        self,
        specs: Sequence[port.CommandSpec],
        icons: Icons,
        inbox: port.Inbox,
        tasks: asyncio.TaskGroup,
        *,
        shard_ids: Sequence[int] | None,
        shard_count: int | None,
        on_throttled: Callable[[float], object],
        activity: Activity | None,
        portraits: Portraits,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            shard_ids=list(shard_ids) if shard_ids else None,  # type: ignore[arg-type] # None is its default
            shard_count=shard_count,
            http_trace=global_refusals(on_throttled),
        )
        raise_instead_of_waiting(self.http)
        skip_unreadable(self._connection, partial(inbox.event_skipped, PLATFORM))
        self._inbox = inbox
        self._activity = activity
        self._portraits = portraits
        self._icons = icons
        self._tasks = tasks
        self._order = port.AnswerOrder()
        self._is_ending = False
        self._uploading: asyncio.Task[None] | None = None
        self._announcing: asyncio.Task[None] | None = None
        self._shards_up: set[int] = set()
        self._guilds_left: set[int] = set()
        self._heard = LRUCache[int, bool](MAX_HEARD)
        self.webhooks: Webhooks = TTLCache(math.inf, LIMITS.ephemeral_seconds)
        self.moderators = ModeratorCache()
        self._tree = app_commands.CommandTree["DiscordClient"](
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        self._tree.error(commands.log_unknown_command)

        for spec in specs:
            self._tree.add_command(commands.slash_command(spec, self.commanded, inbox.suggest))
            if spec.on_person:
                self._tree.add_command(commands.command_on_person(spec, self.commanded))

    @property
    def is_up(self) -> bool:
        """Whether every shard receives events."""
        shards = self.shard_ids if self.shard_ids is not None else range(self.shard_count or 1)
        return not self.is_closed() and self._shards_up.issuperset(shards)

    async def setup_hook(self) -> None:
        """Announces the commands and uploads icons in the background; waits only briefly for the commands."""
        self.add_dynamic_items(AnyButton)
        await self._tree.set_translator(commands.SummaryTranslator())
        if self.application_id is None:
            raise ValueError("logged in without an application")

        if self.application is not None and self.application.user_integration_config is not None:
            self._tree.allowed_contexts.private_channel = True
            self._tree.allowed_installs.user = True

        self._icons.application = replace(self._icons.application, id=self.application_id)
        self._uploading = self._tasks.create_task(self._icons.upload(self))
        self._announcing = self._tasks.create_task(self._announce(self.application_id))
        await asyncio.wait({self._announcing}, timeout=COMMANDS_WITHIN)

    async def _announce(self, application: int) -> None:
        try:
            announced = await commands.announce(self._tree, application)
            self._icons.application = replace(self._icons.application, commands=announced.ids)
            if announced.is_new:
                log.info("commands_announced", platform=PLATFORM)
            if self._activity is not None and not announced.has_entry_point:
                log.warning("activities_switched_off", platform=PLATFORM, why=NO_ACTIVITIES)
        except TROUBLE as error:  # the announced commands keep working
            log.warning("commands_not_announced", platform=PLATFORM, why=str(error))
        except Exception as error:  # the library cannot read an answer
            log.warning("commands_not_announced", platform=PLATFORM, why=port.code_location(error))

    async def close(self) -> None:
        """Closes the connection; pending answers are not sent."""
        self._is_ending = True
        for task in (self._uploading, self._announcing):
            if task is not None:
                task.cancel()

        await super().close()

    # --- shards -------------------------------------------------------------------------------------------

    async def on_shard_connect(self, shard_id: int) -> None:
        """Records that Discord sends this shard's events from now on, or again."""
        self._shards_up.add(shard_id)

    on_shard_resumed = on_shard_connect

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Records that no events of this shard arrive for now."""
        self._shards_up.discard(shard_id)

    # --- presses and commands -----------------------------------------------------------------------------

    def answer_press(self, interaction: inbound.AnyInteraction, text: str) -> None:
        """Answers a press; `text` is the custom id of the button."""
        reply = PressReply(interaction, self._icons, self.webhooks, self._tasks, self._order)
        self._begin(
            interaction,
            lambda: reply.show(inbound.press_from(interaction, text), self._inbox, self._activity),
        )

    def commanded(self, interaction: inbound.AnyInteraction, read: Callable[[], port.Command]) -> None:
        """Answers a slash command."""
        reply = CommandReply(interaction, self._icons, self.webhooks, self._tasks, self._order)
        self._begin(interaction, lambda: reply.show(read(), self._inbox))

    def _begin(self, interaction: inbound.AnyInteraction, answer: Callable[[], Awaitable[None]]) -> None:
        """Answers an interaction in its own task, and only once: Discord may deliver an event twice."""
        if interaction.id not in self._heard:
            self._heard[interaction.id] = True
            self._tasks.create_task(self._answer(interaction, answer))

    async def _answer(
        self, interaction: inbound.AnyInteraction, answer: Callable[[], Awaitable[None]]
    ) -> None:
        """Answers an interaction, and logs any exception, so that it does not end the connection."""
        try:
            self.moderators.note(interaction)
            self._portraits.note(interaction.user)
            await answer()
        except Exception:
            if self._is_ending:
                log.debug("answer_not_sent", platform=PLATFORM)
            else:
                log.exception("answer_failed", platform=PLATFORM)

    # --- servers and rooms --------------------------------------------------------------------------------

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Reports the channels of a server that the bot was added to (perhaps again), and greets the server.

        The greeting goes to the channel of the server's system messages, or else to the first writable one.
        """
        self._guilds_left.discard(guild.id)
        for room in _rooms(guild):
            await self._inbox.became_reachable(room)

        channels = [guild.system_channel, *guild.text_channels]
        channel = next(
            (candidate for candidate in channels if candidate is not None and _may_write(candidate)), None
        )
        if channel is None:
            return

        await self._inbox.bot_joined(outside_server(guild.id), guild_room(guild.id, channel.id))
        reply = await self._inbox.greet(guild_room(guild.id, channel.id), guild.preferred_locale.value)
        if reply.public is not None:
            send = partial(send_message, self, (str(guild.id), channel.id), "")
            in_container = suits_container(reply.public)
            await self._icons.send(send, reply.public, channel=channel.id, in_container=in_container)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Reports a server that was left and joined again while the library was still starting."""
        if guild.id in self._guilds_left:
            await self.on_guild_join(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Reports the channels of a server that the bot was removed from, or that was deleted."""
        self._guilds_left.add(guild.id)
        for room in _rooms(guild):
            await self._inbox.became_unreachable(room)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Reports a deleted channel."""
        await self._inbox.room_deleted(guild_room(channel.guild.id, channel.id))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Reports a deleted thread."""
        await self._inbox.room_deleted(guild_room(payload.guild_id, payload.parent_id, payload.thread_id))

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Reports whether the bot may write in a changed channel, unless it never could."""
        room = guild_room(after.guild.id, after.id)
        if _may_write(after):
            await self._inbox.became_reachable(room)
        elif _may_write(before):
            await self._inbox.became_unreachable(room)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Reports the channels that a changed role may have opened to the bot, and changed rights."""
        has_other_permissions = before.permissions != after.permissions
        if has_other_permissions:
            await self._report_open(after.guild)
        if has_other_permissions or before.position != after.position:
            await self._inbox.rights_changed(guild_room(after.guild.id, after.guild.id).server)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Reports writable channels and changed rights after the bot's own roles or timeout changed."""
        del before
        await self._report_open(after.guild)
        await self._inbox.rights_changed(guild_room(after.guild.id, after.guild.id).server)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Reports a changed thread as reachable, unless it is archived."""
        if not payload.data["thread_metadata"]["archived"]:
            room = guild_room(payload.guild_id, payload.parent_id, payload.thread_id)
            await self._inbox.became_reachable(room)

    async def _report_open(self, guild: discord.Guild) -> None:
        for channel in filter(_may_write, guild.channels):
            await self._inbox.became_reachable(guild_room(guild.id, channel.id))


def _rooms(guild: discord.Guild) -> list[port.RoomRef]:
    return [
        guild_room(guild.id, channel.id)
        for channel in guild.channels
        if isinstance(channel, discord.abc.Messageable | discord.ForumChannel)
    ]


def _may_write(channel: discord.abc.GuildChannel) -> bool:
    rights = channel.permissions_for(channel.guild.me)
    return rights.view_channel and rights.send_messages


class AnyButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=re.compile(r"(?s:.+)")):
    """Any button that the bot ever sent, even before a restart; its id contains its meaning."""

    @classmethod
    async def from_custom_id(
        cls, interaction: inbound.AnyInteraction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Makes the button that was pressed."""
        del interaction, item
        return cls(discord.ui.Button(custom_id=match[0]))

    async def callback(self, interaction: inbound.AnyInteraction) -> None:
        """Passes the press to the client."""
        if isinstance(interaction.client, DiscordClient):
            interaction.client.answer_press(interaction, self.custom_id)
