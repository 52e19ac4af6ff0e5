"""The end of a game: the public result, and each player's result, which replaces their hand."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from adapters.port import (
    Accent,
    CallbackButton,
    GameRef,
    GameResult,
    Mark,
    MessageRef,
    OwnResult,
    Screen,
    Span,
    Tone,
    ViewButton,
)
from bot.locale import Translator
from bot.model.buttons import AfterGame, EndAction
from bot.model.standings import MIN_PEOPLE
from bot.model.table import Phase, Table
from bot.screens.calls import call_button, join_company_button
from bot.screens.cheating import unseen_lines
from bot.screens.fools_mark import mark_button
from bot.screens.host import stopped_line
from bot.screens.keyboard import button_to
from bot.screens.names import names_of, team_sign
from bot.screens.story import Scene
from bot.screens.text import Line, as_lines, bouts_text, cards_text, duration, pictured, plain_text, rank_text
from engine import BeatenOff, Card, Event, Match, Opening, Outcome, Resigned, Rules, Seat, Stop, TakenUp


def result_screen(
    scene: Scene,
    outcome: Outcome,
    opening: Opening,
    *,
    fools_hand: Sequence[Card] = (),
    extras: Sequence[Line] = (),
    has_film: bool = True,
    can_call: bool = True,
    folds_buttons: bool = False,
    has_more: bool = False,
    live_table: ViewButton | None = None,
) -> Screen:
    """Renders the public result of a game: the fool or the teams, the places, the length, the points.

    `fools_hand` are the cards the fool still held, no longer secret because the game's record implies them.
    `extras` are lines of features. `has_film`: a film of the end is offered. `can_call`: players can be
    called to the next game. `folds_buttons`: all buttons are in one row, and the answer to the call has one
    more. `has_more`: adds a line about the bot's other features. `live_table` is the
    button to the live table, which has the replay.
    """
    table = scene.table
    names = scene.names
    translator = scene.translator

    order = list[Span]()
    for place, seat in enumerate(_with_places(outcome, table.rules, len(names)), start=1):
        order.append(Span(f"{' · ' if order else ''}{place}. {names[seat]}"))

    def button(action: EndAction, label: str) -> CallbackButton:
        return button_to(AfterGame(table.id, table.game, action), label)

    has_rematch = table.phase is not Phase.CLOSED and not table.series
    own = [rematch_button(table, translator)] if has_rematch else []
    mistakes = button(EndAction.MISTAKES, translator.text("My mistakes"))
    own.append(replace(mistakes, readers=table.people()))
    leaderboard = button(EndAction.LEADERBOARD, f"🏆 {translator.text('Leaderboard')}")
    film = button(EndAction.FILM, translator.text("🎞 How it ended"))
    touch = () if live_table is None else (live_table,)
    rows: tuple[tuple[CallbackButton, ...], ...] = ((*own, leaderboard), touch)

    if folds_buttons:
        looking_back = (leaderboard, film) if has_film else (leaderboard,)
        call = (call_button(table, translator),) if can_call else ()
        rows = (*own, *looking_back, *call), touch
    elif has_film or can_call:
        looking_back = (leaderboard, film) if has_film else (leaderboard,)
        call = (call_button(table, translator),) if can_call else ()
        rows = tuple(own), looking_back, (*call, *touch)
        if can_call and len(table.people()) >= MIN_PEOPLE:
            rows = (*rows, (join_company_button(table, translator),))

    reaction = "🏆" if outcome.fool is None else "🤡"
    shown_reaction = "🤝" if outcome.is_draw else reaction
    return Screen(
        body=as_lines(
            headline(names, outcome, table.rules, translator),
            *_news(scene, outcome, opening, extras),
            pictured(tuple(order)),
            pictured(_left_line(fools_hand, translator)),
            (Span(", ".join(_length(scene)), Mark.SMALL),),
            *_points(scene, outcome, opening),
            _more_line(translator) if has_more else (),
        ),
        rows=tuple(filter(None, rows)),
        # Chats accept only some emoji as reactions; these are among them.
        reaction=shown_reaction,
        accent=Accent.OVER,
        finished_game=GameRef(table.id, table.game),
    )


def game_result(
    scene: Scene,
    outcome: Outcome,
    opening: Opening,
    *,
    fools_hand: Sequence[Card] = (),
    extras: Sequence[Line] = (),
    has_more: bool = False,
) -> GameResult:
    """Returns the words of `result_screen` for chats that draw faces, places and cards themselves."""
    translator = scene.translator
    verdict, caption = _verdict(scene.names, outcome, scene.table.rules, translator)
    news = _news(scene, outcome, opening, extras)
    more = _more_line(translator) if has_more else ()
    return GameResult(
        verdict=verdict,
        caption=caption,
        notes=tuple(filter(None, [*news, *_points(scene, outcome, opening), more])),
        left=plain_text(_left_line(fools_hand, translator)),
        length=" · ".join(_length(scene)),
    )


def _news(scene: Scene, outcome: Outcome, opening: Opening, extras: Sequence[Line]) -> Iterator[Line]:
    """Yields what happened besides the result itself: epaulettes, cheats, lines of features, who resigned."""
    translator = scene.translator
    yield from _epaulettes(scene, outcome, opening)
    yield from unseen_lines(outcome, scene.names, translator)
    yield from extras
    yield resigned_line(scene.names, resigned_seat(scene.events), translator)


def _left_line(fools_hand: Sequence[Card], translator: Translator) -> Line:
    """Names the cards that the fool still held; empty without any."""
    if not fools_hand:
        return ()
    return translator.spans("Still in hand: {cards}", cards=cards_text(fools_hand, translator))


def _length(scene: Scene) -> tuple[str, str]:
    """Returns the number of bouts and the time that a game took."""
    bouts = sum(isinstance(event, BeatenOff | TakenUp) for event in scene.events)
    return bouts_text(bouts, scene.translator), duration(scene.seconds, scene.translator)


def _more_line(translator: Translator) -> Line:
    """Mentions other features of the bot, for people who don't read the manual."""
    return translator.spans(
        "💡 /fool counts who's the fool here, with real cards too. For admins: /settings, “{around}”.",
        mark=Mark.ITALIC,
        around=translator.text("🎭 Around the game"),
    )


