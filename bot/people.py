"""Caches facts about people and servers: names, languages, choices."""

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial

from cachetools import LRUCache

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.cache import LIMITS, ReadThroughCache
from bot.locale import Translator, spoken
from bot.model.profile import Profile
from bot.model.server_choices import ServerChoices
from bot.storage import PlayerStore, ServerStore
from bot.storage.names import Meeting

MAX_TRANSLATORS = 100  # the most cached translators, by locale and wording


class Servers:
    """Caches the choices of servers."""

    def __init__(self, store: ServerStore) -> None:
        self._store = store
        self._choices = ReadThroughCache[ServerRef, ServerChoices](store.choices)

    async def choices(self, server: ServerRef) -> ServerChoices:
        """Returns the choices of a server."""
        return await self._choices.get(server)

    async def choose(self, server: ServerRef, **choices: str) -> None:
        """Changes choices of a server, named as in `ServerChoices`."""
        with self.changing(server):
            await self._store.choose(server, **choices)

    async def table_locale(self, server: ServerRef) -> str:
        """Returns the language of the newest table on a server; empty if there was none."""
        return await self._store.table_locale(server)

    async def spoken_by_most(self, server: ServerRef) -> str:
        """Returns the most frequent supported language of people seen on a server; empty if none is known."""
        speakers = Counter[str]()
        for locale, number in await self._store.locales(server):
            language = spoken(locale)
            if language is not None:
                speakers[language] += number

        return max(sorted(speakers), key=speakers.__getitem__, default="")

    def forget(self, user: UserRef) -> None:
        """Drops all cached choices, as a forgotten person may have made some."""
        del user
        self._choices.forget_all()

    @contextmanager
    def changing(self, *servers: ServerRef) -> Iterator[None]:
        """Drops the cached choices of servers after a block that changes them on disk, even if it fails."""
        try:
            yield
        finally:
            for server in servers:
                self._choices.forget(server)


