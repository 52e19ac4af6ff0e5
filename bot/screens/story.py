"""Sentences about the events at the table: for everyone, or for one seat, which they call “you”."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import engine
from adapters.port import Mark, Span
from bot.locale import Translator
from bot.model.table import Table
from bot.model.waiting import Waiting
from bot.screens.cheating import caught_line, wrong_accusation_line
from bot.screens.text import Line, as_lines, card_text, cards_text


@dataclass(frozen=True, slots=True)
class Scene:
    """A table at one version, and the language of its reader."""

    table: Table  # with its players by seat
    names: tuple[str, ...]  # by seat
    view: engine.PublicView  # the position as a spectator sees it
    translator: Translator
    events: Sequence[engine.Event] = ()  # all events of this game, as a spectator saw them
    away: frozenset[int] = frozenset()  # seats of people replaced by a house player
    gone: frozenset[int] = frozenset()  # seats of people who left the chat and are not replaced by a bot
    # Whether the table pauses until a player presses, because house players replace all people.
    is_asleep: bool = False
    # Seats of people whom the bot can't write to, and who have neither a notice nor their cards.
    unreachable: frozenset[int] = frozenset()
    waiting: Waiting | None = None  # the wait for people, if the table waits for any
    seconds: float = 0.0  # the time from the deal to the newest move
    is_room_lost: bool = False  # whether the room can't show the table, for example a deleted topic
    stood_in_for: int | None = None  # the seat for which the bot made the newest move in a person's place

    def listing(self, seats: Iterable[engine.Seat]) -> str:
        """Names the players of these seats, in the order of the seats."""
        return self.translator.listing([self.names[seat] for seat in sorted(seats)])


# Events that are not news, because they follow from a move or are private.
_AFTERMATH = (engine.BoutOpened, engine.Declined, engine.Drew, engine.GameOver, engine.Kept, engine.WentOut)


_END_OF_BOUT = engine.BeatenOff | engine.TakenUp
_ACCUSATION = engine.Caught | engine.AccusedWrongly


def latest_news(events: Sequence[engine.Event]) -> Sequence[engine.Event]:
    """Returns the newest event that is news, with all that followed from it; empty if there is none.

    If a bout ends right after an accusation, its end counts as a consequence: otherwise nobody would read
    about the accusation.
    """
    for place in range(len(events) - 1, -1, -1):
        if isinstance(events[place], _AFTERMATH):
            continue

        ends_bout = isinstance(events[place], _END_OF_BOUT)
        if ends_bout and isinstance(events[place - 1], _ACCUSATION):
            return events[place - 1 :]

        return events[place:]

    return ()


def latest_line(scene: Scene) -> Line:
    """Renders the latest event in one line, with the players who ran out of cards by it."""
    line: Line = ()
    for place, event in enumerate(latest_news(scene.events)):
        if place == 0 or isinstance(event, engine.WentOut | _END_OF_BOUT):
            news = move_by_bot_line(event, scene) or event_line(event, scene)
            line = as_lines(line, news, between=Span(" "))

    return line


def move_by_bot_line(event: engine.Event, scene: Scene, *, to: engine.Seat | None = None) -> Line:
    """Renders a move that the bot made in a person's place; empty for other events.

    The sentence is for the person if `to` is their seat, and for everyone otherwise.
    """
    translator = scene.translator
    match event:
        case engine.Attacked(seat, cards) | engine.Transferred(seat, cards):
            cards_of_move = cards
        case engine.Defended(seat, _, card) | engine.TrumpShown(seat, card):
            cards_of_move = (card,)
        case engine.TakeDeclared(seat) | engine.TakenUp(seat):
            cards_of_move = ()
        case _:
            return ()

    if seat != scene.stood_in_for:
        return ()

    text = cards_text(cards_of_move, translator)
    name = scene.names[seat]
    if seat == to:
        return (
            translator.spans("⏰ The bot played {cards} for you.", cards=text)
            if cards_of_move
            else translator.spans("⏰ The bot took for you.")
        )

    return (
        translator.spans("⏰ The bot played {cards} for {name}.", cards=text, name=name)
        if cards_of_move
        else translator.spans("⏰ The bot took for {name}.", name=name)
    )


def your_line(scene: Scene, seat: engine.Seat, new_cards: Sequence[engine.Card]) -> Line:
    """Renders for a seat the latest move of others and its newly drawn cards, in one line.

    The seat's own moves are left out, except those that the bot made for it.
    """
    line = Line()
    for place, event in enumerate(latest_news(scene.events)):
        if place == 0 or isinstance(event, _END_OF_BOUT):
            news = move_by_bot_line(event, scene, to=seat) or _news_of_others(seat, event, scene)
            line = as_lines(line, news, between=Span(" "))

    if not new_cards:
        return line

    own = scene.translator.spans("You draw {cards}.", cards=cards_text(new_cards, scene.translator))
    return as_lines(line, own, between=Span(" "))


def latest_line_for(scene: Scene, seat: engine.Seat) -> Line:
    """Renders the latest event for a seat in one line, including the seat's own moves."""
    line = Line()
    for place, event in enumerate(latest_news(scene.events)):
        if place == 0 or isinstance(event, _END_OF_BOUT):
            news = move_by_bot_line(event, scene, to=seat) or _event_to(seat, event, scene)
            line = as_lines(line, news, between=Span(" "))
        elif isinstance(event, engine.WentOut) and event.seat != seat:
            line = as_lines(line, event_line(event, scene), between=Span(" "))

    return line


