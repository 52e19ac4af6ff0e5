"""Discord asks the bot what somebody could be typing."""

from collections.abc import AsyncIterator, Sequence

import pytest

from adapters.port import Suggestion, Typing
from tests.adapters.discord_harness import DiscordHarness, harness_of
from tests.wire.discord import DiscordServer, Person


@pytest.fixture
async def harness() -> AsyncIterator[DiscordHarness]:
    async with DiscordServer() as server, harness_of(server) as harness:
        yield harness


@pytest.fixture
async def anna(harness: DiscordHarness) -> Person:
    person = harness.people[await harness.newcomer("Anna")]
    person.account.locale = "de"
    return person


async def completes(harness: DiscordHarness, person: Person, typed: str) -> dict[str, str]:
    return await person.completes("durak", "options", typed, in_=harness.channel)


async def test_suggestions_come_by_their_names_and_who_types_is_told(
    harness: DiscordHarness, anna: Person
) -> None:
    harness.inbox.suggestions = [Suggestion("Weitergeben: ja", "transfer=on")]
    assert await completes(harness, anna, "weiter") == {"Weitergeben: ja": "transfer=on"}
    (typing,) = harness.inbox.typed
    assert (typing.user.locale, typing.room) == ("de", harness.room)
    assert (typing.command, typing.argument, typing.text) == ("durak", "options", "weiter")


async def test_what_stands_in_the_other_arguments_is_told(harness: DiscordHarness, anna: Person) -> None:
    await anna.completes("durak", "options", "", in_=harness.channel, preset="perevodnoy")
    (typing,) = harness.inbox.typed
    assert typing.others == ("perevodnoy",)


async def test_no_more_are_shown_than_discord_takes_and_none_too_long(
    harness: DiscordHarness, anna: Person
) -> None:
    long = [Suggestion("x" * 101, "a=1"), Suggestion("y", "b=" + "2" * 99)]
    harness.inbox.suggestions = [*long, *(Suggestion(f"n{each}", f"n={each}") for each in range(40))]
    assert list(await completes(harness, anna, "")) == [f"n{each}" for each in range(25)]


async def test_a_mistake_in_the_bot_suggests_nothing_and_costs_nothing(
    harness: DiscordHarness, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(_: Typing) -> Sequence[Suggestion]:
        raise ValueError

    harness.server.state.answer_within = 0.5
    monkeypatch.setattr(harness.inbox, "suggest", fails)
    assert await completes(harness, anna, "") == {}
    monkeypatch.undo()
    harness.inbox.suggestions = [Suggestion("Transfer: on", "transfer=on")]
    assert await completes(harness, anna, "") == {"Transfer: on": "transfer=on"}


async def test_any_words_may_be_typed_all_the_same(harness: DiscordHarness, anna: Person) -> None:
    await anna.commands("durak", in_=harness.channel, options="transfer=on  throw_in=all")
    assert harness.inbox.commands[-1].args == ("transfer=on", "throw_in=all")
