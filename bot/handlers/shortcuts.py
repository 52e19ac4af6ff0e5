"""Buttons that repeat something else: a typed command, or a button of the room's table."""

from dataclasses import replace

from adapters.port import Question, Reply
from bot.handlers.event import RoomPressEvent, Services, button, typed_command
from bot.handlers.statistics import COUNTING
from bot.locale import Translator
from bot.model.buttons import (
    ChangeLobby,
    CommandInPlace,
    CommandToComplete,
    CommandToCompleteInPlace,
    ExplainRanking,
    InvalidTokenError,
    LobbyAction,
    OpenTable,
    ShowHand,
    TypedCommand,
)
from bot.model.messages import MessageKind, TableSlot
from bot.model.table import Phase
from bot.screens import refusals
from bot.screens.directions import answer_elsewhere_screen
from bot.screens.help import welcome_screen
from bot.screens.questions import WORDINGS, completed, question_about

SHOWING = frozenset({"leaderboard", "fool", "rules", "verify"})  # commands that change nothing


@button(TypedCommand)
async def run_command(event: RoomPressEvent, button: TypedCommand, services: Services) -> Reply:
    """Answers as if the asker had typed the command."""
    command = typed_command(event.press, button.text)
    is_ephemeral = event.press.on_private_message
    about = (button.text, event.room)
    if command.name in SHOWING and not services.recent_posts.is_new(about):
        return event.toast(refusals.JUST_SHOWN)

    reply = await services.inbox.run(replace(command, can_reply_ephemerally=is_ephemeral))
    if reply.public is None:
        services.recent_posts.forget(about)

    return reply


@button(CommandInPlace)
async def run_command_in_place(event: RoomPressEvent, button: CommandInPlace, services: Services) -> Reply:
    """Answers a command in place of the pressed message."""
    command = typed_command(event.press, button.text)
    reply = await services.inbox.run(replace(command, is_in_place=True))
    if reply.ephemeral is None:
        return reply

    invitation = answer_elsewhere_screen(event.user, event.room, event.translator)
    return replace(reply, ephemeral=None, replacement=reply.ephemeral, invitation=invitation)


@button(CommandToComplete)
async def complete_command(event: RoomPressEvent, button: CommandToComplete, services: Services) -> Reply:
    """Asks for the end of a command, then answers as if the asker had typed all of it."""
    if question := _question(button.text, event):
        return Reply(question=question)
    return await run_command.answer(event, TypedCommand(completed(button.text, event.press.text)), services)


@button(CommandToCompleteInPlace)
async def complete_command_in_place(
    event: RoomPressEvent, button: CommandToCompleteInPlace, services: Services
) -> Reply:
    """Asks for the end of a command, then answers it in place of the pressed message."""
    if question := _question(button.text, event):
        return Reply(question=question)
    return await run_command_in_place.answer(
        event, CommandInPlace(completed(button.text, event.press.text)), services
    )


def _question(command: str, event: RoomPressEvent) -> Question | None:
    """Returns what is still to be asked about a command; None once it is answered.

    Raises:
        InvalidTokenError: No button asks for the end of this command.
    """
    if command not in WORDINGS:
        raise InvalidTokenError(command)
    return None if event.press.text else question_about(command, event.translator)


@button(ExplainRanking)
async def explain_ranking(event: RoomPressEvent, button: ExplainRanking, services: Services) -> Reply:
    """Explains how the leaderboard of a period is counted."""
    return await services.inbox.run(typed_command(event.press, f"leaderboard {COUNTING} {button.period}"))


@button(OpenTable)
async def open_table(event: RoomPressEvent, button: OpenTable, services: Services) -> Reply:
    """Opens a table; if there already is one, joins it or shows the asker their cards.

    For a player who pressed an old message, a table that is out of sight is posted again instead.
    """
    tables = services.tables
    user = event.user.ref
    table = await tables.in_room(event.room)
    if table is None and not event.press.is_shown:
        return event.toast(refusals.NOT_SHOWN)

    if table is None:
        reply = await services.inbox.run(typed_command(event.press, "durak"))
        table = await tables.in_room(event.room)
        if table is None:
            return reply

        if table.opener == user:  # the greeting's buttons would compete with the table's
            hello = welcome_screen(Translator(table.locale), has_buttons=False)
            return replace(reply, replacement=hello)

    if table.seat_of(user) is not None:
        slot = TableSlot(table.id, table.game, MessageKind.TABLE)
        if services.outbox.renew_if_out_of_sight(slot, table.room):
            return Reply()

    join = ChangeLobby(table.id, table.game, LobbyAction.JOIN)
    in_its_place = join if table.phase is Phase.LOBBY else ShowHand(table.id)
    return await services.inbox.answer(replace(event.press, token=str(in_its_place)))
