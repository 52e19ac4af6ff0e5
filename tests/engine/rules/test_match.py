"""From game to game (chapter 11): dealer, first attacker, points, the ladder of epaulettes."""

from dataclasses import replace

import pytest

from engine import PRESETS, Match, Opening, Outcome, Rules, State


def lost_by(fool: int, players: int, *, order: tuple[int, ...] = (), epaulettes: int = 0) -> Outcome:
    return Outcome(
        fool=fool, losers=(fool,), is_draw=False, order=order, points=(0,) * players, epaulettes=epaulettes
    )


DRAW = Outcome(fool=None, losers=(), is_draw=True, order=(1, 0, 2), points=(0, 0, 0))


@pytest.mark.parametrize(
    ("setting", "starters"),
    [
        ("attack_fool", (0,)),
        ("spare_fool", (2,)),
        ("left_of_dealer", (2,)),
        ("winner", (2,)),
        ("lowest_trump", (0, 1, 2)),
    ],
)
def test_who_attacks_first_in_the_next_game(setting: str, starters: tuple[int, ...]) -> None:
    """Covers rule 11.2."""
    rules = Rules().with_options([f"first_attacker_next_game={setting}"])
    match = Match.begin(rules, 3).after(lost_by(1, 3, order=(2, 0)))
    assert match.starters == starters
    state = match.opening("seed").deal()
    assert state.attacker in starters
    assert state.dealer == 1


@pytest.mark.parametrize("setting", ["attack_fool", "spare_fool", "winner", "lowest_trump"])
def test_after_a_draw_the_lowest_trump_decides(setting: str) -> None:
    """Covers rule 11.3."""
    rules = Rules().with_options([f"first_attacker_next_game={setting}"])
    assert Match.begin(rules, 3).after(DRAW).starters == (0, 1, 2)


def test_the_dealer_rotates_or_is_the_fool() -> None:
    """Covers rule 11.1."""
    assert Match.begin(Rules(), 3).after(lost_by(1, 3)).dealer == 1
    assert Match.begin(Rules(dealer_next="rotate"), 3, dealer=0).after(lost_by(0, 3)).dealer == 1
    assert Match.begin(Rules(), 3, dealer=1).after(DRAW).dealer == 2


def test_a_changed_table_begins_anew() -> None:
    """Covers rule 11.4."""
    match = Match.begin(Rules(), 4).after(lost_by(3, 4)).with_rules(Rules(), 3)
    assert (match.starters, match.dealer, match.points) == ((), 0, (0, 0, 0))


def test_the_winning_team_begins_with_the_holder_of_its_lowest_trump() -> None:
    """Covers rule 11.2."""
    rules = Rules(teams="2x2", first_attacker_next_game="winner")
    outcome = Outcome(fool=None, losers=(0, 2), is_draw=False, order=(1, 0, 3), points=(0,) * 4)
    match = Match.begin(rules, 4).after(outcome)
    assert match.starters == (1, 3)
    assert match.opening("seed").deal().attacker in (1, 3)


def test_after_an_early_resignation_those_begin_who_have_not_lost() -> None:
    """Covers rule 11.2."""
    rules = Rules(teams="2x2", first_attacker_next_game="winner")
    dealt = rules.cards(4)
    outcome = State.deal(rules, 4, dealt).resign(2).state.outcome()
    assert outcome is not None
    assert Match.begin(rules, 4).after(outcome).starters == (1, 3)

    partner_out = replace(outcome, order=(0,))
    assert Match.begin(rules, 4).after(partner_out).starters == (1, 3)

    alone = Rules(first_attacker_next_game="winner")
    assert Match.begin(alone, 3).after(lost_by(0, 3)).starters == (1, 2)


def test_where_several_got_no_place_nobody_is_the_fool() -> None:
    """Covers rules 9.3 and 11.1."""
    rules = replace(PRESETS["punktedurak"], dealer_next="fool", first_attacker_next_game="attack_fool")
    outcome = Outcome(fool=None, losers=(1, 2), is_draw=False, order=(4, 0, 3), points=(0,) * 5)
    match = Match.begin(rules, 5, dealer=2).after(outcome)
    assert (match.dealer, match.starters) == (3, (0, 1, 2, 3, 4))


def test_points_add_up() -> None:
    won = Outcome(fool=2, losers=(2,), is_draw=False, order=(0, 1), points=(26, 12, 0))
    assert Match.begin(PRESETS["punktedurak"], 3).after(won).after(won).points == (52, 24, 0)


def test_the_epaulette_ladder_climbs_to_the_ace_and_ends_the_match() -> None:
    """Covers rule 9.7."""
    match = Match.begin(Rules(epaulettes="score"), 2)
    for step in range(9):
        assert not match.is_over, step
        assert match.opening("seed").deal().levels == (6, 6 + step)
        match = match.after(lost_by(1, 2, epaulettes=1))

    assert match.is_over


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_match_is_known_again_from_the_opening_of_its_newest_game(preset: str) -> None:
    match = Match.begin(PRESETS[preset], 4)
    outcome = Outcome(fool=2, losers=(2,), is_draw=False, order=(0, 1, 3), points=(4, 2, 0, 1), epaulettes=1)
    later = match.after(outcome)
    written = later.opening("seed").to_text()
    assert Match.of(Opening.from_text(written)) == later
