"""The door of Telegram: the page in a frame of its own, with a signature of Telegram's for its reader."""

import hmac
import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl

from cachetools import TTLCache

from adapters import port
from adapters.telegram.refs import PLATFORM, room_ref

NAME = "telegram"
PATH = f"/in/{NAME}"
WEB_CLIENT = "https://web.telegram.org"  # the other clients show the page without a frame

MAX_AGE_SECONDS = 60 * 60.0  # of a proof
MAX_SKEW_SECONDS = 30.0  # by which Telegram's clock may be ahead
MAX_FIELDS = 32
MAX_USED = 20_000

_KEY = b"WebAppData"
_TABLE = re.compile(r"\d{1,15}", re.ASCII)


class MiniApp:
    """Telegram's own frame for the page: under a hand in private and, by a direct link, in groups."""

    name = NAME
    framed_by = (WEB_CLIENT,)
    origins = ()

    def __init__(self, token: str, public_url: str, app: str, now: Callable[[], float]) -> None:
        """Opens the page at `public_url`; groups have a link where `app` is its name at @BotFather."""
        self._secret = hmac.digest(_KEY, token.encode(), "sha256")
        self._public_url = public_url
        self._app = app
        self._now = now
        self._used = TTLCache[str, bool](MAX_USED, 2 * MAX_AGE_SECONDS, timer=now)

    def button(self, table_id: int, *, is_private: bool, bot_name: str) -> Mapping[str, object] | None:
        """Returns the action of a button that opens a table; None where Telegram has no such button."""
        if is_private:
            is_secure = self._public_url.startswith("https:")
            return {"web_app": {"url": f"{self._public_url}{PATH}?table={table_id}"}} if is_secure else None

        if self._app:
            return {"url": f"https://t.me/{bot_name}/{self._app}?startapp={table_id}"}

        return None

    async def visit(self, proof: str, wanted: str) -> port.Visit:
        """Returns the visit that Telegram has signed.

        Raises:
            ProofRefusedError: It opens nothing.
        """
        fields = self._check_signature(proof)
        age = self._now() - _number(fields, "auth_date")
        if age > MAX_AGE_SECONDS:
            raise port.ProofRefusedError(port.ProofProblem.OLD)
        if age < -MAX_SKEW_SECONDS:
            raise port.ProofRefusedError(port.ProofProblem.FORGED)

        # A direct link may have been opened in a channel, whose readers are in no group.
        if fields.get("chat_type") == "channel":
            raise port.ProofRefusedError(port.ProofProblem.STRANGER)

        table = fields.get("start_param") or wanted
        if not _TABLE.fullmatch(table):
            raise port.ProofRefusedError(port.ProofProblem.NO_TABLE)

        user = _user_in(fields.get("user", ""))
        seal = sha256(proof.encode(errors="surrogatepass")).hexdigest()
        if seal in self._used:
            raise port.ProofRefusedError(port.ProofProblem.USED)

        self._used[seal] = True

        return port.Visit(user, int(table), NAME, place=_group_in(fields.get("chat", "")))

    def _check_signature(self, proof: str) -> dict[str, str]:
        """Returns the fields of a proof, byte for byte as Telegram has signed them.

        Raises:
            ProofRefusedError: They are none, or Telegram has not signed them for this bot.
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
        given = fields.pop("hash", "")
        if len(fields) + 1 != len(pairs) or not given.isascii():
            raise port.ProofRefusedError(port.ProofProblem.FORGED)

        told = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
        right = hmac.new(self._secret, told.encode(errors="surrogateescape"), "sha256").hexdigest()
        if not hmac.compare_digest(right, given):
            raise port.ProofRefusedError(port.ProofProblem.FORGED)

        return fields


def _number(fields: Mapping[str, str], name: str) -> int:
    text = fields.get(name, "")
    if not (text.isascii() and text.isdigit()):
        raise port.ProofRefusedError(port.ProofProblem.UNREADABLE)
    return int(text)


def _group_in(text: str) -> port.ServerRef | None:
    """Reads the group in a signed proof, with all its topics; None where Telegram does not name it."""
    if not text:
        return None

    try:
        chat: Any = json.loads(text)
        return room_ref(int(chat["id"])).server
    except (ValueError, LookupError, TypeError, RecursionError):
        raise port.ProofRefusedError(port.ProofProblem.UNREADABLE) from None


def _user_in(text: str) -> port.User:
    """Reads the person in a signed proof."""
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
