"""The page speaks its reader's language: every sentence of it, in every language of the bot."""

import re
from pathlib import Path

import pytest

from adapters import web
from adapters.port import Reply
from bot.locale import LOCALES, sentences_of, spoken
from bot.locale.messages import messages_in
from tests.adapters.contract.steps import says
from tests.adapters.web.site import Site
from tests.wire.browser import PHONE, Browser, Device

FOLDER = Path(web.__file__).parent


def texts_in(locale: str) -> dict[str, str]:
    return dict(sentences_of("adapters/", locale))


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_sentences_end_alike_in_all_languages(locale: str) -> None:
    for english, text in texts_in(locale).items():
        assert text == text.strip()
        assert (text[-1] in ".:…") == (english[-1] in ".:…"), text


def test_whatever_a_person_is_told_is_marked_as_a_sentence() -> None:
    """A sentence in a script or a refusal that no one translates would be found by its reader only."""
    marked = {str(message.id).replace("{n}", "") for message in messages_in(FOLDER.parent)}
    for path in (*FOLDER.glob("page/*.js"), *FOLDER.glob("*.py")):
        code = re.sub(r'"""[\s\S]*?"""|//.*|/\*[\s\S]*?\*/|#.*|log\.\w+\(.*', "", path.read_text("utf-8"))
        said = {text.replace("{n}", "") for text in re.findall(r'"([A-Z][^"\n]* [^"\n]*[.…])"', code)}
        assert said <= marked, path


@pytest.mark.parametrize(
    ("locale", "game", "button", "refusal"),
    [
        ("ru-RU", "Дурак", "Войти", "Напиши имя."),
        ("de-AT", "Durak", "Eintreten", "Bitte gib einen Namen an."),
        ("fr-FR", "Durak", "Come in", "Please give a name."),
    ],
)
async def test_a_reader_sees_the_page_in_the_language_of_their_browser(
    site: Site, browser: Browser, *, locale: str, game: str, button: str, refusal: str
) -> None:
    guest = await browser.stranger(Device(390, 844, has_touch=True, locale=locale))
    await guest.page.goto(site.url)
    come_in = guest.page.locator("#enter")
    await come_in.filter(has_text=button).wait_for()
    assert await guest.page.evaluate("document.documentElement.lang") == (spoken(locale) or "en")
    assert await guest.page.inner_text("#sign-in h1") == game
    assert await guest.page.title() == game
    await guest.page.fill("#name", " ")
    await come_in.click()
    notice = guest.page.locator("#sign-in-notice")
    await notice.wait_for()
    assert await notice.text_content() == refusal


async def test_the_page_goes_on_in_the_language_that_its_reader_has_chosen(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    site.inbox.reply = Reply(secret=says("Deine Sprache"), language="de")
    await anna.page.fill("#line", "/language")
    async with anna.page.expect_navigation():
        await anna.page.press("#line", "Enter")
    await anna.page.wait_for_selector(":root[lang=de] #composer:visible")
    assert await anna.page.get_attribute("#composer [type=submit]", "aria-label") == "Senden"


@pytest.mark.parametrize("locale", LOCALES[1:])
async def test_everything_that_stands_in_the_page_is_said_in_the_reader_s_language(
    site: Site, browser: Browser, locale: str
) -> None:
    guest = await browser.stranger(Device(320, 640, has_touch=True, locale=locale))
    for path in ("r/main", "results", "page/offline.html"):
        await guest.page.goto(f"{site.url.removesuffix('r/main')}{path}")
        await guest.page.wait_for_selector(f"html[lang={locale}]")
        texts = await guest.page.evaluate(
            """() => {
                const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                const found = [];
                while (nodes.nextNode()) found.push(nodes.currentNode.data.trim().replace(/\\s+/g, " "));
                return found;
            }"""
        )
        alike = {english for english, text in texts_in(locale).items() if english == text}
        assert not (set(texts) & set(texts_in(locale))) - alike
