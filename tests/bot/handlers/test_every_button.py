"""Every press of a button has an effect: a change, a notice or a link.

Each kind of person walks through each scene and presses every button they can see, then the buttons that
appear, and each one again while it is still there: what was chosen a moment ago is chosen already. A button
that is gone is looked for behind those that led to it; if it stays away, it is pressed in another walk:
through the same scene, in a fresh room and by new people.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields, replace
from functools import partial

import pytest

from adapters.port import CallbackButton, Everyone, Limits, Press, Reply, RoomRef, ServerRef, User
from bot.features.learn.buttons import PlayLesson
from bot.features.puzzles.store import PuzzleStore
from bot.model.buttons import Button, ChangeOption, PlayMove, TypedCommand, decode
from bot.model.server_choices import ON
from tests.bot.chat import PLATFORM, person
from tests.bot.features.puzzles.test_puzzles import puzzle
from tests.bot.messages import Message, place_of
from tests.bot.running_bot import RunningBot
from tests.bot.screens.scenes import CHATS
from tests.bot.wardrobe import Wardrobe

MAX_PRESSES = 400  # of one person in one scene

# The subject of a button, rather than its effect.
PASSING = {"table_id", "table", "version", "game", "number", "seat", "page", "puzzle", "move"}

# Buttons of panels and lists, which do the same wherever they are.
SAME_EVERYWHERE = (ChangeOption, TypedCommand)


# --- scenes ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stage:
    """A room on a separate server, with people who were never elsewhere; the stranger has no private chat."""

    bot: RunningBot
    number: int

    @property
    def room(self) -> RoomRef:
        return RoomRef(ServerRef(PLATFORM, f"club-{self.number}"), "parlour")

    def person(self, role: str) -> User:
        return person(f"{role}-{self.number}")

    @property
    def host(self) -> User:
        return self.person("host")

    @property
    def player(self) -> User:
        return self.person("player")

    async def types(self, user: User, text: str, *mentioned: User) -> None:
        await self.bot.chat.types(user, text, self.room, mentioned)
        await self.bot.settle()


Scene = Callable[[Stage, User], Awaitable[object]]


async def lobby(stage: Stage, _: User) -> None:
    await stage.bot.opened(stage.host, stage.player, room=stage.room)


async def game(stage: Stage, _: User) -> None:
    await stage.bot.app.servers.choose(stage.room.server, bets=ON)
    await stage.bot.dealt(stage.host, stage.player, room=stage.room)


async def question_to_stop(stage: Stage, _: User) -> None:
    await stage.bot.dealt(stage.host, stage.player, room=stage.room)
    await stage.types(stage.player, "/stop")


async def result(stage: Stage, _: User) -> None:
    table = await stage.bot.dealt(stage.host, stage.player, room=stage.room)
    await stage.bot.app.tables.resign(table.id, stage.player)


async def result_against_bots(stage: Stage, _: User) -> None:
    table = await stage.bot.opened(stage.host, room=stage.room, rules="bots")
    await stage.bot.app.tables.resign(table.id, stage.host)


async def announced_table(stage: Stage, _: User) -> None:
    await stage.types(stage.host, "/durak 20:30")


async def cup(stage: Stage, _: User) -> None:
    await stage.types(stage.host, "/cup")


async def game_with_real_cards(stage: Stage, walker: User) -> None:
    await result(stage, walker)
    await stage.types(stage.host, "/fool add", stage.player)


async def hello(stage: Stage, _: User) -> None:
    assert stage.bot.chat.inbox is not None
    greeting = (await stage.bot.chat.inbox.greet(stage.room, "en")).public
    assert greeting is not None
    await stage.bot.chat.post(Everyone(stage.room), greeting)


async def answer(stage: Stage, walker: User, *, command: str) -> None:
    """Shows the answer to a command that this person types."""
    await stage.types(walker, f"/{command}")


# The commands whose answers have buttons. All people who are not admins get the same.
COMMANDS = ("settings", "me", "help", "rules", "learn", "puzzle", "leaderboard", "fool", "stats", "forgetme")

ROOM_SCENES: tuple[Scene, ...] = (
    lobby,
    game,
    question_to_stop,
    result,
    result_against_bots,
    announced_table,
    cup,
    game_with_real_cards,
    hello,
)


def scenes_for(role: str) -> list[Scene]:
    answers: list[Scene] = [partial(answer, command=command) for command in COMMANDS]
    return [*ROOM_SCENES, *(answers if role in {"player", "stranger", "admin"} else ())]


# --- a walk ----------------------------------------------------------------------------------------------


def kind_of(button: CallbackButton) -> str:
    """Names the effect of a button, regardless of its table, version or card."""
    meaning: Button = decode(button.token)
    name = type(meaning).__name__
    if isinstance(meaning, PlayMove | PlayLesson):
        return name

    parts = fields(meaning)  # type: ignore[arg-type] # every kind is a dataclass
    return " ".join([name, *(str(getattr(meaning, part.name)) for part in parts if part.name not in PASSING)])


@dataclass
class Walk:
    """The presses of one kind of person in one scene, by kinds of buttons.

    `everywhere` are kinds that do the same in every scene, and were pressed in another one.
    """

    scene: Scene
    role: str
    everywhere: set[str]
    pressed: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    leads: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The buttons that were there after the last press of each button."""

    async def through(self, stage: Stage) -> None:
        """Walks through the scene for as long as there is a button left."""
        self.pressed |= self.everywhere
        walker = stage.person(self.role)
        await stage.bot.app.servers.choose(stage.room.server, view="text")  # a picture takes time to draw
        await self.scene(stage, walker)
        await stage.bot.settle()

        for _ in range(MAX_PRESSES):
            found = self._next(stage)
            if found is None:
                return

            await self._press(*found, stage)
            for message, button in self._buttons(stage):
                if (message.ref, button.token) == (found[0].ref, found[1].token):
                    await self._press(message, button, stage)

        pytest.fail(f"the {self.role} has pressed enough")

    async def _press(self, message: Message, button: CallbackButton, stage: Stage) -> None:
        kind = kind_of(button)
        self.pressed.add(kind)
        if isinstance(decode(button.token), SAME_EVERYWHERE):
            self.everywhere.add(kind)

        before = self._snapshot(stage)
        reply = await stage.bot.chat.presses_token(stage.person(self.role), message.ref, button.token)
        await stage.bot.settle()

        press, _ = stage.bot.chat.replies[-1]
        has_effect = is_answered(press, reply) or self._snapshot(stage) != before
        shown = message.text.partition("\n")[0]
        assert has_effect, f"[{button.label}] under “{shown}” does nothing for the {self.role}"
        self.leads[kind] = {kind_of(each) for _, each in self._buttons(stage)}

    def _messages(self, stage: Stage) -> list[Message]:
        chat = stage.bot.chat
        return [*chat.room_sees(stage.room), *chat.sees_alone(stage.person(self.role))]

    def _snapshot(self, stage: Stage) -> object:
        seen = [(message.ref, message.screen) for message in self._messages(stage)]
        return seen, len(stage.bot.chat.documents)

    def _buttons(self, stage: Stage) -> list[tuple[Message, CallbackButton]]:
        """Returns the buttons that can be pressed now, the newest last."""
        messages = self._messages(stage)
        if not stage.bot.chat.limits.edits:  # earlier messages have buttons without a meaning
            newest = {place_of(message.audience): message for message in messages}
            messages = list(newest.values())

        return [(message, each) for message in messages for each in message.buttons if each.enabled]

    def _next(self, stage: Stage) -> tuple[Message, CallbackButton] | None:
        """Returns the newest button that was not pressed yet, or else one on the shortest way to such."""
        shown = self._buttons(stage)
        self.seen |= {kind_of(button) for _, button in shown}
        wanted = self.seen - self.pressed

        while wanted:
            found = [(message, button) for message, button in shown if kind_of(button) in wanted]
            if found:
                return found[-1]

            nearer = {kind for kind, behind in self.leads.items() if behind & wanted}
            if nearer <= wanted:
                return None
            wanted |= nearer

        return None


