"""The rules of a game: settings as fields of `Rules`, impossible combinations, and presets."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum, auto
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, Self, get_args, get_type_hints

from engine.rules.cards import MAX_DECKS, Card, RankOrder, full_deck
from engine.rules.declarations import Declaration, Ending, Panel, Search, declarations_of, setting
from engine.rules.errors import InvalidSettingError, SettingProblem, nearest

DeckSize = Literal[24, 32, 36, 52, "by_players"]
FirstAttacker = Literal["lowest_trump", "left_of_dealer"]
NextAttacker = Literal["attack_fool", "spare_fool", "lowest_trump", "left_of_dealer", "winner"]
NoTrumpFallback = Literal["left_of_dealer", "lowest_card", "redeal"]
ThrowIn = Literal["none", "attacker", "neighbours", "all"]
ThrowInTiming = Literal["anytime", "after_first_beat", "when_all_beaten"]
ThrowInOrder = Literal["free", "priority", "strict"]
Teams = Literal["off", "2x2", "3x2", "2x3"]

MAX_QUIET_BOUTS = 50  # bouts in a row without a discard that make a draw (rule 9.9), so every game ends
MAX_PLAYERS = 16  # a table with more would be unreadable on a phone
MAX_PLAYABLE_DECKS = 3  # with more, the cards of one rank would not fit into one attack and its button
MAX_HAND = 18  # more cards would be unreadable on a phone; half of 36 cards
BASE = "podkidnoy-36"  # the preset whose settings are the defaults

_MAX_DIGITS = 9  # of a number; no setting needs more
_FEW_PLAYERS = 3  # with this many or fewer, `by_players` plays with 32 cards
_TEAM_PLAYERS = {"2x2": 4, "3x2": 6, "2x3": 6}
_TEAM_COUNT = {"2x2": 2, "2x3": 2, "3x2": 3}
_DECK_WITH_SIXES = 36
_MIN_OF_A_SUIT = 4


@dataclass(frozen=True)
class Rules:
    """The settings of a game; the defaults are `podkidnoy-36`.

    Every field is a setting of docs/rules.md, chapter 13, under the same name. `declarations.py` explains
    what each field declares.
    """

    deck: DeckSize = setting(36, Panel.COMMON, Search.FOLLOWS, rule="2.1")
    decks: int = setting(1, Panel.DEAL, Search.NEEDS_DEFAULT, Ending.DECIDES, rule="2.2")
    min_players: int = setting(2, Panel.END, Search.UNAFFECTED, rule="2.4")
    max_players: int = setting(6, Panel.COMMON, Search.UNAFFECTED, rule="2.4")
    rank_order: RankOrder = setting("standard", Panel.DEAL, Search.FOLLOWS, Ending.DECIDES, rule="2.3")
    hand_size: int = setting(6, Panel.DEAL, Search.FOLLOWS, rule="2.5")
    turn_up: Literal["talon_bottom", "removed"] = setting(
        "talon_bottom", Panel.DEAL, Search.FOLLOWS, rule="2.6, 2.7"
    )
    redeal_same_suit: int = setting(0, Panel.DEAL, Search.LEAVES_OUT, rule="2.10")
    redeal_needs_no_trump: bool = setting(
        True, Panel.DEAL, Search.LEAVES_OUT, rule="2.10", beside="redeal_same_suit=5"
    )
    lay_away_four: bool = setting(False, Panel.DEFENCE, Search.LEAVES_OUT, Ending.NEEDS_DEFAULT, rule="8.1")
    trump_six_exchange: bool = setting(False, Panel.DEFENCE, Search.LEAVES_OUT, rule="8.4")
    first_attacker_first_game: FirstAttacker = setting(
        "lowest_trump", Panel.DEAL, Search.UNAFFECTED, rule="3.1"
    )
    first_attacker_next_game: NextAttacker = setting(
        "attack_fool", Panel.DEAL, Search.UNAFFECTED, rule="11.2"
    )
    no_trump_fallback: NoTrumpFallback = setting("left_of_dealer", Panel.DEAL, Search.UNAFFECTED, rule="3.3")
    dealer_next: Literal["fool", "rotate"] = setting("fool", Panel.DEAL, Search.UNAFFECTED, rule="11.1")
    opening_cards: Literal["one", "equal_rank"] = setting(
        "one", Panel.ATTACK, Search.FOLLOWS, Ending.DECIDES, rule="4.1"
    )
    attack_limit: int | None = setting(6, Panel.ATTACK, Search.FOLLOWS, Ending.DECIDES, rule="4.6")
    first_attack_limit: int | None = setting(None, Panel.ATTACK, Search.FOLLOWS, rule="4.7")
    first_attack_limit_until: Literal["first_discard", "first_bout"] = setting(
        "first_discard", Panel.ATTACK, Search.NEEDS_DEFAULT, rule="4.7", beside="first_attack_limit=4"
    )
    limit_by_defender_hand: bool = setting(True, Panel.ATTACK, Search.FOLLOWS, Ending.DECIDES, rule="4.8")
    throw_in: ThrowIn = setting("all", Panel.COMMON, Search.FOLLOWS, Ending.DECIDES, rule="4.3")
    throw_in_timing: ThrowInTiming = setting(
        "when_all_beaten", Panel.ATTACK, Search.LEAVES_OUT, Ending.NEEDS_DEFAULT, rule="4.5"
    )
    throw_in_order: ThrowInOrder = setting("priority", Panel.ATTACK, Search.LEAVES_OUT, rule="4.10")
    throw_in_after_take: Literal["none", "up_to_limit"] = setting(
        "up_to_limit", Panel.ATTACK, Search.FOLLOWS, Ending.DECIDES, rule="4.12"
    )
    voluntary_take: bool = setting(True, Panel.DEFENCE, Search.NEEDS_DEFAULT, Ending.DECIDES, rule="5.4")
    transfer: bool = setting(False, Panel.COMMON, Search.FOLLOWS, Ending.NEEDS_DEFAULT, rule="6.1")
    transfer_direction: Literal["left", "right"] = setting(
        "left", Panel.DEFENCE, Search.FOLLOWS, rule="6.3", beside="transfer=on"
    )
    transfer_cards: Literal["one", "many"] = setting(
        "one", Panel.DEFENCE, Search.FOLLOWS, rule="6.2", beside="transfer=on"
    )
    transfer_limit_by_hand: bool = setting(
        True, Panel.DEFENCE, Search.FOLLOWS, rule="6.4", beside="transfer=on"
    )
    transfer_by_showing_trump: bool = setting(
        False, Panel.DEFENCE, Search.FOLLOWS, rule="6.8", beside="transfer=on"
    )
    transfer_in_first_bout: bool = setting(
        True, Panel.DEFENCE, Search.NEEDS_DEFAULT, rule="6.10", beside="transfer=on"
    )
    draw: Literal["refill", "one_each_table_round"] = setting(
        "refill", Panel.END, Search.FOLLOWS, rule="7.4, 7.5", beside="leave_with_talon=on"
    )
    leave_with_talon: bool = setting(False, Panel.END, Search.FOLLOWS, rule="7.8")
    game_end: Literal["last_with_cards", "places_filled"] = setting(
        "last_with_cards", Panel.END, Search.FOLLOWS, rule="9.1, 9.3"
    )
    simultaneous_empty: Literal["draw", "defender_loses"] = setting(
        "draw", Panel.END, Search.FOLLOWS, Ending.DECIDES, rule="9.2"
    )
    winner: Literal["none", "first_out"] = setting("none", Panel.END, Search.UNAFFECTED, rule="9.5")
    scoring: Literal["none", "punkte", "epaulettes"] = setting(
        "none", Panel.END, Search.UNAFFECTED, rule="9.4, 9.8", beside="epaulettes=announce"
    )
    teams: Teams = setting("off", Panel.COMMON, Search.FOLLOWS, Ending.DECIDES, rule="10.1")
    team_order: Literal["skip", "stand_in"] = setting(
        "skip", Panel.END, Search.NEEDS_DEFAULT, rule="10.4", beside="teams=2x2"
    )
    epaulettes: Literal["off", "announce", "score"] = setting(
        "off", Panel.END, Search.UNAFFECTED, rule="9.6, 9.7"
    )
    epaulette_non_trump: bool = setting(
        False, Panel.END, Search.UNAFFECTED, rule="9.6", beside="epaulettes=announce"
    )
    discard_visible: bool = setting(False, Panel.END, Search.UNAFFECTED, rule="12.3")
    cheating: bool = setting(False, Panel.COMMON, Search.LEAVES_OUT, Ending.NEEDS_DEFAULT, rule="16.1")

    @cached_property
    def has_asides(self) -> bool:
        """Whether there are moves outside the attack: laying away, exchanging, or asking for a new deal."""
        return bool(self.lay_away_four or self.trump_six_exchange or self.redeal_same_suit)

    def deck_size(self, players: int) -> int:
        """Returns how many cards one deck has for this number of players."""
        if self.deck == "by_players":
            return 32 if players <= _FEW_PLAYERS else 52
        return self.deck

    def cards(self, players: int) -> tuple[Card, ...]:
        """Returns all cards of the game, in order."""
        return full_deck(self.deck_size(players), self.decks)

    def team_of(self, seat: int) -> int:
        """Returns the number of a seat's team; without teams each seat is a team."""
        return seat if self.teams == "off" else seat % _TEAM_COUNT[self.teams]

    def partners(self, seat: int, players: int) -> tuple[int, ...]:
        """Lists the seats of this seat's team, including itself."""
        return (
            (seat,)
            if self.teams == "off"
            else tuple(range(self.team_of(seat), players, _TEAM_COUNT[self.teams]))
        )

    @property
    def fewest_seats(self) -> int:
        """The smallest number of players for the cards and teams; `min_players` if no number fits."""
        return min(_numbers_of_players(self), default=self.min_players)

    @property
    def most_seats(self) -> int:
        """The largest number of players for the cards and teams; `max_players` if no number fits."""
        return max(_numbers_of_players(self), default=self.max_players)

    def obstacles(self, players: int | None = None) -> tuple["Clash", ...]:
        """Lists what makes a deal impossible for this number of players, or for any number (rule 13.2)."""
        least = min(_numbers_of_players(self), default=_TEAM_PLAYERS.get(self.teams, self.min_players))
        if players is None:
            players = least

        return (
            *_wrong_numbers(self),
            *_wrong_combinations(self),
            *_out_of_range(self, least, players),
            *_misfits(self, players),
        )

    def clashes(self, players: int | None = None) -> tuple["Clash", ...]:
        """Lists every reason not to choose these rules: obstacles, and what only older games may have."""
        return (*self.obstacles(players), *_objections(self))

    def differences(self, other: "Rules") -> Mapping[str, object]:
        """Returns the settings that differ in `other`, with their values in these rules."""
        return MappingProxyType(
            {name: getattr(self, name) for name in SETTINGS if getattr(self, name) != getattr(other, name)}
        )

    def has_defaults(self, settings: Iterable[str]) -> bool:
        """Returns whether all these settings have their default values."""
        return all(getattr(self, name) == getattr(Rules, name) for name in settings)

    def with_options(self, options: Iterable[str]) -> Self:
        """Returns the rules with settings such as `throw_in=all` changed; raises InvalidSettingError."""
        return replace(self, **dict(_option(option) for option in options))

    def to_text(self) -> str:
        """Writes the base preset and the settings that differ from it, such as `podkidnoy-36 transfer=on`."""
        differences = self.differences(Rules())
        return " ".join([BASE, *(f"{name}={value_text(value)}" for name, value in differences.items())])

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Reads the text of `to_text`; the base may be left out."""
        words = text.split()
        settings = words[1:] if words[:1] == [BASE] else words
        return cls().with_options(settings)


# --- obstacles (rule 13.2), and objections ------------------------------------------------------------------


class ClashReason(Enum):
    """Why settings clash; the sentences for people are in `bot/screens/setting_problems.py`."""

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
    CHEATING_AND_STRICT_ORDER = auto()
    CHEATING_NEEDS_THROWING_IN = auto()


@dataclass(frozen=True, slots=True)
class Clash:
    """Settings that clash, and why; `values` are the numbers and names for the sentence."""

    settings: tuple[str, ...]
    reason: ClashReason
    values: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        values = [f"{name} {value}" for name, value in self.values]
        return f"{self.reason.name} ({', '.join([*self.settings, *values])})"


def _clash(reason: ClashReason, *settings: str, **values: object) -> Clash:
    return Clash(settings, reason, tuple(values.items()))


def _numbers_of_players(rules: Rules) -> tuple[int, ...]:
    """Lists the possible numbers of players in ascending order."""
    numbers = range(rules.min_players, min(rules.max_players, MAX_PLAYERS) + 1)
    return tuple(players for players in numbers if not any(_misfits(rules, players)))


def _too_small(setting: str, least: int) -> Clash:
    return _clash(ClashReason.NUMBER_TOO_SMALL, setting, setting=setting, least=least)


def _too_large(setting: str, most: int) -> Clash:
    return _clash(ClashReason.NUMBER_TOO_LARGE, setting, setting=setting, most=most)


def _wrong_numbers(rules: Rules) -> Iterator[Clash]:
    least = {"decks": 1, "min_players": 2, "hand_size": 1, "attack_limit": 1, "first_attack_limit": 1}
    for name, number in least.items():
        value = getattr(rules, name)
        if value is not None and value < number:
            yield _too_small(name, number)

    for name, most in (("decks", MAX_DECKS), ("max_players", MAX_PLAYERS)):
        if getattr(rules, name) > most:
            yield _too_large(name, most)

    if rules.min_players > rules.max_players:
        yield _clash(ClashReason.PLAYERS_RANGE, "min_players", "max_players")

    first = rules.first_attack_limit
    limit = rules.attack_limit
    if first is not None and limit is not None and first > limit:
        yield _clash(ClashReason.FIRST_LIMIT_ABOVE_LIMIT, "first_attack_limit", "attack_limit")


def _wrong_combinations(rules: Rules) -> Iterator[Clash]:
    if rules.teams != "off" and rules.transfer:
        yield _clash(ClashReason.TEAMS_AND_TRANSFER, "teams", "transfer")

    if rules.teams != "off" and rules.game_end == "places_filled":
        yield _clash(ClashReason.TEAMS_AND_PLACES, "teams", "game_end")

    if rules.trump_six_exchange and rules.turn_up == "removed":
        yield _clash(ClashReason.EXCHANGE_NEEDS_TALON_BOTTOM, "trump_six_exchange", "turn_up")

    if rules.draw == "one_each_table_round" and not rules.leave_with_talon:
        yield _clash(ClashReason.ROUND_DRAW_NEEDS_LEAVING, "draw", "leave_with_talon")

    if rules.scoring == "epaulettes" and rules.epaulettes == "off":
        yield _clash(ClashReason.NEEDS_EPAULETTES, "scoring", "epaulettes")

    # Strict order shows who holds a card that fits, but with cheating every card fits.
    if rules.cheating and rules.throw_in_order == "strict":
        yield _clash(ClashReason.CHEATING_AND_STRICT_ORDER, "cheating", "throw_in_order")

    if rules.cheating and rules.throw_in == "none":
        yield _clash(ClashReason.CHEATING_NEEDS_THROWING_IN, "cheating", "throw_in")


def _out_of_range(rules: Rules, least: int, players: int) -> Iterator[Clash]:
    if players < least and rules.teams == "off":  # `_misfits` reports the number that teams need
        yield _clash(ClashReason.TOO_FEW_PLAYERS, "min_players", least=least)
    if players > rules.max_players:
        yield _clash(ClashReason.TOO_MANY_PLAYERS, "max_players", most=rules.max_players)


def _misfits(rules: Rules, players: int) -> Iterator[Clash]:
    """Yields the settings that don't fit this number of players."""
    seats = _TEAM_PLAYERS.get(rules.teams)
    if seats is not None:
        is_possible = rules.min_players <= seats <= rules.max_players
        if not is_possible or players != seats:
            names = ("teams",) if is_possible else ("teams", "min_players", "max_players")
            yield _clash(ClashReason.TEAM_SIZE, *names, teams=rules.teams, seats=seats)

    if rules.epaulettes != "off" and rules.deck_size(players) < _DECK_WITH_SIXES:
        yield _clash(ClashReason.EPAULETTES_NEED_SIXES, "epaulettes", "deck")

    least = rules.hand_size * players + (rules.turn_up == "removed")
    cards = rules.deck_size(players) * rules.decks
    if least > cards:
        settings = ("hand_size", "deck", "decks")
        yield _clash(ClashReason.TOO_FEW_CARDS, *settings, players=players, needed=least, cards=cards)


