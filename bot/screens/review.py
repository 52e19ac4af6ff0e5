"""Reviews (which only their player may see), verifications, and replays of finished games."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from adapters.port import BoardPair, GameSummary, Mark, Replay, ReplayStep, Screen, Span
from bot.locale import Translator, gettext_noop
from bot.model.findings import Findings, NoFindings
from bot.model.table import Table
from bot.screens.board import board_move, board_of
from bot.screens.hand import hand_lines, move_label
from bot.screens.host import stopped_line
from bot.screens.names import names_of
from bot.screens.result import headline
from bot.screens.story import Scene
from bot.screens.table import bout_lines, stock_line, title_span
from bot.screens.text import Line, as_lines, as_paragraphs, cards_text, in_hand_order
from engine import (
    BeatenOff,
    Event,
    Move,
    Record,
    Regret,
    Resign,
    Seat,
    SeatView,
    State,
    TakenUp,
    cards_of,
    is_honest,
    seen_by,
    verify,
)

CHEAT_SIGN = "🤫 "  # in a replay, before a move against the rules

NOT_OF_GAME = gettext_noop("You didn't play this game. /review looks back at your own last one.")

_WITHOUT: Mapping[NoFindings, str] = {
    NoFindings.NO_CHOICE: gettext_noop("You had nothing to choose in this game."),
    NoFindings.NO_LOOK_AHEAD: gettext_noop("There's no review for these rules yet."),
    NoFindings.FAILED: gettext_noop("The review failed. Try again: /review"),
}


def looking_screen(translator: Translator) -> Screen:
    """Announces that a review has started."""
    return Screen(body=translator.spans("🔎 Reviewing your game, about ten seconds. Only you will see it."))


def review_screen(game: int, findings: Findings, translator: Translator) -> Screen:
    """Renders the costliest moves, each with its position, or the reason why there are none."""
    title = (Span(translator.text("Review · game {n}", n=game), Mark.BOLD),)
    if isinstance(findings, NoFindings):
        return Screen(body=as_paragraphs(title, translator.spans(_WITHOUT[findings])))

    nothing = translator.spans("Nothing to regret: an expert would hardly have done better.")
    paragraphs = [_regret_lines(regret, translator) for regret in findings] or [nothing]
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
        *_findings(regret, translator),
    )

    return as_lines(*rows)


def _findings(regret: Regret, translator: Translator) -> tuple[Line, ...]:
    """Renders the wrong cards on the table, then the played move and an expert's one, each with its risk."""
    decision = regret.decision
    public = decision.view.public

    actual = translator.spans(
        "You played: {move}. Fool risk: {risk}",
        move=move_label(decision.played, public, translator),
        risk=Span(translator.percent(regret.risk), Mark.BOLD),
    )
    better = translator.spans(
        "💡 Better: {move}. Fool risk: {risk}",
        move=move_label(regret.best, public, translator),
        risk=Span(translator.percent(regret.least), Mark.BOLD),
    )

    wrong = [card for card in cards_of(public.bout) if card in decision.wrong_cards]
    if not wrong:
        return actual, better

    aside = translator.spans(
        "🤫 By the way: {cards} on the table broke the rules.", cards=cards_text(wrong, translator)
    )
    return aside, actual, better


def _role(view: SeatView) -> str:
    public = view.public
    if view.seat == public.defender:
        return gettext_noop("Round {n}: you defend")
    return gettext_noop("Round {n}: you throw in") if public.bout else gettext_noop("Round {n}: you attack")


