"""Settings (chapter 13): their texts, and the combinations that cannot be played."""

from dataclasses import dataclass

import pytest

from engine import (
    PRESETS,
    SETTINGS,
    Clash,
    ClashReason,
    InvalidRulesError,
    InvalidSettingError,
    InvalidTextError,
    Problem,
    Rules,
    SettingProblem,
    State,
    value_text,
)
from engine.rules.declarations import Panel, Search, declarations_of, setting
from engine.rules.settings import DECLARATIONS


def test_every_preset_can_be_played_by_each_number_of_players_it_names() -> None:
    """Covers rule 2.4."""
    for rules in PRESETS.values():
        for players in range(rules.min_players, rules.max_players + 1):
            assert rules.clashes(players) == ()


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_can_be_written_and_read(name: str) -> None:
    for value in SETTINGS[name]:
        text = "3" if value is int else value_text(value)
        rules = Rules().with_options([f"{name}={text}"])
        assert getattr(rules, name) == (3 if value is int else value)
        assert Rules.from_text(rules.to_text()) == rules


def test_some_settings_have_their_defaults_or_one_of_them_has_not() -> None:
    rules = Rules().with_options(["transfer=on"])
    assert rules.has_defaults(["throw_in", "teams"])
    assert not rules.has_defaults(["throw_in", "transfer"])


@pytest.mark.parametrize("name", SETTINGS)
def test_the_settings_beside_which_a_setting_matters_can_be_played(name: str) -> None:
    rules = Rules().with_options(DECLARATIONS[name].beside.split())
    assert rules.clashes() == ()
    assert name not in rules.differences(Rules())


def test_a_setting_that_declares_nothing_is_named() -> None:
    @dataclass
    class Incomplete:
        deck: int = setting(36, Panel.DEAL, Search.FOLLOWS, rule="2.1")
        jokers: bool = False

    with pytest.raises(TypeError, match=r"test_settings: .*: jokers$"):
        declarations_of(Incomplete)


def test_an_unknown_setting_lists_the_valid_ones() -> None:
    with pytest.raises(InvalidTextError, match="throw_in_timing"):
        Rules().with_options(["throwin=all"])


def test_a_bad_value_lists_the_valid_ones_and_its_column() -> None:
    with pytest.raises(InvalidTextError, match="none, attacker, neighbours, all") as error:
        Rules().with_options(["throw_in=some"])
    assert error.value.column == len("throw_in=") + 1


def test_what_sets_nothing_can_be_told_in_other_words() -> None:
    with pytest.raises(InvalidSettingError) as error:
        Rules().with_options(["throw_in=some"])

    invalid = error.value
    assert (invalid.setting, invalid.value) == ("throw_in", "some")
    assert invalid.problem is SettingProblem.WRONG_VALUE
    assert invalid.valid == ("none", "attacker", "neighbours", "all")


def test_a_setting_without_a_value_is_refused() -> None:
    with pytest.raises(InvalidTextError, match="needs a value"):
        Rules().with_options(["throw_in"])


def test_switches_are_read_in_several_spellings() -> None:
    for text in ("on", "true", "yes", "1", "ON"):
        assert Rules().with_options([f"transfer={text}"]).transfer
    assert Rules().with_options(["attack_limit=none"]).attack_limit is None


def test_differences_name_what_is_not_the_same() -> None:
    assert dict(PRESETS["perevodnoy"].differences(Rules())) == {"transfer": True}


CLASHES = [
    (Rules(decks=0), 2, ClashReason.NUMBER_TOO_SMALL),
    (Rules(decks=9), 2, ClashReason.NUMBER_TOO_LARGE),
    (Rules(hand_size=0), 2, ClashReason.NUMBER_TOO_SMALL),
    (Rules(attack_limit=0), 2, ClashReason.NUMBER_TOO_SMALL),
    (Rules(min_players=4, max_players=3), None, ClashReason.PLAYERS_RANGE),
    (Rules(attack_limit=4, first_attack_limit=5), 2, ClashReason.FIRST_LIMIT_ABOVE_LIMIT),
    (Rules(teams="2x2", transfer=True), 4, ClashReason.TEAMS_AND_TRANSFER),
    (Rules(teams="2x2", game_end="places_filled"), 4, ClashReason.TEAMS_AND_PLACES),
    (Rules(teams="2x2"), 3, ClashReason.TEAM_SIZE),
    (Rules(teams="2x3", max_players=5), None, ClashReason.TEAM_SIZE),
    (Rules(trump_six_exchange=True, turn_up="removed"), 2, ClashReason.EXCHANGE_NEEDS_TALON_BOTTOM),
    (Rules(draw="one_each_table_round"), 2, ClashReason.ROUND_DRAW_NEEDS_LEAVING),
    (Rules(scoring="epaulettes"), 2, ClashReason.NEEDS_EPAULETTES),
    (Rules(epaulettes="announce", deck=32), 2, ClashReason.EPAULETTES_NEED_SIXES),
    (Rules(), 1, ClashReason.TOO_FEW_PLAYERS),
    (Rules(), 7, ClashReason.TOO_MANY_PLAYERS),
    (Rules(turn_up="removed"), 6, ClashReason.TOO_FEW_CARDS),
    (Rules(hand_size=19), 2, ClashReason.TOO_FEW_CARDS),
    (Rules(min_players=7, max_players=16), None, ClashReason.TOO_FEW_CARDS),
]