class People:
    """Caches the profiles, names and languages of people."""

    def __init__(
        self,
        players: PlayerStore,
        servers: Servers,
        *,
        default_language: str,
        server_platforms: Collection[str] = (),
    ) -> None:
        """Uses `default_language` for people whose language is unknown or unsupported.

        `server_platforms` are the platforms with communities that are servers rather than chats.
        """
        self._players = players
        self._servers = servers
        self._profiles = ReadThroughCache[UserRef, Profile | None](players.profile)
        self._strangers = LRUCache[UserRef, str](LIMITS.known)
        self._default_language = default_language
        self._server_platforms = frozenset(server_platforms)
        self._translator = lru_cache(MAX_TRANSLATORS)(Translator)
        self._named = LRUCache[tuple[UserRef, ServerRef | None], User](LIMITS.known)
        self._seen = LRUCache[tuple[UserRef, ServerRef], bool](LIMITS.known)
        self._left = LRUCache[tuple[UserRef, ServerRef], frozenset[ServerRef | RoomRef]](LIMITS.known)

    async def meet(self, user: User, server: ServerRef | None) -> None:
        """Updates the stored name of a person who is active now, if they are recorded.

        `server` is the one on which others see the name; None in private. Nothing is stored about strangers
        or groups.
        """
        if server is not None:
            self._seen[user.ref, server] = True
            self._left.pop((user.ref, server), None)

        if self._named.get((user.ref, server)) == user:
            return

        meeting = Meeting(user, server)
        if self._players.take_record(meeting):  # the press that seated them has just written the record
            self._profiles.replace(user.ref, None, Profile(language=user.locale))
            self._note_named(meeting)
            return

        profile = None
        if user.is_person:
            profile = await self._profiles.change(user.ref, partial(self._store_names, meeting))

        if profile is None:
            self._strangers[user.ref] = user.locale
        else:
            self._strangers.pop(user.ref, None)

    async def _store_names(self, meeting: Meeting) -> Profile | None:
        """Stores the current name of a recorded person; returns their profile, None for a stranger."""
        profile, is_complete = await self._players.meet(meeting)
        if is_complete:
            self._note_named(meeting)

        return profile

    def _note_named(self, meeting: Meeting) -> None:
        self._strangers.pop(meeting.user.ref, None)
        self._named[meeting.user.ref, meeting.server] = meeting.user

    def leave(self, user: UserRef, place: ServerRef | RoomRef) -> None:
        """Remembers that a person left a server or one of its rooms, until they are active on it again."""
        server = place.server if isinstance(place, RoomRef) else place
        places = self._left.get((user, server), frozenset())
        self._left[user, server] = places | {place}

    def has_left(self, user: UserRef, room: RoomRef) -> bool:
        """Returns whether the chat has reported that a person left a room, or its whole server."""
        return not self._left.get((user, room.server), frozenset()).isdisjoint({room, room.server})

    async def known_on(self, server: ServerRef) -> list[User]:
        """Returns the people who have played on a server, at its tables or with real cards."""
        return await self._players.known_on(server)

    async def was_on(self, user: UserRef, server: ServerRef) -> bool:
        """Returns whether a person was ever active on a server, as far as is known."""
        return self._seen.get((user, server), False) or await self._players.was_on(user, server)

    async def remember(self, user: User) -> None:
        """Records a person, with their current name; does nothing for a group."""
        if user.is_person and self._named.get((user.ref, None)) != user:
            await self._profiles.change(user.ref, partial(self._players.remember, user))
            self._strangers.pop(user.ref, None)
            self._named[user.ref, None] = user

    async def as_seen(self, user: User) -> User:
        """Returns a mentioned person with their known language, if the mention does not have it."""
        return user if user.locale else replace(user, locale=await self.language(user.ref))

    async def find(self, platform: str, handle: str) -> User | None:
        """Returns the recorded person with this handle; None if there is none."""
        return await self._players.find(platform, handle)

    def forget(self, user: UserRef) -> None:
        """Drops all cached values of a person."""
        for key in [key for key in self._named if key[0] == user]:
            del self._named[key]

        for cache in (self._seen, self._left):
            for place in [place for place in cache if place[0] == user]:
                del cache[place]

        self._strangers.pop(user, None)
        self._profiles.forget(user)

    async def translator_for(self, user: UserRef) -> Translator:
        """Returns the translator into a person's language."""
        return (await self.reader(user))[1]

    async def reader(self, user: UserRef) -> tuple[Profile, Translator]:
        """Returns a person's profile, and the translator into their language."""
        profile = await self.profile(user)
        return profile, self.translator(await self.language(user), user.platform)

    def translator(self, language: str, platform: str) -> Translator:
        """Returns the translator into a language, with the wording for a platform."""
        locale = spoken(language) or self._default_language
        return self._translator(locale, says_server=platform in self._server_platforms)

    async def language(self, user: UserRef) -> str:
        """Returns the language that a person chose or that their chat reports; empty if unknown."""
        return (await self.profile(user)).language or self._strangers.get(user, "")

    async def translator_in(
        self, server: ServerRef, asker: User | UserRef | None, spoken_there: str = ""
    ) -> Translator:
        """Returns the translator for texts that everybody on a server reads.

        Its language is the first one known of these: the server's choice, `spoken_there` (the language of the
        room), the asker's language, and the most frequent one of people seen on the server.
        """
        locale = (await self._servers.choices(server)).locale or spoken_there
        if locale:
            return self.translator(locale, server.platform)

        if asker is not None:
            user = asker.ref if isinstance(asker, User) else asker
            language = await self.language(user)
            if spoken(language) is not None:
                return self.translator(language, server.platform)

        return self.translator(await self._servers.spoken_by_most(server), server.platform)

    async def translator_on(self, server: ServerRef) -> Translator:
        """Returns the translator for scheduled posts on a server.

        Chooses it as `translator_in` does, for the language of the newest table and the person who enabled
        the posts.
        """
        by = (await self._servers.choices(server)).home_by
        asker = UserRef(server.platform, by) if by else None
        return await self.translator_in(server, asker, await self._servers.table_locale(server))

    async def profile(self, user: UserRef) -> Profile:
        """Returns the profile of a person; a default one for a stranger."""
        return await self._profiles.get(user) or Profile()

    async def choose(self, user: UserRef, **choices: str | bool) -> None:
        """Changes choices of a person, named as in `Profile`."""
        await self._profiles.change(user, partial(self._players.choose, user, **choices))

    async def set_reachable(self, user: UserRef, *, reachable: bool) -> None:
        """Stores whether the bot can write to a person, if they are recorded."""
        if (await self.profile(user)).reachable is not reachable:
            setting = partial(self._players.set_reachable, user, reachable=reachable)
            await self._profiles.change(user, setting)
