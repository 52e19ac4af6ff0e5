import errno
import io
import json
import logging
import sys
import warnings
from collections.abc import Iterator
from typing import get_args

import pytest
import structlog

from bot.config import LogFormat
from bot.metrics import LINES_LOST
from bot.process.logs import CHATTY, configure_logs, tell_owner


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Restores the process's logging afterwards."""
    root = logging.getLogger()
    levels = {name: logging.getLogger(name).level for name in CHATTY}
    handlers = root.handlers[:]
    level = root.level
    config = structlog.get_config()

    yield

    structlog.configure(**config)
    logging.captureWarnings(capture=False)
    root.handlers[:] = handlers
    root.setLevel(level)

    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


def test_lines_for_machines_are_one_object_each_with_time_and_level(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs("info", "json")
    structlog.get_logger().info("started", tables=3)
    logging.getLogger("aiohttp.server").error("broken %s", "pipe")
    ours, theirs = map(json.loads, capsys.readouterr().err.splitlines())
    assert (ours["event"], ours["level"], ours["tables"]) == ("started", "info", 3)
    assert ours["timestamp"].endswith("Z")
    assert (theirs["event"], theirs["level"]) == ("broken pipe", "error")


@pytest.mark.parametrize("style", get_args(LogFormat))
def test_lines_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str], style: LogFormat) -> None:
    configure_logs("warning", style)
    structlog.get_logger().info("quiet")
    structlog.get_logger().warning("loud")
    told = capsys.readouterr()
    assert "quiet" not in told.err
    assert "loud" in told.err
    assert told.out == ""


@pytest.mark.parametrize("style", get_args(LogFormat))
def test_a_traceback_shows_no_values(capsys: pytest.CaptureFixture[str], style: LogFormat) -> None:
    configure_logs("debug", style)

    def play(hand: str) -> None:
        raise ValueError(len(hand))

    try:
        play("six of hearts")
    except ValueError:
        structlog.get_logger().exception("failed")

    text = capsys.readouterr().err
    assert "in play" in text
    assert "ValueError: 13" in text
    assert "hand = " not in text
    assert "hand='six" not in text


@pytest.mark.parametrize("name", CHATTY)
def test_libraries_whose_lines_may_hold_tokens_stay_quiet_even_at_debug(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    configure_logs("debug", "text")
    logging.getLogger(f"{name}.part").info("POST https://api.telegram.org/bot123:secret/getUpdates")
    assert capsys.readouterr().err == ""
    logging.getLogger(f"{name}.part").warning("slow")
    assert "slow" in capsys.readouterr().err


def lines_lost() -> float:
    (metric,) = LINES_LOST.collect()
    return metric.samples[0].value


class FullDisk(io.StringIO):
    """A stream that accepts no writes."""

    def write(self, _: str, /) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("style", get_args(LogFormat))
def test_a_line_that_cannot_be_written_is_lost_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, style: LogFormat
) -> None:
    monkeypatch.setattr(sys, "stderr", FullDisk())
    monkeypatch.setattr(sys, "stdout", FullDisk())
    configure_logs("info", style)
    lost = lines_lost()
    structlog.get_logger().info("started")
    logging.getLogger("aiohttp.server").error("broken %s", "pipe")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("old", DeprecationWarning, stacklevel=1)

    structlog.get_logger().error("failed", exc_info=ValueError())
    assert lines_lost() == lost + 4

    tell_owner("Durak is ready.")


@pytest.mark.parametrize("style", get_args(LogFormat))
def test_without_a_standard_error_nothing_is_said(monkeypatch: pytest.MonkeyPatch, style: LogFormat) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    configure_logs("info", style)
    structlog.get_logger().info("started")


def test_a_value_that_cannot_be_shown_costs_its_line_only(capsys: pytest.CaptureFixture[str]) -> None:
    class Odd:
        def __repr__(self) -> str:
            raise ValueError("no words for it")

    configure_logs("info", "text")
    structlog.get_logger().info("odd", value=Odd())
    structlog.get_logger().info("even")
    assert "even" in capsys.readouterr().err


def test_an_error_that_repeats_is_told_in_full_once(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info", "json")
    for press in range(3):
        error = OSError(f"no space left for {press}")
        structlog.get_logger().error("press_failed", exc_info=error)
        logging.getLogger("aiohttp.server").error("Error handling request from %s", press, exc_info=error)

    logging.getLogger().handlers[0].close()
    *told, first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert [line["event"] for line in told] == ["press_failed", "Error handling request from 0"]
    assert (first["event"], first["of"], first["error"], first["times"]) == (
        "error_repeated",
        "press_failed",
        "OSError",
        2,
    )
    assert second["of"] == "Error handling request from %s"


def test_the_line_that_finds_several_errors_due_is_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    configure_logs("info", "json")
    for event in ("press_failed", "press_failed", "move_failed"):
        structlog.get_logger().error(event, exc_info=OSError())

    monkeypatch.setattr("bot.process.logs.INTERVAL", 0)
    structlog.get_logger().info("next")
    events = [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()]
    assert events == ["press_failed", "move_failed", "error_repeated", "next"]
