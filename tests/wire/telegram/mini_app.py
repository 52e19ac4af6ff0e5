"""The init data that Telegram signs for a page opened inside it."""

import hmac
import json
import time
from urllib.parse import urlencode

from tests.wire.telegram.people import Person


def proof_of(person: Person, token: str, **fields: str) -> str:
    """Returns the signed init data for a bot's page, opened under a private message."""
    user = json.dumps({"id": person.id, "first_name": person.name, "language_code": "de"})
    shown = {"auth_date": str(int(time.time())), "query_id": "AA", "user": user} | fields
    told = "\n".join(f"{name}={value}" for name, value in sorted(shown.items()))
    secret = hmac.digest(b"WebAppData", token.encode(), "sha256")
    return urlencode({**shown, "hash": hmac.new(secret, told.encode(), "sha256").hexdigest()})


def fragment_of(proof: str, background: str = "#17212b") -> str:
    """Returns the fragment of the page's address."""
    theme = json.dumps({"bg_color": background})
    return urlencode({"tgWebAppData": proof, "tgWebAppVersion": "9.1", "tgWebAppThemeParams": theme})
