"""The end of a game: who is the fool."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from adapters.port import CallbackButton, GameRef, Mark, MessageRef, Screen, Span, Tone
from bot.locale import Translator
from bot.model.buttons import AfterGame, EndAction
from bot.model.table import Phase, Table
from bot.screens.calls import call_button
from bot.screens.story import Scene
from bot.screens.table import stopped_line
from bot.screens.words import Line, as_lines, bouts_text, button_to, duration, names_of, rank_text
from bot.screens.worn import mark_button
from engine import BeatenOff, Match, Opening, Outcome, Seat, Stop, TakenUp


def result_screen(
    scene: Scene,
    outcome: Outcome,
    opening: Opening,
    *,
    tease: Line = (),
    titles: Line = (),
    has_film: bool = True,
) -> Screen:
    """Name the fool or the draw, the order of going out, the game's length, and the score.

    `has_film`: its end can be looked at as a film, and people can be called to the next game, which a chat
    with pages of games does not need.
    """
    table, names, translator, order = scene.table, scene.names, scene.translator, list[Span]()
    for place, seat in enumerate(_with_places(outcome, len(names)), start=1):
        order.append(Span(f"{' · ' if order else ''}{place}. {names[seat]}"))
    bouts = bouts_text(sum(isinstance(each, BeatenOff | TakenUp) for each in scene.events), translator)

    def button(action: EndAction, label: str) -> CallbackButton:
        return button_to(AfterGame(table.id, table.game, action), label)

    own = [] if table.phase is Phase.CLOSED else [rematch_button(table, translator)]
    own.append(button(EndAction.MISTAKES, translator.text("My mistakes")))
    leaderboard = button(EndAction.LEADERBOARD, f"🏆 {translator.text('Leaderboard')}")
    film = button(EndAction.FILM, translator.text("🎞 How it ended"))
    rows: tuple[tuple[CallbackButton, ...], ...] = ((*own, leaderboard),)
    if has_film:
        rows = tuple(own), (leaderboard, film), (call_button(table, translator),)
    reaction = "🏆" if outcome.fool is None else "🤡"
    return Screen(
        body=as_lines(
            headline(names, outcome, translator),
            tease,
            titles,
            tuple(order),
            (Span(f"{bouts}, {duration(scene.seconds, translator)}"),),
            *_score(scene, outcome, opening),
        ),
        rows=rows,
        # Chats take only some emoji as a reaction, and these are among them.
        reaction="🤝" if outcome.is_draw else reaction,
        ended=GameRef(table.id, table.game),
    )


def headline(names: Sequence[str], outcome: Outcome, translator: Translator) -> Line:
    """Name the fool, those who lost, or say that it is a draw."""
    if outcome.is_draw:
        return translator.spans("🤝 A draw: nobody is the fool.", mark=Mark.BOLD)
    if not outcome.losers:
        return translator.spans("🏆 Nobody has cards left: nobody loses.", mark=Mark.BOLD)
    losers = ", ".join([names[seat] for seat in outcome.losers])
    if outcome.fool is not None:
        return translator.spans("🃏 {name} is the fool!", mark=Mark.BOLD, name=losers)
    return translator.spans("🃏 Lost: {names}", mark=Mark.BOLD, names=losers)


def _score(scene: Scene, outcome: Outcome, opening: Opening) -> Iterator[Line]:
    """Tell what the game was worth, and where the match stands after it."""
    translator, match = scene.translator, Match.of(opening).after(outcome)

    def each(points: Sequence[int]) -> str:
        return ", ".join(f"{name} {won}" for name, won in zip(scene.names, points, strict=True) if won)

    if any(outcome.points):
        yield translator.spans("Points: {won}", won=each(outcome.points))
    if any(opening.points):
        yield translator.spans("In all games: {won}", won=each(match.points))
    if outcome.epaulettes:
        yield translator.spans(
            "🎖 Epaulettes for {names}: {n} × {rank}",
            names=", ".join([scene.names[seat] for seat in outcome.losers]),
            n=str(outcome.epaulettes),
            rank="" if outcome.epaulette_rank is None else rank_text(outcome.epaulette_rank, translator),
        )
    if match.is_over:
        yield translator.spans("🎖 Epaulettes up to the ace: match over!")


def rematch_button(table: Table, translator: Translator) -> CallbackButton:
    """Ask for another game."""
    token = AfterGame(table.id, table.game, EndAction.REMATCH)
    return button_to(token, translator.text("Rematch"), Tone.GOOD)


# --- What a hand becomes when its game is over: how the game ended for the person who held it ---


LEAST_CHANGE = 0.05
"""A rating that has changed no more than this would be shown as unchanged.

