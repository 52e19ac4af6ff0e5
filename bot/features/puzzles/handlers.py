"""`/puzzle`, and the puzzle of the day for servers that enable it."""

from adapters.port import Reply
from bot.features.puzzles import screens
from bot.features.puzzles.buttons import AnswerPuzzle
from bot.features.puzzles.part import SETTING, Puzzles
from bot.handlers.event import CommandEvent, RoomPressEvent, Services, appointment, button, command
from bot.handlers.news import post_news
from bot.locale import gettext_noop
from bot.model.calendar import Appointment
from bot.screens import refusals
from bot.screens.directions import answer_elsewhere_screen

POSTED_AT = 10  # the hour of the day, in a server's time zone


@command("puzzle", rank=100, summary=gettext_noop("an ending with one winning move"), secret=True)
async def puzzle(event: CommandEvent, services: Services) -> Reply:
    """Shows the asker a puzzle that is new to them, in private."""
    kept_puzzle = await services.part(Puzzles).for_person(event.user.ref)
    if kept_puzzle is None:
        return event.toast(screens.NO_PUZZLE)

    return Reply(
        secret=screens.puzzle_screen(kept_puzzle.id, kept_puzzle.puzzle, event.limits, event.translator),
        invitation=answer_elsewhere_screen(event.user, event.room, event.translator),
    )


@appointment(
    "puzzle",
    repeats=lambda choices, local, after: local.daily(after, POSTED_AT) if choices.wants(SETTING) else None,
)
async def post_puzzle(due: Appointment, services: Services) -> float | None:
    """Posts the puzzle of the day, if one was found."""
    if due.room is None:
        return None

    kept_puzzle = await services.part(Puzzles).of_today()
    if kept_puzzle is None:
        return None

    translator = await services.people.translator_on(due.server)
    limits = services.chats[due.server.platform].limits
    screen = screens.puzzle_screen(kept_puzzle.id, kept_puzzle.puzzle, limits, translator, is_of_the_day=True)

    return await post_news(due, screen, str(kept_puzzle.id), services)


@button(AnswerPuzzle)
async def answer_puzzle(event: RoomPressEvent, button: AnswerPuzzle, services: Services) -> Reply:
    """Tells the asker, in secret, whether their move wins; only the first answer counts."""
    puzzles = services.part(Puzzles)
    kept_puzzle = await puzzles.store.get(button.puzzle)
    if kept_puzzle is None or not kept_puzzle.was_shown:
        return event.toast(screens.GONE)

    answer = next((move for move in kept_puzzle.puzzle.moves if str(move) == button.move), None)
    if answer is None:
        return event.toast(refusals.UNREADABLE)

    is_right = answer == kept_puzzle.puzzle.answer
    earlier = await puzzles.answer(event.user, kept_puzzle.id, is_right=is_right)
    knew_answer = earlier is False

    if not event.press.on_private_message:
        verdict = screens.verdict_text(
            kept_puzzle.puzzle,
            answer,
            event.translator,
            knew_answer=knew_answer,
            room=event.chat.limits.toast,
        )
        return Reply(toast=verdict)

    tally = await puzzles.store.tally(event.user.ref)
    solution = screens.solution_screen(
        kept_puzzle.id,
        kept_puzzle.puzzle,
        answer,
        tally,
        event.translator,
        knew_answer=knew_answer,
        address=services.puzzles and f"{services.puzzles}{kept_puzzle.id}",
    )
    return Reply(replacement=solution)
