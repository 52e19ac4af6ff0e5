"""`Settings`: one frozen value in which every rule option is a field; `Rules` adds the methods to it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, Self, get_args, get_type_hints

from engine.rules.cards import Card, RankOrder
from engine.rules.deck import full_deck
from engine.rules.errors import InvalidSettingError, SettingProblem, nearest

DeckSize = Literal[24, 32, 36, 52, "by_players"]
FirstAttacker = Literal["lowest_trump", "left_of_dealer"]
NextAttacker = Literal["attack_fool", "spare_fool", "lowest_trump", "left_of_dealer", "winner"]
NoTrumpFallback = Literal["left_of_dealer", "lowest_card", "redeal"]
ThrowIn = Literal["none", "attacker", "neighbours", "all"]
ThrowInTiming = Literal["anytime", "after_first_beat", "when_all_beaten"]
ThrowInOrder = Literal["free", "priority", "strict"]
Teams = Literal["off", "2x2", "3x2", "2x3"]

MOST_QUIET_BOUTS = 50
"""A game in which so many bouts in a row end without a discard is a draw: a game always ends."""

BASE = "podkidnoy-36"  # the preset whose settings are the defaults

_MOST_DIGITS = 9  # no setting needs more, and no longer number is worth reading
_FEW_PLAYERS = 3  # with so many or fewer, `by_players` plays with 32 cards


@dataclass(frozen=True)
class Settings:
    """The settings of a game; the defaults are `podkidnoy-36`.

    Every field is a setting of RULES.md, chapter 13, and has its name there.
    """

    deck: DeckSize = 36
    decks: int = 1
    min_players: int = 2
    max_players: int = 6
    rank_order: RankOrder = "standard"
    hand_size: int = 6
    turn_up: Literal["talon_bottom", "removed"] = "talon_bottom"
    redeal_same_suit: int = 0
    redeal_needs_no_trump: bool = True
    lay_away_four: bool = False
    trump_six_exchange: bool = False
    first_attacker_first_game: FirstAttacker = "lowest_trump"
    first_attacker_next_game: NextAttacker = "attack_fool"
    no_trump_fallback: NoTrumpFallback = "left_of_dealer"
    dealer_next: Literal["fool", "rotate"] = "fool"
    opening_cards: Literal["one", "equal_rank"] = "one"
    attack_limit: int | None = 6
    first_attack_limit: int | None = None
    first_attack_limit_until: Literal["first_discard", "first_bout"] = "first_discard"
    limit_by_defender_hand: bool = True
    throw_in: ThrowIn = "all"
    throw_in_timing: ThrowInTiming = "when_all_beaten"
    throw_in_order: ThrowInOrder = "priority"
    throw_in_after_take: Literal["none", "up_to_limit"] = "up_to_limit"
    voluntary_take: bool = True
    transfer: bool = False
    transfer_direction: Literal["left", "right"] = "left"
    transfer_cards: Literal["one", "many"] = "one"
    transfer_limit_by_hand: bool = True
    transfer_by_showing_trump: bool = False
    transfer_in_first_bout: bool = True
    draw: Literal["refill", "one_each_table_round"] = "refill"
    leave_with_talon: bool = False
    game_end: Literal["last_with_cards", "places_filled"] = "last_with_cards"
    simultaneous_empty: Literal["draw", "defender_loses"] = "draw"
    winner: Literal["none", "first_out"] = "none"
    scoring: Literal["none", "punkte", "epaulettes"] = "none"
    teams: Teams = "off"
    team_order: Literal["skip", "stand_in"] = "skip"
    epaulettes: Literal["off", "announce", "score"] = "off"
    epaulette_non_trump: bool = False
    discard_visible: bool = False

    @cached_property
    def knows_asides(self) -> bool:
        """Whether there is anything to do outside the attack: to lay away, to exchange, to deal anew."""
        return bool(self.lay_away_four or self.trump_six_exchange or self.redeal_same_suit)

    def deck_size(self, players: int) -> int:
        """Return how many cards one deck has for this number of players."""
        if self.deck == "by_players":
            return 32 if players <= _FEW_PLAYERS else 52
        return self.deck

    def cards(self, players: int) -> tuple[Card, ...]:
        """Return all cards of the game, in order."""
        return full_deck(self.deck_size(players), self.decks)

    def differences(self, other: "Settings") -> Mapping[str, object]:
        """Return the settings of these rules that are not the same in `other`."""
        return MappingProxyType(
            {name: getattr(self, name) for name in SETTINGS if getattr(self, name) != getattr(other, name)}
        )

    def with_options(self, options: Iterable[str]) -> Self:
        """Change settings by texts such as `throw_in=all`; InvalidSettingError tells what would be valid."""
        return replace(self, **dict(_option(option) for option in options))

    def to_text(self) -> str:
        """Write the base preset and the settings that differ from it, such as `podkidnoy-36 transfer=on`."""
        changed = self.differences(Settings())
        return " ".join([BASE, *(f"{name}={value_text(value)}" for name, value in changed.items())])

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `to_text` wrote; the base may be left out."""
        words = text.split()
        return cls().with_options(words[1:] if words[:1] == [BASE] else words)


def _choices(hint: Any) -> tuple[object, ...]:
    """Return the values a setting can take; `int` stands for any whole number, None for `none`."""
    if hint is bool:
        return (True, False)
    if hint is int:
        return (int,)
    values: list[object] = []
    for part in get_args(hint):
        values += [None] if part is type(None) else [int] if part is int else [part]
    return tuple(values)


def value_text(value: object) -> str:
    """Write a setting's value: `on` and `off` for bool, `none` for no limit."""
    if value is int:
        return "a number"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)


def valid_values(name: str) -> tuple[str, ...]:
    """Return the values that a setting can take."""
    return tuple(map(value_text, SETTINGS[name]))


def _value(name: str, text: str) -> object:
    for choice in SETTINGS[name]:
        if choice is int and text.isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS:
            return int(text)
        spellings = {value_text(choice)}
        if isinstance(choice, bool):
            spellings |= {"true", "yes", "1"} if choice else {"false", "no", "0"}
        if choice is not int and text.lower() in spellings:
            return choice
    raise InvalidSettingError(SettingProblem.WRONG_VALUE, name, text, valid_values(name), len(name) + 2)


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if name not in SETTINGS:
        raise InvalidSettingError(
            SettingProblem.UNKNOWN_SETTING, name, value if sign else None, nearest(name, SETTINGS)
        )
    if not sign:
        raise InvalidSettingError(SettingProblem.NO_VALUE, name, None, valid_values(name), len(name) + 1)
    return name, _value(name, value)


SETTINGS: Mapping[str, tuple[object, ...]] = MappingProxyType(
    {field.name: _choices(get_type_hints(Settings)[field.name]) for field in fields(Settings)}
)
"""Every setting with its possible values, `int` standing for any whole number."""
