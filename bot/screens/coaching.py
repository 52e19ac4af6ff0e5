"""A line under the hands of a person's first game that explains one of the possible moves."""

from dataclasses import replace

import engine
from adapters.port import Mark, Screen, Span
from bot.locale import gettext_noop
from bot.screens.hand import Hand
from bot.screens.text import SIGNS, Line, as_paragraphs

COACHED_ROUNDS = 3

_LEAD = gettext_noop("🎓 Any card will do. A low one costs least: keep your trumps.")
_BEAT = gettext_noop("🎓 A higher card of the same suit beats it, or any trump.")
_PASS_ON = gettext_noop("🎓 Beat it: same suit and higher, or a trump. Or pass it on with the same rank.")
_ABOUT_TRUMPS = frozenset({_LEAD, _BEAT, _PASS_ON})
_TAKE = gettext_noop("🎓 What you take is yours to play. It isn't lost yet: you only miss an attack.")
_THROW_IN = gettext_noop("🎓 You may add cards of the ranks that are on the table.")


def coached(screen: Screen, lesson: Line) -> Screen:
    """Puts a line of coaching below a hand."""
    return replace(screen, body=as_paragraphs(screen.body, lesson))


def coaching_line(hand: Hand) -> Line:
    """Explains one of the hand's moves; empty after the first rounds of the game, or without moves."""
    rounds = [event for event in hand.scene.events if isinstance(event, engine.BeatenOff | engine.TakenUp)]
    sentence = _sentence(hand)
    if sentence is None or len(rounds) >= COACHED_ROUNDS:
        return ()

    translator = hand.scene.translator
    lesson = translator.spans(sentence, mark=Mark.ITALIC)
    if sentence not in _ABOUT_TRUMPS:
        return lesson

    suit = SIGNS[hand.view.public.trump]
    return (*lesson, Span(" "), *translator.spans("Trump: {suit}.", suit=suit))


def _sentence(hand: Hand) -> str | None:
    kinds = set(map(type, hand.moves))
    if kinds & {engine.Transfer, engine.ShowTrump}:
        return _PASS_ON
    if engine.Defend in kinds:
        return _BEAT
    if engine.Take in kinds:
        return _TAKE
    if engine.Attack in kinds:
        return _THROW_IN if hand.view.public.bout else _LEAD

    return None
