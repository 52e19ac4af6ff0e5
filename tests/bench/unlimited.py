"""The bot as its owner runs it, without the pauses that Telegram requires."""

import runpy

from adapters.port import UNLIMITED, Budgets
from adapters.telegram import TelegramAdapter
from adapters.telegram.adapter import BUDGETS

if __name__ == "__main__":
    TelegramAdapter.budgets = Budgets(UNLIMITED, UNLIMITED, BUDGETS.onlooker_pause)
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
