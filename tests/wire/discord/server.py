"""An HTTP server that behaves like Discord, as far as a bot can see it."""

import asyncio
import copy
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from types import TracebackType
from typing import Any, Self

from aiohttp import web
from PIL import Image, ImageOps

from tests.wire.discord import accounts, callbacks, emojis, messages
from tests.wire.discord.errors import ApiError, Refusal
from tests.wire.discord.faults import Fault
from tests.wire.discord.gateway import Gateway
from tests.wire.discord.people import Community, Person
from tests.wire.discord.rate_limits import Flooded
from tests.wire.discord.request_body import JSON, read
from tests.wire.discord.schema import schema, without_quirks
from tests.wire.discord.state import Call, DiscordState, Request

API = "/api/v10"
AVATAR = "/avatars/{user_id}/{name}.png"
AVATAR_SIZES = frozenset(1 << power for power in range(4, 13))  # that the server of avatars accepts
Endpoint = Callable[[DiscordState, Call], Awaitable[Any]]


@dataclass(frozen=True)
class Route:
    """An endpoint; one that `is_open` needs no bot token, since its path has a token."""

    method: str
    path: str
    endpoint: Endpoint
    is_open: bool = False
    status: int = 200


EMOJIS = "/applications/{application_id}/emojis"
WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"
ROUTES = (
    Route("GET", "/users/@me", accounts.get_me),
    Route("GET", "/users/{user_id}", accounts.get_user),
    Route("GET", "/oauth2/applications/@me", accounts.get_application),
    Route("GET", "/applications/{application_id}/activity-instances/{instance_id}", accounts.get_instance),
    Route("GET", "/applications/{application_id}/commands", accounts.get_commands),
    Route("PUT", "/applications/{application_id}/commands", accounts.put_commands),
    Route("GET", EMOJIS, emojis.list_emojis),
    Route("POST", EMOJIS, emojis.create_emoji, status=201),
    Route("DELETE", EMOJIS + "/{emoji_id}", emojis.delete_emoji),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", accounts.get_member),
    Route("GET", "/guilds/{guild_id}/roles", accounts.get_roles),
    Route("POST", "/guilds/{guild_id}/roles", accounts.create_role),
    Route("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", accounts.give_role),
    Route("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", accounts.take_role),
    Route("GET", "/guilds/{guild_id}/channels", accounts.get_channels),
    Route("POST", "/users/@me/channels", messages.open_direct_messages),
    Route("GET", "/channels/{channel_id}", messages.get_channel),
    Route("PATCH", "/channels/{channel_id}", messages.edit_channel),
    Route("GET", "/channels/{channel_id}/thread-members/{user_id}", accounts.get_thread_member),
    Route("GET", "/channels/{channel_id}/messages", messages.list_messages),
    Route("POST", "/channels/{channel_id}/messages", messages.post_message),
    Route("GET", "/channels/{channel_id}/messages/{message_id}", messages.get_message),
    Route("PUT", "/channels/{channel_id}/messages/pins/{message_id}", messages.pin_message),
    Route("DELETE", "/channels/{channel_id}/messages/pins/{message_id}", messages.unpin_message),
    Route("PATCH", "/channels/{channel_id}/messages/{message_id}", messages.edit_message),
    Route("DELETE", "/channels/{channel_id}/messages/{message_id}", messages.delete_message),
    Route(
        "POST", "/interactions/{interaction_id}/{interaction_token}/callback", callbacks.answer, is_open=True
    ),
    Route("POST", WEBHOOK, callbacks.follow_up, is_open=True),
    Route("GET", WEBHOOK + "/messages/@original", callbacks.get_answer, is_open=True),
    Route("PATCH", WEBHOOK + "/messages/@original", callbacks.edit_answer, is_open=True),
    Route("DELETE", WEBHOOK + "/messages/@original", callbacks.delete_answer, is_open=True),
    Route("GET", WEBHOOK + "/messages/{message_id}", callbacks.get_answer, is_open=True),
    Route("PATCH", WEBHOOK + "/messages/{message_id}", callbacks.edit_answer, is_open=True),
    Route("DELETE", WEBHOOK + "/messages/{message_id}", callbacks.delete_answer, is_open=True),
)


