"""After ten changes of the fool, with refusals, kills, departures and gifts, the mark has one wearer."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import Session

from adapters.port import BadgeProblem, BadgeTrouble, Throttled, UserRef
from bot.model.server_choices import ServerChoices
from bot.storage import BadgeStore, Database, PlayerStore
from bot.storage.models import PlayerRow, ResultRow
from bot.storage.numbers import find
from bot.tables.marks import Marks
from tests.bot.storage.samples import ANNA, BORIS, CLARA, SERVER, opened, playing
from tests.bot.wardrobe import KilledError, Wardrobe

PEOPLE = (ANNA, BORIS, CLARA)
CHOICES = ServerChoices(worn="on", locale="en")
MARK = "fool"
CHANGES = 10


@dataclass(frozen=True)
class Step:
    """A game that `loser` lost (None: a draw), and the events before it and while the mark is moved."""

    loser: int | None
    leaves: int | None
    returns: bool
    gift: int | None
    unwilling: frozenset[int]
    has_right: bool
    troubles: Sequence[BadgeProblem | None]
    kills: Sequence[str]


people = st.sampled_from(range(len(PEOPLE)))
steps = st.builds(
    Step,
    st.none() | people,
    st.none() | people,
    st.booleans(),
    st.none() | people,
    st.frozensets(people, max_size=1),
    st.sampled_from([True, True, True, False]),
    st.lists(st.none() | st.just(Throttled(1.0)) | st.sampled_from([BadgeTrouble.REFUSED]), max_size=4),
    st.lists(st.sampled_from(["", "before", "after"]), max_size=3),
)


class Evening:
    """Games on a database, and the marks of its people."""

    def __init__(self, database: Database) -> None:
        self.wardrobe = Wardrobe(tags={ANNA.ref: "captain"})
        self.given: dict[UserRef, str] = dict(self.wardrobe.tags)
        self._database = database
        self._store = BadgeStore(database)
        self._players = PlayerStore(database)
        self._games = 0

    async def plays(self, table: int, loser: int | None) -> None:
        self._games += 1
        game = self._games

        def write(session: Session) -> None:
            for seat, user in enumerate(PEOPLE):
                row = find(session, PlayerRow, user.ref)
                assert row is not None

                session.add(
                    ResultRow(
                        table_id=table,
                        game=game,
                        seat=seat,
                        server_id=1,
                        player_id=row.id,
                        players=len(PEOPLE),
                        people=len(PEOPLE),
                        losers=int(loser is not None),
                        place=None,
                        is_loser=seat == loser,
                        is_draw=loser is None,
                        points=0,
                        epaulettes=0,
                        finished_at=float(game),
                    )
                )

        await self._database.write(write)

    async def moves_mark(self) -> BadgeProblem | None:
        """Moves the mark to the fool; a killed bot leaves the rest to the next attempt."""
        try:
            problem, _ = await Marks(self.wardrobe, SERVER, self._store).move(CHOICES)
        except KilledError:
            return Throttled(0.0)
        return problem

    async def goes_through(self, step: Step) -> None:
        await self.choose_unwilling(step.unwilling)
        wardrobe = self.wardrobe
        if step.returns:
            wardrobe.gone.clear()

        if step.leaves is not None:
            left = PEOPLE[step.leaves].ref
            wardrobe.gone.add(left)
            wardrobe.tags[left] = self.given[left] = ""

        if step.gift is not None and (user := PEOPLE[step.gift].ref) not in wardrobe.gone:
            wardrobe.tags[user] = self.given[user] = "a gift"

        wardrobe.has_right = step.has_right
        wardrobe.troubles = list(step.troubles)
        wardrobe.kills = list(step.kills)

    async def is_marked(self, user: UserRef) -> bool:
        """Returns whether the bot believes that a person wears the mark."""
        return user in {wearer.user for wearer in await self._store.wearers(SERVER)}

    async def choose_unwilling(self, unwilling: Collection[int]) -> None:
        """Turns the fool's mark on for everyone but these."""
        for number, user in enumerate(PEOPLE):
            await self._players.choose(user.ref, wears_mark=number not in unwilling)


async def played(course: Sequence[Step], last: int) -> None:
    async with opened() as database:
        table = await playing(database, people=PEOPLE)
        evening = Evening(database)
        for step in course:
            await evening.plays(table.id, step.loser)
            await evening.goes_through(step)
            for _ in range(4):
                await evening.moves_mark()
                assert len(evening.wardrobe.wearers(MARK)) <= 1

        evening.wardrobe.has_right = True
        evening.wardrobe.troubles = []
        evening.wardrobe.kills = []
        evening.wardrobe.gone.clear()
        await evening.choose_unwilling(())
        user = PEOPLE[last].ref
        wears_gift = evening.wardrobe.tags.get(user) == "a gift" and await evening.is_marked(user)
        await evening.plays(table.id, last)

        for _ in range(3):
            assert await evening.moves_mark() is None

        tags = evening.wardrobe.tags
        if not wears_gift:  # a person's gift in the place of the mark stays
            assert tags.get(user, "").startswith(MARK)
            assert evening.wardrobe.wearers(MARK) == [user]

        for other in PEOPLE:
            if other.ref != user:
                assert tags.get(other.ref, "") == evening.given.get(other.ref, "")


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.lists(steps, min_size=CHANGES, max_size=CHANGES), people)
def test_ten_changes_leave_one_wearer_and_give_everything_back(course: list[Step], last: int) -> None:
    asyncio.run(played(course, last))
