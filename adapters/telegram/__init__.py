"""Telegram."""

from adapters.telegram.adapter import TelegramAdapter
