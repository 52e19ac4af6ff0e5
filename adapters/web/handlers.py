"""Serves the requests of guests: lines, presses, streams and pages of facts."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from aiohttp import WSCloseCode, web
from cachetools import LRUCache

from adapters import port
from adapters.port import gettext_noop
from adapters.web import inbound, render
from adapters.web.event_streams import EventStream, EventStreams
from adapters.web.messages import RoomMessages
from adapters.web.page_streams import LATER, UNKNOWN, answer_questions, open_stream
from adapters.web.refs import HERE, PLATFORM, room_ref, user_ref
from adapters.web.replies import CommandReply, PressReply
from adapters.web.request_guard import ConcurrencyLimit, RateLimiter, Sentences, network_of
from adapters.web.sessions import Sessions, with_cookie
from adapters.web.store import CHAT, COMMAND_ANSWER, PRESS_ANSWER, SPECTATOR, Guest, GuestStore, SavedMessage
from adapters.web.throws import REMARKS, RETURN_SECONDS, THROWS, range_of

# Questions per guest, or per address of a spectator: a burst, then one per this many seconds.
QUESTIONS = port.Budget(seconds=0.5, burst=30)

NO_SUCH_GAME = gettext_noop("There's no finished game with this number.")
NO_SUCH_LINK = gettext_noop("This link leads to no game: it may have been withdrawn.")

NO_SUCH_PUZZLE = gettext_noop("That puzzle is gone.")

MAX_ROOMS = 50  # the most recently active rooms that are listed


class Catalogue:
    """Answers the page's questions other than those about messages, in the asker's language."""

    def __init__(
        self,
        store: GuestStore,
        streams: EventStreams,
        sessions: Sessions,
        pages: port.Pages,
        monotonic: Callable[[], float],
    ) -> None:
        self._store = store
        self._streams = streams
        self._sessions = sessions
        self._pages = pages
        self._rate_limiter = RateLimiter(QUESTIONS, monotonic)

    async def get_rooms(self, request: web.Request) -> web.Response:
        """Lists the rooms with people in them, then the others, the most recently active first.

        Also returns whether there are results to look at.
        """
        await self._count_reader(request)
        here = request.match_info["room"]
        rooms = await self._store.rooms(MAX_ROOMS)
        names = dict.fromkeys((*self._streams.rooms(), *rooms, here))
        present = {name: self._streams.present(name) for name in names}

        listed = [
            {"name": name, "people": [render.guest_json(guest) for guest in present[name]]}
            for name in sorted(present, key=lambda name: not present[name])
        ]
        return web.json_response({"rooms": listed, "has_results": bool(await self._pages.games(HERE))})

    async def get_own(self, request: web.Request) -> web.Response:
        """Returns which pages about the asker have content: whether they have statistics."""
        await self._count_reader(request)
        reader = await self._sessions.reader(request)
        is_known = reader is not SPECTATOR
        has_statistics = is_known and await self._pages.has_statistics(HERE, user_ref(reader))
        return web.json_response({"has_statistics": has_statistics})

    async def get_rule_sets(self, request: web.Request) -> web.Response:
        """Lists the rule sets for new tables."""
        await self._count_reader(request)
        cards = await self._pages.rule_sets(HERE, inbound.locale_of(request))
        return _compressed([asdict(card) for card in cards])

    async def get_rules(self, request: web.Request) -> web.Response:
        """Explains the rules of the table in a room."""
        await self._count_reader(request)
        rules = await self._pages.rules(room_ref(request.match_info["room"]), inbound.locale_of(request))
        return _compressed(asdict(rules))

    async def _count_reader(self, request: web.Request) -> None:
        """Counts a question against its guest, or against the address of a spectator.

        Raises:
            RequestRefusedError: The secret is unknown, or the budget is used up.
        """
        reader = await self._sessions.reader(request)
        self._rate_limiter.count(reader.id or network_of(request))

    async def get_results(self, request: web.Request) -> web.Response:
        """Ranks everybody in a period, and lists the newest games."""
        self._rate_limiter.count(network_of(request))
        period = request.query.get("period", "")
        locale = inbound.locale_of(request)
        best = await self._pages.ranking(HERE, period, locale, fools_first=False)
        fools = await self._pages.ranking(HERE, period, locale, fools_first=True)
        games = await self._pages.games(HERE)

        return _compressed(
            {
                "best": _tallies(best),
                "fools": _tallies(fools),
                "games": [render.summary_json(game) for game in games],
            }
        )

    async def get_player(self, request: web.Request) -> web.Response:
        """Returns the statistics of a player."""
        self._rate_limiter.count(network_of(request))
        guest = port.UserRef(PLATFORM, request.match_info["player"])
        statistics = await self._pages.statistics(HERE, guest, inbound.locale_of(request))
        if statistics is None:
            raise inbound.RequestRefusedError(404, gettext_noop("Nobody here has this address."))

        return _compressed(render.board_json(statistics))

    async def get_puzzle(self, request: web.Request) -> web.Response:
        """Returns a puzzle; with the token of one of its moves, whether that move wins."""
        self._rate_limiter.count(network_of(request))
        number = int(request.match_info["puzzle"])
        token = request.query.get("token", "")
        puzzle = await self._pages.puzzle(number, inbound.locale_of(request), token)
        if puzzle is None:
            raise inbound.RequestRefusedError(404, NO_SUCH_PUZZLE)

        return _compressed(render.board_json(puzzle))

    async def get_puzzle_picture(self, request: web.Request) -> web.Response:
        """Returns a PNG of a puzzle, for previews of its link."""
        self._rate_limiter.count(network_of(request))
        png = await self._pages.puzzle_picture(HERE, int(request.match_info["puzzle"]))
        if png is None:
            raise inbound.RequestRefusedError(404, NO_SUCH_PUZZLE)

        return _picture(png)

    async def get_picture(self, request: web.Request) -> web.Response:
        """Returns a PNG of the end of a game, for previews of its link."""
        self._rate_limiter.count(network_of(request))
        png = await self._pages.end_picture(*_game_of(request), secret=_secret_of(request))
        if png is None:
            raise inbound.RequestRefusedError(404, NO_SUCH_GAME)

        return _picture(png)

    async def headline(self, request: web.Request) -> str | None:
        """Returns how the game at the requested address ended; None if there is no such game."""
        self._rate_limiter.count(network_of(request))
        return await self._pages.headline(*_game_of(request), secret=_secret_of(request))

    async def get_game(self, request: web.Request) -> web.Response:
        """Returns a finished game step by step."""
        self._rate_limiter.count(network_of(request))
        reader = await self._sessions.reader(request)
        asker = None if reader is SPECTATOR else user_ref(reader)
        replay = await self._pages.replay(
            *_game_of(request),
            asker,
            secret=_secret_of(request),
            wants_review="review" in request.query,
        )
        if replay is None:
            is_by_link = bool(request.match_info["secret"])
            reason = NO_SUCH_LINK if is_by_link else NO_SUCH_GAME
            raise inbound.RequestRefusedError(404, reason)

        return _compressed(render.replay_json(replay))


def _game_of(request: web.Request) -> tuple[port.ServerRef, int, int, str]:
    """Returns the server, the table, the game's number, and the reader's language."""
    place = request.match_info
    return HERE, int(place["table"]), int(place["game"]), inbound.locale_of(request)


def _secret_of(request: web.Request) -> str:
    return request.match_info["secret"].removeprefix("-")


def _picture(png: bytes) -> web.Response:
    """Returns a PNG that others may show for an hour without asking again."""
    headers = {"Cache-Control": "public, max-age=3600"}
    return web.Response(body=png, content_type="image/png", headers=headers)


def _compressed(facts: object) -> web.Response:
    """Returns facts as JSON, compressed if the browser accepts it."""
    response = web.json_response(facts)
    response.enable_compression()
    return response


def _tallies(tallies: Sequence[port.PlayerTally]) -> list[render.Json]:
    return [
        asdict(tally) | {"user": tally.user.id if tally.user.platform == PLATFORM else None}
        for tally in tallies
    ]


# --- Idempotent requests: a page that lost its connection can't know which requests arrived ---


MAX_ANSWERS = 5_000  # the newest requests of all guests whose answers are kept


class Repeats:
    """Caches the answers to the newest requests, by guest and by the page's name for each request."""

    def __init__(self) -> None:
        self._answers = LRUCache[tuple[str, str], asyncio.Future[dict[str, Any]]](MAX_ANSWERS)

    def forget(self) -> None:
        """Drops all cached answers, because they may name a person who is being deleted."""
        self._answers.clear()

    async def once(
        self, guest: str, name: str, answer: Callable[[], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """Answers a request, or returns the cached answer if the guest has sent this `name` before.

        Requests without a name, and those that failed, are not cached.
        """
        if not name:
            return await answer()

        earlier = self._answers.get((guest, name))
        if earlier is not None:
            return await asyncio.shield(earlier)

        pending = self._answers[guest, name] = asyncio.get_running_loop().create_future()
        try:
            response = await answer()
        except BaseException as error:
            self._answers.pop((guest, name), None)
            pending.set_exception(error)
            pending.exception()  # marks it as retrieved, in case nobody awaits it
            raise

        pending.set_result(response)
        return response


# --- Lines, presses and streams ---


# A guest's lines: a burst, then one per this many seconds.
LINES = port.Budget(seconds=1.0, burst=10)

PRESSES = port.Budget(seconds=0.125, burst=40)  # a guest's presses; no finger is faster
MAX_PAGES = 12  # open pages of one guest
MAX_PAGES_OF_A_NETWORK = 100  # open pages at one address, such as a company's router
GREETING_SECONDS = 10.0  # the time in which a new stream has to identify its guest
BEAT_SECONDS = 20.0  # the silence after which a stream sends a beat, because a hidden page sends no questions
BEAT = '{"type":"beat"}'


class Handlers:
    """Serves the requests of all pages; refuses them until `inbox` is set."""

    def __init__(
        self,
        store: GuestStore,
        messages: RoomMessages,
        streams: EventStreams,
        sessions: Sessions,
        sentences: Sentences,
        *,
        monotonic: Callable[[], float],
    ) -> None:
        self.inbox: port.Inbox | None = None
        self._store = store
        self._messages = messages
        self._streams = streams
        self._sessions = sessions
        self._sentences = sentences
        self._monotonic = monotonic

        self._lines = RateLimiter(LINES, monotonic)
        self._presses = RateLimiter(PRESSES, monotonic)
        self._throws = RateLimiter(THROWS, monotonic)
        self._remarks = RateLimiter(REMARKS, monotonic)
        self._order = port.AnswerOrder()
        self.repeats = Repeats()

        self._pages = ConcurrencyLimit(MAX_PAGES)
        self._pages_of_a_network = ConcurrencyLimit(MAX_PAGES_OF_A_NETWORK)

    async def post_line(self, request: web.Request) -> web.Response:
        """Handles a typed line, which is a command for the bot or a chat message."""
        inbox, guest, room = await self._session(request)
        body = await inbound.body_of(request)
        line = inbound.line_from(body)
        name = inbound.name_of_request(body)
        self._lines.count(guest.id)
        user = inbound.user_from(guest, inbound.locale_of(request))

        async def answer() -> render.Json:
            guests = await self._store.guests() if "@" in line else ()
            mentioned = inbound.mentioned_in(line, guests)
            command = inbound.command_from(line, user, room, mentioned, inbound.new_event_id())
            if command is None:
                key = f"{guest.id}:{name}" if name else ""
                words = render.chat_content(guest, line, mentioned)
                await self._messages.add(room, None, CHAT, words, key=key)
                return {}

            command_reply = CommandReply(
                self._messages, guest, room, render.line_json(guest, line, mentioned)
            )
            async with self._order.turn(user.ref):
                reply = await inbox.command(command)
                await port.answer_command(command, reply, command_reply, inbox)

            return command_reply.response(reply)

        return await self._answer(request, guest, name, answer)

    async def post_press(self, request: web.Request) -> web.Response:
        """Handles a pressed button."""
        inbox, guest, room = await self._session(request)
        body = await inbound.body_of(request)
        press = inbound.press_from(body, inbound.user_from(guest, inbound.locale_of(request)), room)
        self._presses.count(guest.id)

        async def answer() -> render.Json:
            message = await self._message(press.message.opaque, guest, room)
            full_press = replace(
                press, on_private_message=message.guest is not None, tokens=render.tokens_on(message.content)
            )
            press_reply = PressReply(self._messages, guest, full_press)
            async with self._order.turn(press.user.ref):
                reply = await inbox.press(full_press)
                await port.answer_press(full_press, reply, press_reply, inbox)

            return press_reply.response(reply)

        return await self._answer(request, guest, inbound.name_of_request(body), answer)

    async def _answer(
        self, request: web.Request, guest: Guest, name: str, answer: Callable[[], Awaitable[render.Json]]
    ) -> web.Response:
        """Responds once per request name; moves the guest to the front of the browser's cookie."""
        response = web.json_response(await self.repeats.once(guest.id, name, answer))
        return with_cookie(request, response, inbound.secret_of(request))

    async def get_file(self, request: web.Request) -> web.Response:
        """Serves a file of a message to anyone who may read the message."""
        guest = await self._sessions.reader(request)
        message = await self._message(request.match_info["message"], guest, request.match_info["room"])
        digest = request.match_info["digest"]
        kind = render.type_of(message, digest)
        file = await self._store.file(message.id, digest)
        if file is None:
            raise inbound.RequestRefusedError(404, gettext_noop("That file's gone."))

        return render.file_response(file, kind)

    async def post_dismissal(self, request: web.Request) -> web.Response:
        """Deletes a private answer at its reader's request; ignores other messages."""
        _, guest, _ = await self._session(request)
        ref = inbound.message_from(await inbound.body_of(request))
        self._presses.count(guest.id)
        message = await self._store.message(int(ref.opaque))
        if (
            message is not None
            and message.guest == guest.id
            and message.kind in (COMMAND_ANSWER, PRESS_ANSWER)
        ):
            await self._messages.delete(ref)

        return web.json_response({})

    async def post_throw(self, request: web.Request) -> web.Response:
        """Shows a throw at a seat on all pages of the room; ignores an impossible one.

        A bot that is hit throws something back.
        """
        _, guest, room = await self._session(request)
        body = await inbound.body_of(request)
        self._throws.count(guest.id)
        ref = inbound.message_from(body)
        message = await self._message(ref.opaque, guest, room)

        seats = range_of(message.content, guest.id)
        frame = None if seats is None else seats.frame(body.get("seat"), body.get("thing"))
        if seats is None or frame is None:
            return web.json_response({})

        self._streams.send(room, None, frame)
        back = seats.answer(frame["seat"])
        if back is not None:
            asyncio.get_running_loop().call_later(RETURN_SECONDS, self._streams.send, room, None, back)

        return web.json_response({})

    async def post_remark(self, request: web.Request) -> web.Response:
        """Shows a player's remark at their seat on all pages of the room."""
        _, guest, room = await self._session(request)
        body = await inbound.body_of(request)
        self._remarks.count(guest.id)
        message = await self._message(inbound.message_from(body).opaque, guest, room)

        seats = range_of(message.content, guest.id)
        frame = None if seats is None else seats.remark(body.get("remark"))
        if frame is not None:
            self._streams.send(room, None, frame)

        return web.json_response({})

    async def stream(self, request: web.Request) -> web.WebSocketResponse:
        """Keeps an open page up to date. The page's first frame has its guest's secret."""
        network = network_of(request)
        socket = await open_stream(request, BEAT_SECONDS)

        with self._pages_of_a_network.slot(network) as has_room:
            if not has_room:
                crowded = gettext_noop("Too many pages are open at your address. Close some of them.")
                await self._close_for_now(socket, request, crowded)
                return socket

            if (guest := await self._greet_guest(socket, request)) is None:
                await socket.close(code=UNKNOWN, message=b"unknown")
                return socket

            with self._pages.slot(guest.id or f"looks from {network}") as is_free:
                if self.inbox is None:
                    starting = gettext_noop("The game is just starting or stopping.")
                    await self._close_for_now(socket, request, starting)
                elif not is_free:
                    crowded = gettext_noop("You have too many pages open. Close some of them.")
                    await self._close_for_now(socket, request, crowded)
                else:
                    await self._keep_up_to_date(socket, request, guest)

        return socket

    async def _keep_up_to_date(
        self, socket: web.WebSocketResponse, request: web.Request, guest: Guest
    ) -> None:
        room = request.match_info["room"]
        language = self._sentences.language_of(request)
        is_new = language not in self._streams.languages(room)
        stream = EventStream(guest, room, language)
        async with self._messages.follow(stream), asyncio.TaskGroup() as tasks:
            sending = tasks.create_task(_send(stream, socket))
            if is_new and self.inbox is not None:
                await self.inbox.redraw_in_new_language(room_ref(room))

            await answer_questions(socket, self._monotonic)
            sending.cancel()

    async def _close_for_now(self, socket: web.WebSocketResponse, request: web.Request, reason: str) -> None:
        """Closes a stream that the page may retry later; the page shows the reason."""
        sentence = self._sentences.in_language_of(request, reason).encode()
        await socket.close(code=LATER, message=sentence)

    async def _greet_guest(self, socket: web.WebSocketResponse, request: web.Request) -> Guest | None:
        try:
            greeting = await socket.receive_json(timeout=GREETING_SECONDS)
            if greeting.get("looks") is True:
                return SPECTATOR
            secret = greeting["secret"]
        except (TimeoutError, AttributeError, TypeError, ValueError, LookupError, RecursionError):
            return None

        return await self._sessions.guest_with(secret, request)

    async def _session(self, request: web.Request) -> tuple[port.Inbox, Guest, str]:
        """Returns the inbox, the guest who sends the request, and the room.

        Raises:
            RequestRefusedError: The secret is unknown, or there is no inbox.
        """
        guest = await self._sessions.authenticate(request)
        if self.inbox is None:
            raise inbound.RequestRefusedError(
                503, gettext_noop("The game is just starting or stopping: try again in a moment.")
            )

        return self.inbox, guest, request.match_info["room"]

    async def _message(self, number: str, guest: Guest, room: str) -> SavedMessage:
        """Returns the message of a request.

        Raises:
            RequestRefusedError: The guest has no such message in the room.
        """
        message = await self._store.message(int(number))
        if message is None or message.room != room or message.guest not in (None, guest.id):
            raise inbound.RequestRefusedError(404, gettext_noop("That message is gone."))
        return message


async def _send(stream: EventStream, socket: web.WebSocketResponse) -> None:
    """Sends the stream's events until it ends or the connection breaks."""
    with suppress(ConnectionError):
        while True:
            try:
                async with asyncio.timeout(BEAT_SECONDS):
                    frame = await stream.next()
            except TimeoutError:
                frame = BEAT

            if frame is None:
                break

            await socket.send_str(frame)

    await socket.close(code=WSCloseCode.GOING_AWAY)
