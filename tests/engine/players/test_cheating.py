"""House players where cheating is on: they notice what everybody could, and an expert cheats once."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from engine import (
    PRESETS,
    Accuse,
    AccusedWrongly,
    Caught,
    Defend,
    Done,
    Event,
    GameOver,
    Move,
    Opening,
    Rules,
    State,
    Take,
    is_honest,
    seen_by,
    sly_move,
)
from engine.players.cheating import NOTICED

SLY = Rules(cheating=True)
Played = tuple[State, tuple[Event, ...]]

SEEDS = [str(number) for number in range(400)]


def played(state: State, *moves: str) -> Played:
    """Plays moves such as `0 A 6S`; returns the position and all events."""
    events: tuple[Event, ...] = ()
    for each in moves:
        seat, _, move = each.partition(" ")
        state, happened = state.apply(int(seat), Move.parse(move))
        events += happened

    return state, events


def table(rules: Rules, *hands: str) -> State:
    return State.setup(rules, hands=hands, talon="", trump="H", attacker=0)


def sly(game: Played, seat: int, choice: Move, strength: str, seed: str) -> Move:
    state, events = game
    return sly_move(
        state.view_for(seat),
        state.legal_moves(seat),
        choice,
        seen_by(events, seat),
        strength=strength,
        seed=seed,
    )


WRONG = {
    "a beat": (table(SLY, "KS 8D", "7S 9D TD", "AD"), ("0 A KS", "1 D KS 7S"), 2, "7S"),
    "a throw-in": (table(SLY, "6S 8D", "7S 9D TD", "AD"), ("0 A 6S", "1 D 6S 7S", "0 A 8D"), 1, "8D"),
    "a transfer": (
        table(replace(SLY, transfer=True), "6S 8D", "7S 9D TD", "6C 9S", "JD QD KD"),
        ("0 A 6S", "1 X 9D"), 2, "9D",
    ),
}  # fmt: skip


@pytest.mark.parametrize("strength", NOTICED)
@pytest.mark.parametrize("wrong", WRONG)
def test_each_strength_notices_its_share_of_wrong_cards(wrong: str, strength: str) -> None:
    start, moves, seat, card = WRONG[wrong]
    state, events = played(start, *moves)
    choice = state.fair_moves(seat)[-1]
    chosen = [sly((state, events), seat, choice, strength, seed) for seed in SEEDS]
    noticed = [move for move in chosen if isinstance(move, Accuse)]
    assert {str(move.card) for move in noticed} == {card}
    assert abs(len(noticed) / len(SEEDS) - NOTICED[strength]) < 0.08


def test_a_second_look_finds_no_more() -> None:
    start, moves, seat, _ = WRONG["a beat"]
    state, events = played(start, *moves)
    looks = {sly((state, events), seat, Done(), "regular", "5eed") for _ in range(10)}
    assert len(looks) == 1


def test_an_expert_that_would_have_to_take_may_beat_with_the_least_conspicuous_card() -> None:
    state, events = played(table(SLY, "KS 8D", "7S 9D QS", "AD"), "0 A KS")
    chosen = {sly((state, events), 1, Take(), "expert", seed) for seed in SEEDS}
    assert chosen == {Take(), Move.parse("D KS 7S")}


@pytest.mark.parametrize("strength", ["beginner", "regular"])
def test_below_expert_nobody_cheats(strength: str) -> None:
    state, events = played(table(SLY, "KS 8D", "7S 9D QS", "AD"), "0 A KS")
    assert {sly((state, events), 1, Take(), strength, seed) for seed in SEEDS} == {Take()}


def test_an_expert_takes_by_choice_honestly() -> None:
    state, events = played(table(SLY, "KS 8D", "7S AS QS", "AD"), "0 A KS")
    assert {sly((state, events), 1, Take(), "expert", seed) for seed in SEEDS} == {Take()}


def moments(opening: Opening) -> Iterator[tuple[State, int, Move, tuple[Event, ...]]]:
    """Plays a game of an expert and beginners, who choose by chance among their moves by the rules."""
    state = opening.deal()
    chance = Random(opening.seed)
    events: tuple[Event, ...] = ()
    while state.outcome() is None:
        seat = chance.choice(sorted(state.awaited))
        choice = chance.choice(state.fair_moves(seat))
        strength = "beginner" if seat else "expert"
        move = sly((state, events), seat, choice, strength, opening.seed)
        after, happened = state.apply(seat, move)
        events += happened
        yield state, seat, move, happened
        state = after


@pytest.mark.parametrize("preset", ["podkidnoy-36", "perevodnoy", "durnius-travel"])
def test_in_whole_games_an_expert_cheats_once_at_most_and_nobody_sees_ghosts(preset: str) -> None:
    caught = 0
    unseen = 0
    for seed in range(40):
        cheaters = list[int]()
        opening = Opening(replace(PRESETS[preset], cheating=True), 4, str(seed))
        for state, seat, move, events in moments(opening):
            if not is_honest(state, move):
                assert isinstance(move, Defend)
                cheaters.append(seat)

            assert not any(isinstance(event, AccusedWrongly) for event in events)
            caught += sum(isinstance(event, Caught) for event in events)
            unseen += sum(len(event.outcome.unseen) for event in events if isinstance(event, GameOver))

        assert cheaters in ([], [0])

    assert caught
    assert unseen
