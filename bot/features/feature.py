"""The record of a feature: something optional, without which the bot still plays whole games."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from types import ModuleType
from typing import Any, Generic, TypeVar

from adapters.port import Offer, PuzzleBoard, RoomRef, ServerRef, UserRef
from bot.handlers.event import Services
from bot.locale import Translator
from bot.model.messages import ScreenSource
from bot.screens.server_settings import ServerSetting
from bot.screens.story import Scene
from bot.screens.table import TableExtra
from bot.screens.text import Line
from bot.storage import GameEnded, PersonalRows
from bot.storage.models import Base
from engine import Outcome
from engine.runtime import Game

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Feature(Generic[P]):
    """Everything that a feature gives to the core.

    The part is a single object, created when the bot starts. The fields after `part` are hooks: methods of
    the part, except `shows`, which names a kind of subject and makes its source. `game_ended` is also a hook,
    but a plain function, because it runs in a transaction.

    Attributes:
        name: The name of the feature's folder.
        handlers: The module with its commands, buttons and appointments.
        setting: The setting by which servers switch it on or off.
        rows: Its database tables.
        about_people: The rows that are about a person, and what happens to them when the person is forgotten.
        game_ended: Writes the consequences of a game's end, in the same transaction.
        part: Creates the part.
        at_the_table: Adds a line or a button to a running table, on servers with the setting on.
        under_the_result: Adds a line to the result of a game, on servers with the setting on.
        in_stats: Adds a line to the statistics of a person on a server.
        highlight: Adds a line to the weekly report of a server; the period is given in Unix seconds.
        in_season: Adds lines to a season in the hall of fame; the period is given in Unix seconds.
        puzzle: Finds a puzzle by its number, with the answer that belongs to a token if one is given.
        offer: Offers a message that a person can send to any chat; None if there is none.
        member_left: Called after a person has left a room.
        room_moved: Called after a room got a new id.
        before_choice: Prepares a server for a new value of the setting.
        forget: Removes a forgotten person from the caches of the part.
        load: Loads the data that the part keeps in memory, before anybody is answered.
        shows: A kind of subject, and a function that returns the source of its messages' screens.
    """

    name: str
    handlers: ModuleType | None = None
    setting: ServerSetting | None = None
    rows: tuple[type[Base], ...] = ()
    about_people: tuple[PersonalRows, ...] = ()
    game_ended: GameEnded | None = None

    part: Callable[[Services], P] | None = None
    at_the_table: Callable[[P, Scene], TableExtra] | None = None
    under_the_result: Callable[[P, Scene, Game, Outcome], Awaitable[Line]] | None = None
    in_stats: Callable[[P, ServerRef, UserRef, Translator], Awaitable[Line]] | None = None
    highlight: Callable[[P, ServerRef, float, float, Translator], Awaitable[Line]] | None = None
    in_season: Callable[[P, ServerRef, float, float, Translator], Awaitable[Sequence[Line]]] | None = None
    puzzle: Callable[[P, int, str, Translator], Awaitable[PuzzleBoard | None]] | None = None
    offer: Callable[[P, UserRef, Translator], Awaitable[Offer | None]] | None = None
    member_left: Callable[[P, UserRef, RoomRef], Awaitable[None]] | None = None
    room_moved: Callable[[P, RoomRef, RoomRef], None] | None = None
    before_choice: Callable[[P, ServerRef, str], Awaitable[None]] | None = None
    forget: Callable[[P, UserRef], None] | None = None
    load: Callable[[P], Awaitable[None]] | None = None
    shows: tuple[str, Callable[[P], ScreenSource[Any]]] | None = None

    def __post_init__(self) -> None:
        if self.setting is None and (self.at_the_table or self.under_the_result or self.before_choice):
            raise TypeError(f"{self.name} has hooks that depend on a setting, and no setting")
        if self.part is None and any(getattr(self, hook) for hook in _HOOKS):
            raise TypeError(f"{self.name} has hooks, and no part whose methods they are")


_NAMES = [field.name for field in fields(Feature)]
_HOOKS = _NAMES[_NAMES.index("part") + 1 :]
