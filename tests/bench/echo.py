"""The least that a Telegram bot can do for each press, on the library that ours uses; a rival.

    python -m tests.bench.echo SERVER TOKEN CALLS

It answers each press on a button, and edits the pressed message until it has made CALLS calls on average.
"""

import logging
import sys
from typing import Any

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import ApplicationBuilder, CallbackContext, CallbackQueryHandler, CommandHandler

TEXT = "\n".join(f"<b>Player {seat}</b> · 6 cards · as long as a table or a hand" for seat in range(6))
LABELS = ("6♠", "7♠", "8♥", "J♥", "Q♦", "A♣", "Take", "My hand")

Context = CallbackContext[Any, Any, Any, Any]


class Echo:
    """The count of presses, and of the edits still due to them."""

    def __init__(self, calls_per_press: float) -> None:
        self._edits_per_press = calls_per_press - 1  # one call is the answer
        self._presses = 0
        self._edits = 0

    async def on_start(self, update: Update, _: Context) -> None:
        """Posts the first message with buttons."""
        assert update.message is not None
        await update.message.reply_html(TEXT, reply_markup=_keyboard(0))

    async def on_press(self, update: Update, _: Context) -> None:
        """Answers a press and makes its share of edits: at least one, as a player waits for it."""
        query = update.callback_query
        assert query is not None
        self._presses += 1
        first = self._edits
        due = round(self._presses * self._edits_per_press)
        own = range(first, max(due, first + 1))
        self._edits = own.stop
        await query.answer()  # others press at the same time

        for number in own:
            await query.edit_message_text(
                f"{TEXT}\n{number}", parse_mode="HTML", reply_markup=_keyboard(number)
            )


def _keyboard(number: int) -> InlineKeyboardMarkup:
    buttons = [InlineKeyboardButton(label, callback_data=f"{number}:{label}") for label in LABELS]
    return InlineKeyboardMarkup([buttons[:4], buttons[4:]])


def main(server: str, token: str, calls_per_press: str) -> None:
    """Polls until it is killed."""
    logging.getLogger("httpx").setLevel(logging.WARNING)
    echo = Echo(float(calls_per_press))
    builder = ApplicationBuilder().token(token).base_url(f"{server}/bot").concurrent_updates(True)
    application = builder.job_queue(None).build()
    application.add_handler(CommandHandler("start", echo.on_start))
    application.add_handler(CallbackQueryHandler(echo.on_press))
    application.run_polling()


if __name__ == "__main__":
    main(*sys.argv[1:])