def _objections(rules: Rules) -> Iterator[Clash]:
    """Yields playable settings that should not be chosen, as contradictory or impractical.

    They are not obstacles, because games of earlier versions may have used them.
    """
    for name, most in (("decks", MAX_PLAYABLE_DECKS), ("hand_size", MAX_HAND)):
        if getattr(rules, name) > most:
            yield _too_large(name, most)

    # Half a hand of one suit is common; if nearly every deal could be refused, the game would never begin.
    fewest = max(_MIN_OF_A_SUIT, rules.hand_size // 2 + 1)
    if 0 < rules.redeal_same_suit < fewest:
        yield _too_small("redeal_same_suit", fewest)

    if rules.epaulettes != "off" and rules.game_end == "places_filled":
        yield _clash(ClashReason.EPAULETTES_AND_PLACES, "epaulettes", "game_end")

    if rules.teams != "off" and rules.winner != "none":
        yield _clash(ClashReason.TEAMS_AND_WINNER, "winner", "teams")

    if rules.teams != "off" and rules.scoring == "punkte":
        yield _clash(ClashReason.TEAMS_AND_POINTS, "scoring", "teams")


# --- settings as texts ------------------------------------------------------------------------------------


def _choices(hint: Any) -> tuple[object, ...]:
    """Returns the values of a setting; `int` means any whole number, None for `none`."""
    if hint is bool:
        return (True, False)
    if hint is int:
        return (int,)

    values: list[object] = []
    for part in get_args(hint):
        values += [None] if part is type(None) else [int] if part is int else [part]

    return tuple(values)


# Every setting with its possible values, `int` standing for any whole number.
SETTINGS: Mapping[str, tuple[object, ...]] = MappingProxyType(
    {field.name: _choices(get_type_hints(Rules)[field.name]) for field in fields(Rules)}
)

# What each setting declares in `Rules`.
DECLARATIONS: Mapping[str, Declaration] = declarations_of(Rules)


def value_text(value: object) -> str:
    """Writes a setting's value: `on` and `off` for bool, `none` for None; the type int is `a number`."""
    if value is int:
        return "a number"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)


