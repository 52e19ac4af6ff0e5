"""Processes of their own, for thoughts that would hold up every chat."""

import os
import signal
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

_PATIENT = 10
"""How far a patient worker steps back (0 to 19): it gets a tenth of what others want as well."""


def worker(*, is_patient: bool = False) -> "ProcessPoolExecutor":
    """Return one process, which begins with the first task and ends with the bot, even if that is killed.

    A patient one leaves the machine to whoever else wants it.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    context = get_context("spawn")
    return ProcessPoolExecutor(1, context, initializer=_begin, initargs=(_PATIENT if is_patient else 0,))


def _begin(niceness: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which ends us in its own time
    if hasattr(os, "nice"):
        os.nice(niceness)
    Thread(target=_end_with_the_bot, daemon=True).start()


def _end_with_the_bot() -> None:
    from multiprocessing import parent_process

    bot = parent_process()
    if bot is not None:
        bot.join()
    os._exit(1)
