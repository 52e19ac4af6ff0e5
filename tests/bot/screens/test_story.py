"""Every event of a game has a sentence, or is known to be visible without one."""

import inspect
from dataclasses import replace

import pytest

from bot.screens.story import drawn_by, drawn_line, event_line, latest_line, latest_line_for, your_line
from bot.screens.text import Line
from engine import (
    PRESETS,
    AccusedWrongly,
    Attacked,
    BeatenOff,
    BoutOpened,
    Card,
    Caught,
    Declined,
    Defended,
    Drew,
    Event,
    Exchanged,
    GameOver,
    Kept,
    LaidAway,
    Move,
    Outcome,
    Pair,
    Redealt,
    Resigned,
    State,
    TakeDeclared,
    TakenUp,
    Transferred,
    TrumpShown,
    WentOut,
)
from engine.rules import events
from tests.bot.screens.scenes import scene_of

SIX = Card.parse("6H")
NINE = Card.parse("9H")


def _caught(move: str) -> Caught:
    return Caught(2, 1, Move.parse(move), (), (Pair(SIX, None, 0),), 0, 1)


TOLD: list[tuple[Event, str]] = [
    (Attacked(0, (SIX,)), "Anna attacks with 6♥."),
    (Defended(1, SIX, NINE), "Boris beats 6♥ with 9♥."),
    (Transferred(1, (SIX,), 0), "Boris transfers to Anna: 6♥."),
    (TrumpShown(0, SIX, 1), "Anna shows 6♥ and transfers to Boris."),
    (TakeDeclared(1), "Boris takes."),
    (BeatenOff(0, 4), "Anna beats it all (4 cards)."),
    (TakenUp(0, (SIX, NINE)), "Anna takes 6♥ 9♥."),
    (WentOut(1, 1), "✅ Boris is out of cards!"),
    (LaidAway(0, (SIX,)), "Anna discards 6♥."),
    (Exchanged(0, SIX, NINE), "Anna swaps 6♥ for 9♥."),
    (Redealt(1), "New deal, as Boris asked."),
    (Resigned(0), "Anna resigns."),
    (_caught("D 9H 6H"), "👀 Vera caught Boris: 6♥ doesn’t beat 9♥."),
    (_caught("A 9H"), "👀 Vera caught Boris: 9♥ fits nothing on the table."),
    (_caught("X 9H"), "👀 Vera caught Boris: 9♥ can’t transfer 6♥."),
    (AccusedWrongly(2, 1, Move.parse("D 6H 9H")), "👻 Vera is seeing things: 9♥ beats 6♥."),
    (AccusedWrongly(2, 1, Move.parse("A 9H")), "👻 Vera is seeing things: 9♥ is fine there."),
]

SEEN_ON_THE_TABLE: list[Event] = [
    BoutOpened(0, 1),
    Declined(0),
    Drew(1, 2, None),
    GameOver(Outcome(0, (0,), False, (1, 0), (0, 0))),
]

SECRET: list[Event] = [Kept(0)]  # keeping one's cards might tell that others could have been asked for
NAMES = ("Anna", "Boris", "Vera")
STATE = State.setup(
    PRESETS["perevodnoy"], hands=["6S 7H 8D", "9S 6H 7D", "TD"], talon="JC QH", trump="H", attacker=0
)


def plain(line: Line) -> str:
    return "".join(span.text for span in line).replace("\N{VARIATION SELECTOR-15}", "")


def latest(*events: Event) -> str:
    return plain(latest_line(scene_of(STATE, events, NAMES)))


def drawn(*events: Event) -> str:
    return plain(drawn_line(scene_of(STATE, events, NAMES)))


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_an_event_is_told_in_a_sentence(event: Event, sentence: str) -> None:
    assert plain(event_line(event, scene_of(STATE, (event,), NAMES))) == sentence


