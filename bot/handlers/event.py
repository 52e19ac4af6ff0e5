"""The arguments of handlers: the event to answer, with common look-ups, and the services.

A handler is a function with a decorator that describes it:

    @command("hand", rank=30, summary=gettext_noop("show my cards"), secret=True)
    async def hand(event: CommandEvent, services: Services) -> Reply: ...

    @button(PlayMove)
    async def play_move(event: PressEvent, move: PlayMove, services: Services) -> Reply: ...

    @appointment("week", repeats=on_sunday_evening)
    async def post_week(due: Appointment, services: Services) -> float | None: ...

`registry.py` finds them in their modules.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Protocol, TypeVar

from adapters import port
from bot.delivery.announcements import Announcements
from bot.delivery.answers import Answers
from bot.delivery.calls import Calls
from bot.delivery.finished_games import FinishedGames
from bot.delivery.hands import Hands
from bot.delivery.illustrator import Illustrator
from bot.delivery.messages import MessageIndex
from bot.delivery.moments import Moments
from bot.delivery.outbox import Outbox
from bot.delivery.portraits import Portraits
from bot.delivery.presence import Presence
from bot.delivery.presenter import Presenter
from bot.delivery.reachability import Reachability
from bot.delivery.room_hands import RoomHands
from bot.delivery.short_lived import ShortLived
from bot.delivery.views import OpenViews, PersonalLinks
from bot.delivery.waiting_notices import WaitingNotices
from bot.handlers.hooks import Hooks
from bot.handlers.notices import NoticeLog, PostLimit
from bot.locale import LOCALES, OF_SERVERS, Summaries, Translator
from bot.model.buttons import Button
from bot.model.calendar import Appointment, LocalTime
from bot.model.messages import TableSlot
from bot.model.owner import Owner
from bot.model.server_choices import ServerChoices
from bot.model.table import Table
from bot.people import People, Servers
from bot.screens.refusals import ENOUGH_POSTS, ONLY_ANSWERS, REASONS
from bot.screens.server_settings import ServerSettings
from bot.storage import (
    BadgeStore,
    Database,
    PrivacyStore,
    RecordStore,
    SeasonStore,
    StandingsStore,
    TitleStore,
)
from bot.tables.calendar import AppointmentKind, Calendar
from bot.tables.events import TableEvents
from bot.tables.house_players import HousePlayers
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from bot.thinking.queue import ThoughtQueue

B = TypeVar("B", bound=Button)
P = TypeVar("P")


class EventInbox(Protocol):
    """Passes events to their handlers, for buttons that repeat another event."""

    async def run(self, command: port.Command) -> port.Reply:
        """Runs a command."""

    async def answer(self, press: port.Press) -> port.Reply:
        """Answers a press."""


class Services(Protocol):
    """The parts of the bot that handlers use; `now` returns Unix seconds.

    Code that changes fools' marks holds `badge_lock`. `replays` is the address under which the page shows
    games to everybody, such as `https://durak.example/games/`, and `puzzles` the one for puzzles; both are
    empty if it has no public address.
    """

    chats: Mapping[str, port.Chat]
    now: Callable[[], float]
    tables: TableService
    table_events: TableEvents
    scheduler: Scheduler
    house_players: HousePlayers
    rule_book: RuleBook
    reviews: Reviews
    presence: Presence
    presenter: Presenter
    moments: Moments
    hands: Hands
    outbox: Outbox
    answers: Answers
    room_hands: RoomHands
    short_lived: ShortLived
    announcements: Announcements
    message_index: MessageIndex
    reachability: Reachability
    illustrator: Illustrator
    portraits: Portraits
    people: People
    servers: Servers
    records: RecordStore
    finished_games: FinishedGames
    standings: StandingsStore
    titles: TitleStore
    seasons: SeasonStore
    privacy: PrivacyStore
    calendar: Calendar
    waiting_notices: WaitingNotices
    thinking: ThoughtQueue
    calls: Calls
    badges: BadgeStore
    open_views: OpenViews
    links: PersonalLinks
    replays: str
    puzzles: str
    owner: Owner
    badge_lock: asyncio.Lock
    notices: NoticeLog
    inbox: EventInbox
    posts: PostLimit
    recent_posts: NoticeLog
    registry: "Registry"
    database: Database
    hooks: Hooks

    def part(self, kind: type[P]) -> P:
        """Returns the part of a feature, by its class."""


@dataclass(frozen=True, slots=True)
class RoomEvent:
    """An action of a person in a room; `translator` is for the language of the answer."""

    user: port.User
    room: port.RoomRef
    id: str
    chat: port.Chat
    translator: Translator

    @property
    def limits(self) -> port.Limits:
        """The limits of the place in which the answer is shown."""
        return self.chat.limits

    @property
    def reader(self) -> Translator:
        """The translator for texts that only this person reads."""
        return self.translator

    @property
    def is_in_private_chat(self) -> bool:
        """Whether the room is the person's private chat with the bot."""
        return self.chat.private_server(self.user.ref) == self.room.server

    async def may_moderate(self, room: port.RoomRef) -> bool:
        """Returns whether the person moderates a room."""
        return await self.chat.is_moderator(self.user.ref, room)

    async def may_administer(self, server: port.ServerRef) -> bool:
        """Returns whether the person moderates a whole server, rather than a room of it."""
        return await self.chat.is_admin(self.user.ref, server)

    async def may_manage(self, table: Table) -> bool:
        """Returns whether the person opened the table, or moderates its current room."""
        return self.user.ref == table.opener or await self.may_moderate(table.room)

    def refuse_post(self, services: Services) -> port.Reply | None:
        """Counts a post that the bot is about to make for this person; returns a refusal after too many.

        Posts in a private chat are not limited.
        """
        if self.is_in_private_chat:
            return None

        seconds = services.posts.take(self.user.ref, self.room.server)
        if not seconds:
            return None

        return self.toast(ENOUGH_POSTS, minutes=str(ceil(seconds / 60)))

    def toast(self, sentence: str, **values: str) -> port.Reply:
        """Answers with a sentence in the reader's language."""
        reason = REASONS.get(sentence, "")
        return port.Reply(toast=self.reader.text(sentence, **values), refusal=reason)


