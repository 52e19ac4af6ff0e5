"""Sentences about cheating: catches, wrong accusations, and cheats that nobody noticed."""

from collections.abc import Iterator, Mapping, Sequence

import engine
from adapters.port import Mark
from bot.locale import Translator, gettext_noop
from bot.screens.text import Line, card_text, cards_text

MAX_UNSEEN = 5  # cheats that a result lists; it only counts the rest


def caught_line(
    event: engine.Caught, names: Sequence[str], translator: Translator, *, to: engine.Seat | None = None
) -> Line:
    """Names the cheater, the player who caught them, and what was wrong with the card.

    The sentence calls the seat `to` “you”.
    """
    sentence = gettext_noop("👀 {name} caught {cheater}: {reason}.")
    if to == event.by:
        sentence = gettext_noop("👀 {name} caught you: {reason}.")
    elif to == event.seat:
        sentence = gettext_noop("👀 You caught {cheater}: {reason}.")

    return translator.spans(
        sentence,
        name=names[event.seat],
        cheater=names[event.by],
        reason=_what_is_wrong(event, translator),
    )


def _what_is_wrong(event: engine.Caught, translator: Translator) -> str:
    card = cards_text(engine.cards_needed_for(event.move), translator)
    match event.move:
        case engine.Defend():
            attack = card_text(event.move.attack, translator)
            return translator.text("{card} doesn't beat {attack}", card=card, attack=attack)
        case engine.Transfer():
            attack = card_text(event.bout[0].attack, translator)
            return translator.text("{card} can't transfer {attack}", card=card, attack=attack)

    return translator.text("{card} fits nothing on the table", card=card)


def wrong_accusation_line(
    event: engine.AccusedWrongly,
    names: Sequence[str],
    translator: Translator,
    *,
    to: engine.Seat | None = None,
) -> Line:
    """Names the player who pointed at a card that was right; calls the seat `to` “you”."""
    is_own = to == event.seat
    sentence = (
        gettext_noop("👻 You're seeing things: {reason}.")
        if is_own
        else gettext_noop("👻 {name} is seeing things: {reason}.")
    )
    return translator.spans(sentence, name=names[event.seat], reason=_why_it_is_right(event, translator))


def _why_it_is_right(event: engine.AccusedWrongly, translator: Translator) -> str:
    card = cards_text(engine.cards_needed_for(event.move), translator)
    if isinstance(event.move, engine.Defend):
        attack = card_text(event.move.attack, translator)
        return translator.text("{card} beats {attack}", card=card, attack=attack)

    return translator.text("{card} is fine there", card=card)


def unseen_lines(outcome: engine.Outcome, names: Sequence[str], translator: Translator) -> Iterator[Line]:
    """Yields the first cheats of a game that nobody caught, and the number of the others."""
    for cheat in outcome.unseen[:MAX_UNSEEN]:
        yield _unseen_line(cheat, names[cheat.seat], translator)

    more = len(outcome.unseen) - MAX_UNSEEN
    if more > 0:
        yield translator.count_spans(
            "🤫 And {n} more card that nobody saw.",
            "🤫 And {n} more cards that nobody saw.",
            more,
            n=str(more),
        )


def _unseen_line(cheat: engine.Cheat, name: str, translator: Translator) -> Line:
    number = str(cheat.bout)
    if isinstance(cheat.move, engine.Defend):
        return translator.spans(
            "🤫 Nobody saw: {name} beat {attack} with {card} in round {n}.",
            mark=Mark.ITALIC,
            name=name,
            attack=card_text(cheat.move.attack, translator),
            card=card_text(cheat.move.card, translator),
            n=number,
        )

    sentence = _UNSEEN.get(type(cheat.move))
    if sentence is None:
        return ()
    cards = cards_text(engine.cards_needed_for(cheat.move), translator)
    return translator.spans(sentence, mark=Mark.ITALIC, name=name, card=cards, n=number)


_UNSEEN: Mapping[type[engine.Move], str] = {
    engine.Transfer: gettext_noop("🤫 Nobody saw: {name} transferred with {card} in round {n}."),
    engine.Attack: gettext_noop("🤫 Nobody saw: {name} threw in {card} in round {n}."),
}
