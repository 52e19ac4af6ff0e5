"""Avatars on Discord: the requests they take, and possible failures."""

import pytest

from adapters.port import MAX_PORTRAIT, UserRef
from tests.adapters.contract import eventually
from tests.adapters.contract.portraits import BLUE, RED, is_like, square
from tests.adapters.contract.steps import posted, says
from tests.adapters.discord.harness import DiscordHarness
from tests.wire.discord import Fault
from tests.wire.discord.server import AVATAR

FAULTS = (
    Fault(path=AVATAR, page=500),
    Fault(path=AVATAR, hang_up="before", times=2),  # the client repeats a request once
)


async def presser(harness: DiscordHarness, avatar: bytes) -> UserRef:
    """Returns a newcomer with an avatar, after their first press."""
    anna = await harness.newcomer("Anna")
    await harness.show_portrait(anna, avatar)
    _, table = await posted(harness, says("table", "Go"))
    await harness.presses(anna, table, "Go")
    await eventually(lambda: harness.inbox.pressed)
    return anna


def asked_about(harness: DiscordHarness, user: UserRef) -> int:
    """Counts the requests for a person's account."""
    return [request.path for request in harness.server.state.requests].count(f"/api/v10/users/{user.id}")


async def test_a_press_already_names_the_avatar_and_fetches_nothing(harness: DiscordHarness) -> None:
    anna = await presser(harness, square(RED))
    assert not harness.server.state.avatars_fetched

    assert is_like(await harness.adapter.portrait_of(anna), RED)
    assert not asked_about(harness, anna)
    assert len(harness.server.state.avatars_fetched) == 1


async def test_a_forgotten_persons_avatar_is_asked_for_anew(harness: DiscordHarness) -> None:
    anna = await presser(harness, square(RED))
    await harness.adapter.forget_person(anna, ())
    await harness.adapter.portrait_of(anna)
    assert asked_about(harness, anna) == 1


async def test_somebody_without_an_avatar_costs_no_request(harness: DiscordHarness) -> None:
    anna = await presser(harness, b"")
    assert await harness.adapter.portrait_of(anna) is None
    assert not asked_about(harness, anna)
    assert not harness.server.state.avatars_fetched


async def test_a_replaced_avatar_is_none_until_the_next_press(harness: DiscordHarness) -> None:
    anna = await presser(harness, square(RED))
    await harness.show_portrait(anna, square(BLUE))
    assert await harness.adapter.portrait_of(anna) is None


@pytest.mark.parametrize("fault", FAULTS)
async def test_an_avatar_that_does_not_come_is_an_error_without_an_address(
    harness: DiscordHarness, fault: Fault
) -> None:
    anna = await presser(harness, square(RED))
    harness.server.state.faults.add(fault)
    with pytest.raises(OSError, match="did not come") as raised:
        await harness.adapter.portrait_of(anna)

    assert anna.id not in str(raised.value)
    assert raised.value.__cause__ is None


async def test_a_huge_file_is_not_read_to_its_end(
    harness: DiscordHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await presser(harness, square(RED))
    monkeypatch.setattr("tests.wire.discord.server._scaled", lambda *_: bytes(MAX_PORTRAIT + 1))
    with pytest.raises(OSError, match="did not come"):
        await harness.adapter.portrait_of(anna)


@pytest.mark.parametrize("avatar", ["../../evil", "a" * 31, 7, ["x"], {"hash": 1}])
async def test_an_unreadable_name_of_an_avatar_neither_breaks_the_press_nor_is_fetched(
    harness: DiscordHarness, avatar: object
) -> None:
    def spoil(payload: dict[str, object]) -> None:
        member = payload["member"]
        assert isinstance(member, dict)
        member["user"]["avatar"] = avatar

    harness.server.state.spoil_interaction = spoil
    anna = await presser(harness, square(RED))
    assert await harness.adapter.portrait_of(anna) is None
    assert not harness.server.state.avatars_fetched