def verification_screen(
    record: Record, translator: Translator, *, is_alone: bool = False, has_file: bool = True
) -> Screen:
    """Renders the checks of a record (the seal and the moves), and what they can't prove.

    `is_alone`: it is shown in a private chat, where one person played. `has_file`: the record is attached.
    """
    checks = ((Span(f"{'✅' if holds else '❌'} {text}"),) for holds, text in checks_of(record, translator))
    trust = translator.spans(
        "No player could choose the cards. Whether the bot's owner did is a matter of trust."
    )
    check = translator.spans(
        "Check it without the bot: {command}",
        mark=Mark.ITALIC,
        command=Span("python -m engine verify FILE", Mark.CODE),
    )
    facts = (
        translator.spans("🔒 Seal: {seal}", seal=Span(record.seal, Mark.CODE)),
        translator.spans("🔑 Key: {seed}", seed=Span(record.opening.seed, Mark.CODE)),
        check if has_file else (),
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
    """Returns the checks of a record: whether each holds, and its sentence."""
    verification = verify(record)

    seal_text = translator.text("The key fits the seal: 🔒 begins as you saw it before the deal.")
    replay_text = translator.count(
        "Replayed with this key: the {n} move is legal.",
        "Replayed with this key: all {n} moves are legal.",
        len(record.actions),
    )

    return (verification.is_sealed, seal_text), (verification.is_played, replay_text)


def replay_of(
    summary: GameSummary, table: Table, record: Record, regrets: Sequence[Regret], translator: Translator
) -> Replay:
    """Returns every position of a game.

    `table` has the players of that game. `regrets` are the costly moves of one of them.
    """
    steps = tuple(_steps(table, record, regrets, translator))
    return Replay(summary, title_span(table, translator).text, steps, checks_of(record, translator))


def _steps(
    table: Table, record: Record, regrets: Sequence[Regret], translator: Translator
) -> Iterator[ReplayStep]:
    state = record.opening.deal()
    events: tuple[Event, ...] = ()
    left = list(regrets)
    now = _position(table, state, events, translator)
    frame = now

    for seat, action in record.actions:
        regret = next((each for each in left if _is_about(each, seat, action, state)), None)
        if regret is None:
            yield frame
        else:
            left.remove(regret)
            yield _with_mark(now, regret, translator)

        is_cheat = not is_honest(state, action)
        step = state.act(seat, action)
        state = step.state
        events = (*events, *seen_by(step.events, None))
        before = now
        now = _position(table, state, events, translator)
        if is_cheat:
            sign = Span(CHEAT_SIGN)
            now = replace(now, board=replace(now.board, latest=(sign, *now.board.latest)))

        ends_bout = any(isinstance(event, BeatenOff | TakenUp) for event in step.events)
        frame = _with_whole_bout(now, before, seat) if ends_bout else now
        frame = replace(frame, mover=seat)

    yield replace(frame, board=replace(frame.board, status=_ending(table, record, state, translator)))


def _ending(table: Table, record: Record, state: State, translator: Translator) -> Line:
    """Returns the sentence about how a game ended."""
    if record.stopped is not None:
        return stopped_line(record.stopped, translator, is_alone=len(table.people()) == 1)

    outcome = state.outcome()
    assert outcome is not None, "a finished game has an outcome"
    return headline(names_of(table.players), outcome, record.opening.rules, translator)


def _position(table: Table, state: State, events: Sequence[Event], translator: Translator) -> ReplayStep:
    scene = Scene(table, names_of(table.players), state.public_view(), translator, events)
    hands = tuple(tuple(map(str, sorted(state.view_for(seat).hand))) for seat in range(state.players))
    return ReplayStep(board_of(scene), hands)


def _with_whole_bout(now: ReplayStep, before: ReplayStep, mover: Seat) -> ReplayStep:
    """Returns the step after the last move of a bout, with its cards still on the table and none drawn yet.

    The attacker and the defender are still those of that bout.
    """
    whole = now.board.last_bout
    new_cards = _cards_on_table(whole) - _cards_on_table(before.board.bout)
    hands = list(before.hands)
    hands[mover] = tuple((Counter(hands[mover]) - new_cards).elements())

    seats = tuple(
        replace(
            was,
            cards=len(hand),
            is_awaited=False,
            is_out=then.is_out,
            place=then.place,
        )
        for was, then, hand in zip(before.board.seats, now.board.seats, hands, strict=True)
    )
    board = replace(
        before.board,
        step=now.board.step,
        seats=seats,
        bout=whole,
        status=now.board.status,
        latest=now.board.latest,
        is_over=now.board.is_over,
        losers=now.board.losers,
    )

    return ReplayStep(board, tuple(hands))


def _cards_on_table(bout: Sequence[BoardPair]) -> Counter[str]:
    attacks = [pair.attack for pair in bout]
    beats = [pair.beat for pair in bout if pair.beat is not None]
    return Counter([*attacks, *beats])


def _is_about(regret: Regret, seat: Seat, action: Move | Resign, state: State) -> bool:
    """Returns whether a regret is about this action of the seat in this position."""
    decision = regret.decision
    is_same = decision.view.seat == seat and decision.played == action
    return is_same and decision.view == state.view_for(seat)


def _with_mark(step: ReplayStep, regret: Regret, translator: Translator) -> ReplayStep:
    """Returns the step with the played move, an expert's move, and the risk of each."""
    decision = regret.decision
    return replace(
        step,
        mover=decision.view.seat,
        mark=as_lines(*_findings(regret, translator)),
        played=board_move(decision.played, decision.view, "", translator),
        better=board_move(regret.best, decision.view, "", translator),
    )
