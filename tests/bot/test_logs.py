import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from bot.logs import CHATTY, configure_logs
from bot.settings import LogFormat, LogLevel


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Put the process's logging back afterwards."""
    root, levels = logging.getLogger(), {name: logging.getLogger(name).level for name in CHATTY}
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


def test_lines_for_machines_are_one_object_each_with_time_and_level(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs(LogLevel.INFO, LogFormat.JSON)
    structlog.get_logger().info("started", tables=3)
    logging.getLogger("aiohttp.server").error("broken %s", "pipe")
    ours, theirs = map(json.loads, capsys.readouterr().err.splitlines())
    assert (ours["event"], ours["level"], ours["tables"]) == ("started", "info", 3)
    assert ours["timestamp"].endswith("Z")
    assert (theirs["event"], theirs["level"]) == ("broken pipe", "error")


@pytest.mark.parametrize("style", LogFormat)
def test_lines_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str], style: LogFormat) -> None:
    configure_logs(LogLevel.WARNING, style)
    structlog.get_logger().info("quiet")
    structlog.get_logger().warning("loud")
    told = capsys.readouterr()
    assert "quiet" not in told.err
    assert "loud" in told.err
    assert told.out == ""


@pytest.mark.parametrize("style", LogFormat)
def test_a_traceback_shows_no_values(capsys: pytest.CaptureFixture[str], style: LogFormat) -> None:
    configure_logs(LogLevel.DEBUG, style)

    def play(hand: str) -> None:
        raise ValueError(len(hand))

    try:
        play("six of hearts")
    except ValueError:
        structlog.get_logger().exception("failed")
    told = capsys.readouterr().err
    assert "in play" in told
    assert "ValueError: 13" in told
    assert "hand = " not in told
    assert "hand='six" not in told


@pytest.mark.parametrize("name", CHATTY)
def test_libraries_whose_lines_may_hold_tokens_stay_quiet_even_at_debug(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    configure_logs(LogLevel.DEBUG, LogFormat.TEXT)
    logging.getLogger(f"{name}.part").info("POST https://api.telegram.org/bot123:secret/getUpdates")
    assert capsys.readouterr().err == ""
    logging.getLogger(f"{name}.part").warning("slow")
    assert "slow" in capsys.readouterr().err
