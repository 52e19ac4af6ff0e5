"""Sentences about cheating: who was caught, who saw ghosts, and what nobody saw."""

from collections.abc import Iterator, Mapping, Sequence

import engine
from adapters.port import Mark
from bot.locale import Translator, gettext_noop
from bot.screens.text import Line, card_text, cards_text

MAX_UNSEEN = 5  # cheats that a result lists; it only counts the rest


def caught_line(event: engine.Caught, names: Sequence[str], translator: Translator) -> Line:
    """Names the cheater, the player who caught them, and what was wrong with the card."""
    name = names[event.seat]
    cheater = names[event.by]
    match event.move:
        case engine.Defend(card, attack):
            return translator.spans(
                "👀 {name} caught {cheater}: {card} does not beat {attack}.",
                name=name,
                cheater=cheater,
                card=card_text(card, translator),
                attack=card_text(attack, translator),
            )
        case engine.Transfer(cards):
            return translator.spans(
                "👀 {name} caught {cheater}: {card} can't transfer {attack}.",
                name=name,
                cheater=cheater,
                card=cards_text(cards, translator),
                attack=card_text(event.bout[0].attack, translator),
            )
        case engine.Attack(cards):
            return translator.spans(
                "👀 {name} caught {cheater}: {card} fits nothing on the table.",
                name=name,
                cheater=cheater,
                card=cards_text(cards, translator),
            )

    return ()


def ghosts_line(event: engine.SawGhosts, names: Sequence[str], translator: Translator) -> Line:
    """Names the player who pointed at a card that was right."""
    name = names[event.seat]
    match event.move:
        case engine.Defend(card, attack):
            return translator.spans(
                "👻 {name} sees ghosts: {card} beats {attack}.",
                name=name,
                card=card_text(card, translator),
                attack=card_text(attack, translator),
            )
        case engine.Attack(cards) | engine.Transfer(cards):
            return translator.spans(
                "👻 {name} sees ghosts: {card} is fine there.",
                name=name,
                card=cards_text(cards, translator),
            )

    return ()


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
