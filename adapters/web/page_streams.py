"""The streams of open pages. A page rarely sends anything, so a client that sends a lot is cut off."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from aiohttp import WSMsgType, web

from adapters import port
from adapters.web.server import limit_stream

MAX_MESSAGE_BYTES = 1024

# A page checks whether the server is there after twelve seconds of silence, and when it becomes visible
# again.
QUESTIONS = port.Budget(seconds=2.0, burst=20)
STILL_HERE = '{"type":"here"}'  # the answer

# Close codes from the range for applications. WebKit on Linux treats newer protocol codes, such as 1013, as
# errors, and drops the reason.
UNKNOWN = 4401  # the secret is unknown
LATER = 4429  # the reason is a sentence for the reader
TALKATIVE = 4430  # the client sends more than a page does


async def open_stream(request: web.Request, heartbeat: float) -> web.WebSocketResponse:
    """Opens the stream of a page; `heartbeat` is the number of seconds between checks of the connection."""
    limit_stream(request)
    # Pings from the client count as questions; with `autoping` the library would answer them uncounted.
    socket = web.WebSocketResponse(heartbeat=heartbeat, autoping=False, max_msg_size=MAX_MESSAGE_BYTES)
    await socket.prepare(request)
    return socket


async def answer_questions(
    socket: web.WebSocketResponse, monotonic: Callable[[], float] = time.monotonic
) -> None:
    """Answers every message of a page until the stream ends; closes it if there are too many."""
    questions = port.TokenBucket(QUESTIONS)

    async for message in socket:
        now = monotonic()
        if questions.wait(now):
            await socket.close(code=TALKATIVE, drain=False)
            return

        questions.take(now)
        with suppress(ConnectionError):
            match message.type:
                case WSMsgType.PONG:
                    pass
                case WSMsgType.PING:
                    await socket.pong(message.data)
                case _:
                    await socket.send_str(STILL_HERE)

        await asyncio.sleep(0)  # otherwise a backlog of messages would block other tasks
