"""The local chat page: a group chat in the browser, for playing without any chat service."""

from adapters.web.adapter import GAMES, PUZZLES, WebAdapter
from adapters.web.refs import PLATFORM
from adapters.web.request_guard import TrustedProxies
from adapters.web.server import listening
from adapters.web.store import Draft, Files, Guest, GuestStore, NoSuchGuestError, SavedMessage
from adapters.web.view_page import IN, ViewPage