@dataclass(frozen=True, slots=True)
class CommandEvent(RoomEvent):
    """A typed command; `table` is the asker's or else the room's current table here, if there is one.

    `translator` is for the room's language; for the asker's if the command is always answered secretly.
    """

    command: port.Command
    table: Table | None
    own_translator: Translator  # for the asker's language

    @property
    def reader(self) -> Translator:
        """The translator of the answer's private parts: for the asker's language if only they see them."""
        return self.own_translator if self.is_answered_secretly else self.translator

    @property
    def missing_rights(self) -> str:
        """The rights that the bot lacks in the room, as a list for the reader; empty if it has all."""
        return ", ".join(map(self.reader.text, self.command.missing_rights))

    @property
    def is_answered_secretly(self) -> bool:
        """Whether only the asker sees an answer where the command was typed."""
        return (
            self.command.can_reply_ephemerally
            or self.command.is_in_place
            or self.chat.limits.shows_alone
            or self.is_in_private_chat
        )


@dataclass(frozen=True, slots=True)
class RoomPressEvent(RoomEvent):
    """A pressed button."""

    press: port.Press

    @property
    def limits(self) -> port.Limits:
        """The limits of the place in which the answer is shown: the view of the press, or the chat."""
        return self.press.view or self.chat.limits

    def refuse_post(self, services: Services) -> port.Reply | None:
        """Refuses every post where only commands are answered; otherwise as after a command."""
        if self.chat.limits.only_answers:
            return self.toast(ONLY_ANSWERS)
        return RoomEvent.refuse_post(self, services)


@dataclass(frozen=True, slots=True)
class PressEvent(RoomPressEvent):
    """A pressed button of a table.

    `seat` is the asker's, if they have one; `slot` is that of the pressed message, if it is the table's.
    """

    table: Table
    seat: int | None
    slot: TableSlot | None


CommandAnswer = Callable[[CommandEvent, Services], Awaitable[port.Reply]]
AppointmentAnswer = Callable[[Appointment, Services], Awaitable[float | None]]
E = TypeVar("E", bound=RoomPressEvent)


@dataclass(frozen=True, slots=True)
class CommandHandler:
    """A command and its handler; `people_only` refuses senders that are groups or channels."""

    spec: port.CommandSpec
    rank: int
    answer: CommandAnswer
    people_only: bool


@dataclass(frozen=True, slots=True)
class WordHandler:
    """A first argument of a command that has a separate handler, and the arguments after it."""

    command: str
    word: str
    label: str
    arguments: tuple[port.ArgumentSpec, ...]
    answer: CommandAnswer


@dataclass(frozen=True, slots=True)
class ButtonHandler:
    """A kind of button and its handler."""

    kind: type[Button]
    answer: Callable[[Any, Any, Services], Awaitable[port.Reply]]


@dataclass(frozen=True, slots=True)
class AppointmentHandler:
    """A kind of appointment and its handler, which returns the seconds until a retry, if one is due."""

    name: str
    kind: AppointmentKind
    keep: AppointmentAnswer


