"""The Telegram adapter."""

from adapters.telegram.adapter import TelegramAdapter
