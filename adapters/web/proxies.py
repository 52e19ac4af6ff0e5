"""Who asks, where a reverse proxy stands in front of the page.

A proxy says in `X-Forwarded-For` for whom it asks. Anybody can say such things, so only proxies that the
owner trusts are believed, and only once the owner has said that there is one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

from aiohttp import web

FORWARDED_FOR = "X-Forwarded-For"

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The proxies that are believed: those on this machine, and those in `networks`.

    None `is_expected` where the page is reached directly: then nobody is believed.
    """

    is_expected: bool = False
    networks: tuple[Network, ...] = ()

    def trusts(self, address: str) -> bool:
        """Return whether an address is that of a proxy which is believed."""
        try:
            found = ip_address(address.strip())
        except ValueError:
            return False
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        return self.is_expected and (found.is_loopback or any(found in network for network in self.networks))

    def asked_by(self, request: web.Request) -> web.Request:
        """Return the request as if who asks had sent it directly."""
        if not self.trusts(request.remote or ""):
            return request
        said = ",".join(request.headers.getall(FORWARDED_FOR, ()))
        client = self._client(part.strip() for part in reversed(said.split(",")))
        return request.clone(remote=client) if client else request

    def _client(self, addresses: Iterable[str]) -> str:
        """Return the nearest address that no trusted proxy has; anybody could write the others."""
        for address in addresses:
            if not self.trusts(address):
                return address
        return ""


NO_PROXIES = TrustedProxies()
