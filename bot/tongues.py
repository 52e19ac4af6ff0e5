"""Who hears which language: people the one they chose, a chat the one its moderators chose."""

from cachetools import LRUCache

from adapters.port import ServerRef, User, UserRef
from bot.locale import LOCALES, Voice
from bot.screens.arguments import one_of
from bot.storage import PlayerStore, ServerStore

MOST_KNOWN = 1000
"""People who are remembered without a look at the disk."""


class Tongues:
    """Finds the voice to speak to somebody in."""

    def __init__(self, players: PlayerStore, servers: ServerStore, *, default: str) -> None:
        """Speak `default` to whoever says nothing, or nothing that is spoken here."""
        self._players = players
        self._servers = servers
        self._default = default
        self._languages = LRUCache[UserRef, str](MOST_KNOWN)

    async def voice_for(self, user: UserRef) -> Voice:
        """Give the voice for what one person reads."""
        language = self._languages.get(user)
        if language is None:
            language = await self._players.language(user)
            self._languages[user] = language
        return self._voice(language)

    async def voice_in(self, server: ServerRef, asker: User) -> Voice:
        """Give the voice for what everybody on a server reads: theirs, or that of who caused it."""
        chosen = (await self._servers.choices(server)).locale
        return self._voice(chosen) if chosen else await self.voice_for(asker.ref)

    async def choose(self, user: UserRef, language: str) -> None:
        """Speak this language to a person from now on."""
        await self._players.choose_language(user, language)
        self.forget(user)

    def assume(self, user: User) -> None:
        """Speak what their chat says to somebody who is not on record."""
        self._languages[user.ref] = user.locale

    def forget(self, user: UserRef) -> None:
        """Ask again what somebody speaks: their chat says something new."""
        self._languages.pop(user, None)

    def _voice(self, language: str) -> Voice:
        return Voice(spoken(language) or self._default)


def language_named(word: str, voice: Voice) -> str:
    """Read the language that somebody typed.

    Raises:
        InvalidArgumentError: It is not spoken here.
    """
    return one_of(LOCALES, spoken(word) or word, voice)


def spoken(locale: str) -> str | None:
    """Give the language of a locale, if it is spoken here.

    >>> spoken("en-GB"), spoken("tlh")
    ('en', None)
    """
    base = locale.replace("_", "-").partition("-")[0].lower()
    return base if base in LOCALES else None
