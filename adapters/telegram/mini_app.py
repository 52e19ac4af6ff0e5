"""Telegram's door to live tables: the page in a Mini App, with Telegram's signature for its reader."""

import hmac
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl

from cachetools import TTLCache
from telegram.helpers import create_deep_linked_url

from adapters import port
from adapters.telegram.refs import PLATFORM, TABLE_PAYLOAD, room_ref
from adapters.telegram.render import TableAction

NAME = "telegram"
PATH = f"/in/{NAME}"
WEB_CLIENT = "https://web.telegram.org"  # other clients show the page without a frame

# A proof is valid for a day, as some Telegram apps send the same one each time they show the page.
MAX_AGE_SECONDS = 24 * 60 * 60.0
MAX_SKEW_SECONDS = 30.0  # how far Telegram's clock may be ahead
MAX_FIELDS = 32
MAX_USED = 50_000

_KEY = b"WebAppData"
_TABLE = re.compile(r"\d{1,15}", re.ASCII)


class MiniApp:
    """The page as a Mini App, opened by a button in the private chat or by a direct link in groups."""

    name = NAME
    framed_by = (WEB_CLIENT,)
    origins = ()

    def __init__(self, token: str, public_url: str, app: str, now: Callable[[], float]) -> None:
        """Opens the page at `public_url`; groups have links only if `app` is its name at @BotFather."""
        self.bot_name = ""  # set once the bot has connected
        self._secret = hmac.digest(_KEY, token.encode(), "sha256")
        self._public_url = public_url
        self._app = app
        self._now = now
        # The network from which each proof was used, by the digest of its signed fields.
        self._used = TTLCache[str, str](MAX_USED, MAX_AGE_SECONDS + MAX_SKEW_SECONDS, timer=now)

    def button(self, table_id: int, *, is_private: bool, bot_name: str) -> Mapping[str, object] | None:
        """Returns the action of a button that opens a table; None if no such button is possible."""
        if is_private:
            is_secure = self._public_url.startswith("https:")
            return {"web_app": {"url": f"{self._public_url}{PATH}?table={table_id}"}} if is_secure else None

        if self._app:
            return {"url": f"https://t.me/{bot_name}/{self._app}?startapp={table_id}"}

        return None

    def way(self, proof: str, destination: str) -> str:
        """Returns the address at which the bot gives a personal link to a table, in the private chat.

        Another press on the Mini App's button could bring the same refused proof again.
        """
        table = destination
        with suppress(port.ProofRefusedError):
            table = self._check_signature(proof).get("start_param") or destination

        if not self.bot_name or not _TABLE.fullmatch(table):
            return ""
        return link_for_table(self.bot_name, int(table))

    async def visit(self, proof: str, destination: str, network: str) -> port.Visit:
        """Returns the visit that Telegram has signed.

        A used proof is still valid from the network that used it.

        Raises:
            ProofRefusedError: The proof opens nothing.
        """
        fields = self._check_signature(proof)
        age = self._now() - _number(fields, "auth_date")
        if age > MAX_AGE_SECONDS:
            raise port.ProofRefusedError(port.ProofProblem.OLD)
        if age < -MAX_SKEW_SECONDS:
            raise port.ProofRefusedError(port.ProofProblem.FORGED)

        # A direct link may have been opened in a channel; its readers are not members of a group.
        if fields.get("chat_type") == "channel":
            raise port.ProofRefusedError(port.ProofProblem.STRANGER)

        table = fields.get("start_param") or destination
        if not _TABLE.fullmatch(table):
            raise port.ProofRefusedError(port.ProofProblem.NO_TABLE)

        user = _user_in(fields.get("user", ""))
        self._check_unused(fields, network)

        return port.Visit(user, int(table), NAME, place=_group_in(fields.get("chat", "")))

    def use(self, proof: str, network: str) -> None:
        """Uses up a proof for all other networks.

        Raises:
            ProofRefusedError: Another network has used it in the meantime.
        """
        fields = self._check_signature(proof)
        self._check_unused(fields, network)
        self._used[_seal_of(fields)] = network

    def _check_unused(self, fields: Mapping[str, str], network: str) -> None:
        if self._used.get(_seal_of(fields), network) != network:
            raise port.ProofRefusedError(port.ProofProblem.USED)

    def _check_signature(self, proof: str) -> dict[str, str]:
        """Returns the fields of a proof, byte for byte as Telegram has signed them.

        Raises:
            ProofRefusedError: The proof is unreadable, or Telegram has not signed it for this bot.
        """
        try:
            pairs = parse_qsl(
                proof,
                keep_blank_values=True,
                strict_parsing=True,
                errors="surrogateescape",
                max_num_fields=MAX_FIELDS,
            )
        except ValueError:
            raise port.ProofRefusedError(port.ProofProblem.UNREADABLE) from None

        fields = dict(pairs)
        digest = fields.pop("hash", "")
        if len(fields) + 1 != len(pairs) or not digest.isascii():
            raise port.ProofRefusedError(port.ProofProblem.FORGED)

        signed = _signed_text(fields).encode(errors="surrogateescape")
        right = hmac.new(self._secret, signed, "sha256").hexdigest()
        if not hmac.compare_digest(right, digest):
            raise port.ProofRefusedError(port.ProofProblem.FORGED)

        return fields


def link_for_table(bot_name: str, table_id: int) -> str:
    """Returns a link to the private chat, where the bot then sends a personal link to the table."""
    return create_deep_linked_url(bot_name, f"{TABLE_PAYLOAD}{table_id}")


def _seal_of(fields: Mapping[str, str]) -> str:
    """Returns a digest of the signed fields, independent of their order and encoding."""
    return sha256(_signed_text(fields).encode(errors="surrogateescape")).hexdigest()


def _signed_text(fields: Mapping[str, str]) -> str:
    return "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))


def _number(fields: Mapping[str, str], name: str) -> int:
    text = fields.get(name, "")
    if not (text.isascii() and text.isdigit()):
        raise port.ProofRefusedError(port.ProofProblem.UNREADABLE)
    return int(text)


def _group_in(text: str) -> port.ServerRef | None:
    """Returns the group in a signed proof; None if Telegram does not name it."""
    if not text:
        return None

    try:
        chat: Any = json.loads(text)
        return room_ref(int(chat["id"])).server
    except (ValueError, LookupError, TypeError, RecursionError):
        raise port.ProofRefusedError(port.ProofProblem.UNREADABLE) from None


def _user_in(text: str) -> port.User:
    """Returns the person in a signed proof."""
    try:
        user: Any = json.loads(text)
    except (ValueError, RecursionError):
        user = None

    is_person = isinstance(user, dict) and isinstance(user.get("id"), int) and user["id"] > 0
    if not is_person:
        raise port.ProofRefusedError(port.ProofProblem.UNREADABLE)

    names = [str(user.get(name) or "") for name in ("first_name", "last_name")]
    return port.User(
        port.UserRef(PLATFORM, str(user["id"])),
        " ".join(filter(None, names)),
        str(user.get("language_code") or ""),
        handle=str(user.get("username") or "").lower(),
    )


def action_of(mini_app: MiniApp | None, *, is_private: bool, bot_name: str) -> TableAction:
    """Returns the action of a button that opens a table; without a Mini App, the bot answers its press."""

    def table_action(table_id: int) -> Mapping[str, object] | None:
        if mini_app is None:
            return None
        return mini_app.button(table_id, is_private=is_private, bot_name=bot_name)

    return table_action
