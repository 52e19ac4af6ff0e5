"""What happened at the table, in sentences: for everybody, or for one seat, which is then called “you”."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import engine
from adapters.port import Mark, Span
from bot.locale import Translator
from bot.model.table import Table, Waiting
from bot.screens.words import Line, card_text, cards_text


@dataclass(frozen=True, slots=True)
class Scene:
    """A table at one version."""

    table: Table  # who sits where
    names: tuple[str, ...]  # what each seat is called, by seat
    view: engine.PublicView  # the position as a spectator sees it
    events: tuple[engine.Event, ...] = ()  # everything that happened in this game, as a spectator saw it
    away: frozenset[int] = frozenset()  # seats of people whom a house player stands in for
    # Whether the table rests until a player presses, as house players hold all those seats.
    is_asleep: bool = False
    unreachable: frozenset[int] = frozenset()  # seats of people the bot cannot write to
    waiting: Waiting | None = None  # how long the table has been waiting, if it waits for people
    seconds: float = 0.0  # the time from the deal to the newest move
    # What is written of it, by language: most of its messages say the same.
    facts: dict[str, "Facts"] = field(default_factory=dict, init=False, repr=False, compare=False)


class Facts(NamedTuple):
    """Lines shared by all messages of a game: title, stock, and the cards on the table."""

    title: Span
    stock: Line
    bout: Line


_AFTERMATH = (engine.BoutOpened, engine.Declined, engine.Drew, engine.GameOver, engine.Kept, engine.WentOut)
"""Events that are not news: they follow from a move, or are private."""


def latest_line(scene: Scene, translator: Translator) -> Line:
    """Tell everybody in one line what happened last, and who went out by it."""
    before, news = _parted(scene.events)
    lines = [
        tell(event, before, scene.names, translator) for event in news if isinstance(event, engine.WentOut)
    ]
    return _joined([tell(news[0], before, scene.names, translator), *lines]) if news else ()


def newest(events: Sequence[engine.Event]) -> engine.Event | None:
    """Return the newest event that is news of its own."""
    return next(iter(latest_news(events)), None)


def drawn_line(scene: Scene, translator: Translator, *, to: engine.Seat | None = None) -> Line:
    """Tell how many cards the others have drawn since the newest bout ended; nothing once a card is laid.

    Without `to`, who is told, everybody counts.
    """
    draws = [each for each in latest_news(scene.events) if isinstance(each, engine.Drew) and each.seat != to]
    drawn = [f"{scene.names[event.seat]} +{event.count}" for event in draws]
    return translator.spans("Drawn: {drawn}", drawn=", ".join(drawn)) if drawn else ()


def drawn_by(events: Sequence[engine.Event], seat: engine.Seat) -> tuple[engine.Card, ...]:
    """Return the cards that a seat has drawn since the newest bout ended; none once a card is laid."""
    drawn: list[engine.Card] = []
    for event in latest_news(events):
        if isinstance(event, engine.Drew) and event.seat == seat:
            drawn += event.cards or ()
    return tuple(drawn)


def who_got_cards(events: Sequence[engine.Event]) -> set[engine.Seat]:
    """Name the seats that have drawn or taken cards since the newest bout ended; none once a card is laid."""
    got = set[engine.Seat]()
    for event in latest_news(events):
        if isinstance(event, engine.Drew):
            got.add(event.seat)
        elif isinstance(event, engine.TakenUp):
            got.add(event.defender)
    return got


def your_line(scene: Scene, seat: engine.Seat, drawn: Sequence[engine.Card], translator: Translator) -> Line:
    """Tell a seat in one line what others did last, as done to “you” where it was, and what it drew."""
    before, news = _parted(scene.events)
    lines = [_told_you(news[0], before, scene, seat, translator)] if news else []
    if drawn:
        lines.append(translator.spans("You draw {cards}.", cards=cards_text(drawn, translator)))
    return _joined([line for line in lines if line])


def _told_you(
    event: engine.Event,
    before: Sequence[engine.Event],
    scene: Scene,
    seat: engine.Seat,
    translator: Translator,
) -> Line:
    """Tell one seat the newest event; nothing about its own moves, which it sees anyway."""
    match event:
        case engine.Transferred(by, cards, defender) if defender == seat:
            return translator.spans(
                "{name} transfers to you: {cards}",
                name=scene.names[by],
                cards=cards_text((*_laid(before), *cards), translator),
            )
        case engine.TrumpShown(by, card, defender) if defender == seat:
            return translator.spans(
                "{name} shows {card} and transfers to you: {cards}",
                name=scene.names[by],
                card=card_text(card, translator),
                cards=cards_text(_laid(before), translator),
            )
        case engine.Attacked(by, cards) if scene.view.defender == seat:
            added = cards_text(cards, translator)
            if _laid(before):
                return translator.spans("{name} throws in: {cards}", name=scene.names[by], cards=added)
            return translator.spans("{name} attacks you: {cards}", name=scene.names[by], cards=added)
        case engine.TakenUp(defender, cards) if defender == seat:
            return translator.spans("You take {cards}.", cards=cards_text(cards, translator))
        case engine.BeatenOff(defender) if defender == seat:
            return translator.spans("You beat it all.")
        case engine.TakeDeclared():
            return ()  # whose turn that makes it is said above
    return () if getattr(event, "seat", None) == seat else tell(event, before, scene.names, translator)


def tell(
    event: engine.Event, before: Sequence[engine.Event], names: Sequence[str], translator: Translator
) -> Line:
    """Tell one event of a game to everybody; `before` is what happened before it."""
    match event:
        case engine.Attacked(seat, cards) if _laid(before):
            added = cards_text(cards, translator)
            return translator.spans("{name} throws in {cards}.", name=names[seat], cards=added)
        case engine.Attacked(seat, cards):
            first = cards_text(cards, translator)
            return translator.spans("{name} attacks with {cards}.", name=names[seat], cards=first)
        case engine.Defended(seat, attack, card):
            return translator.spans(
                "{name} beats {attack} with {card}.",
                name=names[seat],
                attack=card_text(attack, translator),
                card=card_text(card, translator),
            )
        case engine.Transferred(seat, cards, defender):
            return translator.spans(
                "{name} transfers to {defender}: {cards}.",
                name=names[seat],
                defender=names[defender],
                cards=cards_text((*_laid(before), *cards), translator),
            )
        case engine.TrumpShown(seat, card, defender):
            return translator.spans(
                "{name} shows {card} and transfers to {defender}.",
                name=names[seat],
                card=card_text(card, translator),
                defender=names[defender],
            )
        case engine.TakeDeclared(seat):
            return translator.spans("{name} takes.", name=names[seat])
        case engine.BeatenOff(defender, count):
            number = translator.count("{n} card", "{n} cards", count)
            return translator.spans("{name} beat it all ({cards}).", name=names[defender], cards=number)
        case engine.TakenUp(defender, cards):
            taken = cards_text(cards, translator)
            return translator.spans("{name} takes {cards}.", name=names[defender], cards=taken)
        case engine.WentOut(seat):
            return translator.spans("✅ {name} is out of cards!", name=Span(names[seat], Mark.BOLD))
    return _between_bouts(event, names, translator)


def _between_bouts(event: engine.Event, names: Sequence[str], translator: Translator) -> Line:
    match event:
        case engine.LaidAway(seat, cards):
            return translator.spans(
                "{name} discards {cards}.", name=names[seat], cards=cards_text(cards, translator)
            )
        case engine.Exchanged(seat, given, taken):
            return translator.spans(
                "{name} swaps {given} for {taken}.",
                name=names[seat],
                given=card_text(given, translator),
                taken=card_text(taken, translator),
            )
        case engine.Redealt(seat):
            return translator.spans("New deal, as {name} asked.", name=names[seat])
        case engine.Resigned(seat):
            return translator.spans("{name} resigns.", name=Span(names[seat], Mark.BOLD))
    return ()


def _parted(events: Sequence[engine.Event]) -> tuple[Sequence[engine.Event], Sequence[engine.Event]]:
    """Split events before the newest one worth telling; what followed from it stays with it."""
    for place in range(len(events) - 1, -1, -1):
        if not isinstance(events[place], _AFTERMATH):
            return events[:place], events[place:]
    return events, ()


def latest_news(events: Sequence[engine.Event]) -> Sequence[engine.Event]:
    """Return the newest event worth telling, with all that followed from it; nothing before the first."""
    return _parted(events)[1]


def running_bout(events: Sequence[engine.Event]) -> Sequence[engine.Event]:
    """Return what happened since the running bout was opened."""
    opened = [
        place for place, event in enumerate(events) if isinstance(event, engine.BoutOpened | engine.Redealt)
    ]
    return events[opened[-1] if opened else 0 :]


def laid(events: Sequence[engine.Event]) -> list[tuple[engine.Card, engine.Seat]]:
    """Return the cards that were laid in the running bout to be beaten, in their order, and by whom."""
    return [
        (card, event.seat)
        for event in running_bout(events)
        if isinstance(event, engine.Attacked | engine.Transferred)
        for card in event.cards
    ]


def thrown_in(events: Sequence[engine.Event]) -> Mapping[engine.Card, engine.Seat]:
    """Return who laid each attack card of the running bout; a transfer makes all before it the attacker's."""
    newest = list(running_bout(events))
    transfers = [
        place for place, each in enumerate(newest) if isinstance(each, engine.Transferred | engine.TrumpShown)
    ]
    after = newest[transfers[-1] + 1 if transfers else 0 :]
    return {card: event.seat for event in after if isinstance(event, engine.Attacked) for card in event.cards}


def _laid(events: Sequence[engine.Event]) -> list[engine.Card]:
    return [card for card, _ in laid(events)]


def _joined(lines: Sequence[Line]) -> Line:
    spans: list[Span] = []
    for line in lines:
        spans += (Span(" "), *line) if spans else line
    return tuple(spans)