def headline(names: Sequence[str], outcome: Outcome, rules: Rules, translator: Translator) -> Line:
    """Names the fool, the losers, or the winning and losing teams; or announces a draw."""
    if outcome.is_draw:
        return translator.spans("🤝 A draw: nobody is the fool.", mark=Mark.BOLD)
    if not outcome.losers:
        return translator.spans("🏆 Nobody has cards left: nobody loses.", mark=Mark.BOLD)

    losers = _teams_of(outcome.losers, names, rules, translator)
    if outcome.fool is not None:
        return translator.spans("🃏 {name} is the fool!", mark=Mark.BOLD, name=losers)
    if rules.teams == "off":
        return translator.spans("🃏 Lost: {names}", mark=Mark.BOLD, names=losers)

    others = [seat for seat in range(len(names)) if seat not in outcome.losers]
    winners = _teams_of(others, names, rules, translator)
    return translator.spans("🏆 {winners} win! 🃏 {losers}.", mark=Mark.BOLD, winners=winners, losers=losers)


def _verdict(
    names: Sequence[str], outcome: Outcome, rules: Rules, translator: Translator
) -> tuple[Line, Line]:
    """Returns the headline in one or two lines; a game without a loser has two."""
    if outcome.is_draw:
        return translator.spans("🤝 A draw!"), translator.spans("Nobody is the fool.")
    if not outcome.losers:
        return translator.spans("🏆 Nobody loses!"), translator.spans("Nobody has cards left.")

    return headline(names, outcome, rules, translator), ()


def _teams_of(seats: Iterable[Seat], names: Sequence[str], rules: Rules, translator: Translator) -> str:
    """Returns the names of these seats, grouped by team after the team's sign if there are teams."""
    if rules.teams == "off":
        return ", ".join([names[seat] for seat in seats])

    teams = dict[str, list[str]]()
    for seat in seats:
        teams.setdefault(team_sign(rules, seat), []).append(names[seat])

    return ", ".join([f"{sign} {translator.listing(team)}" for sign, team in teams.items()])


def resigned_seat(events: Sequence[Event]) -> Seat | None:
    """Returns the seat whose resignation ended a game; None if it was played to its end."""
    return next((event.seat for event in reversed(events) if isinstance(event, Resigned)), None)