def _news_of_others(seat: engine.Seat, event: engine.Event, scene: Scene) -> Line:
    """Renders an event for a seat; empty for its own moves, and for those that `turn_line` names."""
    match event:
        case engine.TakeDeclared():
            return ()
        case engine.Attacked() if scene.view.defender == seat and not scene.view.taking:
            return ()
        case _ if isinstance(event, _ACCUSATION):
            return _event_to(seat, event, scene)  # who was right is news for everybody

    is_own = getattr(event, "seat", None) == seat
    return () if is_own else _event_to(seat, event, scene)


def _event_to(seat: engine.Seat, event: engine.Event, scene: Scene) -> Line:
    """Renders an event for a seat, which the sentence calls “you”."""
    translator = scene.translator
    names = scene.names
    match event:
        case engine.Transferred(by, _, defender) if defender == seat:
            return translator.spans("{name} transfers to you.", name=names[by])
        case engine.TrumpShown(by, card, defender) if defender == seat:
            return translator.spans(
                "{name} shows {card} and transfers to you.",
                name=names[by],
                card=card_text(card, translator),
            )
        case engine.TakenUp(defender, taken) if defender == seat:
            return translator.spans("You take {cards}.", cards=cards_text(taken, translator))
        case engine.BeatenOff(defender) if defender == seat:
            return translator.spans("You beat it all.")
        case engine.Caught():
            return caught_line(event, names, translator, to=seat)
        case engine.AccusedWrongly():
            return wrong_accusation_line(event, names, translator, to=seat)

    is_own = getattr(event, "seat", None) == seat
    return _own_move(event, scene) if is_own else event_line(event, scene)


def _own_move(event: engine.Event, scene: Scene) -> Line:
    """Renders an event for the seat that caused it."""
    translator = scene.translator
    match event:
        case engine.Attacked(_, cards):
            adds = len(attack_cards(scene.events)) > len(cards)
            return own_attack_line(cards, translator, adds=adds)
        case engine.Defended(_, attack, card):
            return own_defence_line(attack, card, translator)
        case engine.Transferred(_, _, defender):
            return translator.spans(
                "You transfer to {defender}: {cards}.",
                defender=scene.names[defender],
                cards=cards_text(attack_cards(scene.events), translator),
            )
        case engine.TrumpShown(_, card, defender):
            return translator.spans(
                "You show {card} and transfer to {defender}.",
                card=card_text(card, translator),
                defender=scene.names[defender],
            )
        case engine.TakeDeclared():
            return ()  # `turn_line` names it

    return event_line(event, scene)


def own_attack_line(cards: Sequence[engine.Card], translator: Translator, *, adds: bool) -> Line:
    """Renders an attack for the player who made it; `adds`: there are already cards on the table."""
    text = cards_text(cards, translator)
    if adds:
        return translator.spans("You throw in {cards}.", cards=text)
    return translator.spans("You attack with {cards}.", cards=text)


def own_defence_line(attack: engine.Card, card: engine.Card, translator: Translator) -> Line:
    """Renders a defence for the player who made it."""
    return translator.spans(
        "You beat {attack} with {card}.",
        attack=card_text(attack, translator),
        card=card_text(card, translator),
    )


def attack_line(name: str, cards: Sequence[engine.Card], translator: Translator, *, adds: bool) -> Line:
    """Renders an attack of another player; `adds`: there are already cards on the table."""
    text = cards_text(cards, translator)
    if adds:
        return translator.spans("{name} throws in {cards}.", name=name, cards=text)
    return translator.spans("{name} attacks with {cards}.", name=name, cards=text)


