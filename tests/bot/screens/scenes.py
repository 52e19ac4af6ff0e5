"""Scenes of random and of crowded games, to be drawn."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from zoneinfo import ZoneInfo

from adapters.discord.render import LIMITS as DISCORD
from adapters.port import Button, CallbackButton, Limits, Screen
from adapters.telegram.render import LIMITS as TELEGRAM
from adapters.web.render import LIMITS as PAGE
from bot.locale import Translator
from bot.model.buttons import PlayMove, ShowHand, decode
from bot.model.calendar import LocalTime
from bot.model.profile import HandOrder, Profile
from bot.model.table import Phase, Player, Table
from bot.model.waiting import Waiting
from bot.screens.hand import Hand, hand_screen
from bot.screens.names import names_of
from bot.screens.story import Scene, drawn_by
from engine import Event, Opening, Rules, Seat, State, seen_by
from tests.adapters.plain.render import LIMITS as PLAIN
from tests.bot.chat import ROOM, person
from tests.bot.messages import buttons_of
from tests.engine.rules.games import random_game

TRANSLATOR = Translator("en")
CHATS = (DISCORD, TELEGRAM, PAGE, PLAIN)
TINY = Limits(buttons=12, per_row=3, label=48, body=4000, toast=200)
VERSION = 123_456


def fits(row: Sequence[Button], limits: Limits) -> bool:
    """Returns whether a chat shows all of a row, which may be a menu there."""
    is_menu = any(isinstance(button, CallbackButton) and button.menu for button in row)
    return 0 < len(row) <= (limits.menu if limits.menu and is_menu else limits.per_row)


def lobby_of(rules: Rules, names: tuple[str, ...]) -> Table:
    players = tuple(Player(name, person(str(seat)).ref) for seat, name in enumerate(names))
    return Table(
        10**9, ROOM, person("0").ref, "podkidnoy-36", rules, "5eed", 0.0, players, phase=Phase.PLAYING
    )


def scene_of(
    state: State,
    events: tuple[Event, ...] = (),
    names: tuple[str, ...] = (),
    translator: Translator = TRANSLATOR,
) -> Scene:
    table = lobby_of(state.rules, names or tuple(f"Player {seat}" for seat in range(state.players)))
    return Scene(
        table=table,
        names=names_of(table.players),
        view=state.public_view(),
        translator=translator,
        events=seen_by(events, None),
    )


def silent(
    state: State, waited: float, seats: Collection[Seat], clock: int = 120, zone: str = "UTC"
) -> Scene:
    """Returns a table that has waited this long for these seats, since eight on a Friday morning in UTC."""
    since = datetime(2026, 11, 20, 8, tzinfo=UTC).timestamp()
    waiting = Waiting(
        frozenset(seats), since, since + waited, clock, 0.0, LocalTime(ZoneInfo(zone), None), since
    )
    return replace(scene_of(state), waiting=waiting)


def played(opening: Opening, chance: Random) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Plays a random game; returns every position with its events so far."""
    events: tuple[Event, ...] = ()
    for state, seat, move in random_game(opening, chance):
        yield state, events
        step = state.apply(seat, move)
        events += step.events

    yield step.state, events


def hand_of(
    state: State,
    seat: Seat,
    limits: Limits,
    page: int = 0,
    scene: Scene | None = None,
    *,
    order: HandOrder = HandOrder.RANK,
    events: tuple[Event, ...] = (),
) -> Screen:
    hand = Hand(
        scene or scene_of(state, events),
        state.view_for(seat),
        VERSION,
        state.fair_moves(seat),
        page,
        Profile(hand_order=order),
        sly_moves=state.sly_moves(seat),
        new_cards=drawn_by(events, seat),
    )
    return hand_screen(hand, limits)


def pages_of(state: State, seat: Seat, limits: Limits) -> list[Screen]:
    """Returns the pages of a hand in the order in which its own buttons lead through them."""
    scene = scene_of(state)
    pages = [hand_of(state, seat, limits, 0, scene)]
    while (after := _next_page(pages[-1])) is not None and after != 0:
        pages.append(hand_of(state, seat, limits, after, scene))
    return pages


def moves_on(screen: Screen) -> list[str]:
    tokens = [decode(button.token) for button in buttons_of(screen)]
    return [token.move for token in tokens if isinstance(token, PlayMove)]


def with_names(scene: Scene, names: tuple[str, ...]) -> Scene:
    table = lobby_of(scene.table.rules, names)
    return replace(scene, table=table, names=names_of(table.players))


def _next_page(screen: Screen) -> int | None:
    tokens = [decode(button.token) for button in buttons_of(screen)]
    return next((token.page for token in tokens if isinstance(token, ShowHand)), None)
