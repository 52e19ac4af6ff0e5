"""How others get to the page: the addresses under which they can open it, and links as QR codes."""

import asyncio
import io
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

import ifaddr
import segno
from aiohttp import web

from adapters.web.errors import RefusedError, gettext_noop
from adapters.web.inbound import body_of, text_from
from adapters.web.sessions import Sessions

LONGEST_LINK = 400
"""Characters of a link that becomes a picture; more would be too fine for a phone's camera."""


class Invitation:
    """Answers how friends can come to the page."""

    def __init__(self, sessions: Sessions, host: str, public_url: str) -> None:
        """Invite to a page that listens at `host`; `public_url` is its address in the world, if any."""
        self._sessions = sessions
        self._host = host
        self._public_url = public_url

    async def get_addresses(self, request: web.Request) -> web.Response:
        """Say where the page can be opened, the best address first; none: on this machine alone."""
        await self._sessions.authenticate(request)
        return web.json_response({"addresses": await asyncio.to_thread(self._addresses, request.host)})

    async def post_qr_code(self, request: web.Request) -> web.Response:
        """Draw a link of the page."""
        await self._sessions.authenticate(request)
        link = text_from(await body_of(request), "link")
        if not 0 < len(link) <= LONGEST_LINK:
            raise RefusedError(400, gettext_noop("That is not a link to this page."))
        return web.Response(body=await asyncio.to_thread(qr_code, link), content_type="image/svg+xml")

    def _addresses(self, host: str) -> list[str]:
        """Return the addresses; `host` is what a browser has asked for."""
        if self._public_url:
            return [self._public_url]
        if is_loopback(self._host):
            return []
        asked = urlsplit(f"//{host}")
        port = "" if asked.port is None else f":{asked.port}"
        names = _machine_addresses() if self._listens_everywhere() else [self._host]
        if not is_loopback(asked.hostname or ""):  # somebody has got here that way, so others will
            names = [asked.hostname or "", *names]
        return list(dict.fromkeys(f"http://{_in_brackets(name)}{port}" for name in names))

    def _listens_everywhere(self) -> bool:
        try:
            return ip_address(self._host).is_unspecified
        except ValueError:
            return False


def is_loopback(host: str) -> bool:
    """Return whether a host is reached from its own machine alone."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def qr_code(link: str) -> bytes:
    """Return a link as an SVG."""
    drawn = io.BytesIO()
    segno.make_qr(link, error="m").save(drawn, kind="svg", scale=4, border=3, light="#fff", svgclass=None)
    return drawn.getvalue()


def _machine_addresses() -> list[str]:
    """Return the addresses of this machine in networks that others may share, the usual kinds first."""
    found = [ip_address(_bare(ip.ip)) for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    shared = [each for each in found if not (each.is_loopback or each.is_link_local or each.is_unspecified)]
    return [str(each) for each in sorted(shared, key=lambda each: each.version)]


def _bare(ip: str | Iterable[object]) -> str:
    """Return an address without what the library says besides of one of IPv6."""
    return ip if isinstance(ip, str) else str(next(iter(ip)))


def _in_brackets(host: str) -> str:
    return f"[{host}]" if ":" in host else host
