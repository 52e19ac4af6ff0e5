"""Turns errors into sentences for people, so that nothing is raised into a chat."""

import asyncio
from collections import Counter

import structlog

from adapters import port
from bot.locale import Translator
from bot.model.refusal import RefusedError
from bot.screens import refusals
from bot.storage import DatabaseDamagedError, DatabaseUnreachableError
from engine.runtime import SessionFrozenError

log = structlog.get_logger()

REPORT_SECONDS = 60.0  # each reason is logged once within this time; a final line counts the repetitions


class RefusalLog:
    """Logs refused presses, but so few that nobody can fill the disk by pressing."""

    def __init__(self) -> None:
        self._repeated = Counter[str]()  # repetitions of each logged reason
        self._reporting: asyncio.TimerHandle | None = None

    def note(self, reason: str, **facts: object) -> None:
        """Logs the first refusal for a reason; counts further ones until the next report."""
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


def answer_to(
    error: Exception, failure: str, user: port.User, translator: Translator, *, is_typed: bool = False
) -> port.Reply:
    """Answers with the reason for a refusal, or apologizes for an unexpected error.

    `failure` is the log event of the latter; `is_typed` is as in `refusal_text`.
    """
    match error:
        case RefusedError():
            toast = refusals.refusal_text(error, translator, is_typed=is_typed)
            return port.Reply(toast=toast, refusal=refusals.reason_of(error))
        case SessionFrozenError():
            return refusal_reply(refusals.FROZEN, translator)
        case port.MovesForgottenError():
            return refusal_reply(refusals.MOVES_FORGOTTEN, translator)

    return apology(error, failure, user)


def refusal_reply(sentence: str, translator: Translator) -> port.Reply:
    """Returns a refusal with this sentence, and with its reason for the metrics."""
    return port.Reply(toast=translator.text(sentence), refusal=refusals.REASONS[sentence])


def apology(error: Exception, failure: str, user: port.User) -> port.Reply:
    """Logs an error, and apologizes to the person waiting for an answer."""
    log.error(failure, exc_info=error, platform=user.ref.platform)

    why = refusals.BROKEN
    if isinstance(error, DatabaseUnreachableError):
        why = refusals.NOT_WRITTEN
    elif isinstance(error, DatabaseDamagedError):
        why = refusals.DAMAGED

    return refusal_reply(why, Translator(user.locale))
