"""Finds settings that expose more of the bot than the owner may think, as sentences for the owner."""

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from urllib.parse import urlsplit

import pydantic
from pydantic_core import Url

# Files that Docker and Podman put into each container, and where Linux lists its routes.
CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))
ROUTES = Path("/proc/net/route")
ANYWHERE = "00000000"


def gateway_of_container(
    marks: Sequence[Path] = CONTAINER_MARKS, routes: Path = ROUTES
) -> IPv4Address | None:
    """Returns the address from which requests reach a container; None outside of one."""
    if not any(mark.exists() for mark in marks) or not routes.exists():
        return None

    for line in routes.read_text().splitlines()[1:]:
        _, destination, gateway, *_ = line.split()
        if destination == ANYWHERE:
            return IPv4Address(bytes.fromhex(gateway)[::-1])

    return None


def lacking_proxy(
    public_url: str, trusted: Sequence[pydantic.IPvAnyNetwork], gateway: IPv4Address | None
) -> str:
    """Returns a sentence if a proxy outside the container may hide all people behind one address, else ""."""
    if not public_url or gateway is None or any(gateway in network for network in trusted):
        return ""

    return (
        f"A proxy outside this container comes from {gateway}, which DURAK_TRUSTED_PROXIES does not name: "
        "then all people count as one address, and share its limits."
    )


def exposed_cluster(dask: Url | None) -> str:
    """Returns a warning if a Dask cluster is at a public address without encryption; else an empty text."""
    if dask is None or dask.scheme != "tcp":
        return ""

    host = urlsplit(str(dask)).hostname or ""
    try:
        addresses = {place[4][0] for place in socket.getaddrinfo(host, dask.port, type=socket.SOCK_STREAM)}
    except OSError:
        return ""

    public = sorted(str(address) for address in addresses if not ip_address(address).is_private)
    if not public:
        return ""

    return (
        f"DURAK_DASK: {host} ({public[0]}) is not in a private network. Anybody on the way can answer for it "
        "and run code here: use tls:// with certificates of your own."
    )