@pytest.mark.parametrize(
    ("event", "to", "sentence"),
    [
        (_caught("D 9H 6H"), 0, "👀 Vera caught Boris: 6♥ doesn’t beat 9♥."),
        (_caught("D 9H 6H"), 1, "👀 Vera caught you: 6♥ doesn’t beat 9♥."),
        (_caught("D 9H 6H"), 2, "👀 You caught Boris: 6♥ doesn’t beat 9♥."),
        (AccusedWrongly(2, 1, Move.parse("A 9H")), 1, "👻 Vera is seeing things: 9♥ is fine there."),
        (AccusedWrongly(2, 1, Move.parse("A 9H")), 2, "👻 You’re seeing things: 9♥ is fine there."),
    ],
)
def test_whoever_points_at_a_card_and_whose_card_it_is_read_how_it_went(
    event: Event, to: int, sentence: str
) -> None:
    scene = scene_of(STATE, (event,), NAMES)
    assert plain(your_line(scene, to, ())) == sentence
    assert plain(latest_line_for(scene, to)) == sentence


def test_an_accusation_that_ends_the_round_is_read_with_that_end() -> None:
    events = (
        Attacked(0, (SIX,)),
        AccusedWrongly(2, 1, Move.parse("A 9H")),
        TakenUp(1, (SIX,)),
        BoutOpened(2, 0),
    )
    assert latest(*events) == "👻 Vera is seeing things: 9♥ is fine there. Boris takes 6♥."

    scene = scene_of(STATE, events, NAMES)
    assert plain(your_line(scene, 2, ())) == "👻 You’re seeing things: 9♥ is fine there. Boris takes 6♥."
    assert plain(latest_line_for(scene, 1)) == "👻 Vera is seeing things: 9♥ is fine there. You take 6♥."


@pytest.mark.parametrize("event", [*SEEN_ON_THE_TABLE, *SECRET])
def test_what_is_seen_or_secret_is_not_told(event: Event) -> None:
    assert event_line(event, scene_of(STATE, (event,), NAMES)) == ()


def test_no_event_was_forgotten_here() -> None:
    kinds = {kind for kind in vars(events).values() if inspect.isclass(kind) and issubclass(kind, Event)}
    samples = [*(event for event, _ in TOLD), *SEEN_ON_THE_TABLE, *SECRET]
    assert {type(event) for event in samples} == kinds - {Event}


def test_before_the_first_move_there_is_nothing_to_tell() -> None:
    assert latest() == drawn() == ""


def test_the_latest_line_goes_by_the_newest_move_and_not_by_who_is_done() -> None:
    assert latest(Attacked(0, (SIX,)), Defended(1, SIX, NINE), Declined(0)) == "Boris beats 6♥ with 9♥."


def test_a_card_is_thrown_in_only_to_a_bout_that_runs() -> None:
    assert latest(Attacked(0, (SIX,)), Attacked(2, (NINE,))) == "Vera throws in 9♥."
    over = (Attacked(0, (SIX,)), TakenUp(1, (SIX,)), BoutOpened(2, 0))
    assert latest(*over, Attacked(2, (NINE,))) == "Vera attacks with 9♥."


def test_a_transfer_names_all_that_has_to_be_beaten() -> None:
    assert latest(Attacked(0, (SIX,)), Transferred(1, (NINE,), 2)) == "Boris transfers to Vera: 6♥ 9♥."


@pytest.mark.parametrize(
    ("events", "to_anna", "to_boris"),
    [
        ([Attacked(2, (SIX,))], "Vera attacks with 6♥.", ""),
        ([Attacked(0, (SIX,)), Attacked(2, (NINE,))], "Vera throws in 9♥.", ""),
        ([Attacked(2, (SIX,)), Transferred(0, (NINE,), 1)], "", "Anna transfers to you."),
        (
            [Attacked(2, (NINE,)), TrumpShown(0, SIX, 1)],
            "",
            "Anna shows 6♥ and transfers to you.",
        ),
        ([Attacked(0, (SIX,)), Defended(1, SIX, NINE)], "Boris beats 6♥ with 9♥.", ""),
        ([TakenUp(1, (SIX,)), Drew(0, 1, None)], "Boris takes 6♥.", "You take 6♥."),
        ([BeatenOff(1, 2)], "Boris beats it all (2 cards).", "You beat it all."),
        ([TakeDeclared(1)], "", ""),
    ],
)
def test_what_was_done_to_somebody_is_told_to_them_as_you(
    events: list[Event], to_anna: str, to_boris: str
) -> None:
    scene = scene_of(STATE, tuple(events), NAMES)  # Anna is awaited: Boris defends
    assert [plain(your_line(scene, seat, ())) for seat in (0, 1)] == [to_anna, to_boris]


