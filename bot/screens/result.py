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
    translator: Translator,
    *,
    tease: Line = (),
    titles: Line = (),
    has_film: bool = True,
) -> Screen:
    """Name the fool or the draw, the order of going out, the game's length, and the score.

    `has_film`: its end can be looked at as a film, and people can be called to the next game, which a chat
    with pages of games does not need.
    """
    bouts = sum(isinstance(event, BeatenOff | TakenUp) for event in scene.events)
    return Screen(
        body=as_lines(
            headline(scene.names, outcome, translator),
            tease,
            titles,
            _order(scene, outcome),
            (Span(f"{bouts_text(bouts, translator)}, {duration(scene.seconds, translator)}"),),
            _score(scene, outcome, opening, translator),
        ),
        rows=_buttons(scene.table, translator, has_film=has_film),
        reaction=_reaction(outcome),
        ended=GameRef(scene.table.id, scene.table.game),
    )


def _reaction(outcome: Outcome) -> str:
    """Choose an emoji; chats take only some as a reaction, and these are among them."""
    if outcome.is_draw:
        return "🤝"
    return "🏆" if outcome.fool is None else "🤡"


def headline(names: Sequence[str], outcome: Outcome, translator: Translator) -> Line:
    """Name the fool, those who lost, or say that it is a draw."""
    if outcome.is_draw:
        return translator.spans("🤝 A draw: nobody is the fool.", mark=Mark.BOLD)
    if not outcome.losers:
        return translator.spans("🏆 Nobody has cards left: nobody loses.", mark=Mark.BOLD)
    losers = ", ".join(names[seat] for seat in outcome.losers)
    if outcome.fool is not None:
        return translator.spans("🃏 {name} is the fool!", mark=Mark.BOLD, name=losers)
    return translator.spans("🃏 Lost: {names}", mark=Mark.BOLD, names=losers)


def _order(scene: Scene, outcome: Outcome) -> Line:
    """List the players in the order they went out; one span per name."""
    spans: list[Span] = []
    for place, seat in enumerate(_with_places(outcome, len(scene.names)), start=1):
        spans.append(Span(f"{' · ' if spans else ''}{place}. {scene.names[seat]}"))
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
                "🎖 Epaulettes for {names}: {n} × {rank}", names=losers, n=str(outcome.epaulettes), rank=rank
            )
        )
    if match.is_over:
        lines.append(translator.spans("🎖 Epaulettes up to the ace: match over!"))
    return as_lines(*lines)


def _each(scene: Scene, points: Sequence[int]) -> str:
    return ", ".join(f"{name} {won}" for name, won in zip(scene.names, points, strict=True) if won)


def rematch_button(table: Table, translator: Translator) -> CallbackButton:
    """Ask for another game."""
    token = AfterGame(table.id, table.game, EndAction.REMATCH)
    return button_to(token, translator.text("Rematch"), Tone.GOOD)


def _buttons(
    table: Table, translator: Translator, *, has_film: bool
) -> tuple[tuple[CallbackButton, ...], ...]:
    def button(action: EndAction, label: str) -> CallbackButton:
        return button_to(AfterGame(table.id, table.game, action), label)

    own = (
        *(() if table.phase is Phase.CLOSED else (rematch_button(table, translator),)),
        button(EndAction.MISTAKES, translator.text("My mistakes")),
    )
    leaderboard = button(EndAction.LEADERBOARD, f"🏆 {translator.text('Leaderboard')}")
    film = button(EndAction.FILM, translator.text("🎞 How it ended"))
    if not has_film:
        return ((*own, leaderboard),)
    return own, (leaderboard, film), (call_button(table, translator),)


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
    outcome = ended.outcome
    if outcome is None:
        if table.stopped is Stop.DELETION:
            return Screen(body=stopped_line(table.stopped, translator))
        stopped = translator.text("The game was stopped: it has no result.")
        return Screen(body=(Span(stopped, Mark.BOLD, link=table_message),))
    told = [Span(_own_result(table, ended, outcome, seat, translator), Mark.BOLD, link=table_message)]
    is_praise = rating_change is not None and rating_change > 0 and seat in outcome.losers
    if rating_change is not None and abs(rating_change) > LEAST_CHANGE and not is_praise:
        rating = translator.number(rating_change, is_change=True)
        told += [Span(" "), *translator.spans("Rating {change}.", change=rating)]
    if outcome.losers and seat not in outcome.losers:
        told += [Span(" "), *_losers(table, outcome, translator)]
    elif outcome.is_draw and seat in _with_places(outcome, ended.opening.players):
        told += [Span(" "), *headline(names_of(table.players), outcome, translator)]
    is_open = table.phase is Phase.OVER and table.game == ended.game
    rows = [(rematch_button(table, translator),)] if is_open else []
    if is_marked and outcome.fool == seat:
        rows.append((mark_button(translator),))
    return Screen(
        body=as_lines(tuple(told), *_points(ended, outcome, seat, translator)),
        rows=tuple(rows),
        ended=GameRef(table.id, ended.game),
    )


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
    return "".join(span.text for span in headline(names_of(table.players), outcome, translator))


def _with_places(outcome: Outcome, players: int) -> Sequence[Seat]:
    """Return who went out with a place of their own, in order; the last two of a draw have none."""
    return outcome.order[: players - 2 if outcome.is_draw else None]


def _losers(table: Table, outcome: Outcome, translator: Translator) -> Line:
    names = names_of(table.players)
    losers = ", ".join(names[seat] for seat in outcome.losers)
    if outcome.fool is not None:
        return translator.spans("The fool: {name}.", name=losers)
    return translator.spans("Lost: {names}.", names=losers)


def _points(ended: GameEnd, outcome: Outcome, seat: Seat, translator: Translator) -> Iterator[Line]:
    """Tell the reader's points, if the game was for any."""
    if any(outcome.points):
        yield translator.spans("Your points: {n}", n=str(outcome.points[seat]))
    if any(ended.opening.points):
        total = Match.of(ended.opening).after(outcome).points[seat]
        yield translator.spans("In all games: {won}", won=str(total))
