"""Stores people and servers: their names and choices, and the variations of servers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, func, or_, select, update

from adapters.port import ServerRef, User, UserRef
from bot.model.profile import Profile
from bot.model.server_choices import ServerChoices
from bot.storage.database import Store, reads, reports, writes, writes_together
from bot.storage.models import (
    KEPT,
    CardGameRow,
    CardSeatRow,
    NicknameRow,
    PlayerRow,
    SeatRow,
    ServerChoiceRow,
    ServerRow,
    TableRow,
    TallyRow,
    VariationRow,
)
from bot.storage.names import Meeting, rename, storable
from bot.storage.numbers import find, find_or_add, id_of, look_up, name_on_server, newcomers
from engine import InvalidTextError, Rules


def on_record(session: Session, user: User) -> PlayerRow:
    """Returns the row of a person, added if missing; fills in an empty name, handle or language."""
    row = find_or_add(session, PlayerRow, user.ref)
    row.name = row.name or storable(user.name)
    row.handle = row.handle or storable(user.handle)
    row.locale = row.locale or user.locale
    return row


class PlayerStore(Store):
    """The people on record."""

    @reads
    def profile(self, session: Session, user: UserRef) -> Profile | None:
        """Returns the profile of a person; None for a stranger."""
        row = find(session, PlayerRow, user)
        return None if row is None else _profile(row)

    @reads
    def find(self, session: Session, platform: str, handle: str) -> User | None:
        """Returns the person with this handle; None for a stranger."""
        row = session.exec(
            select(PlayerRow).where(PlayerRow.platform == platform, PlayerRow.handle == handle)
        ).first()
        return None if row is None else User(row.user_ref, row.name, row.locale, handle=row.handle)

    @writes
    def remember(self, session: Session, user: User) -> Profile:
        """Stores the newest name, handle and language of a person."""
        row = find_or_add(session, PlayerRow, user.ref)
        rename(session, row, user)
        return _profile(row)

    @writes
    def meet(self, session: Session, meeting: Meeting) -> tuple[Profile | None, bool]:
        """Stores the newest name, handle and language of a person on record, and their name on the server.

        A stranger is only remembered in memory.

        Returns:
            Their profile (None for a stranger), and whether everything was stored: the name on a server that
            has no row yet is not.
        """
        row = find(session, PlayerRow, meeting.user.ref)
        if row is None:
            newcomers(session).meet(meeting)
            return None, False

        newcomers(session).forget(meeting.user.ref)
        rename(session, row, meeting.user)
        session.flush()
        is_named_here = meeting.server is None or name_on_server(session, row.id, meeting)
        return _profile(row), is_named_here

    def take_record(self, meeting: Meeting) -> bool:
        """Returns whether a stranger's row was written from an equal meeting; True only once."""
        return self.database.newcomers.take_record(meeting)

    @reads
    def was_on(self, session: Session, user: UserRef, server: ServerRef) -> bool:
        """Returns whether a person was on a server: they have a name or a seat there."""
        player = id_of(session, PlayerRow, user)
        here = id_of(session, ServerRow, server)
        if session.get(NicknameRow, (player, here)) is not None:
            return True

        seats = select(SeatRow.table_id).join(TableRow).where(TableRow.server_id == here)
        sat = seats.where(SeatRow.player_id == player, SeatRow.of_game != KEPT)
        return session.exec(sat.limit(1)).first() is not None

    @reports
    def known_on(self, session: Session, server: ServerRef) -> list[User]:
        """Returns the people of a server: players at its tables, past and present, and with real cards."""
        here = id_of(session, ServerRow, server)
        seated = select(SeatRow.player_id).join(TableRow).where(TableRow.server_id == here)
        with_tally = select(TallyRow.player_id).where(TallyRow.server_id == here)
        with_cards = select(CardSeatRow.player_id).join(CardGameRow).where(CardGameRow.server_id == here)
        query = select(PlayerRow.platform, PlayerRow.ref, name_on(here), PlayerRow.handle).where(
            or_(*(col(PlayerRow.id).in_(ids) for ids in (seated, with_tally, with_cards)))
        )

        return [
            User(UserRef(platform, ref), name, handle=handle)
            for platform, ref, name, handle in session.exec(query)
        ]

    @writes
    def choose(self, session: Session, /, user: UserRef, **choices: str | bool) -> Profile:
        """Stores choices of a person, by column name; a stranger gets a row."""
        return _profile(find_or_add(session, PlayerRow, user).sqlmodel_update(choices))

    async def set_reachable(self, user: UserRef, *, reachable: bool) -> Profile | None:
        """Stores whether the bot can write to a person; returns their profile, None if not on record."""
        return await self._set_reachable((user, reachable))

    @writes_together
    def _set_reachable(
        self, session: Session, changes: Sequence[tuple[UserRef, bool]]
    ) -> Sequence[Profile | None]:
        look_up(session, [user for user, _ in changes])
        profiles = dict[int, Profile]()
        newest = {id_of(session, PlayerRow, user): reachable for user, reachable in changes}
        for reachable in set(newest.values()):
            is_theirs = col(PlayerRow.id).in_([number for number in newest if newest[number] is reachable])
            change = update(PlayerRow).where(is_theirs).values(reachable=reachable)
            rows = session.exec(change.returning(PlayerRow)).scalars()
            profiles |= {row.id: _profile(row) for row in rows}

        return [profiles.get(id_of(session, PlayerRow, user)) for user, _ in changes]


