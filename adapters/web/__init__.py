"""The local chat page: a group chat in the browser, for playing without any chat service."""

from adapters.web.adapter import WebAdapter
from adapters.web.store import Draft, Files, Guest, GuestStore, Message

__all__ = ["Draft", "Files", "Guest", "GuestStore", "Message", "WebAdapter"]