def is_answered(press: Press, reply: Reply) -> bool:
    """Returns whether the presser gets the reply itself, wherever the chat shows it.

    A chat without a place for a secret answers a press in the room with the link to the private chat.
    """
    is_led = reply.open_private or (reply.secret is not None and not press.on_private_message)
    return bool(is_led or reply.toast or reply.form or reply.question or reply.review or reply.document)


ROLES = ("host", "player", "onlooker", "stranger", "admin")
WITH_FEW_BUTTONS = ("player", "onlooker", "stranger")
KINDS_OF_CHATS = ("discord", "telegram", "page", "plain")


def walks() -> list[object]:
    """Returns a walk for each role in each chat; all but three short ones are in the slow tests."""
    found = list[object]()
    for number, role in enumerate(ROLES):
        for chat, limits in enumerate(CHATS):
            is_quick = role in WITH_FEW_BUTTONS and chat == number % len(CHATS)
            name = f"{role}-{KINDS_OF_CHATS[chat]}"
            found.append(pytest.param(limits, role, marks=() if is_quick else pytest.mark.slow, id=name))

    return found


@pytest.mark.parametrize(("limits", "role"), walks())
async def test_every_button_does_something_for_everybody(
    bot: RunningBot, limits: Limits, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Avoids slow work: an expert's hints, and a search for puzzles in all games of all walks.
    monkeypatch.setattr("bot.thinking.queue.DUE_SECONDS", 0.05)
    monkeypatch.setattr("bot.features.puzzles.part.MAX_GAMES_SEARCHED", 1)
    bot.chat.limits = replace(limits, pin_right="Pin things")
    bot.chat.badges = None if limits.boards else Wardrobe(are_chosen=limits.notices_stay)
    await PuzzleStore(bot.database).add([puzzle()], 0.0)
    everywhere = set[str]()
    number = 0

    for scene in scenes_for(role):
        walk = Walk(scene, role, everywhere)
        has_more = True
        while has_more:
            known = len(walk.pressed)
            number += 1
            stage = Stage(bot, number)
            bot.chat.moderators.add(stage.person("admin").ref)
            bot.chat.closed.add(stage.person("stranger").ref)
            await walk.through(stage)
            has_more = len(walk.pressed) > known and bool(walk.seen - walk.pressed)
