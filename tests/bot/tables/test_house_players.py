"""House players think without delaying anybody, and always answer."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from multiprocessing import active_children
from random import Random

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.tables import house_players
from bot.tables.house_players import HousePlayers
from bot.thinking import queue
from bot.thinking.processes import MAX_TASK_SECONDS, Processes
from bot.thinking.queue import MAX_THOUGHT_SECONDS, ThoughtQueue
from engine import PRESETS, STRENGTHS, Event, Opening, State
from tests.bot.fake_clock import FakeClock, a_few_turns
from tests.engine.rules.games import random_game

OPENING = Opening(PRESETS["podkidnoy-36"], 2, "5eed", shuffle=1)


@pytest_asyncio.fixture
async def thoughts() -> AsyncIterator[HousePlayers]:
    thinking = ThoughtQueue(Processes())
    yield HousePlayers(thinking)
    thinking.end()


def some_positions() -> list[tuple[State, tuple[Event, ...], int]]:
    """Returns positions of one game in which a player has a choice."""
    events: tuple[Event, ...] = ()
    found = []
    for state, seat, move in random_game(OPENING, Random(1)):
        if len(state.legal_moves(seat)) > 1 and seat in state.awaited:
            found.append((state, events, seat))
        events += state.apply(seat, move).events

    return found[:: len(found) // 4]


@pytest.mark.parametrize("strength", STRENGTHS)
async def test_every_strength_chooses_a_legal_move(thoughts: HousePlayers, strength: str) -> None:
    for state, events, seat in some_positions():
        assert await thoughts.choose(strength, state, events, seat) in state.legal_moves(seat)


async def test_somebody_quicker_answers_when_a_thought_takes_too_long(
    thoughts: HousePlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "MAX_THOUGHT_SECONDS", 0.0)
    state, events, seat = some_positions()[0]
    regular = await thoughts.choose("regular", state, events, seat)
    assert await thoughts.choose("expert", state, events, seat) == regular


async def test_an_expert_whose_process_died_thinks_on_in_another(
    thoughts: HousePlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "MAX_THOUGHT_SECONDS", 60.0)
    before = set(active_children())
    state, events, seat = some_positions()[0]
    await thoughts.choose("expert", state, events, seat)
    (process,) = set(active_children()) - before
    process.kill()
    process.join()

    with capture_logs() as lines:
        assert await thoughts.choose("expert", state, events, seat) in state.legal_moves(seat)

    assert [line["event"] for line in lines] == ["worker_died"]
    with capture_logs() as lines:
        assert await thoughts.choose("expert", state, events, seat) in state.legal_moves(seat)

    assert lines == []
    assert len(set(active_children()) - before) == 1


async def test_an_expert_whose_process_hangs_thinks_on_in_another(thoughts: HousePlayers) -> None:
    clock = FakeClock()  # it pauses while a process begins
    before = set(active_children())
    state, events, seat = some_positions()[0]

    regular = await thoughts.choose("regular", state, events, seat)
    await thoughts.choose("expert", state, events, seat)
    (hung,) = set(active_children()) - before
    assert hung.pid is not None
    os.kill(hung.pid, signal.SIGSTOP)

    for _ in range(2):  # the thinking one, and one that waits for the process
        choice = asyncio.create_task(thoughts.choose("expert", state, events, seat))
        await a_few_turns()
        clock.skip(MAX_THOUGHT_SECONDS + 0.1)
        assert await choice == regular

    clock.skip(MAX_TASK_SECONDS)
    await a_few_turns()
    with capture_logs() as lines:
        assert await thoughts.choose("expert", state, events, seat) in state.legal_moves(seat)

    assert lines == []
    (process,) = set(active_children()) - before
    assert process != hung


async def test_somebody_simpler_answers_when_a_thought_fails(
    thoughts: HousePlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, events, seat = some_positions()[0]
    monkeypatch.setattr(house_players, "STAND_IN", "nobody")
    for strength in ("nobody", "regular"):
        assert await thoughts.choose(strength, state, events, seat) in state.legal_moves(seat)
    assert await thoughts.choose("regular", state, events[3:], seat) in state.legal_moves(seat)
