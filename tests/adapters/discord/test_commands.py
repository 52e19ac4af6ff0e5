"""Slash commands: announced when they change, and read as typed, with suggestions while they are typed."""

from collections.abc import Sequence
from typing import Any

import pytest

from adapters.discord import DiscordAdapter, client
from adapters.port import CommandSpec, Everyone, Screen, Span, Suggestion, Typing
from tests.adapters.discord.harness import SPECS, DiscordHarness, harness_of, works
from tests.wire.discord import CLIENT_SECRET, TOKEN, DiscordServer, Fault, Person, Refusal
from tests.wire.discord.world import Attachment, Emoji

EMOJIS = "/applications/{application_id}/emojis"
PUT = "/applications/{application_id}/commands"


@pytest.fixture
async def anna(harness: DiscordHarness) -> Person:
    person = harness.people[await harness.newcomer("Anna")]
    person.account.locale = "de"
    return person


async def test_commands_are_registered_once_and_again_only_when_they_change(server: DiscordServer) -> None:
    async with harness_of(server) as harness:
        assert server.state.registrations == 1
        await harness.restart()
        assert server.state.registrations == 1

        harness.adapter = DiscordAdapter(
            TOKEN,
            commands=[*SPECS, CommandSpec("help", "What can be done")],
            api_url=server.api_url,
            gateway_url=server.gateway_url,
        )
        await harness.stop()
        await harness.start()

    assert server.state.registrations == 2
    assert [command["name"] for command in server.state.commands][-1] == "help"


@pytest.mark.parametrize("place", ["command", "argument"])
async def test_a_changed_translation_is_a_change(server: DiscordServer, place: str) -> None:
    async with harness_of(server) as harness:
        durak = next(command for command in server.state.commands if command["name"] == "durak")
        described = durak if place == "command" else durak["options"][0]
        described["description_localizations"]["ru"] = "Старые слова"
        await harness.restart()

    assert server.state.registrations == 2


async def test_commands_are_global_translated_and_offer_their_choices(harness: DiscordHarness) -> None:
    commands = {command["name"]: command for command in harness.server.state.commands}
    durak = commands["durak"]
    assert durak["contexts"] == [0, 1]
    assert durak["integration_types"] == [0]
    assert durak["description_localizations"] == {"de": "Einen Tisch eröffnen", "ru": "Открыть стол"}

    preset, options = durak["options"]
    assert preset["description_localizations"] == {"de": "Die Regeln", "ru": "Правила"}
    assert [choice["value"] for choice in preset["choices"]] == ["podkidnoy-36", "perevodnoy-36"]
    assert [choice["name"] for choice in preset["choices"]] == ["Podkidnoy", "Perevodnoy"]
    assert preset["choices"][0]["name_localizations"] == {"ru": "Подкидной"}
    assert (options["name"], options["type"]) == ("options", 3)
    assert commands["stats"]["options"][0]["type"] == 6


async def test_a_command_in_a_text_can_be_tapped(harness: DiscordHarness) -> None:
    ids = {command["name"]: command["id"] for command in harness.server.state.commands}
    screen = Screen((Span("/rules durnius explains it, and /no-rules doesn't."),))
    await harness.adapter.post(Everyone(harness.room), screen)

    (seen,) = harness.room_sees()
    assert seen.text == screen.body[0].text
    assert harness.message(seen).content.startswith(f"</rules:{ids['rules']}> durnius")


async def test_commands_are_plain_where_their_links_do_not_fit(harness: DiscordHarness) -> None:
    screen = Screen((Span("/rules " * 250 + "."),))
    await harness.adapter.post(Everyone(harness.room), screen)
    (seen,) = harness.room_sees()
    assert harness.message(seen).content == screen.body[0].text


async def test_options_become_words_the_preset_first(harness: DiscordHarness) -> None:
    anna = harness.people[await harness.newcomer("Anna")]
    await anna.commands("durak", in_=harness.channel, options="deck=52  seats=4", preset="perevodnoy-36")
    await anna.commands("durak", in_=harness.channel)
    assert [command.args for command in harness.inbox.commands] == [
        ("perevodnoy-36", "deck=52", "seats=4"),
        (),
    ]


