"""Sends the client library's requests with aiohttp, in a fifth of the CPU time of httpx."""

import json
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from inspect import signature
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import certifi
import telegram
from aiohttp import hdrs
from telegram import Bot, ChatMember, Update
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

from adapters import port
from adapters.telegram.inbound import TOKENS_KEY, tokens_of

CONNECTIONS = 256
UNSENT_WORDS = ": nothing was sent"
JSON: Mapping[str, str] = {hdrs.CONTENT_TYPE: "application/json"}
PROXY_SCHEMES = ("http", "https")
# Errors that prove that Telegram did not get the request; after any other, it may have carried it out.
UNSENT = (
    aiohttp.ClientConnectorError,
    aiohttp.ClientHttpProxyError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.InvalidURL,
)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """The timeouts of a request, in seconds."""

    pool: float = 1.0  # for a free connection from the pool
    connect: float = 5.0  # for a new connection
    write: float = 5.0  # for sending parameters
    media_write: float = 20.0  # for sending files
    read: float = 15.0  # between two pieces of the answer; a long poll passes a longer one


class AiohttpRequest(BaseRequest):
    """Sends requests to one Bot API over its own connections.

    Nothing is sent twice, as a request without an answer may have been carried out. Errors and their causes
    do not contain the address, as it includes the token.

    Args:
        api_url: The root of the Bot API, which also determines the proxy.
        connections: The most concurrent requests.
        timeouts: The timeouts of requests.
    """

    def __init__(
        self, api_url: str, *, connections: int = CONNECTIONS, timeouts: Timeouts = Timeouts()
    ) -> None:
        self._api_url = api_url
        self._connections = connections
        self._timeouts = timeouts
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """The seconds that the library adds to the timeout of a long poll."""
        return self._timeouts.read

    async def initialize(self) -> None:
        """Creates the session, also again after `shutdown`.

        Raises:
            AccessDeniedError: The environment names a proxy of an unsupported kind.
        """
        if self._session is None:
            is_encrypted = urlsplit(self._api_url).scheme == "https"
            tls = trusted_certificates() if is_encrypted else False
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=self._connections, ssl=tls),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={hdrs.USER_AGENT: self.USER_AGENT},
                proxy=proxy_for(self._api_url),
            )

    async def shutdown(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            session = self._session
            self._session = None
            await session.close()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        *_: Any,
        **__: Any,
    ) -> tuple[int, bytes]:
        """Sends a request; returns the status and the body of the answer.

        Raises:
            TimedOut: The request or its answer took too long.
            NetworkError: No complete answer arrived, or the server answered with an error (5xx).
        """
        if self._session is None:
            raise NetworkError(f"Not connected{UNSENT_WORDS}")

        seconds = self._timeouts
        has_files = request_data is not None and request_data.contains_files
        read = seconds.read if read_timeout is self.DEFAULT_NONE else read_timeout
        waiting = seconds.pool + seconds.connect
        timeout = aiohttp.ClientTimeout(  # aiohttp has no write timeout, so that one is part of the total
            total=waiting + (seconds.media_write if has_files else seconds.write) + read,
            connect=waiting,
            sock_connect=seconds.connect,
            sock_read=read,
        )
        body: aiohttp.FormData | bytes | None = None

        try:
            if request_data is not None and has_files:
                body = aiohttp.FormData(quote_fields=False)
                for name, value in request_data.json_parameters.items():
                    body.add_field(name, value)

                for name, (filename, content, kind) in request_data.multipart_data.items():
                    body.add_field(name, content, filename=filename, content_type=kind)
            elif request_data is not None:
                body = json.dumps(request_data.parameters, ensure_ascii=False).encode()

            headers = JSON if isinstance(body, bytes) else None
            async with self._session.request(
                method, url, data=body, headers=headers, timeout=timeout, allow_redirects=False
            ) as response:
                status = response.status
                answer = await response.read()
        except Exception as error:
            words = port.why_unreachable(error)
            if isinstance(error, UNSENT):
                words += UNSENT_WORDS
            problem = TimedOut(words) if isinstance(error, TimeoutError) else NetworkError(words)
        else:
            if status < HTTPStatus.INTERNAL_SERVER_ERROR:
                return status, answer
            problem = NetworkError(port.why_answered_so(status))

        raise problem  # outside of `except`, so that its context is not an exception that contains the token