def _profile(row: PlayerRow) -> Profile:
    """Returns the profile in a row; the language that the chat reports is the default."""
    choices = {choice.name: _choice_of(choice, row) for choice in fields(Profile)}
    return Profile(**choices | {"language": row.language or row.locale})


def _choice_of(choice: Field[Any], row: PlayerRow) -> Any:
    """Returns a choice as a value of its field in the profile; an empty one is the default."""
    value = getattr(row, choice.name)
    if isinstance(choice.default, StrEnum):
        return type(choice.default)(value) if value else choice.default
    return value


def name_on(server: int | None) -> sa.ColumnElement[str]:
    """Returns the name of a `PlayerRow` on a server, or else their newest name elsewhere."""
    own = (
        select(NicknameRow.name)
        .where(NicknameRow.player_id == PlayerRow.id, NicknameRow.server_id == server)
        .correlate(PlayerRow)
        .scalar_subquery()
    )
    return func.coalesce(own, col(PlayerRow.name))


def name_of(session: Session, server: int, player: int) -> str:
    """Returns the name of a person on a server."""
    return session.exec(select(name_on(server)).where(PlayerRow.id == player)).one()


class ServerStore(Store):
    """The choices of all servers."""

    @reads
    def choices(self, session: Session, server: ServerRef) -> ServerChoices:
        """Returns the choices of a server."""
        is_here = ServerRow.platform == server.platform, ServerRow.ref == server.id
        return choices_where(session, *is_here).get(server, ServerChoices())

    @reads
    def table_locale(self, session: Session, server: ServerRef) -> str:
        """Returns the language of the newest table on a server; empty if there was none."""
        here = id_of(session, ServerRow, server)
        newest = select(TableRow.locale).where(TableRow.server_id == here).order_by(col(TableRow.id).desc())
        return session.exec(newest.limit(1)).first() or ""

    @reads
    def locales(self, session: Session, server: ServerRef) -> Sequence[tuple[str, int]]:
        """Returns the locales of the people seen on a server, each with the number of people."""
        here = id_of(session, ServerRow, server)
        with_nickname = select(NicknameRow.player_id).where(NicknameRow.server_id == here)
        with_tally = select(TallyRow.player_id).where(TallyRow.server_id == here)
        locale = func.coalesce(func.nullif(PlayerRow.language, ""), PlayerRow.locale)
        is_here = col(PlayerRow.id).in_(with_nickname) | col(PlayerRow.id).in_(with_tally)
        people = select(locale, func.count()).where(is_here, locale != "").group_by(locale)
        return session.exec(people).all()

    @writes
    def choose(self, session: Session, /, server: ServerRef, **choices: str) -> None:
        """Changes some choices of a server: those of `ServerChoices`, and those about features."""
        row = find_or_add(session, ServerRow, server)
        columns = {name: value for name, value in choices.items() if name in CHOICE_COLUMNS}
        row.sqlmodel_update(columns)
        for name in choices.keys() - columns.keys():
            session.merge(ServerChoiceRow(server_id=row.id, name=name, value=choices[name]))


# The choices that have their own column.
CHOICE_COLUMNS = {choice.name for choice in fields(ServerChoices)} - {"of_features"}


def choices_where(
    session: Session, *conditions: sa.ColumnElement[bool] | bool
) -> Mapping[ServerRef, ServerChoices]:
    """Returns the choices of the servers that meet these conditions, with two queries in all."""
    of_features = defaultdict[int, dict[str, str]](dict)
    for choice in session.exec(select(ServerChoiceRow).join(ServerRow).where(*conditions)):
        of_features[choice.server_id][choice.name] = choice.value

    choices = dict[ServerRef, ServerChoices]()
    for row in session.exec(select(ServerRow).where(*conditions)):
        columns = row.model_dump(include=CHOICE_COLUMNS)
        choices[row.server_ref] = ServerChoices(**columns, of_features=of_features[row.id])

    return choices


class VariationStore(Store):
    """The variations of all servers: rules saved under a name."""

    @reads
    def variations(self, session: Session, server: ServerRef) -> Mapping[str, Rules | None]:
        """Returns the variations of a server by name; None for rules that cannot be read."""
        query = select(VariationRow).where(VariationRow.server_id == id_of(session, ServerRow, server))
        variations = dict[str, Rules | None]()
        for row in session.exec(query.order_by(col(VariationRow.name))):
            try:
                variations[row.name] = Rules.from_text(row.rules)
            except InvalidTextError:  # another version of the bot saved it
                variations[row.name] = None

        return variations

    @writes
    def save(self, session: Session, server: ServerRef, name: str, rules: Rules) -> None:
        """Saves rules under a name on a server, replacing those it had."""
        here = find_or_add(session, ServerRow, server)
        session.merge(VariationRow(server_id=here.id, name=name, rules=rules.to_text()))

    @writes
    def forget(self, session: Session, server: ServerRef, name: str) -> None:
        """Forgets a variation; if it was the default, there is no default afterwards."""
        here = find(session, ServerRow, server)
        row = here and session.get(VariationRow, (here.id, name))
        if here is None or row is None:
            return

        session.delete(row)
        if here.preset == name:
            here.preset = ""