class DiscordServer:
    """A Discord, served on a free port while entered; on leaving, a broken schema is an error."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.state = DiscordState(self.gateway.publish)
        self.community = Community(self.state)
        self._address = ""
        self._runner: web.AppRunner | None = None

    @property
    def api_url(self) -> str:
        return f"http://{self._address}{API}"

    @property
    def cdn_url(self) -> str:
        """The root of the server of avatars."""
        return f"http://{self._address}/cdn"

    @property
    def gateway_url(self) -> str:
        return f"ws://{self._address}/gateway"

    def person(self, name: str) -> Person:
        """Creates an account, in no guild yet."""
        return self.community.person(name)

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=30 * 1024 * 1024)
        app.router.add_get("/gateway", partial(self.gateway.serve, self.state))
        gateway_bot = Route("GET", "/gateway/bot", self._where_the_gateway_is)
        for route in (*ROUTES, gateway_bot):
            app.router.add_route(route.method, API + route.path, self._handler(route))

        app.router.add_post(f"{API}/oauth2/token", self.state.activities.token)
        app.router.add_get("/files/{name}", self._file)
        app.router.add_get(f"/cdn{AVATAR}", self._avatar)
        app.router.add_route("*", "/{rest:.*}", self._unknown)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        listener = web.TCPSite(self._runner, "127.0.0.1", 0)
        await listener.start()
        host, port = self._runner.addresses[0][:2]
        self._address = f"{host}:{port}"
        self.state.files_url = f"http://{self._address}/files"

        return self

    async def _file(self, request: web.Request) -> web.Response:
        """Returns the content of a file that somebody has sent."""
        content = self.state.files.get(request.match_info["name"])
        return web.Response(status=404) if content is None else web.Response(body=content)

    async def _avatar(self, request: web.Request) -> web.StreamResponse:
        """Returns a person's avatar in the size that is asked for; only the present one exists."""
        account = self.state.accounts.get(int(request.match_info["user_id"]))
        size = int(request.query.get("size", "128"))
        self.state.avatars_fetched.append(request.path)
        fault = self.state.faults.take("GET", AVATAR, b"") or Fault()
        await asyncio.sleep(fault.delay)
        if fault.hang_up:
            return _cut(request)
        if fault.page:
            return web.Response(status=fault.page)

        if size not in AVATAR_SIZES:
            return web.Response(status=400)
        if account is None or account.avatar_hash != request.match_info["name"]:
            return web.Response(status=404)

        return web.Response(body=_scaled(account.avatar, size), content_type="image/png")

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.gateway.cut()
        if self._runner is not None:
            await self._runner.cleanup()
        if error is None:
            assert not self.state.violations, self.state.violations

    async def _where_the_gateway_is(self, state: DiscordState, call: Call) -> dict[str, Any]:
        del state, call
        starts = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return {"url": self.gateway_url, "shards": 1, "session_start_limit": starts}

    async def _unknown(self, request: web.Request) -> web.Response:
        self.state.violations.append(f"{request.method} {request.path} is not served here")
        return _json(404, ApiError(Refusal.NOT_FOUND).body, {})

    # --- one request --------------------------------------------------------------------------------------

    def _handler(self, route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            try:
                response, raw = await self._serve(route, request)
            except Exception as error:  # a mistake of ours must fail the test, not look like Discord's
                self.state.violations.append(f"{request.method} {request.path} broke this server: {error!r}")
                raise

            self.state.requests.append(Request(request.method, request.path, response.status, raw))
            return response

        return handle

    async def _serve(self, route: Route, request: web.Request) -> tuple[web.StreamResponse, bytes]:
        call = await read(request)
        fault = self.state.faults.take(route.method, route.path, call.raw) or Fault()
        await asyncio.sleep(fault.delay)

        if fault.hang_up == "before":
            return _cut(request), call.raw
        if fault.page:
            page = "<html><head><title>Attention Required!</title></head></html>"
            return web.Response(status=fault.page, text=page, content_type="text/html"), call.raw

        headers = self.state.limits.count(route.method, route.path, call.params)
        if isinstance(headers, Flooded):
            return _flooded(headers), call.raw

        try:
            self._admit(route, request, call, fault)
            answer = await route.endpoint(self.state, call)
        except ApiError as error:
            return _json(error.status, error.body, headers), call.raw

        await asyncio.sleep(fault.silence)
        if fault.hang_up == "after":
            return _cut(request), call.raw

        self._judge_answer(route, answer)
        if fault.spoils is not None:
            answer = copy.deepcopy(answer)
            fault.spoils(answer)

        if answer is None:
            return web.Response(status=204, headers=headers), call.raw

        return _json(route.status, answer, headers), call.raw

    def _admit(self, route: Route, request: web.Request, call: Call, fault: Fault) -> None:
        """Authorizes and checks a request; refuses it if a test has requested a fault.

        Raises:
            ApiError: It has no valid token, breaks the schema, or has a fault.
        """
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme == "Bearer" and token in self.state.activities.accesses:
            call.person = self.state.activities.accesses[token]
        elif not route.is_open and (scheme, token) != ("Bot", self.state.token):
            raise ApiError(Refusal.UNAUTHORIZED)
        self._judge(route, call)
        if fault.refusal is not None:
            raise ApiError(fault.refusal)

    def _judge_answer(self, route: Route, answer: object) -> None:
        """Checks our own answer against the schema, so that the bot meets no answer unknown to Discord."""
        judge = schema()
        if judge is not None and answer is not None:
            problems = judge.answer_problems(route.method, route.path, route.status, answer)
            self.state.violations += [
                f"answer to {route.method} {route.path}: {problem}" for problem in problems
            ]

    def _judge(self, route: Route, call: Call) -> None:
        """Checks a request against the published schema.

        Raises:
            ApiError: The request breaks it; the test will also fail.
        """
        if (judge := schema()) is None:
            return
        problems = judge.request_problems(route.method, route.path, without_quirks(route.path, call.body))
        self.state.violations += [f"{route.method} {route.path}: {problem}" for problem in problems]
        if problems:
            raise ApiError(Refusal.INVALID_FORM, *problems)


def _scaled(picture: bytes, size: int) -> bytes:
    with Image.open(BytesIO(picture)) as opened:
        scaled = ImageOps.contain(opened.convert("RGBA"), (size, size))

    file = BytesIO()
    scaled.save(file, "PNG")
    return file.getvalue()


def _json(status: int, body: object, headers: dict[str, str]) -> web.Response:
    # The content type has no charset: discord.py parses nothing else as JSON.
    return web.Response(
        status=status, body=json.dumps(body).encode(), headers={**headers, "Content-Type": JSON}
    )


def _flooded(flooded: Flooded) -> web.Response:
    body = {
        "message": "You are being rate limited.",
        "retry_after": flooded.retry_after,
        "global": flooded.everywhere,
    }
    scope = {"X-RateLimit-Global": "true"} if flooded.everywhere else {}
    more = {
        "Retry-After": f"{flooded.retry_after:.3f}",
        "X-RateLimit-Scope": "global" if flooded.everywhere else "user",
        "Via": "1.1 google",  # without it discord.py treats the answer as a ban by Cloudflare
    }

    return _json(429, body, flooded.headers | scope | more)


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)