def resigned_line(names: Sequence[str], seat: Seat | None, translator: Translator) -> Line:
    """Names the player who resigned; empty if none did."""
    return () if seat is None else translator.spans("🏳️ {name} resigned.", name=names[seat])


def _points(scene: Scene, outcome: Outcome, opening: Opening) -> Iterator[Line]:
    """Yields the points of the game, and the totals of the match."""
    translator = scene.translator

    def by_player(points: Sequence[int]) -> str:
        return ", ".join(f"{name} {n}" for name, n in zip(scene.names, points, strict=True) if n)

    if any(outcome.points):
        yield translator.spans("Points: {won}", won=by_player(outcome.points))

    if any(opening.points):
        match = Match.of(opening).after(outcome)
        yield translator.spans("In all games: {won}", won=by_player(match.points))


def _epaulettes(scene: Scene, outcome: Outcome, opening: Opening) -> Iterator[Line]:
    """Yields the epaulettes of the game, and the end of the match if they end it."""
    translator = scene.translator
    if outcome.epaulettes:
        epaulette = outcome.epaulette_rank
        rank = "" if epaulette is None else rank_text(epaulette, translator)
        yield translator.spans(
            "🎖 Epaulettes for {names}: {n} × {rank}",
            names=", ".join([scene.names[seat] for seat in outcome.losers]),
            n=str(outcome.epaulettes),
            rank=rank,
        )

    if Match.of(opening).after(outcome).is_over:
        yield translator.spans("🎖 Epaulettes up to the ace: match over!")


def rematch_button(table: Table, translator: Translator) -> CallbackButton:
    """Returns the button for another game."""
    token = AfterGame(table.id, table.game, EndAction.REMATCH)
    rematch = button_to(token, translator.text("Rematch"), Tone.GOOD)
    return replace(rematch, readers=table.people())


MIN_RATING_CHANGE = 0.05
"""The smallest change of a rating that isn't rounded to zero.

A loser's rating can rise because it gets more certain. The screen omits that, which would sound like mockery.
"""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """A finished game of a table."""

    game: int  # its number at the table
    opening: Opening = field(repr=False)
    outcome: Outcome | None  # None if it was stopped
    table: Table | None = None  # the table during that game, if known
    resigned: Seat | None = None  # the seat whose resignation ended it


def ending_screen(
    table: Table,
    end: GameEnd,
    seat: Seat,
    table_message: MessageRef | None,
    translator: Translator,
    *,
    rating_change: float | None = None,
    is_marked: bool = False,
    live_table: ViewButton | None = None,
) -> Screen:
    """Renders the result of a game for the player in `seat`, with their points; links to `table_message`.

    `table` is the table as it was in that game. Until the next game there are buttons for a rematch and for
    the `live_table`. `is_marked`: the server's fool wears a mark, so a fool gets a button to go without.
    """
    outcome = end.outcome

    if outcome is None and table.stopped is Stop.DELETION:
        return Screen(body=stopped_line(table.stopped, translator))

    if outcome is None:
        notice = translator.text("The game was stopped: it has no result.")
        return Screen(body=(Span(notice, Mark.BOLD, link=table_message),))

    own = _own_result(table, end, outcome, seat, translator)
    sentences: list[Line] = [(Span(own, Mark.BOLD, link=table_message),)]

    if rating := _rating(outcome, seat, rating_change, translator):
        sentences.append(translator.spans("Rating {change}.", change=rating))

    sentences.append(_others_result(table, end, outcome, seat, translator))
    if end.resigned != seat:
        sentences.append(resigned_line(names_of(table.players), end.resigned, translator))

    is_open = table.phase is Phase.OVER and table.game == end.game and not table.series
    rows = list[tuple[CallbackButton, ...]]()
    if is_open:
        touch = () if live_table is None else (live_table,)
        rows.append((rematch_button(table, translator), *touch))

    if is_marked and outcome.fool == seat:
        rows.append((mark_button(translator),))

    return Screen(
        body=as_lines(as_lines(*sentences, between=Span(" ")), *_own_points(end, outcome, seat, translator)),
        rows=tuple(rows),
        accent=Accent.OVER,
        finished_game=GameRef(table.id, end.game),
    )


