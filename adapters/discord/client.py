"""The connection to Discord: its events, commands and buttons, and the limits it sets."""

import asyncio
import logging
import math
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from inspect import Parameter, Signature
from types import SimpleNamespace, TracebackType
from typing import Any, Self

import aiohttp
import discord
import structlog
from cachetools import LRUCache, TTLCache
from discord import app_commands
from discord.http import HTTPClient, Ratelimit
from discord.state import ConnectionState

from adapters import port
from adapters.discord import inbound
from adapters.discord.activity import Activity
from adapters.discord.messages import TROUBLE, Icons, send_message
from adapters.discord.refs import PLATFORM, guild_room
from adapters.discord.render import LIMITS
from adapters.discord.replies import CommandReply, EphemeralMessages, PressReply

log = structlog.get_logger()

MAX_HEARD = 1000  # interactions that are remembered, so that one delivered twice is answered once


class DiscordClient(discord.AutoShardedClient):
    """One login at Discord: hands its events to the bot, in tasks of `tasks`, which end with it."""

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
        self._icons = icons
        self._tasks = tasks
        self._is_ending = False
        self._uploading: asyncio.Task[None] | None = None
        self._shards_up: set[int] = set()
        self._guilds_left: set[int] = set()
        self._heard = LRUCache[int, bool](MAX_HEARD)
        self.ephemeral_messages: EphemeralMessages = TTLCache(math.inf, LIMITS.ephemeral_seconds)
        self.moderators = ModeratorCache()
        self._tree = app_commands.CommandTree["DiscordClient"](
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        self._tree.error(_not_understood)

        for spec in specs:
            self._tree.add_command(slash_command(spec, self.commanded, inbox.suggest))
            if spec.on_person:
                self._tree.add_command(command_on_person(spec, self.commanded))

    @property
    def is_up(self) -> bool:
        """Whether every shard receives events."""
        shards = self.shard_ids if self.shard_ids is not None else range(self.shard_count or 1)
        return not self.is_closed() and self._shards_up.issuperset(shards)

    async def setup_hook(self) -> None:
        """Gets ready before the first event: buttons, then commands; uploads the icons meanwhile."""
        self.add_dynamic_items(AnyButton)
        await self._tree.set_translator(SummaryTranslator())
        if self.application_id is None:
            raise ValueError("logged in without an application")

        self._icons.application = self.application_id
        self._uploading = self._tasks.create_task(self._icons.upload(self))
        try:
            if await announce(self._tree, self.application_id):
                log.info("commands_announced", platform=PLATFORM)
        except TROUBLE as error:  # the announced commands go on working
            log.warning("commands_not_announced", platform=PLATFORM, why=str(error))
        except Exception as error:  # the library cannot read an answer
            log.warning("commands_not_announced", platform=PLATFORM, why=port.code_location(error))

    async def close(self) -> None:
        """Ends the connection; answers that are still on their way are not sent any more."""
        self._is_ending = True
        if self._uploading is not None:
            self._uploading.cancel()
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

    def pressed(self, interaction: inbound.AnyInteraction, text: str) -> None:
        """Answers a press."""
        reply = PressReply(interaction, self._icons, self.ephemeral_messages, self._tasks)
        self._begin(
            interaction,
            lambda: reply.show(inbound.press_from(interaction, text), self._inbox, self._activity),
        )

    def commanded(self, interaction: inbound.AnyInteraction, read: Callable[[], port.Command]) -> None:
        """Answers a slash command."""
        reply = CommandReply(interaction, self._icons, self.ephemeral_messages, self._tasks)
        self._begin(interaction, lambda: reply.show(read(), self._inbox))

    def _begin(self, interaction: inbound.AnyInteraction, answer: Callable[[], Awaitable[None]]) -> None:
        """Answers an interaction by itself, and only once: Discord may deliver an event twice."""
        if interaction.id not in self._heard:
            self._heard[interaction.id] = True
            self._tasks.create_task(self._answer(interaction, answer))

    async def _answer(
        self, interaction: inbound.AnyInteraction, answer: Callable[[], Awaitable[None]]
    ) -> None:
        """Lets a mistake in one answer cost that answer, not the connection."""
        try:
            self.moderators.note(interaction)
            await answer()
        except Exception:
            if self._is_ending:
                log.debug("answer_not_sent", platform=PLATFORM)
            else:
                log.exception("answer_failed", platform=PLATFORM)

    # --- servers and rooms --------------------------------------------------------------------------------

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Reports the channels of a server that the bot was added to, perhaps again, and greets it.

        It does so in the channel of the server's system messages, or in the first one that is writable.
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

        reply = await self._inbox.added(guild_room(guild.id, channel.id), guild.preferred_locale.value)
        if reply.public is not None:
            send = partial(send_message, self, (str(guild.id), channel.id), "")
            await self._icons.send(send, reply.public, channel=channel.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Reports a server that was left and joined again while the library was still starting."""
        if guild.id in self._guilds_left:
            await self.on_guild_join(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Reports the channels of a server that the bot was removed from, or that is no more."""
        self._guilds_left.add(guild.id)
        for room in _rooms(guild):
            await self._inbox.became_unreachable(room)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Reports a channel that is no more."""
        await self._inbox.room_deleted(guild_room(channel.guild.id, channel.id))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Reports a thread that is no more."""
        await self._inbox.room_deleted(guild_room(payload.guild_id, payload.parent_id, payload.thread_id))

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Reports a channel that was changed, perhaps in the bot's right to write there."""
        room = guild_room(after.guild.id, after.id)
        if _may_write(after):
            await self._inbox.became_reachable(room)
        elif _may_write(before):
            await self._inbox.became_unreachable(room)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Reports the channels that a changed role may have opened to the bot, and the change itself."""
        has_other_permissions = before.permissions != after.permissions
        if has_other_permissions:
            await self._report_open(after.guild)
        if has_other_permissions or before.position != after.position:
            await self._inbox.rights_changed(guild_room(after.guild.id, after.guild.id).server)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Reports the channels open to the bot itself, which has other roles now or is silenced no more."""
        del before
        await self._report_open(after.guild)
        await self._inbox.rights_changed(guild_room(after.guild.id, after.guild.id).server)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Reports a thread that was changed: perhaps it is open again."""
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
    """Every button the bot ever sent, also before a restart: its id has its meaning."""

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
            interaction.client.pressed(interaction, self.custom_id)


# --- Slash commands ---------------------------------------------------------------------------------------

MAX_SUMMARY = 100
MAX_CHOICES = 25
MAX_CHOICE_LENGTH = 100  # characters of a choice's name, and of its value

# The type of the command by which Discord launches an Activity; Discord creates it and insists on it.
ENTRY_POINT = 4

# The parts of a command that are compared to find out whether it has changed.
COMPARED = (
    *("type", "name_localizations", "description", "description_localizations"),
    *("options", "contexts", "integration_types"),
)

# The values that an option of a command may have.
Value = str | discord.User | discord.Member | discord.Attachment | None

# A user, not a member, so that the option works in direct messages too.
# The types of options with annotations of their own; all others are text.
OPTIONS: Mapping[port.ArgumentKind, Any] = {
    port.ArgumentKind.PERSON: discord.User,
    port.ArgumentKind.FILE: discord.Attachment,
}

# Called for each command, with its reader.
Invoked = Callable[[inbound.AnyInteraction, Callable[[], port.Command]], None]

Suggester = Callable[[port.Typing], Awaitable[Sequence[port.Suggestion]]]  # called while an argument is typed


async def _not_understood(
    interaction: discord.Interaction["DiscordClient"], error: app_commands.AppCommandError
) -> None:
    """Logs a command that could not be dispatched, such as one that no longer exists."""
    del interaction
    log.debug("command_not_understood", error=type(error).__name__)


class SummaryTranslator(app_commands.Translator):
    """Gives Discord the translated summaries that the commands bring with them."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Finds the summary in this language, with or without its country; None keeps the English one."""
        del context
        summaries: Mapping[str, str] = string.extras.get("summaries", {})
        summary = summaries.get(locale.value, summaries.get(locale.value.partition("-")[0]))
        return summary[:MAX_SUMMARY] if summary and summary != string.message else None


def slash_command(
    spec: port.CommandSpec, invoked: Invoked, suggester: Suggester
) -> app_commands.Command[Any, ..., None]:
    """Makes the slash command for a spec; its words are the chosen ones first, then the typed ones."""

    async def callback(interaction: inbound.AnyInteraction, **values: Value) -> None:
        words: list[str] = []
        people: list[inbound.Person] = []
        file: discord.Attachment | None = None

        for argument in sorted(spec.arguments, key=lambda part: part.kind is port.ArgumentKind.TEXT):
            match values.get(argument.name):
                case str(value):
                    added = [value] if argument.kind is port.ArgumentKind.CHOICE else value.split()
                    words.extend(added)
                case discord.Attachment() as value:
                    file = value
                case None:
                    pass
                case value:
                    people.append(value)

        invoked(interaction, partial(inbound.command_from, interaction, spec.name, words, people, file))

    options = [
        Parameter(
            part.name, Parameter.KEYWORD_ONLY, default=None, annotation=OPTIONS.get(part.kind, str) | None
        )
        for part in spec.arguments
    ]
    first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    callback.__signature__ = Signature([first, *options])  # type: ignore[attr-defined] # the library reads it
    arguments = {part.name: part for part in spec.arguments}
    app_commands.describe(**{name: _summary(each) for name, each in arguments.items()})(callback)
    app_commands.choices(
        **{
            name: [app_commands.Choice(name=choice, value=choice) for choice in each.choices]
            for name, each in arguments.items()
            if each.kind is port.ArgumentKind.CHOICE and 0 < len(each.choices) <= MAX_CHOICES
        }
    )(callback)
    app_commands.autocomplete(
        **{
            name: _completion(spec.name, each.name, suggester)
            for name, each in arguments.items()
            if each.kind is port.ArgumentKind.SUGGESTED
        }
    )(callback)

    return app_commands.Command(name=spec.name, description=_summary(spec), callback=callback)


def command_on_person(spec: port.CommandSpec, invoked: Invoked) -> app_commands.ContextMenu:
    """Makes the entry for a spec in the menu on a member of a server."""

    async def callback(interaction: inbound.AnyInteraction, person: discord.User | discord.Member) -> None:
        invoked(interaction, partial(inbound.command_from, interaction, spec.name, people=[person]))

    return app_commands.ContextMenu(
        name=app_commands.locale_str(spec.on_person, summaries=spec.on_person_in),
        callback=callback,
        allowed_contexts=app_commands.AppCommandContext(guild=True),
    )


def _completion(
    command: str, argument: str, suggester: Suggester
) -> Callable[[inbound.AnyInteraction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Returns the autocompletion of an argument; choices too long for Discord are left out."""

    async def complete(interaction: inbound.AnyInteraction, current: str) -> list[app_commands.Choice[str]]:
        suggestions = await suggester(inbound.typing_from(interaction, command, argument, current))
        choices = [
            app_commands.Choice(name=suggestion.label, value=suggestion.text) for suggestion in suggestions
        ]
        fitting = [
            choice for choice in choices if max(len(choice.name), len(choice.value)) <= MAX_CHOICE_LENGTH
        ]
        return fitting[:MAX_CHOICES]

    return complete


def _summary(spec: port.CommandSpec | port.ArgumentSpec) -> app_commands.locale_str:
    return app_commands.locale_str(spec.summary[:MAX_SUMMARY], summaries=spec.summaries)


async def announce(tree: app_commands.CommandTree[Any], application: int) -> bool:
    """Registers the commands if Discord has others; it takes only 200 new ones a day.

    Returns:
        Whether they were registered again.
    """
    http = tree.client.http
    translator = tree.translator
    if translator is None:
        raise ValueError("a tree without its translator")

    wanted = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    route = discord.http.Route("GET", "/applications/{application_id}/commands", application_id=application)
    known = await http.request(route, params={"with_localizations": "true"})
    of_discord = [command for command in known if command.get("type") == ENTRY_POINT]
    if _by_name(wanted) == _by_name(command for command in known if command not in of_discord):
        return False

    kept = [
        {key: part for key, part in command.items() if key not in {"application_id", "version"}}
        for command in of_discord
    ]
    await http.bulk_upsert_global_commands(application, [*wanted, *kept])

    return True


def _by_name(commands: Iterable[Mapping[str, Any]]) -> dict[str, object]:
    return {command["name"]: _essence({key: command.get(key) for key in COMPARED}) for command in commands}


def _essence(value: object) -> object:
    """Leaves out Discord's additions and empty values, so that equal commands compare equal."""
    if isinstance(value, Mapping):
        return {
            key: essence
            for key, part in value.items()
            if (essence := _essence(part)) not in (None, False, "", {}, [])
        }

    if isinstance(value, list):
        return [_essence(part) for part in value]

    return value


# --- Rights: of people, and of the bot itself -------------------------------------------------------------

FRESH = 60.0  # seconds for which the rights in a person's last interaction are cached
MAX_REMEMBERED = 1000


class ModeratorCache:
    """Caches the rights that interactions carry, and asks Discord about people without a recent one."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._seen = TTLCache[tuple[int, int, int | None], bool](MAX_REMEMBERED, FRESH, monotonic)

    def note(self, interaction: inbound.AnyInteraction) -> None:
        """Caches the rights of an interaction's sender."""
        if interaction.guild_id is None or interaction.channel_id is None:
            return
        key = (interaction.user.id, interaction.guild_id, interaction.channel_id)
        self._seen[key] = _moderates(interaction.permissions)

    async def is_moderator(self, client: discord.Client, user: int, guild: int, channel: int | None) -> bool:
        """Returns whether the person may manage messages in the channel, or without one in the whole guild.

        False when Discord does not say.
        """
        seen = self._seen.get((user, guild, channel))
        if seen is not None:
            return seen

        known = client.get_guild(guild)
        if known is None:
            return False
        if known.owner_id == user:
            return True

        place = None if channel is None else known.get_channel_or_thread(channel)
        try:
            member = await known.fetch_member(user)
        except TROUBLE:
            return False

        rights = place.permissions_for(member) if place is not None else member.guild_permissions
        return _moderates(rights)


def _moderates(rights: discord.Permissions) -> bool:
    return rights.administrator or rights.manage_guild or rights.manage_messages


# --- Rate limits ------------------------------------------------------------------------------------------

# Seconds that are waited inside a request after Discord refused one; longer ones become `RateLimited`.
MAX_WAIT_SECONDS = 1.0

# Rate limits that are remembered: Discord has one for each kind of request in each channel.
MAX_LIMITS = 1000


class FailFastRatelimit(Ratelimit):
    """Discord's word on one limit; raises where the library's own waits."""

    async def acquire(self) -> None:
        """Takes one request.

        Raises:
            discord.RateLimited: None is left until the limit is reset.
        """
        if self.is_expired():
            self.reset()  # type: ignore[no-untyped-call] # discord.py left its type out
        if self.remaining <= 0 and self.expires is not None:
            raise discord.RateLimited(self.expires - asyncio.get_running_loop().time())

        self.remaining -= 1
        self.outgoing += 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.outgoing -= 1


def raise_instead_of_waiting(http: HTTPClient) -> Mapping[str, Ratelimit]:
    """Makes a client's requests raise `RateLimited` instead of waiting; returns the tracked limits."""
    limits = LRUCache[str, Ratelimit](MAX_LIMITS)

    def limit(key: str) -> Ratelimit:
        if key not in limits:
            limits[key] = FailFastRatelimit(None)
        return limits[key]

    http.get_ratelimit = limit  # type: ignore[method-assign] # the library offers no other way
    http.max_ratelimit_timeout = MAX_WAIT_SECONDS
    return limits


def global_refusals(on_throttled: Callable[[float], object]) -> aiohttp.TraceConfig:
    """Returns a trace of requests that reports the seconds for which Discord refuses the whole bot."""

    async def ended(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        request: aiohttp.TraceRequestEndParams,
    ) -> None:
        response = request.response
        is_refused = response.status == HTTPStatus.TOO_MANY_REQUESTS
        if not is_refused or response.headers.get("X-RateLimit-Scope") != "global":
            return

        with suppress(KeyError, ValueError):
            on_throttled(float(response.headers["Retry-After"]))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    return trace


# --- Events that the library cannot read ------------------------------------------------------------------

Parser = Callable[[Any], None]
Skipped = Callable[[str, Exception], None]

NEEDED = frozenset({"READY", "RESUMED"})  # without these there is no session: the connection begins again


def skip_unreadable(connection: "ConnectionState[Any]", skipped: Skipped) -> None:
    """Makes a connection go on after an event that it cannot read; the library's own would end.

    Of an interaction it is given only the parts that the bot needs, so nothing else there can cost a press.
    `skipped` gets the event and the reason.
    """
    for name, parse in connection.parsers.items():
        if name not in NEEDED:
            connection.parsers[name] = partial(_parse, name, parse, skipped)


def _parse(name: str, parse: Parser, skipped: Skipped, data: Any) -> None:
    try:
        event_data = inbound.essential_interaction(data) if name == "INTERACTION_CREATE" else data
        parse(event_data)
    except Exception as error:  # whatever the library stumbles over
        number = data.get("id") if isinstance(data, Mapping) else None
        is_id = isinstance(number, str) and number.isdecimal()
        event = f"{name} {number}" if is_id else name
        skipped(event, error)


# --- The reason of an outage, which the library only logs -------------------------------------------------

SHARDS_LOG = logging.getLogger("discord.shard")


@contextmanager
def reconnects_noted(note: Callable[[BaseException], None]) -> Iterator[None]:
    """Passes on the errors after which the library connects again, instead of a trace at each attempt."""

    def is_other(record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True

        note(error)
        return False

    SHARDS_LOG.addFilter(is_other)
    try:
        yield
    finally:
        SHARDS_LOG.removeFilter(is_other)
