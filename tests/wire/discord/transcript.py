"""Records every byte that the bot sent to a channel, and its readers there."""

import json
import time
from dataclasses import dataclass, field

from tests.wire.discord.world import Account, Channel, Message


@dataclass(frozen=True, eq=False)
class Sent:
    """One accepted message or edit: its JSON as plain text, and its raw body with the pictures.

    Attributes:
        only: The one person who sees it; None: everyone in the channel.
    """

    channel: Channel
    only: Account | None
    text: str = field(repr=False)
    raw: bytes = field(repr=False)
    message: Message
    at: float = field(default_factory=time.time)

    def is_seen_by(self, account: Account) -> bool:
        return self.channel.has(account) and (self.only is None or self.only is account)


@dataclass
class Transcript:
    """All accepted messages and edits, in order."""

    entries: list[Sent] = field(default_factory=list)

    def add(self, message: Message, body: object, raw: bytes) -> None:
        text = json.dumps(body, ensure_ascii=False)
        self.entries.append(Sent(message.channel, message.only, text, raw, message))

    def seen_by(self, account: Account) -> list[Sent]:
        """Returns everything that this person could ever read, edited and deleted messages included."""
        return [entry for entry in self.entries if entry.is_seen_by(account)]

    def rang_for(self, account: Account) -> list[Sent]:
        """Returns this person's direct messages as their phone announced them; edits don't ring."""
        direct = [
            entry for entry in self.seen_by(account) if entry.channel.guild is None and entry.only is None
        ]
        return list({entry.message.id: entry for entry in reversed(direct)}.values())[::-1]

    def public_in(self, channel: Channel) -> list[Sent]:
        return [entry for entry in self.entries if entry.channel is channel and entry.only is None]