OBJECTIONS = [
    (Rules(decks=4), ClashReason.NUMBER_TOO_LARGE),
    (Rules(decks=3, hand_size=19), ClashReason.NUMBER_TOO_LARGE),
    (Rules(redeal_same_suit=1), ClashReason.NUMBER_TOO_SMALL),
    (Rules(redeal_same_suit=6, hand_size=12), ClashReason.NUMBER_TOO_SMALL),
    (Rules(epaulettes="score", game_end="places_filled"), ClashReason.EPAULETTES_AND_PLACES),
    (Rules(teams="2x2", winner="first_out"), ClashReason.TEAMS_AND_WINNER),
    (Rules(teams="2x2", scoring="punkte"), ClashReason.TEAMS_AND_POINTS),
]


@pytest.mark.parametrize(
    ("rules", "players", "reason"), CLASHES, ids=lambda value: getattr(value, "name", "")
)
def test_what_cannot_be_played_is_named_with_the_reason(
    rules: Rules, players: int | None, reason: ClashReason
) -> None:
    """Covers rule 13.2."""
    clash = next(clash for clash in rules.clashes(players) if clash.reason is reason)
    assert str(clash).startswith(reason.name)
    assert all(name in SETTINGS for name in clash.settings)


@pytest.mark.parametrize(("rules", "reason"), OBJECTIONS, ids=lambda value: getattr(value, "name", ""))
def test_old_games_by_rules_that_nobody_should_choose_are_still_dealt(
    rules: Rules, reason: ClashReason
) -> None:
    """Covers rule 13.2."""
    assert [clash.reason for clash in rules.clashes()] == [reason]
    players = rules.fewest_seats
    assert State.deal(rules, players, rules.cards(players)).problems() is Problem.NONE


@pytest.mark.parametrize(
    "option", ["transfer_direction=right", "transfer_cards=many", "transfer_by_showing_trump=on"]
)
def test_what_concerns_transfers_may_be_set_while_there_are_none(option: str) -> None:
    """Covers rule 13.1."""
    assert Rules().with_options([option]).clashes() == ()
    assert PRESETS["punktedurak"].with_options(["transfer=off"]).clashes() == ()


def test_a_new_deal_may_ask_for_more_than_a_hand_has() -> None:
    assert PRESETS["wikipedia-de"].with_options(["hand_size=4"]).clashes() == ()


def test_a_table_has_as_many_seats_as_its_teams() -> None:
    assert (Rules(teams="2x2").most_seats, Rules(teams="2x3").most_seats) == (4, 6)
    assert Rules(max_players=5).most_seats == 5


def test_a_table_has_as_many_seats_as_the_cards_go_round() -> None:
    """Covers rule 13.2."""
    assert Rules(deck=24).most_seats == 4
    assert Rules(max_players=16).most_seats == 6
    assert Rules(deck=24, hand_size=12).most_seats == 2


def test_a_table_has_at_least_as_many_seats_as_its_deck_needs() -> None:
    rules = PRESETS["durnius"].with_options(["deck=by_players"])
    assert rules.clashes() == ()
    assert (rules.fewest_seats, rules.most_seats) == (4, 6)
    assert rules.clashes(3)[0] == Clash(("min_players",), ClashReason.TOO_FEW_PLAYERS, (("least", 4),))


def test_rules_that_nobody_can_play_have_the_seats_they_name() -> None:
    rules = Rules(hand_size=50)
    assert (rules.fewest_seats, rules.most_seats) == (2, 6)


@pytest.mark.parametrize("number", ["1000000", "999999999"])
def test_a_huge_number_of_players_is_refused_at_once(number: str) -> None:
    rules = Rules().with_options([f"min_players={number}", f"max_players={number}"])
    assert ClashReason.NUMBER_TOO_LARGE in {clash.reason for clash in rules.clashes()}


def test_clashing_rules_are_not_dealt() -> None:
    with pytest.raises(InvalidRulesError, match=r"TOO_MANY_PLAYERS .*most 6"):
        State.deal(Rules(), 7, Rules().cards(7))


def test_a_wrong_deck_is_not_dealt() -> None:
    with pytest.raises(ValueError, match="deck"):
        State.deal(Rules(), 2, Rules().cards(2)[1:])
