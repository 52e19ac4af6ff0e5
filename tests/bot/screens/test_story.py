"""Every event of a game is told in a sentence, or known to be seen without one."""

import inspect

import pytest

from bot.locale import Translator
from bot.screens.story import tell
from engine import (
    Attacked,
    BeatenOff,
    BoutOpened,
    Card,
    Declined,
    Defended,
    Drew,
    Event,
    Exchanged,
    GameOver,
    Kept,
    LaidAway,
    Outcome,
    Redealt,
    Resigned,
    TakeDeclared,
    TakenUp,
    Transferred,
    TrumpShown,
    WentOut,
)
from engine.rules import events

SIX, NINE = Card.parse("6H"), Card.parse("9H")

TOLD: list[tuple[Event, str]] = [
    (BeatenOff(0, 4), "Anna beat everything off (4 cards)."),
    (TakenUp(0, (SIX, NINE)), "Anna takes 6♥ 9♥."),
    (Drew(1, 2, None), "Boris draws 2."),
    (WentOut(1, 1), "✅ Boris is out of cards!"),
    (TrumpShown(0, SIX, 1), "Anna shows 6♥."),
    (LaidAway(0, (SIX,)), "Anna lays 6♥ away."),
    (Exchanged(0, SIX, NINE), "Anna swaps 6♥ for 9♥."),
    (Redealt(1), "New deal, as Boris asked."),
    (Resigned(0), "Anna resigns."),
]

SEEN_ON_THE_TABLE: list[Event] = [
    BoutOpened(0, 1),
    Attacked(0, (SIX,)),
    Defended(1, SIX, NINE),
    Transferred(1, (SIX,), 0),
    TakeDeclared(1),
    Declined(0),
    Drew(1, 0, None),
    GameOver(Outcome(0, (0,), False, (1, 0), (0, 0))),
]

SECRET: list[Event] = [Kept(0)]
"""Who keeps their cards might tell that they could have asked for others."""


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_an_event_is_told_in_a_sentence(event: Event, sentence: str) -> None:
    spans = tell(event, ("Anna", "Boris"), Translator("en"))
    assert "".join(span.text for span in spans).replace("\N{VARIATION SELECTOR-15}", "") == sentence


@pytest.mark.parametrize("event", [*SEEN_ON_THE_TABLE, *SECRET])
def test_what_is_seen_or_secret_is_not_told(event: Event) -> None:
    assert tell(event, ("Anna", "Boris"), Translator("en")) == ()


def test_no_event_was_forgotten_here() -> None:
    kinds = {kind for kind in vars(events).values() if inspect.isclass(kind) and issubclass(kind, Event)}
    samples = [*(event for event, _ in TOLD), *SEEN_ON_THE_TABLE, *SECRET]
    assert {type(event) for event in samples} == kinds - {Event}
