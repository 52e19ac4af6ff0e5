"""A short call to those everybody is waiting for; it notifies them and goes away after their move.

No call looks like the one before, so that each is a message of its own.
"""

from adapters.port import Screen, Span
from bot.locale import Translator
from bot.model.waiting import GRACE, Waiting
from bot.screens.durations import duration
from bot.screens.scene import Scene
from bot.screens.story import Line

SECONDS_ARE_FEW = 180


def call_screen(scene: Scene, translator: Translator) -> Screen | None:
    """Mention the people a table waits for, when it is time; None when there is nobody to call."""
    waiting = scene.waiting
    if waiting is None or waiting.call is None:
        return None
    called: list[Span] = []
    for seat in sorted(waiting.seats):
        called += [Span(", ")] if called else []
        called.append(Span(scene.names[seat], mention=scene.table.players[seat].user))
    call = translator.spans("⏰ {names}: your move!", names=tuple(called))
    return Screen(body=(*call, *_reason(waiting, waiting.call, translator)))


def _reason(waiting: Waiting, call: int, translator: Translator) -> Line:
    """Say what a call says that the one before did not."""
    called_at = waiting.calls[call]
    if waiting.clock and not call:
        return ()
    if waiting.clock:
        seconds = GRACE if waiting.is_postponed else waiting.moves_at - called_at
        return translator.spans(" Otherwise the table moves {time}.", time=_in(seconds, waiting, translator))
    if not call:
        waited = duration(called_at - waiting.since, translator)
        return translator.spans(" The table has been waiting for {time}.", time=waited)
    days = translator.count(
        " The table has been waiting for {n} day.", " The table has been waiting for {n} days.", call
    )
    return (Span(days),)


def _in(seconds: float, waiting: Waiting, translator: Translator) -> Span:
    if seconds <= SECONDS_ARE_FEW:
        text = translator.text("in {n} s", n=round(seconds))
    else:
        text = translator.text("in {n} min", n=round(seconds / 60))
    return Span(text, when=waiting.moves_at)