def defence_line(name: str, attack: engine.Card, card: engine.Card, translator: Translator) -> Line:
    """Renders a defence of another player."""
    return translator.spans(
        "{name} beats {attack} with {card}.",
        name=name,
        attack=card_text(attack, translator),
        card=card_text(card, translator),
    )


def event_line(event: engine.Event, scene: Scene) -> Line:
    """Renders one of the latest events for everyone; empty for an event that is not news."""
    translator = scene.translator
    names = scene.names
    match event:
        case engine.Attacked(seat, cards):
            adds = len(attack_cards(scene.events)) > len(cards)
            return attack_line(names[seat], cards, translator, adds=adds)
        case engine.Defended(seat, attack, card):
            return defence_line(names[seat], attack, card, translator)
        case engine.Transferred(seat, _, defender):
            return translator.spans(
                "{name} transfers to {defender}: {cards}.",
                name=names[seat],
                defender=names[defender],
                cards=cards_text(attack_cards(scene.events), translator),
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
            return translator.spans("{name} beats it all ({cards}).", name=names[defender], cards=number)
        case engine.TakenUp(defender, cards):
            text = cards_text(cards, translator)
            return translator.spans("{name} takes {cards}.", name=names[defender], cards=text)
        case engine.WentOut(seat):
            return translator.spans("✅ {name} is out of cards!", name=Span(names[seat], Mark.BOLD))

    return _between_bouts(event, scene)


def _between_bouts(event: engine.Event, scene: Scene) -> Line:
    translator = scene.translator
    names = scene.names
    match event:
        case engine.LaidAway(seat, cards):
            text = cards_text(cards, translator)
            return translator.spans("{name} discards {cards}.", name=names[seat], cards=text)
        case engine.Exchanged(seat, given, taken):
            return translator.spans(
                "{name} swaps {given} for {taken}.",
                name=names[seat],
                given=card_text(given, translator),
                taken=card_text(taken, translator),
            )
        case engine.Redealt(seat):
            return translator.spans("New deal, as {name} asked.", name=names[seat])
        case engine.Caught():
            return caught_line(event, names, translator)
        case engine.AccusedWrongly():
            return wrong_accusation_line(event, names, translator)
        case engine.Resigned(seat):
            return translator.spans("{name} resigns.", name=Span(names[seat], Mark.BOLD))

    return ()


def drawn_line(scene: Scene, *, to: engine.Seat | None = None) -> Line:
    """Counts the cards that each seat has drawn since the last bout ended; empty once a card is laid.

    Leaves out the reader's seat, `to`.
    """
    counts = [
        f"{scene.names[event.seat]} +{event.count}"
        for event in latest_news(scene.events)
        if isinstance(event, engine.Drew) and event.seat != to
    ]
    return scene.translator.spans("Drawn: {drawn}", drawn=", ".join(counts)) if counts else ()


def drawn_by(events: Sequence[engine.Event], seat: engine.Seat) -> tuple[engine.Card, ...]:
    """Returns the cards that a seat has drawn since the newest bout ended; none once a card is laid."""
    cards: tuple[engine.Card, ...] = ()
    for event in latest_news(events):
        if isinstance(event, engine.Drew) and event.seat == seat:
            cards += event.cards or ()
    return cards


def running_bout(events: Sequence[engine.Event]) -> Sequence[engine.Event]:
    """Returns the events of the running bout."""
    for place in range(len(events) - 1, -1, -1):
        if isinstance(events[place], engine.BoutOpened | engine.Redealt):
            return events[place:]
    return events


def attack_cards(events: Sequence[engine.Event]) -> list[engine.Card]:
    """Returns the attack cards of the running bout, in the order in which they were laid."""
    cards: list[engine.Card] = []
    for event in running_bout(events):
        if isinstance(event, engine.Attacked | engine.Transferred):
            cards += event.cards
        elif isinstance(event, engine.Caught):
            cards = [pair.attack for pair in event.bout]

    return cards


def thrown_in(events: Sequence[engine.Event]) -> Mapping[engine.Card, engine.Seat]:
    """Maps attack cards of the running bout to the seats that laid them.

    A transfer clears the map: cards without a seat belong to the attacker.
    """
    laid_by: dict[engine.Card, engine.Seat] = {}
    for event in running_bout(events):
        if isinstance(event, engine.Attacked):
            laid_by |= dict.fromkeys(event.cards, event.seat)
        elif isinstance(event, engine.Transferred | engine.TrumpShown):
            laid_by.clear()
        elif isinstance(event, engine.Caught):
            laid_by = {pair.attack: pair.by for pair in event.bout}

    return laid_by
