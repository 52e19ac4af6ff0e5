"""Lists the rooms of the page, and who is in them."""

from aiohttp import web

from adapters.web.event_streams import EventStreams
from adapters.web.render import guest_json
from adapters.web.sessions import Sessions
from adapters.web.store import GuestStore

MOST_ROOMS = 50
"""Rooms that are listed: those where something happened last."""


class Rooms:
    """Answers where on the page people are. A room is there as soon as somebody opens it."""

    def __init__(self, store: GuestStore, streams: EventStreams, sessions: Sessions) -> None:
        self._store = store
        self._streams = streams
        self._sessions = sessions

    async def get_rooms(self, request: web.Request) -> web.Response:
        """List the rooms with people in them, then others, the newest first."""
        await self._sessions.reader(request)
        here, used = request.match_info["room"], await self._store.rooms(MOST_ROOMS)
        names = dict.fromkeys((*self._streams.rooms(), *used, here))
        present = {name: self._streams.present(name) for name in names}
        return web.json_response(
            [
                {"name": name, "people": [guest_json(guest) for guest in present[name]]}
                for name in sorted(present, key=lambda name: not present[name])
            ]
        )
