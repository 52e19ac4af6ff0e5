"""Reasons why a chat's server cannot be reached, as clauses for the owner without addresses or tokens."""

import socket
import ssl
from collections.abc import Iterator

import aiohttp

NO_NAME = "its name cannot be found: look at this machine's network and DNS"
NO_PROXY = "the proxy on the way cannot be reached: look at HTTPS_PROXY and ALL_PROXY"
PROXY_REFUSES = "the proxy on the way does not let the bot through: look at HTTPS_PROXY and ALL_PROXY"
NOT_TRUSTED = "its certificate is not trusted: look at this machine's clock, and at what stands on the way"
NO_TLS = "no encrypted connection can be made: look at what stands on the way"
REFUSED = "nothing answers at its address: look at this machine's network and firewall"
NO_ANSWER = "it does not answer in time"
BROKEN_OFF = "the connection breaks off"
NOT_UNDERSTOOD = "its answers cannot be read: look at what stands on the way"

# Subclasses come before their base classes.
REASONS: tuple[tuple[type[BaseException], str], ...] = (
    (socket.gaierror, NO_NAME),
    (aiohttp.ClientHttpProxyError, PROXY_REFUSES),
    (aiohttp.ClientProxyConnectionError, NO_PROXY),
    (aiohttp.ClientConnectorCertificateError, NOT_TRUSTED),
    (ssl.SSLCertVerificationError, NOT_TRUSTED),
    (ssl.SSLError, NO_TLS),
    (TimeoutError, NO_ANSWER),
    (aiohttp.ServerDisconnectedError, BROKEN_OFF),
    (ConnectionResetError, BROKEN_OFF),
    (aiohttp.ClientPayloadError, BROKEN_OFF),
    (OSError, REFUSED),
    (ValueError, NOT_UNDERSTOOD),
)


def why_unreachable(error: BaseException) -> str:
    """Returns the reason why a server cannot be reached, from a request's error and its causes."""
    causes = list(_causes(error))
    for kind, reason in REASONS:
        if any(isinstance(cause, kind) for cause in causes):
            return reason

    return f"something unforeseen: {type(error).__name__}"


def why_answered_so(status: int) -> str:
    """Returns the reason for a response that reports a server error."""
    return f"it answers with error {status}, which is trouble of its own and passes"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yields an error and those of its causes that the libraries keep."""
    visited = set[int]()
    queue: list[object] = [error]
    while queue:
        cause = queue.pop()
        if not isinstance(cause, BaseException) or id(cause) in visited:
            continue

        visited.add(id(cause))
        yield cause
        queue += [cause.__cause__, getattr(cause, "os_error", None)]
