"""The owner's settings: validated `DURAK_` variables from the environment and the file `.env`."""

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import pydantic
from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic_core import Url
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PREFIX = "DURAK_"
ENV_FILE = Path(".env")
ENCODING = "utf-8-sig"  # the file's encoding: Notepad on Windows writes a byte order mark
FOR_TESTS = {"DURAK_SPECS", "DURAK_TEST_POSTGRESQL"}  # variables that only tests read

# The form of tokens, and the example in the error; only the chat can really check a token.
TOKENS = {
    "discord_token": (re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII), "MTAx….Gx….abc…: copy it once more"),
    "telegram_token": (re.compile(r"\d+:[\w-]+", re.ASCII), "123456789:AAE…: copy it once more"),
}

HttpUrl = Annotated[Url, pydantic.UrlConstraints(allowed_schemes=["http", "https"], host_required=True)]
DaskUrl = Annotated[Url, pydantic.UrlConstraints(allowed_schemes=["tls", "tcp"], host_required=True)]
GatewayUrl = Annotated[Url, pydantic.UrlConstraints(allowed_schemes=["ws", "wss"], host_required=True)]


class InvalidConfigError(Exception):
    """A setting is wrong; the message is one sentence for the bot's owner and names the variable."""


# Whether the local chat page is served; `auto` serves it if no chat has a token.
Web = Literal["on", "off", "auto"]

# The readers of `/metrics`: only this machine, or everybody who reaches the address.
Metrics = Literal["local", "public"]

LogLevel = Literal["debug", "info", "warning", "error"]  # the lowest level that is logged
LogFormat = Literal["text", "json"]  # log lines for people, or for machines


class Settings(BaseSettings):
    """The owner's settings; `.env.example` explains each line."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=ENV_FILE,
        env_file_encoding=ENCODING,
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
    )

    discord_token: pydantic.SecretStr | None = None
    discord_client_secret: pydantic.SecretStr | None = None
    telegram_token: pydantic.SecretStr | None = None
    database_url: str = "sqlite+aiosqlite:///durak.db"
    backups: Path | None = None
    keep_moves: int | None = pydantic.Field(default=None, ge=30, le=36_500)
    locale: str = "en"
    telegram_app: str = pydantic.Field(default="", pattern=r"^([A-Za-z0-9_]{3,64})?$")
    telegram_api_url: HttpUrl = Url("https://api.telegram.org")
    discord_api_url: HttpUrl | None = None
    discord_cdn_url: HttpUrl | None = None
    discord_gateway_url: GatewayUrl | None = None
    discord_shard_ids: Annotated[tuple[int, ...], NoDecode] = ()
    discord_shard_count: int | None = pydantic.Field(default=None, ge=1)
    web: Web = "auto"
    http_host: str = "127.0.0.1"
    http_port: int = pydantic.Field(default=8080, ge=0, le=65535)
    public_url: HttpUrl | None = None
    trusted_proxies: Annotated[tuple[pydantic.IPvAnyNetwork, ...], NoDecode] = ()
    metrics: Metrics = "local"
    contact: str = pydantic.Field(default="", max_length=200)
    privacy_url: HttpUrl | None = None
    telegram_calls: int | None = pydantic.Field(default=None, ge=1, le=1000)
    discord_calls: int | None = pydantic.Field(default=None, ge=1, le=1000)
    dask: DaskUrl | None = None
    thinkers: int | None = pydantic.Field(default=None, ge=1, le=256)
    pace: float = pydantic.Field(default=1.0, ge=0, le=100, allow_inf_nan=False)
    log_level: LogLevel = "info"
    log_format: LogFormat = "text"

    @pydantic.field_validator("*", mode="before")
    @classmethod
    def _trim(cls, value: Any) -> Any:
        return value.strip() if isinstance(value, str) else value

    @pydantic.field_validator("discord_shard_ids", "trusted_proxies", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return list(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value

    @pydantic.field_validator(*TOKENS)
    @classmethod
    def _can_be_a_token(
        cls, value: pydantic.SecretStr | None, info: pydantic.ValidationInfo
    ) -> pydantic.SecretStr | None:
        shape, example = TOKENS[str(info.field_name)]
        if value is not None and not shape.fullmatch(value.get_secret_value()):
            raise ValueError(f"should be a token like {example}")
        return value

    @pydantic.field_validator("locale")
    @classmethod
    def _known_locale(cls, value: str) -> str:
        from bot.locale import LOCALES  # noqa: PLC0415 - settings are read before anything else is loaded

        if value not in LOCALES:
            raise ValueError(f"should be one of {', '.join(LOCALES)}")
        return value

    @pydantic.field_validator("database_url")
    @classmethod
    def _async_driver(cls, value: str) -> str:
        if not re.match(r"(sqlite(\+aiosqlite)?|postgres(ql(\+asyncpg)?)?)://", value):
            raise ValueError("should begin with sqlite:/// or postgresql://")
        return value

    @pydantic.field_validator("public_url")
    @classmethod
    def _is_origin(cls, value: Url | None) -> Url | None:
        if value is not None and str(value) != f"{_origin(value)}/":
            raise ValueError("should be like https://durak.example, without a path")
        return value

    @pydantic.model_validator(mode="after")
    def _whole(self) -> Self:
        """Refuses settings that contradict others, or that need others which are missing."""
        needs = {
            "discord_gateway_url": ("discord_token",),
            "discord_api_url": ("discord_token",),
            "discord_cdn_url": ("discord_token",),
            "discord_shard_ids": ("discord_token", "discord_shard_count"),
            "discord_shard_count": ("discord_token", "discord_shard_ids"),
            "trusted_proxies": ("public_url",),
            "telegram_app": ("telegram_token", "public_url"),
            "discord_client_secret": ("discord_token", "public_url"),
        }
        for name, others in needs.items():
            for other in others:
                if getattr(self, name) and not getattr(self, other):
                    raise ValueError(f"{_variable(name)} is set, so {_variable(other)} is needed: add it")

        if set(self.discord_shard_ids) != set(range(self.discord_shard_count or 0)):
            raise ValueError(
                "DURAK_DISCORD_SHARD_IDS should name every shard, from 0 to one less than "
                "DURAK_DISCORD_SHARD_COUNT: one process serves them all"
            )

        if self.web == "off" and not (self.discord_token or self.telegram_token):
            raise ValueError(
                "DURAK_WEB is off and no chat has a token: set DURAK_TELEGRAM_TOKEN or DURAK_DISCORD_TOKEN, "
                "or leave it out"
            )

        return self

    @property
    def public_origin(self) -> str:
        """The page's public address, such as `https://durak.example`; empty if it has none."""
        return "" if self.public_url is None else _origin(self.public_url)

    @property
    def database_folder(self) -> Path | None:
        """The folder of an SQLite database; None for any other."""
        scheme, _, place = self.database_url.partition(":///")
        return Path(place).parent if scheme.startswith("sqlite") and place else None

    @property
    def serves_web(self) -> bool:
        """Whether the local chat page is served."""
        return self.web == "on" or (self.web == "auto" and not (self.discord_token or self.telegram_token))


