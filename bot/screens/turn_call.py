"""The short message that calls late players, and disappears after their move."""

from collections.abc import Collection
from dataclasses import replace

from adapters import port
from bot.locale import Translator
from bot.model.buttons import ShowHand
from bot.model.waiting import GRACE, Waiting
from bot.screens.keyboard import button_to
from bot.screens.story import Scene
from bot.screens.text import duration, mentions
from engine import Seat

SECONDS_ARE_FEW = 180


def call_screen(
    scene: Scene,
    *,
    at_once: Collection[Seat] = (),
    table_message: port.MessageRef | None = None,
    offers_hand: bool = True,
    can_show_hands: bool = True,
) -> port.Screen | None:
    """Mentions the people a table waits for if a call is due; returns None if there is no one to call.

    The text links to `table_message`; `offers_hand` adds the button to the hand.

    Two groups are called even before the first call is due, except for a limited throw-in or at night: the
    seats `at_once`, and people whom the bot can't write to. The latter learn where their cards are, which is
    behind a button here if the room `can_show_hands`, and in the private chat otherwise. If they alone have
    pressed nothing since the move, the clock's first call is this message too.
    """
    table = scene.table
    waiting = scene.waiting
    translator = scene.translator

    if waiting is None:
        return None

    call = waiting.call
    here = waiting.seats - scene.gone
    unreachable = here & scene.unreachable
    can_wait = bool(waiting.moment)  # the table soon passes for everybody
    is_night = not waiting.clock and waiting.local.is_quiet(waiting.now)
    may_be_early = not (can_wait or is_night)
    is_first_of_clock = call == 0 and bool(waiting.clock)
    needs_only_cards = call is None or (is_first_of_clock and unreachable == here - waiting.has_come)
    if unreachable and needs_only_cards and may_be_early:
        return _cards_screen(scene, unreachable, can_show_hands=can_show_hands)

    if call is not None:
        seats = sorted(here)
    elif may_be_early:
        seats = sorted(here & set(at_once))
    else:
        seats = []

    if not seats:
        return None

    people = mentions([scene.names[seat] for seat in seats], [table.players[seat].user for seat in seats])

    if scene.view.is_throw_in_round:
        body = translator.count_spans(
            "⏰ {names}: throw in, or pass!", "⏰ {names}: throw in, or pass!", len(seats), names=people
        )
    elif len(seats) > 1:
        body = translator.spans("⏰ {names}: we're waiting for you!", names=people)
    else:
        body = translator.spans("⏰ {names}: your move!", names=people)

    body = tuple([span if span in people else replace(span, link=table_message) for span in body])
    if call is not None:
        body += _fact_of(call, waiting, translator)

    hand = button_to(ShowHand(table.id), translator.text("My hand"), port.Tone.PRIMARY)
    rows = ((hand,),) if offers_hand else ()
    return port.Screen(body=body, rows=rows)


def _fact_of(call: int, waiting: Waiting, translator: Translator) -> tuple[port.Span, ...]:
    """Returns the time that a call adds: the time left, or the time waited; none for a clock's first call."""
    if call and waiting.clock:
        seconds = GRACE if waiting.is_postponed else waiting.moves_unextended_at - waiting.calls[call]
        if seconds <= SECONDS_ARE_FEW:
            time = translator.text("in {n} s", n=round(seconds))
        else:
            time = translator.text("in {n} min", n=round(seconds / 60))

        when = port.Span(time, when=waiting.moves_at, counts_down=True)
        return translator.spans(" The bot moves for you {time}.", time=when)

    if call:
        days = translator.count(
            " The table has been waiting for {n} day.", " The table has been waiting for {n} days.", call
        )
        return (port.Span(days),)

    if not waiting.clock:
        waited = duration(waiting.calls[call] - waiting.since, translator)
        return translator.spans(" The table has been waiting for {time}.", time=waited)

    return ()


def _cards_screen(scene: Scene, seats: Collection[Seat], *, can_show_hands: bool) -> port.Screen:
    """Tells people whom the bot can't write to where their cards are."""
    table = scene.table
    translator = scene.translator
    names = mentions(
        [scene.names[seat] for seat in sorted(seats)], [table.players[seat].user for seat in sorted(seats)]
    )

    if not can_show_hands:
        way = port.PrivateChatButton(translator.text("Cards in private"), table.room)
        body = translator.spans("{name}, your cards are in our private chat.", name=names)
        return port.Screen(body=body, rows=((way,),))

    label = translator.text("My hand")
    hand = button_to(ShowHand(table.id), label, port.Tone.PRIMARY)
    body = translator.spans("{names}: press “{button}”.", names=names, button=label)

    return port.Screen(body=body, rows=((hand,),))
