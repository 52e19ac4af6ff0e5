"""Limits repeated notices, and the posts that one person makes the bot send."""

import time
from collections.abc import Callable, Hashable
from math import inf

from cachetools import LRUCache, TTLCache

from adapters import port
from bot.cache import LIMITS

MAX_POSTS = 6  # posts for one person in one chat within `POSTS_SECONDS`
POSTS_SECONDS = 60 * 60.0
REPEAT_SECONDS = 5 * 60.0  # a second press for the same post within this time gets only a notice


class NoticeLog:
    """Remembers the notices given, for at most `within` seconds, to avoid repetition."""

    def __init__(self, *, within: float = inf, now: Callable[[], float] = time.monotonic) -> None:
        self._latest = TTLCache[Hashable, object](LIMITS.known, within, timer=now)

    def is_new(self, about: Hashable, content: object = True) -> bool:
        """Records a notice; returns whether it is new, or differs in content from the last one."""
        if self._latest.get(about) == content:
            return False

        self._latest[about] = content
        return True

    def forget(self, about: Hashable) -> None:
        """Drops a notice, so that the next one with the same key is new."""
        self._latest.pop(about, None)


class PostLimit:
    """Limits the posts that one person makes the bot send to one chat; kept in memory."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._posted = LRUCache[tuple[port.UserRef, port.ServerRef], tuple[float, ...]](LIMITS.known)

    def take(self, user: port.UserRef, server: port.ServerRef) -> float:
        """Counts a post and returns 0; if there were too many, returns the seconds until one is allowed."""
        now = self._now()
        earlier = self._posted.get((user, server), ())
        recent = tuple(at for at in earlier if now - at < POSTS_SECONDS)
        if len(recent) >= MAX_POSTS:
            return recent[0] + POSTS_SECONDS - now

        self._posted[user, server] = (*recent, now)
        return 0.0
