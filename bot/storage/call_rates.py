"""Stores the number of calls a second that each platform was found to accept."""

from collections.abc import Mapping

from sqlmodel import Session, select

from bot.storage.database import Store, reads, writes
from bot.storage.models import CallRateRow


class CallRateStore(Store):
    """The learned rates of calls, by platform."""

    @reads
    def load(self, session: Session) -> Mapping[str, int]:
        """Returns the rate of each platform that has one."""
        return {row.platform: row.calls for row in session.exec(select(CallRateRow))}

    @writes
    def save(self, session: Session, platform: str, calls: int) -> None:
        """Records a platform's rate, replacing the previous one."""
        session.merge(CallRateRow(platform=platform, calls=calls))
