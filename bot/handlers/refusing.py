"""Turns errors into sentences; nothing is raised into a chat."""

import asyncio
from collections import Counter
from collections.abc import Awaitable

import structlog

from adapters import port
from bot.handlers.event import table_refused
from bot.locale import Translator
from bot.model.choices import RuleSetError
from bot.model.table import TableRefusedError
from bot.screens import refusals
from bot.screens.setting_problems import rule_set_problem_text
from bot.screens.text import InvalidArgumentError
from bot.storage import DatabaseDamagedError, DatabaseUnreachableError
from bot.tables.service import NoSuchTableError
from engine.runtime import SessionFrozenError

log = structlog.get_logger()

REPORT_SECONDS = 60.0  # in which each reason is one line of the log, and one more counts the rest


class RefusalLog:
    """Logs refused presses, so that nobody can fill a disk by pressing."""

    def __init__(self) -> None:
        self._repeated = Counter[str]()  # by reason, since its line
        self._reporting: asyncio.TimerHandle | None = None

    def note(self, reason: str, **facts: object) -> None:
        """Logs the first press refused for a reason, and counts those of the minute after it."""
        if reason in self._repeated:
            self._repeated[reason] += 1
            return

        self._repeated[reason] = 0
        log.info("press_refused", **facts, reason=reason)
        if self._reporting is None:
            self._reporting = asyncio.get_running_loop().call_later(REPORT_SECONDS, self._report)

    def _report(self) -> None:
        self._reporting = None
        counts = +self._repeated
        self._repeated.clear()
        if counts:
            log.info("presses_refused", **counts)


async def answer_or_refusal(
    answer: Awaitable[port.Reply], translator: Translator, *, is_typed: bool = False
) -> port.Reply:
    """Returns a handler's answer, or the reason for its refusal; nothing has happened then."""
    try:
        return await answer
    except InvalidArgumentError as error:
        return port.Reply(toast=str(error), refusal=refusals.ARGUMENT)
    except RuleSetError as error:
        toast = rule_set_problem_text(error.problem, translator, is_typed=is_typed)
        return port.Reply(toast=toast, refusal=refusals.RULE_SET)
    except TableRefusedError as error:
        return table_refused(error, translator)
    except SessionFrozenError:
        return refused(refusals.FROZEN, translator)
    except port.MovesForgottenError:
        return refused(refusals.MOVES_FORGOTTEN, translator)
    except NoSuchTableError:
        return refused(refusals.NO_TABLE, translator)


def refused(sentence: str, translator: Translator) -> port.Reply:
    """Returns a refusal, which is counted by its reason."""
    return port.Reply(toast=translator.text(sentence), refusal=refusals.REASONS[sentence])


def apology(failure: str, user: port.User, error: Exception) -> port.Reply:
    """Logs an error, and apologizes to the person waiting for an answer."""
    log.error(failure, exc_info=error, platform=user.ref.platform)
    why = refusals.NOT_WRITTEN if isinstance(error, DatabaseUnreachableError) else refusals.BROKEN
    if isinstance(error, DatabaseDamagedError):
        why = refusals.DAMAGED
    return refused(why, Translator(user.locale))
