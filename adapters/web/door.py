"""Lets people in: new guests by a name, known ones by the secret in their link, the owner by a key."""

import secrets
import time
from hmac import compare_digest

from aiohttp import web

from adapters.web.gate import Refused
from adapters.web.inbound import LONGEST_SECRET, body_of, hash_of, key_from, name_from, secret_of
from adapters.web.render import guest_json
from adapters.web.store import Guest, GuestStore

SECRET_BYTES = 24


class Door:
    """Who comes in, and as whom.

    Attributes:
        owner_key: Makes a guest the owner of the page. Each start has another one, so none is kept anywhere.
    """

    def __init__(self, store: GuestStore, most_guests: int) -> None:
        self.owner_key = secrets.token_urlsafe(SECRET_BYTES)
        self._store = store
        self._most_guests = most_guests

    async def come_in(self, request: web.Request) -> web.Response:
        """Welcome a new guest: a name is all it takes."""
        name = name_from(await body_of(request))
        if len(await self._store.guests()) >= self._most_guests:
            raise Refused(409, "There is no room for more guests on this page.")
        secret, now = secrets.token_urlsafe(SECRET_BYTES), time.time()
        guest = Guest(secrets.token_hex(8), name, hash_of(secret), now, now)
        await self._store.add_guest(guest)
        return web.json_response(guest_json(guest) | {"secret": secret}, status=201)

    async def make_owner(self, request: web.Request) -> web.Response:
        """Make the guest who knows the owner's key the owner, in place of whoever was."""
        guest = await self.guest_of(request)
        if not compare_digest(hash_of(key_from(await body_of(request))), hash_of(self.owner_key)):
            raise Refused(403, "This owner's link is an old one: each start of the bot prints a new one.")
        await self._store.make_owner(guest.id)
        return web.json_response({"toast": "You own this page: you are a moderator in all its rooms."})

    async def guest_of(self, request: web.Request) -> Guest:
        """Say whose request this is.

        Raises:
            Refused: It brings no known secret.
        """
        guest = await self.guest_with(secret_of(request))
        if guest is None:
            raise Refused(401, "Nobody knows you here: open your own link, or come in with a name.")
        return guest

    async def guest_with(self, secret: object) -> Guest | None:
        """Find the guest whose secret this is; None for whatever is no known secret."""
        if not isinstance(secret, str) or len(secret) > LONGEST_SECRET:
            return None
        return await self._store.guest_by_secret(hash_of(secret))