@dataclass(frozen=True, slots=True)
class Registry:
    """All commands in menu order, all buttons and appointments, and the settings of servers."""

    commands: Mapping[str, CommandHandler]
    buttons: Mapping[type[Button], ButtonHandler]
    appointments: Mapping[str, AppointmentHandler]
    settings: ServerSettings

    @property
    def specs(self) -> list[port.CommandSpec]:
        """The commands for the menus of chats, in English."""
        return [handler.spec for handler in self.commands.values()]

    def announced(self, *, says_server: bool = False) -> tuple[port.CommandSpec, ...]:
        """Returns the commands for the menus of chats, in every language.

        `says_server`: texts call a community a server rather than a chat.
        """
        return tuple(_translated_spec(spec, says_server=says_server) for spec in self.specs)


def _translated_spec(spec: port.CommandSpec, *, says_server: bool) -> port.CommandSpec:
    summary = OF_SERVERS.get(spec.summary, spec.summary) if says_server else spec.summary
    on_person_in = Summaries(spec.on_person) if spec.on_person else {}
    return replace(
        spec,
        summary=Translator(LOCALES[0]).text(summary),
        summaries=Summaries(summary),
        on_person_in=on_person_in,
        arguments=tuple(map(_translated_argument, spec.arguments)),
    )


def _translated_argument(argument: port.ArgumentSpec) -> port.ArgumentSpec:
    choices = tuple(replace(choice, labels=Summaries(choice.label)) for choice in argument.choices)
    return replace(argument, summaries=Summaries(argument.summary), choices=choices)


def command(
    name: str,
    *arguments: port.ArgumentSpec,
    rank: int,
    summary: str,
    secret: bool = False,
    people_only: bool = False,
    scopes: Collection[port.CommandScope] = frozenset(port.CommandScope),
    on_person: str = "",
) -> Callable[[CommandAnswer], CommandHandler]:
    """Registers a function as the handler of a command.

    Args:
        name: The word after the slash.
        arguments: The arguments of the command.
        rank: The place in the menus; the lowest comes first.
        summary: The description in the menus.
        secret: Whether the answer is for the asker alone, in their language.
        people_only: Whether the command is about the asker, so that groups and channels are refused.
        scopes: The menus that offer the command.
        on_person: The command's name in the menu on a person, who then counts as mentioned.
    """
    spec = port.CommandSpec(name, summary, arguments, is_secret=secret, scopes=scopes, on_person=on_person)
    return lambda answer: CommandHandler(spec, rank, answer, people_only)


def word(
    command: str, word: str, *arguments: port.ArgumentSpec, label: str
) -> Callable[[CommandAnswer], WordHandler]:
    """Registers a function as the handler of a command with this word as its first argument.

    Args:
        command: A command that has a choice of words as its first argument.
        word: The word to add to that choice.
        arguments: Further arguments, listed after those of the command.
        label: The word's label in a list of choices.
    """
    return lambda answer: WordHandler(command, word, label, arguments, answer)


def button(kind: type[B]) -> Callable[[Callable[[E, B, Services], Awaitable[port.Reply]]], ButtonHandler]:
    """Registers a function as the handler of a kind of button.

    It gets a `PressEvent` for a `TableButton`, and a `RoomPressEvent` for any other.
    """
    return lambda answer: ButtonHandler(kind, answer)


def typed_command(press: port.Press, text: str) -> port.Command:
    """Returns the command that a button repeats."""
    name, *words = text.split()
    return port.Command(
        press.user, press.room, name, tuple(words), id=press.id, missing_rights=press.missing_rights
    )


async def tell_admin(
    admin: port.UserRef,
    room: port.RoomRef,
    draw: Callable[[Translator, str], port.Screen],
    services: Services,
) -> None:
    """Writes to an admin in private, in their language, about an event that no press has caused.

    `draw` renders the screen from a translator and the chat's name, which is empty if unknown.
    """
    chat = services.chats[room.server.platform].name_of(room.server)
    screen = draw(await services.people.translator_for(admin), chat)
    await services.announcements.post(port.Only(admin, room), screen)


def appointment(
    name: str,
    *,
    repeats: Callable[[ServerChoices, LocalTime, float], float | None] | None = None,
    latest: float = AppointmentKind().latest,
    at_night: bool = False,
    is_repeatable: bool = False,
) -> Callable[[AppointmentAnswer], AppointmentHandler]:
    """Registers a function as the handler of an appointment; other arguments are as in `AppointmentKind`."""
    return lambda keep: AppointmentHandler(
        name, AppointmentKind(repeats, latest, at_night, is_repeatable), keep
    )
