"""The streams of open pages. A real page rarely sends anything, so a client that sends a lot is cut off."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from aiohttp import WSMsgType, web

from adapters import port
from adapters.web.server import limit_stream

MAX_MESSAGE_BYTES = 1024

# A page asks after twelve seconds of silence, and whenever it is looked at again.
QUESTIONS = port.Budget(seconds=2.0, burst=20)
STILL_HERE = '{"type":"here"}'  # the answer to a page that asks

# Why a stream is closed, in numbers that are left to applications: on Linux, WebKit takes the protocol's own
# newer ones, such as 1013, for errors, and drops the reason beside them.
UNKNOWN = 4401  # no guest has this secret
LATER = 4429  # the reason is a sentence for the reader
TALKATIVE = 4430  # it asks more than a page does


async def open_stream(request: web.Request, heartbeat: float) -> web.WebSocketResponse:
    """Opens the stream of a page; `heartbeat` is how often, in seconds, the connection is checked."""
    limit_stream(request)
    # Its own pings are questions like others: left to the library, nothing would count them.
    socket = web.WebSocketResponse(heartbeat=heartbeat, autoping=False, max_msg_size=MAX_MESSAGE_BYTES)
    await socket.prepare(request)
    return socket


async def answer_questions(
    socket: web.WebSocketResponse, monotonic: Callable[[], float] = time.monotonic
) -> None:
    """Answers whatever a page asks until it is closed, or asks too much and is closed for that."""
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

        await asyncio.sleep(0)  # or a backlog of messages would be answered before other tasks run