Who loses can be rated higher, as one who is better known; that is not told, as it would sound like mockery.
"""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """A game that is over: which one of its table, what it was dealt from, how it ended."""

    game: int
    opening: Opening = field(repr=False)
    outcome: Outcome | None  # None if it was stopped
    table: Table | None = None  # as it was then, if that is known


def ending_screen(
    table: Table,
    ended: GameEnd,
    seat: Seat,
    table_message: MessageRef | None,
    translator: Translator,
    *,
    rating_change: float | None = None,
    is_marked: bool = False,
) -> Screen:
    """Say how the reader fared, who is the fool, and what it was worth; links to `table_message`.

    The fool `is_marked` where a server marks them, unless they choose not to be.
    `table` is the table as it was in that game. As long as it is over, the reader can ask for a rematch.
    """
    outcome, names = ended.outcome, names_of(table.players)
    if outcome is None:
        if table.stopped is Stop.DELETION:
            return Screen(body=stopped_line(table.stopped, translator))
        stopped = translator.text("The game was stopped: it has no result.")
        return Screen(body=(Span(stopped, Mark.BOLD, link=table_message),))
    result = _own_result(table, ended, outcome, seat, translator)
    told: list[Line] = [(Span(result, Mark.BOLD, link=table_message),)]
    is_loser = seat in outcome.losers
    is_praise = rating_change is not None and rating_change > 0 and is_loser
    if rating_change is not None and abs(rating_change) > LEAST_CHANGE and not is_praise:
        rating = translator.number(rating_change, is_change=True)
        told.append(translator.spans("Rating {change}.", change=rating))
    if outcome.fool is not None and not is_loser:
        told.append(translator.spans("The fool: {name}.", name=names[outcome.fool]))
    elif outcome.losers and not is_loser:
        losers = ", ".join([names[each] for each in outcome.losers])
        told.append(translator.spans("Lost: {names}.", names=losers))
    elif outcome.is_draw and seat in _with_places(outcome, ended.opening.players):
        told.append(headline(names, outcome, translator))
    lines = [as_lines(*told, between=Span(" "))]
    if any(outcome.points):
        lines.append(translator.spans("Your points: {n}", n=str(outcome.points[seat])))
    if any(ended.opening.points):
        total = Match.of(ended.opening).after(outcome).points[seat]
        lines.append(translator.spans("In all games: {won}", won=str(total)))
    is_open = table.phase is Phase.OVER and table.game == ended.game
    rows = [(rematch_button(table, translator),)] if is_open else []
    if is_marked and outcome.fool == seat:
        rows.append((mark_button(translator),))
    return Screen(body=as_lines(*lines), rows=tuple(rows), ended=GameRef(table.id, ended.game))


def _own_result(table: Table, ended: GameEnd, outcome: Outcome, seat: Seat, translator: Translator) -> str:
    """Say in a sentence what became of one player."""
    if seat in outcome.losers:
        if outcome.fool is not None:
            return translator.text("🃏 You're the fool!")
        is_team = table.rules.teams != "off"
        return translator.text("🃏 Your team loses.") if is_team else translator.text("🃏 You lose.")
    players = ended.opening.players
    if seat in (places := _with_places(outcome, players)):
        place = places.index(seat) + 1
        return translator.text("✅ Place {place} of {n}.", place=place, n=players)
    if outcome.losers:
        return translator.text("✅ You're not the fool!")
    return "".join([span.text for span in headline(names_of(table.players), outcome, translator)])


def _with_places(outcome: Outcome, players: int) -> Sequence[Seat]:
    """Return who went out with a place of their own, in order; the last two of a draw have none."""
    return outcome.order[: players - 2 if outcome.is_draw else None]
