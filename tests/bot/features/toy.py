"""The smallest complete feature: people applaud a game, and the result of the next one mentions it."""

import sys
from dataclasses import dataclass

from sqlmodel import Field, Session, func, select

from adapters.port import Reply, Screen, User
from bot.features.feature import Feature
from bot.handlers.event import CommandEvent, RoomPressEvent, Services, button, command
from bot.model.buttons import Button
from bot.screens.keyboard import button_to
from bot.screens.server_settings import ServerSetting
from bot.screens.story import Scene
from bot.screens.text import Line
from bot.storage import PersonalRows
from bot.storage.database import Store, reads, writes
from bot.storage.models import ID, Base
from bot.storage.people import on_record
from engine import Outcome
from engine.runtime import Game


class ApplauseRow(Base, table=True):
    """A person's applause."""

    __tablename__ = "applause"

    id: int = Field(default=None, primary_key=True, sa_type=ID)
    player_id: int = Field(foreign_key="player.id", sa_type=ID)


@dataclass(frozen=True)
class Applaud(Button, prefix="applaud"):
    """Applaud, any number of times."""


class Applause(Store):
    """The applause of everybody."""

    @writes
    def add(self, session: Session, user: User) -> None:
        """Adds one."""
        session.add(ApplauseRow(player_id=on_record(session, user).id))

    @reads
    def count(self, session: Session) -> int:
        """Counts it."""
        return session.exec(select(func.count()).select_from(ApplauseRow)).one()

    async def under_the_result(self, scene: Scene, _game: Game, _outcome: Outcome) -> Line:
        """Returns the amount of applause."""
        return scene.translator.spans("👏 Applause: {n}", n=str(await self.count()))


@command("applaud", rank=1000, summary="applaud the players")
async def applaud(event: CommandEvent, _: Services) -> Reply:
    """Offers the button."""
    rows = ((button_to(Applaud(), "👏"),),)
    return Reply(public=Screen(event.translator.spans("Was it a good game?"), rows=rows))


@button(Applaud)
async def add_applause(event: RoomPressEvent, _: Applaud, services: Services) -> Reply:
    """Counts the presser's applause."""
    await services.part(Applause).add(event.user)
    return event.toast("👏")


TOY = Feature(
    "toy",
    handlers=sys.modules[__name__],
    setting=ServerSetting(
        name="applause",
        rank=1000,
        label="Applause",
        about="Results tell how much applause there was.",
        example=lambda _: "👏 Applause: 12",
    ),
    rows=(ApplauseRow,),
    about_people=(PersonalRows("applause", ApplauseRow.player_id),),
    part=lambda core: Applause(core.database),
    under_the_result=Applause.under_the_result,
)
