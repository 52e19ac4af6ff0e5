"""Previews of links to the page, for messengers and for its entry page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from aiohttp import web

from adapters.port import gettext_noop
from adapters.web.messages import PUBLIC_SHOWN
from adapters.web.refs import MAIN_ROOM
from adapters.web.render import Json
from adapters.web.request_guard import Sentences
from adapters.web.store import GuestStore, SavedMessage

GATHERING = gettext_noop("{host} opened a table: {n} of {most} seats taken. Sit down!")
PLAYING = gettext_noop("At the table: {names}. Watch, and play the next game.")
REPLAY = gettext_noop("Watch the game move by move, with every hand open.")
CHALLENGE = gettext_noop("Beat my puzzle")
TASK = gettext_noop("One move wins: which one?")
DURAK = gettext_noop("Durak")
GAME = gettext_noop("The card game with one loser: the last one left with cards is the fool.")


@dataclass(frozen=True, slots=True)
class Preview:
    """A title, a sentence and a picture of a page; `facts` is the JSON that its entry page shows."""

    title: str
    sentence: str
    picture: str  # its address
    facts: str = "{}"

    def tags(self) -> str:
        """Returns the HTML meta tags (Open Graph) that messengers read."""
        values = {
            "og:type": "website",
            "og:site_name": "Durak",
            "og:title": self.title,
            "og:description": self.sentence,
            "og:image": self.picture,
        }

        tags = [
            f'  <meta property="{name}" content="{escape(value, quote=True)}">\n'
            for name, value in values.items()
        ]

        return "".join(tags)


class Previews:
    """Makes the previews of rooms, games and puzzles, in the language of the request."""

    def __init__(self, store: GuestStore, sentences: Sentences, public_url: str) -> None:
        self._store = store
        self._sentences = sentences
        self._public_url = public_url

    async def room(self, request: web.Request) -> Preview:
        """Returns the preview of a room: its open lobby, its players, or else the game in general."""
        room = request.match_info["room"]
        messages = await self._store.history(room, None, PUBLIC_SHOWN)
        gathering = gathering_in(messages)
        players = players_in(messages)

        if gathering is not None and gathering.has_seat:
            taken = len(gathering.names)
            sentence = self._text(request, GATHERING, host=gathering.host, n=taken, most=gathering.most)
        elif players:
            sentence = self._text(request, PLAYING, names=", ".join(players))
        else:
            sentence = self._text(request, GAME)

        durak = self._text(request, DURAK)
        title = durak if room == MAIN_ROOM else f"{durak} · {room}"
        return Preview(title, sentence, self._icon(request), facts_of(gathering, players))

    def game(self, request: web.Request, headline: str | None) -> Preview:
        """Returns the preview of a finished game: its `headline`, and a picture of its end."""
        if headline is None:
            return Preview(self._text(request, DURAK), self._text(request, GAME), self._icon(request))

        picture = f"{self._origin(request)}{request.path}/picture"
        return Preview(headline, self._text(request, REPLAY), picture)

    async def puzzle(self, request: web.Request) -> Preview:
        """Returns the preview of a puzzle: a challenge, and a picture of its position."""
        picture = f"{self._origin(request)}{request.path}/picture"
        return Preview(f"🧩 {self._text(request, CHALLENGE)}", self._text(request, TASK), picture)

    def _text(self, request: web.Request, english: str, **values: object) -> str:
        return self._sentences.in_language_of(request, english, **values)

    def _icon(self, request: web.Request) -> str:
        return f"{self._origin(request)}/page/icon-512.png"

    def _origin(self, request: web.Request) -> str:
        return self._public_url or f"{request.scheme}://{request.host}"


@dataclass(frozen=True, slots=True)
class Gathering:
    """A lobby: the names of its players, its host, and its number of seats."""

    names: tuple[str, ...]
    host: str
    most: int
    has_seat: bool  # whether a newcomer can join


def gathering_in(messages: Sequence[SavedMessage]) -> Gathering | None:
    """Returns the open lobby in the newest public messages of a room; None while a game is running."""
    boards: list[Json] = [board for message in messages if (board := message.content.get("board"))]
    games = [n for n, board in enumerate(boards) if "seats" in board]
    if any(not boards[n]["is_over"] for n in games):
        return None

    lobbies = [n for n, board in enumerate(boards) if "players" in board]
    if not lobbies or (games and games[-1] > lobbies[-1]):
        return None

    board = boards[lobbies[-1]]
    players = board["players"]
    host = next((player["name"] for player in players if player["is_host"]), "")
    names = tuple(player["name"] for player in players)
    return Gathering(names, host, board["most"], has_seat=bool(board["for_others"]["best"]))


def facts_of(gathering: Gathering | None, players: Sequence[str]) -> str:
    """Returns the JSON that the entry page shows about a lobby or a game; the preview has the same names."""
    if gathering is None:
        return json.dumps({"names": players}, ensure_ascii=False) if players else "{}"
    return json.dumps(
        {
            "names": gathering.names,
            "host": gathering.host,
            "most": gathering.most,
            "hasSeat": gathering.has_seat,
        },
        ensure_ascii=False,
    )


def players_in(messages: Sequence[SavedMessage]) -> tuple[str, ...]:
    """Returns the players of the running game in the newest public messages of a room; empty if none."""
    for message in reversed(messages):
        board: Json = message.content.get("board") or {}
        if "seats" in board and not board["is_over"]:
            return tuple(seat["name"] for seat in board["seats"])
    return ()
