import os
from pathlib import Path

import pytest

from bot.config import InvalidConfigError, Settings, read_settings

TELEGRAM = "123:telegram-secret"
DISCORD = "MTAx.discord.secret"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Clears all settings of the environment, and enters a folder without `.env`."""
    for name in list(os.environ):
        if name.upper().startswith("DURAK_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def given(monkeypatch: pytest.MonkeyPatch, **settings: str) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(f"DURAK_{name.upper()}", value)


def sentence() -> str:
    with pytest.raises(InvalidConfigError) as refused:
        read_settings()
    return str(refused.value)


def test_without_any_setting_the_page_is_served_for_oneself() -> None:
    settings = read_settings()
    assert (settings.serves_web, settings.http_host, settings.http_port) == (True, "127.0.0.1", 8080)
    assert settings.database_url == "sqlite+aiosqlite:///durak.db"
    assert (settings.web, settings.pace, settings.locale) == ("auto", 1.0, "en")
    assert settings.metrics == "local"
    assert (settings.log_level, settings.log_format) == ("info", "text")
    assert settings.telegram_token is settings.discord_token is None


def test_every_setting_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    given(
        monkeypatch,
        discord_token=DISCORD,
        telegram_token=TELEGRAM,
        database_url="postgresql+asyncpg://user@host/durak",
        locale="en",
        telegram_api_url="http://127.0.0.1:8081",
        discord_api_url="http://127.0.0.1:9000/api/v10",
        discord_cdn_url="http://127.0.0.1:9000/cdn",
        discord_gateway_url="ws://127.0.0.1:9000/gateway",
        discord_shard_ids="0, 2,1",
        discord_shard_count="3",
        web="on",
        http_host="0.0.0.0",
        http_port="0",
        public_url="https://durak.example:8443",
        trusted_proxies="10.0.0.1, 172.17.0.0/16",
        metrics="public",
        pace="0",
        log_level="debug",
        log_format="json",
    )

    settings = read_settings()
    assert settings.telegram_token is not None
    assert settings.discord_token is not None
    assert settings.telegram_token.get_secret_value() == TELEGRAM
    assert settings.discord_token.get_secret_value() == DISCORD
    assert settings.database_url == "postgresql+asyncpg://user@host/durak"
    assert str(settings.telegram_api_url).rstrip("/") == "http://127.0.0.1:8081"
    assert str(settings.discord_api_url) == "http://127.0.0.1:9000/api/v10"
    assert str(settings.discord_cdn_url) == "http://127.0.0.1:9000/cdn"
    assert str(settings.discord_gateway_url) == "ws://127.0.0.1:9000/gateway"
    assert (settings.discord_shard_ids, settings.discord_shard_count) == ((0, 2, 1), 3)
    assert (settings.serves_web, settings.http_port, settings.pace) == (True, 0, 0.0)
    assert settings.http_host == "0.0.0.0"
    assert settings.public_origin == "https://durak.example:8443"
    assert list(map(str, settings.trusted_proxies)) == ["10.0.0.1/32", "172.17.0.0/16"]
    assert settings.metrics == "public"
    assert (settings.log_level, settings.log_format) == ("debug", "json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("telegram_token", "987654321"),
        ("telegram_token", DISCORD),
        ("telegram_token", f"DURAK_TELEGRAM_TOKEN={TELEGRAM}"),
        ("telegram_token", TELEGRAM.replace("-", " ")),
        ("telegram_token", "<your token>"),
        ("discord_token", TELEGRAM),
        ("discord_token", "1234567890"),
        ("discord_token", f"Bot {DISCORD}"),
    ],
)
def test_what_cannot_be_a_token_is_refused_by_its_variable_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    given(monkeypatch, **{name: value})
    said = sentence()
    assert said.startswith(f"DURAK_{name.upper()} should be a token like ")
    assert value not in said


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (f"DURAK_TELEGRAM_TOKEN={TELEGRAM}\n# Fußball\n".encode("latin-1"), "not text in UTF-8: save it as"),
        (f"DURAK_TELEGRAM_TOKEN={TELEGRAM}\n".encode("utf-16"), "not text in UTF-8: save it as"),
        (
            f'\nDURAK_TELEGRAM_TOKEN="{TELEGRAM}\nDURAK_PACE=0\n'.encode(),
            "Line 2 of the file .env, DURAK_TELEGRAM_TOKEN,",
        ),
        (
            f'DURAK_TELEGRAM_TOKEN="{TELEGRAM}\nDURAK_LOCALE="en"\n'.encode(),
            "Line 1 of the file .env, DURAK_TELEGRAM_TOKEN,",
        ),
        (b'DURAK_LOCALE="en\nDURAK_HTTP_HOST="\n', "Line 1 of the file .env, DURAK_LOCALE,"),
        (b"DURAK_PACE=0\nDURAK_TELEGRAM_TOKEN\n", "Line 2 of the file .env cannot be read"),
        (f"{TELEGRAM}'\n".encode(), "Line 1 of the file .env cannot be read"),
    ],
)
def test_a_file_that_can_only_be_read_in_part_is_refused(content: bytes, says: str) -> None:
    Path(".env").write_bytes(content)
    said = sentence()
    assert says in said
    assert TELEGRAM not in said


def test_a_file_that_cannot_be_read_is_refused() -> None:
    Path(".env").mkdir()
    assert sentence() == "The file .env cannot be read: Is a directory."


def test_the_sign_that_windows_puts_before_a_file_is_no_part_of_it() -> None:
    Path(".env").write_text(f"DURAK_TELEGRAM_TOKEN={TELEGRAM}\nDURAK_PACE=0\n", "utf-8-sig")
    assert read_settings().telegram_token is not None


@pytest.mark.parametrize(("token", "value"), [("telegram_token", TELEGRAM), ("discord_token", DISCORD)])
def test_with_a_token_the_page_is_served_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, token: str, value: str
) -> None:
    given(monkeypatch, **{token: value})
    assert not read_settings().serves_web
    given(monkeypatch, web="on")
    assert read_settings().serves_web
    given(monkeypatch, web="off")
    assert not read_settings().serves_web


def test_an_unknown_variable_is_named_together_with_the_known_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, telegramm_token=TELEGRAM)
    assert sentence().startswith(
        "DURAK_TELEGRAMM_TOKEN is not a setting; the settings are DURAK_BACKUPS, DURAK_CONTACT,"
    )
    assert TELEGRAM not in sentence()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("web", "maybe"),
        ("http_port", "eighty"),
        ("http_port", "65536"),
        ("http_port", "-1"),
        ("pace", "-1"),
        ("pace", "nan"),
        ("pace", "inf"),
        ("locale", "tlh"),
        ("database_url", "mysql://host/durak"),
        ("telegram_api_url", "telegram"),
        ("telegram_api_url", "ftp://host"),
        ("metrics", "everybody"),
        ("log_level", "loud"),
        ("log_format", "xml"),
        ("discord_shard_ids", "a,b"),
        ("discord_shard_count", "0"),
    ],
)
def test_a_wrong_value_is_refused_in_one_sentence_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    given(monkeypatch, **{name: value})
    told = sentence()
    assert told.startswith(f"DURAK_{name.upper()} ")
    assert told.endswith(".")
    assert told.count("\n") == 0


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ({"discord_shard_ids": "0"}, "DURAK_DISCORD_TOKEN"),
        ({"discord_token": DISCORD, "discord_shard_ids": "0"}, "DURAK_DISCORD_SHARD_COUNT"),
        ({"discord_token": DISCORD, "discord_shard_count": "2"}, "DURAK_DISCORD_SHARD_IDS"),
        ({"discord_api_url": "http://127.0.0.1/api/v10"}, "DURAK_DISCORD_TOKEN"),
        ({"discord_gateway_url": "ws://127.0.0.1"}, "DURAK_DISCORD_TOKEN"),
        ({"web": "off"}, "DURAK_TELEGRAM_TOKEN"),
    ],
)
def test_half_a_configuration_names_the_line_to_add(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], missing: str
) -> None:
    given(monkeypatch, **settings)
    assert missing in sentence()


@pytest.mark.parametrize("shards", ["0,2", "0", "1", "0,1,2"])
def test_one_process_serves_all_shards(monkeypatch: pytest.MonkeyPatch, shards: str) -> None:
    given(monkeypatch, discord_token=DISCORD, discord_shard_ids=shards, discord_shard_count="2")
    assert sentence() == (
        "DURAK_DISCORD_SHARD_IDS should name every shard, from 0 to one less than DURAK_DISCORD_SHARD_COUNT: "
        "one process serves them all."
    )


def test_an_empty_value_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, telegram_token="", database_url="", discord_shard_ids="", http_port="")
    assert read_settings() == Settings()
    assert read_settings().telegram_token is None


def test_blanks_around_a_value_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, telegram_token=f" {TELEGRAM}\n", web=" on ")
    settings = read_settings()
    assert settings.telegram_token is not None
    assert settings.telegram_token.get_secret_value() == TELEGRAM
    assert settings.web == "on"


def test_the_file_is_read_and_the_environment_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        f"# what people write\nDURAK_TELEGRAM_TOKEN={TELEGRAM}\nDURAK_HTTP_PORT=8181\nOTHER=1\n", "utf-8"
    )
    given(monkeypatch, http_port="8282")
    settings = read_settings()
    assert settings.telegram_token is not None
    assert settings.telegram_token.get_secret_value() == TELEGRAM
    assert settings.http_port == 8282


def test_an_unknown_variable_in_the_file_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DURAK_TOKEN=1\n", "utf-8")
    assert sentence().startswith("DURAK_TOKEN is not a setting")


def test_secrets_are_in_no_sentence_and_in_no_representation(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, telegram_token=TELEGRAM, discord_token=DISCORD, http_port="x")
    assert TELEGRAM not in sentence()
    given(monkeypatch, http_port="8080")
    shown = repr(read_settings()) + str(read_settings())
    assert TELEGRAM not in shown
    assert DISCORD not in shown


def test_the_example_file_names_every_setting_and_nothing_else() -> None:
    example = Path(__file__).parents[2] / ".env.example"
    lines = example.read_text("utf-8").splitlines()
    named = {line.lstrip("# ").partition("=")[0] for line in lines if line.lstrip("# ").startswith("DURAK_")}
    not_used_yet = {"DURAK_TELEGRAM_WEBHOOK_URL", "DURAK_TELEGRAM_WEBHOOK_SECRET"}
    assert named == {f"DURAK_{name.upper()}" for name in Settings.model_fields} - not_used_yet


@pytest.mark.parametrize(
    "url", ["https://durak.example", "https://durak.example/", "https://durak.example:443"]
)
def test_the_public_address_is_written_as_browsers_write_it(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    given(monkeypatch, public_url=url)
    assert read_settings().public_origin == "https://durak.example"


@pytest.mark.parametrize(
    "url",
    ["durak.example", "ftp://durak.example", "https://durak.example/r/main", "https://a:b@durak.example"],
)
def test_a_public_address_with_more_than_a_host_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    given(monkeypatch, public_url=url)
    assert sentence().startswith("DURAK_PUBLIC_URL ")


def test_proxies_are_trusted_by_address_and_only_in_front_of_a_public_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given(monkeypatch, trusted_proxies="10.0.0.1")
    assert sentence() == "DURAK_TRUSTED_PROXIES is set, so DURAK_PUBLIC_URL is needed: add it."
    given(monkeypatch, trusted_proxies="nonsense", public_url="https://durak.example")
    assert sentence().startswith("DURAK_TRUSTED_PROXIES ")


def test_there_are_as_many_thinkers_as_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().thinkers is None
    given(monkeypatch, thinkers="3")
    assert read_settings().thinkers == 3
    given(monkeypatch, thinkers="0")
    assert sentence().startswith("DURAK_THINKERS should be greater than or equal to 1")


@pytest.mark.parametrize("token", ["TELEGRAM_TOKEN", "DISCORD_TOKEN"])
def test_a_token_without_the_prefix_gets_a_sentence(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv(token, "1:secret")
    said = sentence()
    assert said.startswith(f"{token} is set, and the bot reads DURAK_{token}: name it so")
    assert "secret" not in said
    monkeypatch.setenv(f"DURAK_{token}", "")
    assert read_settings().serves_web


@pytest.mark.parametrize(
    "url", ["sqlite:///durak.db", "sqlite+aiosqlite:///durak.db", "postgres://host/durak"]
)
def test_an_address_may_leave_the_driver_out(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    given(monkeypatch, database_url=url)
    assert read_settings().database_url == url


def test_the_calls_a_second_are_learned_unless_they_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().telegram_calls is None
    given(monkeypatch, telegram_calls="40", discord_calls="60")
    assert read_settings().telegram_calls == 40
    assert read_settings().discord_calls == 60
    given(monkeypatch, telegram_calls="0")
    assert sentence().startswith("DURAK_TELEGRAM_CALLS should be greater than or equal to 1")
