"""All parts of the bot, put together."""

import asyncio
from collections.abc import Mapping

import structlog

from adapters.port import Adapter, Everyone
from bot.acquaintances import Acquaintances
from bot.delivery.illustrator import Gallery
from bot.delivery.message_index import Showings
from bot.delivery.outbox import Outbox
from bot.delivery.presenter import Stage
from bot.delivery.reachability import Doors
from bot.handlers.agreement import Agreement
from bot.handlers.buttons import Presses
from bot.handlers.commands import Commands
from bot.handlers.hints import Hints
from bot.handlers.host import Hosting
from bot.handlers.inbox import Conductor
from bot.handlers.privacy import PrivacyCommands
from bot.handlers.rights import Hosts
from bot.handlers.server_settings import ServerSettings
from bot.handlers.statistics import Tally
from bot.handlers.table_settings import Options
from bot.http import http_app
from bot.readiness import Readiness
from bot.storage import (
    Database,
    Players,
    Privacy,
    Records,
    RuleSets,
    Servers,
    SqlJournal,
    Standings,
    Surfaces,
    TableStore,
)
from bot.supervisor import Supervisor
from bot.tables.contributions import Contributions
from bot.tables.events import Bell
from bot.tables.house_players import Thinking
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.scheduler import Deadlines
from bot.tables.service import Parlour
from bot.tables.tidying import keep_tidy
from bot.tongues import Tongues
from engine.runtime import MOMENT, Clock, GameSessions

log = structlog.get_logger()


class Bot:
    """All parts, put together; `run` brings them to life."""

    def __init__(
        self,
        adapters: Mapping[str, Adapter],
        database: Database,
        clock: Clock,
        *,
        pace: float,
        locale: str,
        public_metrics: bool = False,
    ) -> None:
        """Put the parts together.

        Args:
            adapters: The chats to serve, by platform.
            database: Where everything is kept; open.
            clock: The time.
            pace: Multiplies the pauses made for people; 0 makes none.
            locale: What is spoken to those who say nothing else.
            public_metrics: Whether `/metrics` is for everybody.
        """
        self._adapters = adapters
        self.chats = Supervisor(adapters.values())
        self.http = http_app(
            Readiness(self.chats, database).missing,
            damaged=lambda: self.parlour.damaged,
            public_metrics=public_metrics,
        )
        bell = Bell()
        players = Players(database)
        self.doors = Doors(players)
        sessions = GameSessions(SqlJournal(database), clock, bell, moment=min(pace, 1.0) * MOMENT)
        self.parlour = Parlour(
            TableStore(database, clock.now), sessions, Contributions(self._adapters), bell, clock
        )
        thinking, servers = Thinking(), Servers(database)
        self.deadlines = Deadlines(
            self.parlour,
            servers,
            clock,
            thinking,
            pace=pace,
            is_served=lambda table: (
                table.room.server.platform in self._adapters and self.doors.is_open(Everyone(table.room))
            ),
            on_due=bell.changed,
        )
        gallery = Gallery(servers, self._adapters)
        rule_book = RuleBook(RuleSets(database), servers)
        tongues = Tongues(players, servers, default=locale)
        records = Records(database)
        self.reviews = Reviews(self.parlour, records)
        acquaintances = Acquaintances(players, tongues)
        showings = Showings(Surfaces(database))
        self.stage = Stage(
            parlour=self.parlour,
            deadlines=self.deadlines,
            doors=self.doors,
            rule_book=rule_book,
            tongues=tongues,
            players=players,
            reviews=self.reviews,
            showings=showings,
            gallery=gallery,
            ports=self._adapters,
        )
        self.outbox = Outbox(self._adapters, self.stage, showings, self.doors)
        bell.subscribe(self.outbox.changed)
        bell.subscribe(self.deadlines.changed)
        self.reviews.subscribe(self.outbox.renew)
        for each in (self.outbox, self.deadlines, self.stage):
            bell.subscribe_to_leave(each.left)
        hosts = Hosts(self._adapters)
        hints = Hints(self.parlour, self.stage, thinking)
        tally = Tally(Standings(database), servers, gallery, clock)
        agreement = Agreement(self.parlour, self.deadlines, hosts)
        self.inbox = Conductor(
            parlour=self.parlour,
            presses=Presses(
                parlour=self.parlour,
                options=Options(self.parlour, rule_book, self.stage),
                hosting=Hosting(self.parlour, self.deadlines, hosts, agreement, self.stage),
                deadlines=self.deadlines,
                stage=self.stage,
                doors=self.doors,
                hosts=hosts,
                players=players,
                hints=hints,
                showings=showings,
                tally=tally,
                tongues=tongues,
                ports=self._adapters,
            ),
            commands=Commands(
                parlour=self.parlour,
                stage=self.stage,
                hosts=hosts,
                agreement=agreement,
                tally=tally,
                rule_book=rule_book,
                server_settings=ServerSettings(rule_book, servers, self.parlour, hosts),
                hints=hints,
                reviews=self.reviews,
                privacy=PrivacyCommands(
                    Privacy(database),
                    self.parlour,
                    self.outbox,
                    self._adapters,
                    [
                        each.forget
                        for each in (acquaintances, self.reviews, self.stage, self.outbox, self.doors)
                    ],
                ),
                records=records,
                tongues=tongues,
                redraw=self.outbox.changed,
                message_of=self.outbox.checked_message,
                bring=self.outbox.bring,
            ),
            outbox=self.outbox,
            deadlines=self.deadlines,
            doors=self.doors,
            acquaintances=acquaintances,
            tongues=tongues,
        )

    async def run(self) -> None:
        """Serve every chat until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.outbox.run())
            tasks.create_task(self.deadlines.run())
            tasks.create_task(self.reviews.run())
            tasks.create_task(keep_tidy(self.parlour))
            resumed = await self.parlour.resume()
            log.info("started", chats=sorted(self._adapters), tables=resumed)
            tasks.create_task(self.chats.run(self.inbox))