def proxy_for(url: str) -> str | None:
    """Returns the proxy that the environment names for an address (HTTPS_PROXY, ALL_PROXY, NO_PROXY), if any.

    Raises:
        AccessDeniedError: The proxy is of an unsupported kind.
    """
    parts = urlsplit(url)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.netloc):
        return None

    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if urlsplit(proxy).scheme not in PROXY_SCHEMES:
        raise port.AccessDeniedError(
            f"The proxy in {parts.scheme.upper()}_PROXY or ALL_PROXY should begin with http:// or https://: "
            "Telegram cannot be reached by another."
        )

    return proxy


@cache
def trusted_certificates() -> ssl.SSLContext:
    """Returns a context with this machine's certificates and those of certifi, as some machines have none."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


# --- Telegram's answers, parsed only as far as the bot needs them ---


WHERE_IT_STANDS = (
    *("message_id", "date", "chat", "message_thread_id", "is_topic_message"),
    *("ephemeral_message_id", "receiver_user"),
)


class BriefRequest(AiohttpRequest):
    """Sends everything except polls.

    Of a sent message it reads only the place, of an edited one nothing.
    """

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Parses an answer of Telegram, and drops what the bot does not need."""
        answer = AiohttpRequest.parse_json_payload(payload)
        result = answer.get("result")
        if isinstance(result, dict) and "message_id" in result:
            answer["result"] = bool(result.get("edit_date")) or _place_of(result)
        elif isinstance(result, dict) and "status" in result:
            answer["result"] = _whole_member(result)

        return answer


class UpdatesRequest(AiohttpRequest):
    """Fetches updates, and parses each separately; an unreadable one is returned without its content.

    The library parses all updates of an answer or none. As updates are confirmed by requesting the next
    ones, an unreadable one would make it get the same answer forever. So the library gets an empty list.
    """

    _newest: Sequence[dict[str, Any]] = ()

    def parse_json_payload(self, payload: bytes) -> dict[str, Any]:  # type: ignore[override] # it needs `self`
        """Parses an answer of Telegram; keeps its updates for `newest`."""
        answer: dict[str, Any] = AiohttpRequest.parse_json_payload(payload)
        if isinstance(answer.get("result"), list):
            self._newest = answer["result"]
            answer["result"] = []
        return answer

    def newest(self, bot: Bot, skipped: Callable[[str, Exception], None]) -> list[Update]:
        """Returns the updates of the last answer; of a pressed message they keep the place and the tokens.

        `skipped` is called with the id of each unreadable update, and the error.
        """
        updates = list[Update]()
        for update in self._newest:
            try:
                if "message" in (press := update.get("callback_query", {})):
                    message = press["message"]
                    press["message"] = _place_of(message) | {TOKENS_KEY: tokens_of(message)}

                change = update.get("my_chat_member", {})
                for side in change.keys() & {"old_chat_member", "new_chat_member"}:
                    change[side] = _whole_member(change[side])

                updates.append(Update.de_json(update, bot))
            except Exception as error:
                if not isinstance(update, dict) or not isinstance(update.get("update_id"), int):
                    raise  # without its id, the update cannot be confirmed
                skipped(str(update["update_id"]), error)
                updates.append(Update(update["update_id"]))

        return updates


def _whole_member(member: dict[str, Any]) -> dict[str, Any]:
    """Returns a membership with all fields that the library requires, as older servers send fewer rights."""
    fields = signature(_MEMBERS.get(member.get("status", ""), ChatMember)).parameters
    required = (name for name in fields if name.startswith(("can_", "is_", "until_")))
    return dict.fromkeys(required, False) | member


_MEMBERS = {
    ChatMember.OWNER: telegram.ChatMemberOwner,
    ChatMember.ADMINISTRATOR: telegram.ChatMemberAdministrator,
    ChatMember.RESTRICTED: telegram.ChatMemberRestricted,
    ChatMember.BANNED: telegram.ChatMemberBanned,
}


def _place_of(message: dict[str, Any]) -> dict[str, Any]:
    return {name: message[name] for name in WHERE_IT_STANDS if name in message}
