"""Authenticates people of other chats at their live tables, by a proof from their chat.

A proof is exchanged once for a secret, which is valid for twelve hours. The secret's hash is only kept in
memory, so after a restart the page needs another proof.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any

from aiohttp import web
from cachetools import LRUCache, TTLCache

from adapters import port
from adapters.port import gettext_noop
from adapters.web import inbound
from adapters.web.request_guard import RateLimiter, network_of
from adapters.web.throws import Range

SECRET_SECONDS = 12 * 60 * 60.0
SECRET_BYTES = 24
MAX_VISITS = 20_000  # secrets that are valid at the same time
MAX_PROOF_LENGTH = 4096  # characters
MAX_WANTED_LENGTH = 128
MAX_OF_A_PERSON = 10  # valid secrets per person; a new one replaces the oldest
CHECK_SECONDS = 60.0  # the time between two checks that a person is still in the chat

PROOFS = port.Budget(seconds=6.0, burst=10)  # accepted proofs per person
FAILURES = port.Budget(seconds=6.0, burst=20)  # refused proofs per address

UNKNOWN_VISIT = gettext_noop("This table isn't open here any more. Open it anew from the chat.")

PROBLEMS: Mapping[port.ProofProblem, tuple[int, str]] = {
    port.ProofProblem.UNREADABLE: (
        400,
        gettext_noop("This link is incomplete. Open the table anew from the chat."),
    ),
    port.ProofProblem.FORGED: (
        403,
        gettext_noop("This link opens nothing. Open the table anew from the chat."),
    ),
    port.ProofProblem.OLD: (403, gettext_noop("This link is too old. Open the table anew from the chat.")),
    port.ProofProblem.USED: (
        403,
        gettext_noop("This link was opened before, and it opens once. Open the table anew from the chat."),
    ),
    port.ProofProblem.STRANGER: (
        403,
        gettext_noop("This table is for the people of its chat. Ask there to be let in."),
    ),
    port.ProofProblem.BUSY: (429, gettext_noop("Not so fast, please: try again in a second.")),
    port.ProofProblem.NO_TABLE: (404, gettext_noop("There's no such table any more.")),
}


@dataclass(eq=False, slots=True)
class Session:
    """The session of one visit.

    Attributes:
        visit: The person, and the table that they may see.
        checked_at: The time of the last check that they still may, by a monotonic clock.
        tokens: The pressable tokens of each message in the view, by its id.
        throws: The seats that the person can throw at.
        portraits: The keys of the portraits in the view.
    """

    visit: port.Visit
    checked_at: float
    tokens: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)
    throws: Range | None = None
    portraits: frozenset[str] = field(default=frozenset(), repr=False)


class Visits:
    """Begins, authenticates and ends visits at the tables of `views`, through `doors`.

    Sessions are kept by the hash of their secret.
    """

    def __init__(
        self, views: port.Views, doors: Sequence[port.Door], *, monotonic: Callable[[], float]
    ) -> None:
        self._views = views
        self._doors = {door.name: door for door in doors}
        self._monotonic = monotonic
        self._sessions = TTLCache[str, Session](MAX_VISITS, SECRET_SECONDS, timer=monotonic)
        self._keys = LRUCache[str, deque[str]](MAX_VISITS)  # each person's keys in `_sessions`, oldest first
        self._proofs = RateLimiter(PROOFS, monotonic)
        self._failures = RateLimiter(FAILURES, monotonic)

    async def post_visit(self, request: web.Request) -> web.Response:
        """Exchanges a proof for a secret; also returns the person's language, which the page may not know.

        Failures from the same network never block a valid proof, because other people may share the network.
        """
        network = network_of(request)
        body = await inbound.body_of(request)
        door = self._doors.get(inbound.text_from(body, "door"))

        try:
            visit = await self._vouch(door, body, network)
        except port.ProofRefusedError as refusal:
            # A chat's own proxy has few addresses for all of its people, so its door counts failures itself.
            if door is None or not door.origins:
                self._failures.count(network)
            raise _refusal_of(refusal, _way(door, body)) from None

        language = await self._views.language(visit)
        return web.json_response({"secret": self._begin(visit), "language": language}, status=201)

    async def _vouch(self, door: port.Door | None, body: dict[str, Any], network: str) -> port.Visit:
        """Returns the visit that the proof in a request opens; marks the proof as used after all checks.

        Raises:
            ProofRefusedError: The proof opens nothing.
            RequestRefusedError: The person has used too many proofs.
        """
        proof = inbound.text_from(body, "proof")
        wanted = inbound.text_from(body, "wanted")
        if door is None or not 0 < len(proof) <= MAX_PROOF_LENGTH or len(wanted) > MAX_WANTED_LENGTH:
            raise port.ProofRefusedError(port.ProofProblem.UNREADABLE)

        visit = await door.visit(proof, wanted, network)
        self._proofs.count(name_of(visit))
        await self._views.check(visit)
        door.use(proof, network)

        return visit

    def _begin(self, visit: port.Visit) -> str:
        """Starts a session for a visit, and returns its secret."""
        secret = token_urlsafe(SECRET_BYTES)
        key = inbound.hash_of(secret)
        self._sessions[key] = Session(visit, self._monotonic())

        keys = self._keys.setdefault(name_of(visit), deque(maxlen=MAX_OF_A_PERSON))
        if len(keys) == MAX_OF_A_PERSON:
            self._sessions.pop(keys[0], None)
        keys.append(key)

        return secret

    def authenticate(self, request: web.Request) -> Session:
        """Returns the session of a request.

        Raises:
            RequestRefusedError: It carries no valid secret.
        """
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        session = self.session(secret) if scheme.lower() == "bearer" else None
        if session is None:
            raise inbound.RequestRefusedError(401, UNKNOWN_VISIT)
        return session

    def session(self, secret: object) -> Session | None:
        """Returns the session with this secret; None if there is none."""
        if not isinstance(secret, str) or len(secret) > inbound.MAX_SECRET_LENGTH:
            return None
        return self._sessions.get(inbound.hash_of(secret))

    async def check(self, session: Session) -> None:
        """Runs `check_now` if the last check is more than `CHECK_SECONDS` ago.

        Raises:
            RequestRefusedError: The person may no longer see the table.
        """
        if self._monotonic() >= session.checked_at + CHECK_SECONDS:
            await self.check_now(session)

    async def check_now(self, session: Session) -> None:
        """Checks that a person may still see their table; ends the visit otherwise.

        Raises:
            RequestRefusedError: They may not.
        """
        now = self._monotonic()
        try:
            await self._views.check(session.visit)
        except port.ProofRefusedError as refusal:
            self.end(session)
            raise _refusal_of(refusal) from None

        session.checked_at = now

    def end(self, session: Session) -> None:
        """Ends a visit."""
        self._drop(lambda other: other is session)

    def end_all(self, is_over: Callable[[port.Visit], bool]) -> None:
        """Ends all visits for which `is_over` returns True."""
        self._drop(lambda session: is_over(session.visit))

    def _drop(self, is_ended: Callable[[Session], bool]) -> None:
        keys = [key for key, session in self._sessions.items() if is_ended(session)]
        for key in keys:
            del self._sessions[key]


def name_of(visit: port.Visit) -> str:
    """Returns the key for a person's rate limits; an address won't do, because whole networks share one."""
    return f"{visit.user.ref.platform}:{visit.user.ref.id}"


def _way(door: port.Door | None, body: dict[str, Any]) -> str:
    """Returns an alternative address of the table after a refused proof; empty if there is none."""
    if door is None:
        return ""
    return door.way(inbound.text_from(body, "proof"), inbound.text_from(body, "wanted"))


def _refusal_of(refusal: port.ProofRefusedError, way: str = "") -> inbound.RequestRefusedError:
    status, sentence = PROBLEMS[refusal.problem]
    return inbound.RequestRefusedError(status, sentence, way=way)
