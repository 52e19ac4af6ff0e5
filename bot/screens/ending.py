"""What a hand becomes when its game is over: how the game ended for the person who held it."""

from dataclasses import dataclass, field

from adapters.port import Mark, MessageRef, Screen, Span
from bot.locale import Translator
from bot.model.table import Phase, Table
from bot.screens.people import names_of
from bot.screens.result import headline, rematch_button
from bot.screens.story import Line
from bot.screens.table import BREAK, stacked
from engine import Match, Opening, Outcome, Seat


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that is over: which one of its table, what it was dealt from, how it ended.

    A game that was stopped has no outcome.
    """

    game: int
    opening: Opening = field(repr=False)
    outcome: Outcome | None


def ending_screen(
    table: Table,
    ended: Ended,
    seat: Seat,
    table_message: MessageRef | None,
    translator: Translator,
    *,
    rating_change: float | None = None,
) -> Screen:
    """Say who is the fool, and the reader's place, points and rating; `table_message` is to be linked.

    `table` is the table as it was in that game. As long as it is over, the reader can ask for a rematch.
    """
    over = Span(translator.text("Game {n} is over.", n=ended.game), link=table_message)
    outcome = ended.outcome
    if outcome is None:
        stopped = translator.spans("The game was stopped: it has no result.", mark=Mark.BOLD)
        return Screen(body=stacked([stopped, (over,)]))
    gains = _gains(ended, outcome, seat, rating_change, translator)
    told = (*_headline(table, outcome, seat, translator), *gains)
    is_open = table.phase is Phase.OVER and table.game == ended.game
    return Screen(
        body=stacked([told, (over,)]), rows=((rematch_button(table, translator),),) if is_open else ()
    )


def _headline(table: Table, outcome: Outcome, seat: Seat, translator: Translator) -> Line:
    if seat not in outcome.losers:
        return headline(names_of(table.players), outcome, translator)
    if outcome.fool is not None:
        return translator.spans("🃏 You are the fool!", mark=Mark.BOLD)
    if table.rules.teams != "off":
        return translator.spans("🃏 Your team loses.", mark=Mark.BOLD)
    return translator.spans("🃏 You lose.", mark=Mark.BOLD)


def _gains(
    ended: Ended, outcome: Outcome, seat: Seat, rating_change: float | None, translator: Translator
) -> Line:
    """Tell the reader's place, if they have one, and their points and rating, if the game was for any."""
    lines: list[Line] = []
    if seat in outcome.order:
        place, players = outcome.order.index(seat) + 1, ended.opening.players
        lines.append(translator.spans("Your place: {place} of {n}", place=str(place), n=str(players)))
    if any(outcome.points):
        lines.append(translator.spans("Your points: {n}", n=str(outcome.points[seat])))
    if any(ended.opening.points):
        total = Match.of(ended.opening).after(outcome).points[seat]
        lines.append(translator.spans("In all games: {won}", won=str(total)))
    if rating_change is not None:
        lines.append(translator.spans("Your rating: {change}", change=f"{rating_change:+.1f}"))
    return tuple(span for line in lines for span in (BREAK, *line))