def own_result(
    table: Table, end: GameEnd, seat: Seat, translator: Translator, *, rating_change: float | None = None
) -> OwnResult | None:
    """Returns the words of `ending_screen` for chats that draw the result; None if the game was stopped.

    Who resigned is in the public result, which these chats show together with this one.
    """
    outcome = end.outcome
    if outcome is None:
        return None

    names = names_of(table.players)
    verdict: Line = (Span(_own_result(table, end, outcome, seat, translator)),)
    caption = _others_result(table, end, outcome, seat, translator)
    if outcome.fool is not None and outcome.fool != seat:
        caption = translator.spans("The fool: {name}", name=names[outcome.fool])
    elif not outcome.losers and not caption:
        verdict, caption = _verdict(names, outcome, table.rules, translator)

    return OwnResult(
        verdict=verdict,
        caption=caption,
        notes=tuple(_own_points(end, outcome, seat, translator)),
        rating=_rating(outcome, seat, rating_change, translator),
    )


def _rating(outcome: Outcome, seat: Seat, change: float | None, translator: Translator) -> str:
    """Returns the change of a player's rating with its sign; empty if it isn't shown."""
    is_mockery = change is not None and change > 0 and seat in outcome.losers
    if change is None or abs(change) <= MIN_RATING_CHANGE or is_mockery:
        return ""
    return translator.number(change, is_change=True)


def _own_points(end: GameEnd, outcome: Outcome, seat: Seat, translator: Translator) -> Iterator[Line]:
    """Yields a player's points of the game, and their total of the match."""
    if any(outcome.points):
        yield translator.spans("Your points: {n}", n=str(outcome.points[seat]))

    if any(end.opening.points):
        total = Match.of(end.opening).after(outcome).points[seat]
        yield translator.spans("In all games: {won}", won=str(total))


def _own_result(table: Table, end: GameEnd, outcome: Outcome, seat: Seat, translator: Translator) -> str:
    """Returns the reader's own result in a sentence."""
    is_team = table.rules.teams != "off"
    if seat in outcome.losers:
        if outcome.fool is not None:
            return translator.text("🃏 You're the fool!")
        return translator.text("🃏 Your team loses.") if is_team else translator.text("🃏 You lose.")

    if is_team and outcome.losers:
        return translator.text("🏆 Your team wins!")

    players = end.opening.players
    places = _with_places(outcome, table.rules, players)
    if seat in places:
        place = places.index(seat) + 1
        if place == 1 and outcome.losers:
            return translator.text("🏆 You win!")
        return translator.text("✅ You're safe! Place {place} of {n}.", place=place, n=players)

    if outcome.losers:
        return translator.text("✅ You're not the fool!")

    line = headline(names_of(table.players), outcome, table.rules, translator)
    return plain_text(line)


def _others_result(table: Table, end: GameEnd, outcome: Outcome, seat: Seat, translator: Translator) -> Line:
    """Returns the result of the others, unless the reader's own result implies it."""
    names = names_of(table.players)
    fool_has_resigned = outcome.fool is not None and outcome.fool == end.resigned
    if seat in outcome.losers or fool_has_resigned:
        return ()
    if outcome.fool is not None:
        return translator.spans("The fool: {name}.", name=names[outcome.fool])

    if outcome.losers and not _is_only_winning_team(seat, outcome, table.rules, len(names)):
        losers = _teams_of(outcome.losers, names, table.rules, translator)
        return translator.spans("Lost: {names}.", names=losers)

    if outcome.is_draw and seat in _with_places(outcome, table.rules, len(names)):
        return headline(names, outcome, table.rules, translator)

    return ()


def _is_only_winning_team(seat: Seat, outcome: Outcome, rules: Rules, players: int) -> bool:
    """Returns whether every player outside a seat's team has lost; False without teams."""
    if rules.teams == "off":
        return False
    own_team = rules.team_of(seat)
    return all(rules.team_of(each) == own_team or each in outcome.losers for each in range(players))


def _with_places(outcome: Outcome, rules: Rules, players: int) -> Sequence[Seat]:
    """Returns the seats that have a place, in order: none in teams, and not the last two of a draw."""
    if rules.teams != "off":
        return ()
    return outcome.order[: players - 2 if outcome.is_draw else None]
