"""The index of a person's tables is fast, and always agrees with the tables."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adapters.port import UserRef
from bot.model.table import Phase, Player, Table
from bot.tables.known_tables import KnownTables
from engine import PRESETS
from tests.bot.calls import calls
from tests.bot.chat import ROOM, person

PEOPLE = [person(name).ref for name in ("Anna", "Boris", "Clara")]
TABLE = Table(
    id=0, room=ROOM, opener=PEOPLE[0], preset="podkidnoy-36", rules=PRESETS["podkidnoy-36"], seed="5eed",
    opened_at=0.0, players=(), phase=Phase.LOBBY, game=1, locale="en",
)  # fmt: skip

tables = st.builds(
    lambda number, phase, users: replace(
        TABLE, id=number, phase=phase, players=tuple(Player("", user) for user in users)
    ),
    st.integers(1, 4),
    st.sampled_from(Phase),
    st.lists(st.sampled_from([*PEOPLE, None]), max_size=4, unique=True),
)


def games_of(user: UserRef, known: KnownTables) -> set[int]:
    """Returns a person's games by a scan of every table."""
    return {
        table_id
        for table_id, table in known.items()
        if table.phase is Phase.PLAYING and table.seat_of(user) is not None
    }


@given(st.lists(st.one_of(tables, st.integers(1, 4)), max_size=12))
def test_a_persons_games_are_those_where_they_sit_and_cards_are_played(changes: list[Table | int]) -> None:
    known = KnownTables()
    for change in changes:
        if isinstance(change, int):
            known.forget(change)
        else:
            known.put(change)

        for user in PEOPLE:
            assert known.games_of(user) == games_of(user, known)


def test_among_many_tables_a_persons_games_are_found_as_quickly_as_among_few() -> None:
    known = KnownTables()
    needed = set[int]()
    for number in range(1, 1001):
        players = (Player("", PEOPLE[number == 5]), Player("", UserRef("chat", f"id-{number}")))
        known.put(replace(TABLE, id=number, phase=Phase.PLAYING, players=players))
        if number in (10, 1000):
            needed.add(calls(lambda: known.games_of(PEOPLE[1])))

    assert known.games_of(PEOPLE[1]) == {5}
    assert len(needed) == 1
    assert calls(lambda: games_of(PEOPLE[1], known)) > 1000