def read_settings() -> Settings:
    """Reads and checks the settings; the environment overrides the file, and empty values count as unset.

    Raises:
        InvalidConfigError: A variable is unknown or wrong, or needs another one that is missing.
    """
    _check_file()
    names = {*os.environ, *dotenv_values(ENV_FILE, encoding=ENCODING)}
    variables = {_variable(name) for name in Settings.model_fields}
    if unknown := sorted(
        name for name in names if name.startswith(PREFIX) and name not in variables | FOR_TESTS
    ):
        message = f"{unknown[0]} is not a setting; the settings are {', '.join(sorted(variables))}."
        raise InvalidConfigError(message)

    for token in sorted(TOKENS):
        if token.upper() in names and _variable(token) not in names:
            raise InvalidConfigError(
                f"{token.upper()} is set, and the bot reads {_variable(token)}: name it so, or set an empty "
                f"{_variable(token)} if it is meant for another program."
            )

    try:
        return Settings()
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        message = first["msg"].removeprefix("Input ").removeprefix("Value error, ").rstrip(".")
        wrong = [_variable(str(name)) for name in first["loc"][:1]]  # empty if one setting lacks another
        raise InvalidConfigError(f"{' '.join([*wrong, message])}.") from None


def _check_file() -> None:
    """Refuses a file that the libraries would read only in part, without an error."""
    if not ENV_FILE.exists():
        return

    try:
        with ENV_FILE.open(encoding=ENCODING) as file:
            bindings = list(parse_stream(file))
    except UnicodeDecodeError:
        raise InvalidConfigError(f"The file {ENV_FILE} is not text in UTF-8: save it as that.") from None
    except OSError as error:
        raise InvalidConfigError(f"The file {ENV_FILE} cannot be read: {error.strerror}.") from None

    for key, value, original, is_wrong in bindings:
        is_half = value is None or ((key or "").startswith(PREFIX) and "\n" in value)
        if is_wrong or (key is not None and is_half):
            text = original.string.lstrip()
            line = original.line + original.string.removesuffix(text).count("\n")
            name = re.match(r"\w+(?=\s*=)", text)  # only the name, as the rest may be a secret
            raise InvalidConfigError(
                f"Line {line} of the file {ENV_FILE}{f', {name[0]},' if name else ''} cannot be read: "
                "a line is like NAME=value, and a quotation mark has to be closed on the same line."
            )


def _origin(url: Url) -> str:
    is_usual = url.port == {"http": 80, "https": 443}[url.scheme]
    return f"{url.scheme}://{url.host}" + ("" if is_usual else f":{url.port}")


def _variable(name: str) -> str:
    return PREFIX + name.upper()
