"""Telegram."""

from adapters.telegram.adapter import TelegramAdapter

__all__ = ["TelegramAdapter"]
