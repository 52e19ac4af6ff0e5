"""A finished game step by step, with every hand open."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from adapters.port import GameSummary, Replay, ReplayStep
from bot.locale import Translator
from bot.model.table import Table
from bot.screens.agreement import stopped_line
from bot.screens.board import board_of
from bot.screens.hand import advice_line
from bot.screens.people import names_of
from bot.screens.scene import Scene
from bot.screens.standings.phrases import percent
from bot.screens.story import Line
from bot.screens.table import BREAK, title_span
from bot.screens.verification import checks_of
from engine import Event, Record, Regret, seen_by


def replay_of(
    summary: GameSummary, table: Table, record: Record, regrets: Sequence[Regret], translator: Translator
) -> Replay:
    """Show every position of a game; `table` has the players of that game, `regrets` are of one of them."""
    steps = tuple(_steps(table, record, regrets, translator))
    return Replay(summary, title_span(table, translator).text, steps, checks_of(record, translator))


def _steps(
    table: Table, record: Record, regrets: Sequence[Regret], translator: Translator
) -> Iterator[ReplayStep]:
    names, state = names_of(table.players), record.opening.deal()
    events: tuple[Event, ...] = ()
    left = list(regrets)
    for place in range(len(record.actions) + 1):
        scene = Scene(table, names, state.public_view(), events)
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
        board = board_of(scene, translator)
        if action is None and record.stopped is not None:
            board = replace(board, told=stopped_line(record.stopped, translator))
        yield ReplayStep(board, hands, mark)
        if action is not None:
            step = state.act(*action)
            state, events = step.state, (*events, *seen_by(step.events, None))


def _mark(regret: Regret, translator: Translator) -> Line:
    """Say what an expert would have played, and what the move cost."""
    risk = translator.spans(
        "Risk of being the fool: {least} → {risk}", least=percent(regret.least), risk=percent(regret.risk)
    )
    return (*advice_line(regret.best, regret.decision.view.public, translator), BREAK, *risk)
