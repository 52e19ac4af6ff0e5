"""What keeps rules from being played (rule 13.2), each with the reason why.

Records and running tables of earlier versions are dealt again by these rules, so nothing may be added here
that could be dealt before; what merely nobody should choose any more is in objections.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from engine.rules.cards import MAX_DECKS
from engine.rules.settings import Settings

_DECK_WITH_SIXES = 36
MOST_PLAYERS = 16
"""More people than this find no room at a table that is to be read on a phone."""

TEAM_PLAYERS = {"2x2": 4, "3x2": 6, "2x3": 6}


class ClashReason(Enum):
    """Why settings cannot be together; the sentence for people is the bot's business."""

    NUMBER_TOO_SMALL = auto()
    NUMBER_TOO_LARGE = auto()
    PLAYERS_RANGE = auto()
    TOO_FEW_PLAYERS = auto()
    TOO_MANY_PLAYERS = auto()
    TOO_FEW_CARDS = auto()
    TEAM_SIZE = auto()
    TEAMS_AND_TRANSFER = auto()
    TEAMS_AND_PLACES = auto()
    FIRST_LIMIT_ABOVE_LIMIT = auto()
    EXCHANGE_NEEDS_TALON_BOTTOM = auto()
    ROUND_DRAW_NEEDS_LEAVING = auto()
    NEEDS_EPAULETTES = auto()
    EPAULETTES_NEED_SIXES = auto()
    EPAULETTES_AND_PLACES = auto()
    TEAMS_AND_WINNER = auto()
    TEAMS_AND_POINTS = auto()


@dataclass(frozen=True, slots=True)
class Clash:
    """Settings that cannot be together, and why; `values` are the numbers and names that tell it exactly."""

    settings: tuple[str, ...]
    reason: ClashReason
    values: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        values = [f"{name} {value}" for name, value in self.values]
        return f"{self.reason.name} ({', '.join([*self.settings, *values])})"


def find_obstacles(rules: Settings, players: int | None) -> tuple[Clash, ...]:
    """List everything that makes these rules unplayable, by this number of players or by any (None)."""
    least = min(numbers_of_players(rules), default=TEAM_PLAYERS.get(rules.teams, rules.min_players))
    if players is None:
        players = least
    return (
        *_numbers(rules),
        *_combinations(rules),
        *_range(rules, least, players),
        *_players(rules, players),
    )


def numbers_of_players(rules: Settings) -> tuple[int, ...]:
    """List how many may play by these rules: from the fewest to the most players as far as the cards go."""
    numbers = range(rules.min_players, min(rules.max_players, MOST_PLAYERS) + 1)
    return tuple(players for players in numbers if not any(_players(rules, players)))


def too_small(setting: str, least: int) -> Clash:
    """Return the clash of a number that must be larger."""
    return Clash((setting,), ClashReason.NUMBER_TOO_SMALL, (("setting", setting), ("least", least)))


def too_large(setting: str, most: int) -> Clash:
    """Return the clash of a number that must be smaller."""
    return Clash((setting,), ClashReason.NUMBER_TOO_LARGE, (("setting", setting), ("most", most)))


def _numbers(rules: Settings) -> Iterator[Clash]:
    for name, least in (
        ("decks", 1),
        ("min_players", 2),
        ("hand_size", 1),
        ("attack_limit", 1),
        ("first_attack_limit", 1),
    ):
        value = getattr(rules, name)
        if value is not None and value < least:
            yield too_small(name, least)
    for name, most in (("decks", MAX_DECKS), ("max_players", MOST_PLAYERS)):
        if getattr(rules, name) > most:
            yield too_large(name, most)
    if rules.min_players > rules.max_players:
        yield Clash(("min_players", "max_players"), ClashReason.PLAYERS_RANGE)
    first, limit = rules.first_attack_limit, rules.attack_limit
    if first is not None and limit is not None and first > limit:
        yield Clash(("first_attack_limit", "attack_limit"), ClashReason.FIRST_LIMIT_ABOVE_LIMIT)


def _combinations(rules: Settings) -> Iterator[Clash]:
    if rules.teams != "off" and rules.transfer:
        yield Clash(("teams", "transfer"), ClashReason.TEAMS_AND_TRANSFER)
    if rules.teams != "off" and rules.game_end == "places_filled":
        yield Clash(("teams", "game_end"), ClashReason.TEAMS_AND_PLACES)
    if rules.trump_six_exchange and rules.turn_up == "removed":
        yield Clash(("trump_six_exchange", "turn_up"), ClashReason.EXCHANGE_NEEDS_TALON_BOTTOM)
    if rules.draw == "one_each_table_round" and not rules.leave_with_talon:
        yield Clash(("draw", "leave_with_talon"), ClashReason.ROUND_DRAW_NEEDS_LEAVING)
    if rules.scoring == "epaulettes" and rules.epaulettes == "off":
        yield Clash(("scoring", "epaulettes"), ClashReason.NEEDS_EPAULETTES)


def _range(rules: Settings, least: int, players: int) -> Iterator[Clash]:
    if players < least and rules.teams == "off":  # teams say themselves how many they are
        yield Clash(("min_players",), ClashReason.TOO_FEW_PLAYERS, (("least", least),))
    if players > rules.max_players:
        yield Clash(("max_players",), ClashReason.TOO_MANY_PLAYERS, (("most", rules.max_players),))


def _players(rules: Settings, players: int) -> Iterator[Clash]:
    seats = TEAM_PLAYERS.get(rules.teams)
    if seats is not None:
        is_possible = rules.min_players <= seats <= rules.max_players
        if not is_possible or players != seats:
            names = ("teams",) if is_possible else ("teams", "min_players", "max_players")
            yield Clash(names, ClashReason.TEAM_SIZE, (("teams", rules.teams), ("seats", seats)))
    if rules.epaulettes != "off" and rules.deck_size(players) < _DECK_WITH_SIXES:
        yield Clash(("epaulettes", "deck"), ClashReason.EPAULETTES_NEED_SIXES)
    needed = rules.hand_size * players + (rules.turn_up == "removed")
    cards = rules.deck_size(players) * rules.decks
    if needed > cards:
        yield Clash(
            ("hand_size", "deck", "decks"),
            ClashReason.TOO_FEW_CARDS,
            (("players", players), ("needed", needed), ("cards", cards)),
        )
