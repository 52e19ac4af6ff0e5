"""What people have open in their hands: a page, a question, an advice."""

from collections import defaultdict
from dataclasses import dataclass, replace

from adapters.port import UserRef
from bot.model.table import Table
from engine import Move


@dataclass(frozen=True, slots=True)
class OpenHand:
    """What somebody has open in their hand, as long as their choice is that of `version`.

    Only the question whether they want to leave (page None) stays for the whole game, until it is answered.
    """

    game: int
    version: int
    page: int | None = 0
    advice: Move | None = None


class OpenHands:
    """Remembers what people have open, by table."""

    def __init__(self) -> None:
        self._tables: defaultdict[int, dict[UserRef, OpenHand]] = defaultdict(dict)

    def at(self, version: int, table: Table, user: UserRef) -> OpenHand:
        """Return what a person has open whose choice is that of `version`: what belongs to it, or nothing."""
        opened = self._tables[table.id].get(user)
        if opened is not None and opened.game == table.game:
            if opened.version == version:
                return opened
            if opened.page is None:
                return replace(opened, version=version, advice=None)
        return OpenHand(table.game, version)

    def turn_to(self, page: int | None, version: int, table: Table, user: UserRef) -> None:
        """Open a page; None is the question whether they want to leave."""
        self._tables[table.id][user] = replace(self.at(version, table, user), page=page)

    def advise(self, move: Move, version: int, table: Table, user: UserRef) -> None:
        """Show an advice with the hand."""
        self._tables[table.id][user] = replace(self.at(version, table, user), advice=move)

    def evict(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more."""
        self._tables.pop(table_id, None)

    def forget(self, user: UserRef) -> None:
        """Know nothing any more of what a person has open."""
        for opened in self._tables.values():
            opened.pop(user, None)
