"""The end of a game: who is the fool."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from adapters.port import CallbackButton, FinishedGame, Mark, MessageRef, Screen, Span, Tone
from bot.locale import Translator
from bot.model.buttons import AfterGame, EndAction
from bot.model.table import Phase, Table
from bot.screens.story import Line, Scene
from bot.screens.table import BREAK, lines_under_one_another, stacked
from bot.screens.words import bouts_text, duration, names_of, rank_text
from engine import BeatenOff, Match, Opening, Outcome, Seat, TakenUp


def result_screen(scene: Scene, outcome: Outcome, opening: Opening, translator: Translator) -> Screen:
    """Name the fool or the draw, the game's length, the order of going out, the score, and the seed."""
    blocks = [
        (*headline(scene.names, outcome, translator), BREAK, *_length(scene, translator)),
        _order(scene, outcome, translator),
        _score(scene, outcome, opening, translator),
        translator.spans(
            "🔑 Key: {seed} · /verify checks that the deal was fair.",
            seed=Span(opening.seed, Mark.CODE),
        ),
        translator.spans("/review looks back at your own moves."),
    ]
    return Screen(
        body=stacked(blocks),
        rows=(_buttons(scene.table, translator),),
        reaction=_reaction(outcome),
        ended=FinishedGame(scene.table.id, scene.table.game),
    )


def _reaction(outcome: Outcome) -> str:
    """Choose an emoji; chats take only some as a reaction, and these are among them."""
    if outcome.is_draw:
        return "🤝"
    return "🏆" if outcome.fool is None else "🤡"


def headline(names: Sequence[str], outcome: Outcome, translator: Translator) -> Line:
    """Name the fool, those who lost, or nobody."""
    if outcome.is_draw:
        return translator.spans("🤝 A draw: nobody is the fool.", mark=Mark.BOLD)
    if not outcome.losers:
        return translator.spans("🏆 Nobody has cards left: nobody loses.", mark=Mark.BOLD)
    losers = ", ".join(names[seat] for seat in outcome.losers)
    if outcome.fool is not None:
        return translator.spans("🃏 {name} is the fool!", mark=Mark.BOLD, name=losers)
    return translator.spans("🃏 Lost: {names}", mark=Mark.BOLD, names=losers)


def _length(scene: Scene, translator: Translator) -> Line:
    bouts = sum(isinstance(event, BeatenOff | TakenUp) for event in scene.events)
    return (Span(f"{bouts_text(bouts, translator)} · {duration(scene.seconds, translator)}"),)


def _order(scene: Scene, outcome: Outcome, translator: Translator) -> Line:
    if not outcome.order:
        return ()
    spans = [Span(translator.text("Out of cards, in order"))]
    for place, seat in enumerate(outcome.order, start=1):
        spans += [BREAK, Span(f"{place}. {scene.names[seat]}")]
    return tuple(spans)


def _score(scene: Scene, outcome: Outcome, opening: Opening, translator: Translator) -> Line:
    """Tell what the game was worth, and where the match stands after it."""
    lines: list[Line] = []
    match = Match.of(opening).after(outcome)
    if any(outcome.points):
        lines.append(translator.spans("Points: {won}", won=_each(scene, outcome.points)))
    if any(opening.points):
        lines.append(translator.spans("In all games: {won}", won=_each(scene, match.points)))
    if outcome.epaulettes:
        losers = ", ".join(scene.names[seat] for seat in outcome.losers)
        rank = "" if outcome.epaulette_rank is None else rank_text(outcome.epaulette_rank, translator)
        lines.append(
            translator.spans(
                "🎖 {names}: {n} × {rank} on the shoulder", names=losers, n=str(outcome.epaulettes), rank=rank
            )
        )
    if match.is_over:
        lines.append(translator.spans("🎖 Epaulettes up to the ace: match over!"))
    return lines_under_one_another(*lines)


def _each(scene: Scene, points: Sequence[int]) -> str:
    return ", ".join(f"{name} {won}" for name, won in zip(scene.names, points, strict=True) if won)


def rematch_button(table: Table, translator: Translator) -> CallbackButton:
    """Ask for another game."""
    token = AfterGame(table.id, table.game, EndAction.REMATCH)
    return CallbackButton(str(token), translator.text("Rematch"), Tone.GOOD)


def _buttons(table: Table, translator: Translator) -> tuple[CallbackButton, ...]:
    token = AfterGame(table.id, table.game, EndAction.LEADERBOARD)
    leaderboard = CallbackButton(str(token), translator.text("Leaderboard"))
    return (leaderboard,) if table.phase is Phase.CLOSED else (rematch_button(table, translator), leaderboard)


# --- What a hand becomes when its game is over: how the game ended for the person who held it ---


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
        lines.append(
            translator.spans("Your rating: {change}", change=translator.number(rating_change, is_change=True))
        )
    return tuple(span for line in lines for span in (BREAK, *line))