def _option(text: str) -> tuple[str, Any]:
    """Reads a text such as `throw_in=all`; returns the setting and its value."""
    name, sign, value = text.partition("=")
    if name not in SETTINGS:
        after_sign = value if sign else None
        raise InvalidSettingError(SettingProblem.UNKNOWN_SETTING, name, after_sign, nearest(name, SETTINGS))

    valid = tuple(map(value_text, SETTINGS[name]))
    if not sign:
        raise InvalidSettingError(SettingProblem.NO_VALUE, name, None, valid, len(name) + 1)

    for choice in SETTINGS[name]:
        if choice is int and value.isdecimal() and value.isascii() and len(value) <= _MAX_DIGITS:
            return name, int(value)

        spellings = {value_text(choice)}
        if isinstance(choice, bool):
            spellings |= {"true", "yes", "1"} if choice else {"false", "no", "0"}
        if choice is not int and value.lower() in spellings:
            return name, choice

    raise InvalidSettingError(SettingProblem.WRONG_VALUE, name, value, valid, len(name) + 2)


# --- the named rule sets (rule 14.1) ----------------------------------------------------------------------

_PODKIDNOY = Rules()

_DURNIUS = Rules(
    attack_limit=None,
    throw_in_timing="anytime",
    throw_in_after_take="none",
    epaulettes="announce",
)

