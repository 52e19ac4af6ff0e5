"""Assembles all parts of the bot."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_args

import structlog

from adapters.port import Adapter, Chat, Delivery, PinTrouble, ServerRef, Visit
from bot import storage
from bot.delivery.announcements import ANNOUNCEMENT, Announcements
from bot.delivery.answers import Answers
from bot.delivery.call_rates import SAVE_SECONDS, CallRates
from bot.delivery.calls import Calls
from bot.delivery.extras import Extras
from bot.delivery.finished_games import FinishedGames
from bot.delivery.hands import Hands
from bot.delivery.idle_tables import NOTE_SECONDS, IdleTables
from bot.delivery.illustrator import Illustrator
from bot.delivery.messages import MessageIndex
from bot.delivery.moments import Moments
from bot.delivery.outbox import Outbox
from bot.delivery.outdated import OutdatedSubjects
from bot.delivery.places import Places
from bot.delivery.portraits import Portraits
from bot.delivery.presence import Presence
from bot.delivery.presenter import Presenter
from bot.delivery.queue import ChatQueues
from bot.delivery.reachability import Reachability
from bot.delivery.rings import Rings
from bot.delivery.room_hands import RoomHands
from bot.delivery.short_lived import ShortLived
from bot.delivery.views import OpenViews, PersonalLinks
from bot.delivery.waiting_notices import WaitingNotices
from bot.features import FEATURES
from bot.features.feature import Feature
from bot.handlers.event import Registry, Services
from bot.handlers.fools_mark import check_troubled_badges
from bot.handlers.hooks import Hooks
from bot.handlers.inbox import OUTCOMES, UNKNOWN_COMMAND, BotInbox
from bot.handlers.notices import REPEAT_SECONDS, NoticeLog, PostLimit
from bot.handlers.pages import BotPages
from bot.handlers.registry import core_modules, registry_of
from bot.handlers.views import BotViews
from bot.metrics import start_at_zero
from bot.model.calendar import Appointment
from bot.model.messages import TABLE, MessageKind, ScreenSource, Subject
from bot.model.owner import UNNAMED, Owner
from bot.people import People, Servers
from bot.process.connections import CHECK_SECONDS, Connections
from bot.process.gauges import Gauges
from bot.process.health import Readiness, http_app
from bot.process.jobs import Job
from bot.process.supervisor import Supervisor
from bot.screens.core_settings import CORE_SETTINGS, PINS
from bot.screens.refusals import known_reasons
from bot.screens.server_settings import ServerSetting
from bot.tables.calendar import Calendar
from bot.tables.events import TableEvents
from bot.tables.house_players import HousePlayers
from bot.tables.loader import TIDY_SECONDS, TableLoader, tidy_up
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from bot.thinking.processes import Processes
from bot.thinking.queue import ThoughtQueue
from engine.players import is_search_compiled
from engine.runtime import SAME_MOMENT_SECONDS, GameSessions

log = structlog.get_logger()

P = TypeVar("P")

Features = Sequence[Feature[Any]]


def schema_with(features: Features) -> storage.Schema:
    """Returns the database schema of a bot with these features."""
    return storage.Schema.of(
        storage.CORE_ROWS,
        [rows for feature in features for rows in feature.rows],
        [rows for feature in features for rows in feature.about_people],
    )


def registry_with(features: Features) -> Registry:
    """Returns all commands, buttons, appointments and settings of a bot with these features."""
    handlers = [feature.handlers for feature in features if feature.handlers is not None]
    settings = [feature.setting for feature in features if feature.setting is not None]
    return registry_of([*core_modules(), *handlers], [*CORE_SETTINGS, *settings])


SCHEMA = schema_with(FEATURES)
REGISTRY = registry_with(FEATURES)


class Bot(Services):
    """The assembled parts of the bot; `run` starts them."""

    def __init__(
        self,
        adapters: Mapping[str, Adapter],
        database: storage.Database,
        now: Callable[[], float],
        *,
        pace: float,
        locale: str,
        public_metrics: bool = False,
        replays: str = "",
        puzzles: str = "",
        links: str = "",
        owner: Owner = UNNAMED,
        thinking: ThoughtQueue | None = None,
        backups: Path | None = None,
        features: Features = FEATURES,
    ) -> None:
        """Assembles the parts.

        Args:
            adapters: The chats to serve, by platform.
            database: The open database.
            now: Returns Unix seconds.
            pace: The factor for pauses made for people; 0 makes none.
            locale: The language for people whose language is unknown.
            public_metrics: Whether everybody may read `/metrics`.
            replays: The address for public games, such as `https://durak.example/games/`; empty for none.
            puzzles: The address for puzzles, such as `https://durak.example/puzzles/`; empty for none.
            links: The address for live tables, such as `https://durak.example/in/link`; empty for none.
            owner: The owner's contact, which `/privacy` shows.
            thinking: The queue of slow computations; by default with one process on this machine.
            backups: The folder with backups; `/metrics` shows their age.
            features: The optional features; the database must have their tables.
        """
        self._features = features
        self.registry = registry_with(features)
        self.owner = owner
        self.thinking = thinking or ThoughtQueue(Processes())
        self.chats = _with_outside(adapters)
        self.now = now
        self.replays = replays
        self.puzzles = puzzles
        self.connections = Connections(adapters.values(), Supervisor())
        self.badge_lock = asyncio.Lock()
        self.notices = NoticeLog()
        self.posts = PostLimit(now)
        self._build_hooks()
        self._build_stores(database)
        call_store = storage.CallStore(database)
        self.table_events = TableEvents()
        self.servers = Servers(storage.ServerStore(database))
        self.people = People(
            storage.PlayerStore(database),
            self.servers,
            default_language=locale,
            server_platforms=[name for name, chat in self.chats.items() if chat.limits.has_servers],
        )
        self.reachability = Reachability(self.people, self.chats)
        game_ended = [feature.game_ended for feature in features if feature.game_ended]
        sessions = GameSessions(
            storage.SqlJournal(database, game_ended),
            now,
            self.table_events,
            moment=min(pace, 1.0) * SAME_MOMENT_SECONDS,
        )
        self._table_store = storage.TableStore(database, now, game_ended)
        self.tables = TableService(self._table_store, sessions, self.table_events, now)
        self.table_loader = TableLoader(self.tables, self.table_events, now)
        self.house_players = HousePlayers(self.thinking)
        self.scheduler = Scheduler(
            self.tables,
            self.servers,
            now,
            self.house_players,
            pace=pace,
            is_served=self.reachability.is_served,
            table_events=self.table_events,
        )
        self.illustrator = Illustrator(self.servers, self.chats)
        self._call_rates = CallRates(storage.CallRateStore(database), adapters)
        self.rule_book = RuleBook(storage.VariationStore(database), self.servers)
        self.reviews = Reviews(self.table_events, self.thinking)
        self._slots = storage.MessageSlotStore(database)
        self.message_index = MessageIndex(self._slots)
        self.open_views = OpenViews(is_offered=bool(links))
        self.portraits = Portraits(self.chats, self.people, self.illustrator, now, open_views=self.open_views)
        self.links = PersonalLinks(links, now, self._way_back)
        self._build_screens(call_store)
        self.calendar = Calendar(
            storage.CalendarStore(database),
            self.servers,
            now,
            kinds={name: each.kind for name, each in self.registry.appointments.items()},
        )

        self._build_delivery()
        self._connect()
        self.http = http_app(
            Readiness(self.connections, database).missing,
            damaged=lambda: self.table_loader.damaged,
            gauges=Gauges(
                self.connections, database, self.scheduler, self.table_loader, self.outbox, backups
            ),
            public_metrics=public_metrics,
        )
        self.idle_tables = IdleTables(
            self._table_store,
            tables=self.tables,
            outbox=self.outbox,
            scheduler=self.scheduler,
            moments=self.moments,
            table_events=self.table_events,
            open_views=self.open_views,
        )
        self.calls = Calls(
            call_store,
            tables=self.tables,
            table_events=self.table_events,
            message_index=self.message_index,
            people=self.people,
            servers=self.servers,
            announcements=self.announcements,
            presence=self.presence,
            chats=self.chats,
            now=now,
        )
        self.pages = BotPages(self)
        self.views = BotViews(self, self.pages)
        self.inbox = BotInbox(self)
        self._add_features()

    def _add_features(self) -> None:
        for feature in self._features:
            self._add(feature)

    def _add(self, feature: Feature[P]) -> None:
        """Creates the part of a feature, and adds its methods to the hooks of the core."""
        if feature.part is None:
            return

        part = feature.part(self)
        self._parts[type(part)] = part

        setting = feature.setting
        _enter(self._extras.at_the_table, part, feature.at_the_table, setting)
        _enter(self._extras.under_the_result, part, feature.under_the_result, setting)

        hooks = self.hooks
        _enter(hooks.in_stats, part, feature.in_stats)
        _enter(hooks.highlight, part, feature.highlight)
        _enter(hooks.in_season, part, feature.in_season)
        _enter(hooks.puzzle, part, feature.puzzle)
        _enter(hooks.offer, part, feature.offer)
        _enter(hooks.before_choice, part, feature.before_choice, setting)
        _enter(hooks.member_left, part, feature.member_left)
        _enter(hooks.room_moved, part, feature.room_moved)
        _enter(hooks.forget, part, feature.forget)
        _enter(hooks.load, part, feature.load)
        if feature.shows is not None:
            subject_kind, source = feature.shows
            self.screens[subject_kind] = source(part)

    def part(self, kind: type[P]) -> P:
        """Returns the part of a feature, by its class."""
        part: P = self._parts[kind]
        return part

    def _build_hooks(self) -> None:
        """Creates the empty lists of hooks."""
        self.hooks = Hooks()
        self._extras = Extras()
        self._parts = dict[type, Any]()

    def _build_stores(self, database: storage.Database) -> None:
        """Creates the stores that handlers use directly."""
        self.database = database
        self.records = storage.RecordStore(database)
        self.standings = storage.StandingsStore(database)
        self.titles = storage.TitleStore(database)
        self.seasons = storage.SeasonStore(database)
        self.privacy = storage.PrivacyStore(database)
        self.badges = storage.BadgeStore(database)

    def _build_screens(self, calls: storage.CallStore) -> None:
        """Creates the parts that render the messages of tables."""
        self.presence = Presence(self.chats, self.people)
        self.moments = Moments(
            tables=self.tables,
            scheduler=self.scheduler,
            message_index=self.message_index,
            reachability=self.reachability,
            people=self.people,
            servers=self.servers,
        )

        self.finished_games = FinishedGames(self.records)
        self.hands = Hands(
            moments=self.moments,
            finished_games=self.finished_games,
            tables=self.tables,
            people=self.people,
            records=self.records,
            illustrator=self.illustrator,
            ports=self.chats,
            open_views=self.open_views,
        )

        rings = Rings(self.chats, self.people, self.open_views)
        self.presenter = Presenter(
            moments=self.moments,
            places=Places(self.moments, rings, self.reviews, self.chats),
            hands=self.hands,
            finished_games=self.finished_games,
            scheduler=self.scheduler,
            rule_book=self.rule_book,
            people=self.people,
            reviews=self.reviews,
            illustrator=self.illustrator,
            portraits=self.portraits,
            calls=calls,
            ports=self.chats,
            open_views=self.open_views,
            extras=self._extras,
        )

    def _build_delivery(self) -> None:
        """Creates the parts that write to the chats."""
        queues = ChatQueues(self.chats)
        self.screens: dict[str, ScreenSource[Any]] = {TABLE: self.presenter}
        self.announcements = Announcements(self.chats, queues, self.reachability)

        self.outbox = Outbox(
            self.chats,
            screens=self.screens,
            messages=self.message_index,
            queues=queues,
            reachability=self.reachability,
            outdated=OutdatedSubjects(self._slots, self.message_index, self.screens),
            pin_refused=self._pin_refused,
        )

        self.room_hands = RoomHands(self.chats, self.moments.memory, self.message_index, self.outbox)
        self.waiting_notices = WaitingNotices()
        self.recent_posts = NoticeLog(within=REPEAT_SECONDS, now=self.now)
        self.short_lived = ShortLived(self.chats, self.tables, self.outbox)
        self.answers = Answers(
            self.chats,
            screens=self.screens,
            messages=self.message_index,
            queues=queues,
            outbox=self.outbox,
            room_hands=self.room_hands,
        )

    async def _pin_refused(self, server: ServerRef, trouble: PinTrouble) -> None:
        """Schedules the appointment that switches a server's pins off and notifies the admin."""
        await self.calendar.put(Appointment(server, PINS.name, self.now(), trouble.name))

    def _connect(self) -> None:
        """Subscribes the parts that follow tables to their events."""
        events = self.table_events
        outbox = self.outbox
        events.changed.append(lambda table_id: outbox.mark_dirty(Subject.of_table(table_id)))
        events.changed += [self.scheduler.changed, self.moments.changed]
        events.changed += [self.open_views.changed, self.short_lived.changed]
        events.changed.append(self._request_portraits)
        events.opened.append(lambda table_id: self.message_index.add_new(Subject.of_table(table_id)))
        events.evicted.append(lambda table_id: outbox.evict(Subject.of_table(table_id)))
        events.evicted += [self.scheduler.evict, self.moments.evict]
        events.outdated.append(self.outbox.renew)

    def _request_portraits(self, table_id: int) -> None:
        table = self.tables.known.get(table_id)
        if table is not None:
            self.portraits.request(table)

    def _way_back(self, visit: Visit | None) -> str:
        """Returns the address at which a visitor gets a link from their chat; any chat if unknown."""
        if visit is None:
            ways = [chat.way_to(None, None) for chat in self.chats.values()]
            return next(filter(None, ways), "")

        table = self.tables.known.get(visit.table_id)
        room = None if table is None else table.room
        return self.chats[visit.user.ref.platform].way_to(visit.table_id, room)

    async def _keep(self, due: Appointment) -> float | None:
        """Keeps an appointment, if its chat is served."""
        is_served = due.server.platform in self.chats
        return await self.registry.appointments[due.kind].keep(due, self) if is_served else None

    @property
    def _jobs(self) -> list[Job]:
        tidy = partial(tidy_up, self.tables, self._slots, self.now)
        return [
            Job("tidying", every=TIDY_SECONDS, run=tidy),
            Job("idle tables", every=NOTE_SECONDS, run=self.idle_tables.note),
            Job("call rates", every=SAVE_SECONDS, run=self._call_rates.save),
            Job("connections", every=CHECK_SECONDS, run=self.connections.check, at_start=True),
        ]

    async def run(self, jobs: Iterable[Job] = ()) -> None:
        """Serves every chat until cancelled, and runs these additional `jobs`.

        Raises:
            NoChatError: No chat accepted its token at the start.
        """
        supervisor = self.connections.supervisor
        endless: Mapping[str, Callable[[], Awaitable[None]]] = {
            "thinking": self.thinking.run,
            "outbox": self.outbox.run,
            "scheduler": self.scheduler.run,
            "reviews": self.reviews.run,
            "portraits": self.portraits.run,
            "calendar": partial(self.calendar.run, self._keep),
            "calls": self.calls.run,
        }

        self._start_metrics()
        async with asyncio.TaskGroup() as tasks:
            for name, run in endless.items():
                tasks.create_task(supervisor.keep(name, run))
            for job in (*self._jobs, *jobs):
                tasks.create_task(supervisor.repeat(job))

            await supervisor.complete("resuming", self._resume)
            tasks.create_task(supervisor.complete("badges", partial(check_troubled_badges, self)))
            tasks.create_task(supervisor.complete("loading tables", self.table_loader.run))
            tasks.create_task(self.connections.run(self.inbox))

    def _start_metrics(self) -> None:
        start_at_zero(
            platforms=self.chats,
            outcomes=OUTCOMES,
            reasons=known_reasons(),
            commands=[*self.registry.commands, UNKNOWN_COMMAND],
            kinds=[*MessageKind, *self.screens.keys() - {TABLE}, ANNOUNCEMENT],
            deliveries=[kind.__name__.lower() for kind in get_args(Delivery)],
        )

    async def _resume(self) -> None:
        """Resumes the stored state; safe to repeat after a failure."""
        for load in self.hooks.load:
            await load()
        await self._call_rates.restore()
        await self.outbox.show_outdated()
        unfinished = await self._table_store.unfinished()

        self.scheduler.resume(unfinished)
        self.table_loader.resume(unfinished)
        self.idle_tables.resume(unfinished)
        log.info(
            "started",
            chats=sorted(self.chats),
            tables=len(unfinished),
            experts_think_with="a compiled search" if is_search_compiled() else "Python",
        )


def _with_outside(adapters: Mapping[str, Adapter]) -> Mapping[str, Chat]:
    """Returns the chats of all adapters by platform, with those that the bot is not a member of."""
    outside = [adapter.outside for adapter in adapters.values()]
    return {**adapters, **{chat.platform: chat for chat in outside if chat is not None}}


def _enter(
    hooks: list[Any], part: object, method: Callable[..., Any] | None, setting: ServerSetting | None = None
) -> None:
    """Adds a method of a part to a list of hooks, with the setting that enables it, if there is one."""
    if method is not None:
        bound = partial(method, part)
        hooks.append(bound if setting is None else (setting, bound))
