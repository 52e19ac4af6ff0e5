"""The local chat page: a group chat in the browser, for playing without any chat service."""

from adapters.web.adapter import WebAdapter
from adapters.web.store import Draft, Guest, GuestStore, Message

__all__ = ["Draft", "Guest", "GuestStore", "Message", "WebAdapter"]