async def test_a_person_in_a_command_is_a_mention(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    boris = await harness.newcomer("Boris")
    person = harness.people[boris]
    for channel in (harness.channel, harness.people[anna].direct_messages):
        await harness.people[anna].commands("stats", in_=channel, player=person)
        (mentioned,) = harness.inbox.commands[-1].mentioned
        assert (mentioned.ref, mentioned.name, harness.inbox.commands[-1].args) == (boris, "Boris", ())


async def test_people_chosen_while_a_text_is_typed_are_mentioned(
    harness: DiscordHarness, anna: Person
) -> None:
    boris = harness.people[await harness.newcomer("Boris")]
    clara = harness.server.person("Clara")
    text = f"transfer=on <@{boris.account.id}>, <@!{clara.account.id}> @ghost"
    await anna.commands("durak", in_=harness.channel, options=text)

    (command,) = harness.inbox.commands
    assert [user.name for user in command.mentioned] == ["Boris", "Clara"]
    assert command.args == ("transfer=on", "@ghost")
    assert command.strangers == {command.mentioned[1].ref}


async def test_a_command_takes_several_people_in_their_order_and_a_file(harness: DiscordHarness) -> None:
    anna, boris = [harness.people[await harness.newcomer(name)] for name in ("Anna", "Boris")]
    file = Attachment("games.csv", b"date,fool,players")
    await anna.commands("many", in_=harness.channel, what="add", player_2=anna, fool=boris, file=file)
    command = harness.inbox.commands[-1]
    assert (command.args, [person.name for person in command.mentioned]) == (("add",), ["Boris", "Anna"])
    assert command.attachment is not None
    assert (command.attachment.name, command.attachment.size) == ("games.csv", len(file.content))
    assert await command.attachment.fetch() == file.content

    harness.server.state.files.clear()
    with pytest.raises(OSError, match="did not come"):
        await command.attachment.fetch()


def of_discord(name: str) -> dict[str, Any]:
    """Returns a command as Discord lists it, without the fields that we set."""
    known = {"id": "7", "application_id": "8", "version": "9", "default_member_permissions": None}
    return {**known, "name": name, "description": "", "type": 1, "contexts": [0], "integration_types": [0]}


async def test_the_command_that_launches_an_activity_is_left_to_discord(server: DiscordServer) -> None:
    server.state.enable_activities()
    async with harness_of(server) as harness:
        names = [command["name"] for command in server.state.commands]
        assert names == [*(spec.name for spec in SPECS), "launch"]
        await harness.restart()

    assert server.state.registrations == 1


@pytest.mark.parametrize("are_enabled", [True, False])
async def test_an_owner_who_has_left_activities_off_in_the_portal_reads_so_at_the_start(
    server: DiscordServer, capsys: pytest.CaptureFixture[str], *, are_enabled: bool
) -> None:
    if are_enabled:
        server.state.enable_activities()
    async with harness_of(server, client_secret=CLIENT_SECRET):
        assert ("Activities are off in the portal" in capsys.readouterr().out) is not are_enabled


@pytest.mark.parametrize(("method", "path"), [("GET", PUT), ("PUT", PUT), ("GET", EMOJIS)])
async def test_an_answer_that_cannot_be_read_costs_no_connection(
    server: DiscordServer, method: str, path: str
) -> None:
    def spoil(answer: Any) -> None:
        for item in answer["items"] if isinstance(answer, dict) else answer:
            item.pop("user", None)
            item.pop("name")

    emoji = Emoji("icon_of_the_owner", b"")
    server.state.emojis[emoji.id] = emoji
    server.state.commands.append(of_discord("old"))
    server.state.faults.add(Fault(method, path, spoils=spoil))

    async with harness_of(server, {"ace": b"a picture"}) as harness:
        assert await works(harness)

    assert len(server.gateway.identified) == 1


async def test_nobody_waits_for_commands_that_discord_does_not_answer_about(
    server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "COMMANDS_WITHIN", 0.1)
    server.state.faults.add(Fault("GET", PUT, delay=60.0))
    async with harness_of(server) as harness:
        assert await works(harness)


async def test_a_refused_registration_does_not_stop_the_chat(server: DiscordServer) -> None:
    server.state.faults.add(Fault("PUT", PUT, Refusal.INVALID_FORM))
    async with harness_of(server) as harness:
        assert await works(harness)
        assert server.state.commands == []


async def test_a_command_of_yesterday_is_no_noise(
    harness: DiscordHarness, caplog: pytest.LogCaptureFixture
) -> None:
    anna = harness.people[await harness.newcomer("Anna")]
    harness.server.state.answer_within = 0.2
    harness.server.state.commands.append({"id": "1", "name": "old", "contexts": [0]})
    await anna.commands("old", in_=harness.channel)
    assert caplog.records == []


# --- suggestions ------------------------------------------------------------------------------------------


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
    harness.inbox.suggestions = [*long, *(Suggestion(f"n{number}", f"n={number}") for number in range(40))]
    assert list(await completes(harness, anna, "")) == [f"n{number}" for number in range(25)]


async def test_a_mistake_in_the_bot_suggests_nothing_and_costs_nothing(
    harness: DiscordHarness, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(_: Typing) -> Sequence[Suggestion]:
        raise ValueError

    harness.server.state.answer_within = 0.5
    monkeypatch.setattr(harness.inbox, "suggest", fails)
    assert await completes(harness, anna, "") == {}

    monkeypatch.undo()
    harness.inbox.suggestions = [Suggestion("Transfers: on", "transfer=on")]
    assert await completes(harness, anna, "") == {"Transfers: on": "transfer=on"}


async def test_any_words_may_be_typed_all_the_same(harness: DiscordHarness, anna: Person) -> None:
    await anna.commands("durak", in_=harness.channel, options="transfer=on  throw_in=all")
    assert harness.inbox.commands[-1].args == ("transfer=on", "throw_in=all")
