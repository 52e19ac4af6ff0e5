"""Creates the adapters of the chats, and the page of live tables, from the settings."""

from collections.abc import Mapping
from functools import partial

from adapters.port import Adapter
from adapters.web import TrustedProxies, ViewPage, WebAdapter
from bot.app import REGISTRY, Bot
from bot.config import Settings
from bot.locale import LOCALES, sentences_of
from bot.screens.help import description, short_description
from bot.storage import Database, SqlGuestStore


def adapters_of(settings: Settings, database: Database) -> Mapping[str, Adapter]:
    """Creates an adapter for each chat that is served, by platform."""
    adapters = chats_with_tokens(settings)
    if settings.serves_web:
        store = SqlGuestStore(database)
        adapters.append(
            WebAdapter(
                store,
                commands=REGISTRY.announced(),
                languages=LOCALES,
                translations=partial(sentences_of, "adapters/"),
                host=settings.http_host,
                public_url=settings.public_origin,
                proxies=proxies_of(settings),
            )
        )

    return {adapter.platform: adapter for adapter in adapters}


def chats_with_tokens(settings: Settings) -> list[Adapter]:
    """Creates an adapter for each chat with a token."""
    adapters: list[Adapter] = []
    if settings.telegram_token is not None:
        from adapters.telegram import TelegramAdapter  # noqa: PLC0415 - loads its library only if needed

        token = settings.telegram_token.get_secret_value()
        adapters.append(
            TelegramAdapter(
                token,
                api_url=str(settings.telegram_api_url),
                commands=REGISTRY.announced(),
                description=description(),
                short_description=short_description(),
                public_url=settings.public_origin,
                app=settings.telegram_app,
                calls=settings.telegram_calls,
            )
        )

    if settings.discord_token is not None:
        from adapters.discord import DiscordAdapter  # noqa: PLC0415 - loads its library only if needed
        from bot.screens.card_icons import card_icons  # noqa: PLC0415 - loads the drawing library

        client_secret = settings.discord_client_secret
        adapters.append(
            DiscordAdapter(
                settings.discord_token.get_secret_value(),
                commands=REGISTRY.announced(says_server=True),
                icons=card_icons(),
                api_url=text_of(settings.discord_api_url),
                cdn_url=text_of(settings.discord_cdn_url),
                gateway_url=text_of(settings.discord_gateway_url),
                shard_ids=settings.discord_shard_ids or None,
                shard_count=settings.discord_shard_count,
                calls=settings.discord_calls,
                client_secret="" if client_secret is None else client_secret.get_secret_value(),
            )
        )

    return adapters


def view_page(settings: Settings, bot: Bot) -> ViewPage:
    """Creates the page of live tables, with personal links and the doors of all chats that have one."""
    own = [adapter.door for adapter in bot.chats.values() if adapter.door is not None]
    return ViewPage(
        bot.views,
        bot.inbox,
        [bot.links, *own],
        languages=LOCALES,
        translations=partial(sentences_of, "adapters/"),
        host=settings.http_host,
        public_url=settings.public_origin,
        proxies=proxies_of(settings),
    )


def proxies_of(settings: Settings) -> TrustedProxies:
    """Returns the proxies whose forwarded addresses are trusted."""
    return TrustedProxies(bool(settings.public_origin), settings.trusted_proxies)


def text_of(url: object | None) -> str | None:
    """Returns an address as text; None if there is none."""
    return None if url is None else str(url)
