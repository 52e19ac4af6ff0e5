"""Sentences call a community a server on Discord, and nowhere else."""

import re
from pathlib import Path

import pytest

from adapters.discord.render import LIMITS as DISCORD
from bot.app import REGISTRY
from bot.locale import LOCALES, OF_SERVERS, Translator
from bot.locale.catalogues import known_catalogue_of
from bot.locale.messages import every_message, messages_in
from tests.bot.chat import Chat
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, RunningBot, running_bot

ROOT = Path(__file__).parents[3]

# Sentences of the bot that name a chat on every platform, and why they may.
OF_ANY_CHAT = {
    "our private chat": "the private messages between two",
    "the private chat": "the same",
    "a group or a channel": "somebody who writes as one, as in Telegram",
    "a group": "the people, or the welcome of Telegram's private chat",
    "in “{chat}”": "a place for the name",
    "“{chat}”: {text}": "the same",
    "the chats alone": "the platforms",
}


def test_every_sentence_that_is_replaced_is_one_of_the_bots() -> None:
    known = {message.id for message in every_message()}
    assert set(OF_SERVERS) | set(OF_SERVERS.values()) <= known


def test_every_other_sentence_about_a_chat_is_true_of_servers() -> None:
    for message in messages_in(ROOT / "bot"):
        forms = [message.id] if isinstance(message.id, str) else message.id
        for sentence in forms:
            rest = sentence
            for words in OF_ANY_CHAT:
                rest = rest.replace(words, "").replace(words.capitalize(), "")
            assert sentence in OF_SERVERS or not re.search(r"\b(chat|group)s?\b", rest, re.IGNORECASE)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("sentence", OF_SERVERS)
def test_a_server_is_called_so_in_every_language(locale: str, sentence: str) -> None:
    places = dict.fromkeys(("name", "names"), "Anna")
    said = Translator(locale, says_server=True).text(sentence, **places)
    assert "chat" not in said.lower()
    assert "чат" not in said.lower()
    assert "pokalb" not in said.lower()


def test_the_menu_of_a_server_names_the_server() -> None:
    (settings,) = [spec for spec in REGISTRY.announced(says_server=True) if spec.name == "settings"]
    assert settings.summary == "the settings of this server"
    assert settings.summaries["de"] == "Einstellungen dieses Servers"


async def test_answers_on_a_server_name_the_server(sqlite_url: str) -> None:
    async with running_bot(sqlite_url, Chat(limits=DISCORD)) as bot:
        await names_the_server(bot)


async def names_the_server(bot: RunningBot) -> None:
    refused = await bot.chat.types(BORIS, "/settings week on")
    assert refused.toast == "Only server admins can change that."

    bot.chat.moderators.add(ANNA.ref)
    shown = (await bot.chat.types(ANNA, "/settings")).ephemeral
    assert shown is not None
    assert text_of(shown).startswith("This server plays")


# The words for a chat or a group, by language; not those for the private chat of two.
CHAT_WORDS = {
    "ru": r"\b(?:чат|групп)\w*",
    "uk": r"\b(?:чат|груп)\w*",
    "de": r"\b(?:chat|gruppen?chat|gruppe)\w*",
    "lt": r"\b(?:pokalb|grup)\w*",
}


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_no_translation_names_a_chat_where_its_sentence_does_not(locale: str) -> None:
    """Such a word would escape the replacement of sentences, which goes by the English ones."""
    of_bot = {message.id for message in messages_in(ROOT / "bot")}
    for message in known_catalogue_of(locale):
        if not message.id or message.id not in of_bot:
            continue

        forms = [message.id] if isinstance(message.id, str) else list(message.id)
        translations = [message.string] if isinstance(message.string, str) else list(message.string or ())
        names_chat = any(re.search(r"\b(chat|group)s?\b", form, re.IGNORECASE) for form in forms)
        if not names_chat:
            for translation in translations:
                assert not re.search(CHAT_WORDS[locale], translation, re.IGNORECASE), forms
