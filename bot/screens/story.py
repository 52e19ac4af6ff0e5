"""What happened at the table, in sentences everybody may read."""

from collections.abc import Sequence

from adapters.port import Mark, Span
from bot.locale import Translator
from bot.screens.cards import card_text, cards_text
from engine import (
    BeatenOff,
    Drew,
    Event,
    Exchanged,
    LaidAway,
    Redealt,
    Resigned,
    TakenUp,
    TrumpShown,
    WentOut,
)

Line = tuple[Span, ...]


def last_bout(events: Sequence[Event], names: Sequence[str], translator: Translator) -> Line:
    """Tell how the newest finished bout ended, who drew and who went out, and what else happened since.

    `events` are those of the game so far, as a spectator may see them.
    """
    ends = [place for place, event in enumerate(events) if isinstance(event, BeatenOff | TakenUp)]
    lines = [tell(event, names, translator) for event in events[ends[-1] if ends else 0 :]]
    return _joined([line for line in lines if line])


def tell(event: Event, names: Sequence[str], translator: Translator) -> Line:
    """Tell one event; what the table shows anyway is not told."""
    match event:
        case BeatenOff(defender, count):
            cards = translator.count("{n} card", "{n} cards", count)
            return translator.spans(
                "{name} beat everything off ({cards}).", name=names[defender], cards=cards
            )
        case TakenUp(defender, cards):
            taken = cards_text(cards, translator)
            return translator.spans("{name} takes {cards}.", name=names[defender], cards=taken)
        case Drew(seat, count) if count:
            return translator.spans("{name} draws {n}.", name=names[seat], n=str(count))
        case WentOut(seat):
            return translator.spans("✅ {name} is out of cards!", name=Span(names[seat], Mark.BOLD))
        case TrumpShown(seat, card):
            return translator.spans(
                "{name} shows {card}.", name=names[seat], card=card_text(card, translator)
            )
        case LaidAway(seat, cards):
            return translator.spans(
                "{name} lays {cards} away.", name=names[seat], cards=cards_text(cards, translator)
            )
        case Exchanged(seat, given, taken):
            return translator.spans(
                "{name} swaps {given} for {taken}.",
                name=names[seat],
                given=card_text(given, translator),
                taken=card_text(taken, translator),
            )
        case Redealt(seat):
            return translator.spans("New deal, as {name} asked.", name=names[seat])
        case Resigned(seat):
            return translator.spans("{name} resigns.", name=Span(names[seat], Mark.BOLD))
    return ()


def _joined(lines: Sequence[Line]) -> Line:
    spans: list[Span] = []
    for line in lines:
        spans += (Span(" "), *line) if spans else line
    return tuple(spans)
