"""The messages of a cup: its list, and the announcements of its beginning and its end."""

from collections.abc import Mapping, Sequence

from adapters.port import Everyone, MessageRef, Screen, Span
from bot.features.cups import screens
from bot.features.cups.model import CUP, Cup, CupPhase
from bot.features.cups.part import Cups
from bot.locale import Translator
from bot.model.messages import (
    FeatureSlot,
    MessageAction,
    MessageKind,
    Place,
    ScreenSource,
    Subject,
    TableSlot,
    Urgency,
)
from bot.model.series import FINAL
from bot.model.server_choices import ServerChoices
from bot.screens.core_settings import wants_pins
from bot.screens.lobby import ZONE_GUESSED, moment_span

LIST = "list"  # the sign-up, then the rounds and the standing
BEGINS = "begins"  # the call to the first round
ENDS = "ends"  # the honours

SOON_SECONDS = 60 * 60.0  # when the server's time zone is unknown, the last hour is counted in minutes
NEWS_SECONDS = 60 * 60.0  # how long after its end a cup's honours are still posted


def list_of(number: int) -> FeatureSlot:
    """Returns the slot of a cup's list."""
    return FeatureSlot(Subject(CUP, number), LIST)


class CupMessages(ScreenSource[FeatureSlot]):
    """Renders the messages of cups."""

    def __init__(self, cups: Cups) -> None:
        self._cups = cups
        self._core = cups.core

    async def places(self, subject: Subject) -> Mapping[FeatureSlot, Place]:
        """Returns the place of a cup's list, and of the announcements that are due."""
        cup = await self._cups.find(subject.number)
        if cup is None:
            return {}

        everyone = Everyone(cup.room)
        here = list_of(cup.id)
        is_there = await self._core.message_index.message(here) is not None
        is_sign_up = is_there and cup.phase is CupPhase.GATHERING
        # A game in the room precedes a sign-up; the list of a round precedes the call that leads to it.
        urgency = Urgency.CAN_WAIT if is_sign_up else Urgency.ASKED_FOR
        is_pinned = cup.is_running and await self._can_be_pinned(cup)

        places = {here: Place(everyone, urgency, is_pinned=is_pinned, is_led_to=True)}
        for part in self._news(cup):
            places[FeatureSlot(subject, part)] = Place(everyone, is_final=True, leads_to=here)

        return places

    def _news(self, cup: Cup) -> Sequence[str]:
        """Returns the announcements that are due."""
        if cup.phase is CupPhase.PLAYING and cup.people_to_call:
            return [BEGINS]

        ended_at = cup.ended_at
        is_just_over = ended_at is not None and self._core.now() < ended_at + NEWS_SECONDS
        return [ENDS] if is_just_over else []

    async def _can_be_pinned(self, cup: Cup) -> bool:
        """Returns whether the bot pins messages in the cup's chat."""
        server = cup.room.server
        choices = await self._core.servers.choices(server)
        return wants_pins(choices, self._core.chats[server.platform].limits)

    async def screen(self, slot: FeatureSlot) -> Screen | MessageAction:
        """Renders a message of a cup; posted announcements stay as they are."""
        cup = await self._cups.find(slot.subject.number)
        if cup is None:
            return MessageAction.KEEP
        if slot.part == LIST:
            return await self._list(cup)
        if await self._core.message_index.message(slot) is not None:
            return MessageAction.KEEP

        here = await self._core.message_index.message(list_of(cup.id))
        translator = Translator(cup.locale)
        if slot.part == BEGINS:
            return screens.begins_screen(cup, here, translator)

        return screens.ended_screen(cup, here, translator)

    async def _list(self, cup: Cup) -> Screen:
        translator = Translator(cup.locale)
        choices = await self._core.servers.choices(cup.room.server)
        left = cup.starts_at - self._core.now()
        is_soon = cup.phase is CupPhase.GATHERING and left <= SOON_SECONDS
        is_guessed = not (choices.time_zone or is_soon)

        has_break = cup.phase is CupPhase.PLAYING and cup.is_round_over and cup.round < FINAL

        return screens.cup_screen(
            cup,
            _time_of(cup, left, choices, translator, is_soon=is_soon),
            await self._tables_of(cup),
            translator,
            hint=translator.text(ZONE_GUESSED) if is_guessed else "",
            break_until=self._cups.break_until(cup) if has_break else None,
        )

    async def _tables_of(self, cup: Cup) -> Mapping[int, MessageRef]:
        """Returns the messages of the current round's tables, by table."""
        messages = dict[int, MessageRef]()
        for game in cup.current_games:
            slot = TableSlot(game.table_id, 1, MessageKind.TABLE)
            message = await self._core.message_index.message(slot)
            if message is not None:
                messages[game.table_id] = message

        return messages


def _time_of(cup: Cup, left: float, choices: ServerChoices, translator: Translator, *, is_soon: bool) -> Span:
    """Returns when a cup begins; in minutes if it is soon and the server's time zone is unknown."""
    if is_soon and not choices.time_zone:
        return screens.minutes_span(cup.starts_at, left, translator)
    return moment_span(cup.starts_at, choices, translator)
