"""`/play`: typed moves, for keyboards and screen readers."""

from dataclasses import replace

from adapters.port import ArgumentKind, ArgumentSpec, Reply, Screen, Span
from bot.delivery.short_lived import OwnTurn
from bot.handlers.event import CommandEvent, Services, command
from bot.handlers.play import PlayerChoice, answer_result, came_back, shown_hand, turn_of
from bot.locale import gettext_noop
from bot.screens import refusals, typed_moves
from bot.screens.directions import invitation_screen
from bot.screens.typed_moves import Reading
from engine.runtime import Accepted


@command(
    "play",
    ArgumentSpec("move", gettext_noop("your move, such as 9h or take"), ArgumentKind.SUGGESTED),
    rank=50,
    summary=gettext_noop("play a card by typing it"),
    secret=True,
    people_only=True,
)
async def play(event: CommandEvent, services: Services) -> Reply:
    """Plays a typed move at the first table where the asker has a choice, and shows them their new hand.

    Answers that depend on their cards are secret screens, as the room might see a notice.
    """
    turn = await turn_of(event.user.ref, event.room, services)
    if turn is None:
        return event.toast(refusals.NOTHING_TO_ADVISE)

    text = " ".join(event.command.args)
    readings = typed_moves.readings(text, turn.view, turn.moves, event.translator)
    if len(readings) != 1:
        own_turn = OwnTurn(turn.table.id, event.user.ref, turn.version)
        services.short_lived.belongs_to(event.id, own_turn)
        return _offer(text, readings, turn, event)

    refusal = await _play_all(readings[0], turn, event, services)
    if refusal is None:
        return await shown_hand(turn.table, event, services) or Reply()

    return replace(
        refusal,
        toast=None,
        secret=Screen((Span(refusal.toast or ""),)),
        invitation=invitation_screen(event.user, turn.table.room, event.translator),
    )


def _offer(text: str, readings: list[Reading], turn: PlayerChoice, event: CommandEvent) -> Reply:
    """Lists the legal moves, or those that an ambiguous text could mean."""
    trouble = ""
    if readings:
        trouble = typed_moves.AMBIGUOUS
    elif text:
        trouble = typed_moves.NO_MOVE

    refusal = refusals.ARGUMENT if trouble else ""
    moves = [move for reading in readings for move in reading]
    lines = typed_moves.offer_lines(trouble, moves or turn.moves, turn.view, turn.moves, event.translator)
    return Reply(
        secret=Screen(lines),
        invitation=invitation_screen(event.user, turn.table.room, event.translator),
        refusal=refusal,
    )


async def _play_all(
    moves: Reading, turn: PlayerChoice, event: CommandEvent, services: Services
) -> Reply | None:
    """Plays moves one after another, up to the first that is refused; returns its refusal, if any."""
    table = await came_back(turn.table, event.user, services)
    version = turn.version
    for move in moves:
        result = await services.tables.submit(table.id, turn.seat, str(move), version)
        if not isinstance(result, Accepted):
            return await answer_result(result, table, turn.seat, event, services)
        version = result.version

    return None