_WIKIPEDIA_DE = Rules(
    redeal_same_suit=5,
    lay_away_four=True,
    opening_cards="equal_rank",
    first_attack_limit=5,
    throw_in="neighbours",
    throw_in_timing="anytime",
    throw_in_order="strict",
)

_CLASSIC = Rules(
    first_attacker_next_game="lowest_trump",
    throw_in_timing="after_first_beat",
    throw_in_order="free",
    throw_in_after_take="none",
)

_PURE = Rules(
    first_attacker_next_game="lowest_trump",
    attack_limit=None,
    throw_in_order="free",
    throw_in_after_take="none",
)

_PUNKTEDURAK = Rules(
    deck="by_players",
    max_players=8,
    rank_order="ten_high",
    turn_up="removed",
    first_attacker_first_game="left_of_dealer",
    first_attacker_next_game="left_of_dealer",
    dealer_next="rotate",
    opening_cards="equal_rank",
    attack_limit=None,
    limit_by_defender_hand=False,
    throw_in="none",
    throw_in_timing="anytime",
    throw_in_after_take="none",
    transfer=True,
    transfer_direction="right",
    transfer_cards="many",
    transfer_limit_by_hand=False,
    draw="one_each_table_round",
    leave_with_talon=True,
    game_end="places_filled",
    winner="first_out",
    scoring="punkte",
)

# The presets by name, the best known first.
PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        "podkidnoy-36": _PODKIDNOY,
        "podkidnoy-24": replace(_PODKIDNOY, deck=24, max_players=4),
        "podkidnoy-52": replace(_PODKIDNOY, deck=52),
        "perevodnoy": replace(_PODKIDNOY, transfer=True),
        "wikipedia-de": _WIKIPEDIA_DE,
        "classic": _CLASSIC,
        "durnius": _DURNIUS,
        "durnius-passing": replace(_DURNIUS, transfer=True),
        "durnius-travel": replace(_DURNIUS, transfer=True, transfer_by_showing_trump=True),
        "pure": _PURE,
        "punktedurak": _PUNKTEDURAK,
    }
)
