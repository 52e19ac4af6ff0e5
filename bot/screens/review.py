"""A player's most costly moves; only they may see them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from adapters.port import GameSummary, Mark, Replay, ReplayStep, Screen, Span
from bot.locale import Translator, gettext_noop
from bot.model.people import Findings, NoFindings
from bot.model.table import Table
from bot.screens.board import board_of
from bot.screens.hand import advice_line, hand_lines, move_label
from bot.screens.host import stopped_line
from bot.screens.names import names_of
from bot.screens.story import Scene
from bot.screens.table import bout_lines, stock_line, title_span
from bot.screens.text import Line, as_lines, as_paragraphs, in_hand_order
from engine import Event, Record, Regret, SeatView, seen_by, verify

_WITHOUT: Mapping[NoFindings, str] = {
    NoFindings.NO_CHOICE: gettext_noop("You had nothing to choose in this game."),
    NoFindings.NO_LOOK_AHEAD: gettext_noop("There's no review for these rules yet."),
    NoFindings.FAILED: gettext_noop("The review failed. Try again: /review"),
}


def looking_screen(translator: Translator) -> Screen:
    """Announces that the review is under way."""
    return Screen(body=translator.spans("🔎 Reviewing your game, about ten seconds. Only you will see it."))


def review_screen(game: int, found: Findings, translator: Translator) -> Screen:
    """Shows the moves that cost most, each with the position in which it was made, or why there are none."""
    title = (Span(translator.text("Review · game {n}", n=game), Mark.BOLD),)
    if isinstance(found, NoFindings):
        return Screen(body=as_paragraphs(title, translator.spans(_WITHOUT[found])))

    nothing = translator.spans("Nothing to regret: an expert would hardly have done better.")
    paragraphs = [_regret_lines(regret, translator) for regret in found] or [nothing]
    basis = translator.spans(
        "An expert's estimate, from what you could know at that moment.", mark=Mark.ITALIC
    )

    return Screen(body=as_paragraphs(title, *paragraphs, basis))


def _regret_lines(regret: Regret, translator: Translator) -> Line:
    decision = regret.decision
    view = decision.view
    public = decision.view.public
    rows = (
        (Span(translator.text(_role(view), n=decision.bout), Mark.BOLD),),
        stock_line(public, translator),
        bout_lines(public, translator),
        hand_lines(in_hand_order(view), translator),
        advice_line(regret.best, public, translator),
        translator.spans("You played: {move}", move=move_label(decision.played, public, translator)),
        translator.spans(
            "Risk of being the fool: {least} → {risk}",
            least=translator.percent(regret.least),
            risk=Span(translator.percent(regret.risk), Mark.BOLD),
        ),
    )

    return as_lines(*rows)


def _role(view: SeatView) -> str:
    public = view.public
    if view.seat == public.defender:
        return gettext_noop("Round {n}: you defend")
    return gettext_noop("Round {n}: you throw in") if public.bout else gettext_noop("Round {n}: you attack")


def verification_screen(record: Record, translator: Translator, *, is_alone: bool = False) -> Screen:
    """Renders the checks of a record (the seal, the deal, the moves), and the matter of trust.

    Whoever asks `is_alone` with the bot there.
    """
    checks = ((Span(f"{'✅' if holds else '❌'} {text}"),) for holds, text in checks_of(record, translator))
    trust = translator.spans(
        "No player could choose the cards. Whether the bot's owner did is a matter of trust."
    )
    facts = (
        translator.spans("🔒 Seal: {seal}", seal=Span(record.seal, Mark.CODE)),
        translator.spans("🔑 Key: {seed}", seed=Span(record.opening.seed, Mark.CODE)),
        translator.spans(
            "Check it without the bot: {command}",
            mark=Mark.ITALIC,
            command=Span("python -m engine verify FILE", Mark.CODE),
        ),
    )

    stop = () if record.stopped is None else stopped_line(record.stopped, translator, is_alone=is_alone)
    return Screen(
        body=as_paragraphs(
            (Span(translator.text("The last game here"), Mark.BOLD),),
            as_lines(*checks),
            stop,
            trust,
            as_lines(*facts),
        )
    )


def checks_of(record: Record, translator: Translator) -> tuple[tuple[bool, str], ...]:
    """Returns the checks of a record, each with its result."""
    found = verify(record)

    sealed = translator.text("The key fits the seal: 🔒 begins as you saw it before the deal.")
    played = translator.count(
        "Replayed with this key: the {n} move is legal.",
        "Replayed with this key: all {n} moves are legal.",
        len(record.actions),
    )

    return (found.is_sealed, sealed), (found.is_played, played)


def replay_of(
    summary: GameSummary, table: Table, record: Record, regrets: Sequence[Regret], translator: Translator
) -> Replay:
    """Shows every position of a game; `table` has the players of that game, `regrets` are of one of them."""
    steps = tuple(_steps(table, record, regrets, translator))
    return Replay(summary, title_span(table, translator).text, steps, checks_of(record, translator))


def _steps(
    table: Table, record: Record, regrets: Sequence[Regret], translator: Translator
) -> Iterator[ReplayStep]:
    names = names_of(table.players)
    state = record.opening.deal()
    events: tuple[Event, ...] = ()
    left = list(regrets)

    for place in range(len(record.actions) + 1):
        scene = Scene(table, names, state.public_view(), translator, events)
        action = record.actions[place] if place < len(record.actions) else None
        mark: Line = ()

        for regret in left:
            decision = regret.decision
            if action == (decision.view.seat, decision.played) and decision.view == state.view_for(
                decision.view.seat
            ):
                mark = _mark(regret, translator)
                left.remove(regret)
                break

        hands = tuple(tuple(map(str, sorted(state.view_for(seat).hand))) for seat in range(len(names)))
        board = board_of(scene)
        if action is None and record.stopped is not None:
            line = stopped_line(record.stopped, translator, is_alone=len(table.people()) == 1)
            board = replace(board, latest=line)

        yield ReplayStep(board, hands, mark)
        if action is not None:
            step = state.act(*action)
            state = step.state
            events = (*events, *seen_by(step.events, None))


def _mark(regret: Regret, translator: Translator) -> Line:
    """Renders the played move, an expert's move, and the cost of the difference."""
    public = regret.decision.view.public
    label = move_label(regret.decision.played, public, translator)
    played = translator.spans("You played: {move}", move=label)
    risk = translator.spans(
        "Risk of being the fool: {least} → {risk}",
        least=translator.percent(regret.least),
        risk=translator.percent(regret.risk),
    )
    return as_lines(played, advice_line(regret.best, public, translator), risk)
