"""Limits repetition: notices of one kind, and the posts that one person makes the bot send."""

from collections.abc import Callable, Hashable

from cachetools import LRUCache, TTLCache

from adapters import port
from bot.cache import LIMITS

MAX_POSTS = 6  # posts of the bot for one person in one chat within `POSTS_SECONDS`
POSTS_SECONDS = 60 * 60.0
REPEAT_SECONDS = 5 * 60.0  # in which a second press for the same post is answered by a notice


class NoticeLog:
    """Remembers notices, where one of a kind is enough."""

    def __init__(self) -> None:
        self._latest = LRUCache[Hashable, object](LIMITS.known)

    def is_new(self, about: Hashable, content: object = True) -> bool:
        """Records a notice; returns whether it is new, or differs from the last one about the same."""
        is_repeated = self._latest.get(about) == content
        self._latest[about] = content
        return not is_repeated

    def forget(self, about: Hashable) -> None:
        """Drops a notice, so that the next one about the same is new."""
        self._latest.pop(about, None)


class RecentPosts:
    """Remembers public answers to presses, which nobody has to see twice within some minutes."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._posted = TTLCache[Hashable, bool](LIMITS.known, REPEAT_SECONDS, timer=now)

    def is_new(self, about: Hashable) -> bool:
        """Records a post; returns whether there was none about the same in the last minutes."""
        if about in self._posted:
            return False

        self._posted[about] = True
        return True

    def forget(self, about: Hashable) -> None:
        """Drops a post that was not made."""
        self._posted.pop(about, None)


class PostLimit:
    """Limits the posts that one person makes the bot send to one chat; kept in memory."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._posted = LRUCache[tuple[port.UserRef, port.ServerRef], tuple[float, ...]](LIMITS.known)

    def take(self, user: port.UserRef, server: port.ServerRef) -> float:
        """Counts another post, or returns the seconds until the next one is allowed."""
        now = self._now()
        posted = self._posted.get((user, server), ())
        recent = tuple(at for at in posted if now - at < POSTS_SECONDS)
        if len(recent) >= MAX_POSTS:
            return recent[0] + POSTS_SECONDS - now

        self._posted[user, server] = (*recent, now)
        return 0.0