@pytest.mark.parametrize(
    ("events", "to_anna"),
    [
        ([Attacked(0, (SIX,))], "You attack with 6♥."),
        ([Attacked(2, (SIX,)), Attacked(0, (NINE,))], "You throw in 9♥."),
        ([Attacked(2, (SIX,)), Defended(0, SIX, NINE)], "You beat 6♥ with 9♥."),
        ([Attacked(2, (SIX,)), Transferred(0, (NINE,), 1)], "You transfer to Boris: 6♥ 9♥."),
        ([Attacked(2, (NINE,)), TrumpShown(0, SIX, 1)], "You show 6♥ and transfer to Boris."),
        ([Attacked(2, (SIX,)), TakeDeclared(0)], ""),
        ([Attacked(2, (SIX,)), Transferred(1, (NINE,), 0)], "Boris transfers to you."),
        ([Attacked(2, (SIX,))], "Vera attacks with 6♥."),
        ([TakenUp(0, (SIX,)), WentOut(0, 1)], "You take 6♥."),
        ([BeatenOff(1, 2), WentOut(2, 1)], "Boris beats it all (2 cards). ✅ Vera is out of cards!"),
    ],
)
def test_who_plays_is_told_every_move_as_theirs_or_as_done_to_them(events: list[Event], to_anna: str) -> None:
    assert plain(latest_line_for(scene_of(STATE, tuple(events), NAMES), 0)) == to_anna


@pytest.mark.parametrize(
    ("event", "to_anna", "to_all"),
    [
        (Attacked(0, (SIX,)), "⏰ The bot played 6♥ for you.", "⏰ The bot played 6♥ for Anna."),
        (Defended(0, SIX, NINE), "⏰ The bot played 9♥ for you.", "⏰ The bot played 9♥ for Anna."),
        (Transferred(0, (NINE,), 2), "⏰ The bot played 9♥ for you.", "⏰ The bot played 9♥ for Anna."),
        (TrumpShown(0, SIX, 2), "⏰ The bot played 6♥ for you.", "⏰ The bot played 6♥ for Anna."),
        (TakeDeclared(0), "⏰ The bot took for you.", "⏰ The bot took for Anna."),
        (TakenUp(0, (SIX,)), "⏰ The bot took for you.", "⏰ The bot took for Anna."),
    ],
)
def test_what_the_bot_plays_for_a_person_is_told_as_its_doing(
    event: Event, to_anna: str, to_all: str
) -> None:
    scene = replace(scene_of(STATE, (event,), NAMES), stood_in_for=0)
    assert plain(your_line(scene, 0, ())) == plain(latest_line_for(scene, 0)) == to_anna
    assert plain(your_line(scene, 2, ())) == to_all
    assert plain(latest_line(scene)) == to_all
    by_themselves = replace(scene, stood_in_for=1)
    assert "⏰" not in plain(latest_line(by_themselves))


def test_somebody_is_told_which_cards_they_draw_and_how_many_others_do() -> None:
    over = (BeatenOff(1, 2), Drew(0, 2, (SIX, NINE)), Drew(1, 1, (NINE,)), BoutOpened(1, 2))
    scene = scene_of(STATE, over, NAMES)
    assert drawn_by(over, 0) == (SIX, NINE)
    told = your_line(scene, 0, drawn_by(over, 0))
    assert plain(told) == "Boris beats it all (2 cards). You draw 6♥ 9♥."
    assert plain(drawn_line(scene, to=0)) == "Drawn: Boris +1"
    assert drawn_by((*over, Attacked(1, (NINE,))), 0) == ()


def test_the_end_of_a_bout_is_told_until_the_next_card() -> None:
    over = (
        *(Attacked(0, (SIX,)), TakeDeclared(1), TakenUp(1, (SIX,))),
        *(Drew(0, 2, None), Drew(2, 1, None), WentOut(0, 1), BoutOpened(2, 1)),
    )
    assert latest(*over) == "Boris takes 6♥. ✅ Anna is out of cards!"
    assert drawn(*over) == "Drawn: Anna +2, Vera +1"
    assert latest(*over, Attacked(2, (NINE,))) == "Vera attacks with 9♥."
    assert drawn(*over, Attacked(2, (NINE,))) == ""
