"""The page speaks its reader's language: every sentence of it, in every language of the bot."""

import ast
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from adapters import web
from bot.locale import LOCALES, spoken
from bot.locale.translator import catalogue_of
from tests.adapters.web_site import Site
from tests.wire.browser import Browser, Device

FOLDER = Path(web.__file__).parent
PAGE = FOLDER / "page"
NAMES = {"Durak"}
"""What is called the same everywhere."""


def texts_in(locale: str) -> dict[str, str]:
    source = (PAGE / f"texts.{locale}.js").read_text("utf-8")
    texts: dict[str, str] = json.loads(source.removeprefix("export default ").rstrip().removesuffix(";"))
    return texts


def bare(text: str) -> str:
    """What is left of `Discard: {cards}` or ` (host)`."""
    return re.sub(r":? ?\{\w+\}$", "", text).strip(" ·()")


class Sentences(HTMLParser):
    """Gathers what a reader sees of a page, but for what one types."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._is_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_code = tag in {"code", "title"}
        self.found |= {
            value for name, value in attrs if name in {"placeholder", "aria-label", "alt"} and value
        }

    def handle_endtag(self, tag: str) -> None:
        self._is_code = False

    def handle_data(self, data: str) -> None:
        if re.search(r"\w\w", data) and not self._is_code:
            self.found.add(" ".join(data.split()))


def in_the_html() -> set[str]:
    parser = Sentences()
    for page in PAGE.glob("*.html"):
        parser.feed(page.read_text("utf-8"))
    return parser.found - NAMES


def in_the_scripts() -> set[str]:
    scripts = [path.read_text("utf-8") for path in PAGE.glob("*.js") if path.stem.count(".") == 0]
    sentences = r'"([A-Z][^"]* [^"]*[.…])"|said\(["`]([^"`]+)["`]\)'
    return {
        re.sub(r"\$\{[^}]*\}", "{n}", text)
        for script in scripts
        for found in re.findall(sentences, script)
        for text in found
        if text
    }


def in_the_server() -> Iterator[str]:
    """Sentences in the code, but for docstrings; a number in one is `{n}`."""
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            parts = [] if isinstance(node, ast.Expr) else list(ast.iter_child_nodes(node))
            for each in parts:
                match each:
                    case ast.Constant(value=str(text)):
                        yield text
                    case ast.JoinedStr(values=pieces):
                        yield "".join(
                            str(piece.value) if isinstance(piece, ast.Constant) else "{n}" for piece in pieces
                        )


def said_by_the_server() -> set[str]:
    return {text for text in in_the_server() if re.fullmatch(r"[A-Z][^\n]* [^\n]*\.", text)}


def test_the_page_speaks_the_languages_of_the_bot() -> None:
    script = (PAGE / "texts.js").read_text("utf-8")
    listed = re.search(r"TRANSLATED = (\[.*\]);", script)
    assert listed is not None
    assert sorted(json.loads(listed[1])) == sorted(LOCALES[1:])
    assert {path.name for path in PAGE.glob("texts.*.js")} == {f"texts.{locale}.js" for locale in LOCALES[1:]}


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_every_sentence_of_the_page_is_translated_and_no_other(locale: str) -> None:
    texts = texts_in(locale)
    assert set(texts) == in_the_html() | in_the_scripts() | said_by_the_server()
    for english, text in texts.items():
        assert text == text.strip()
        assert text
        assert ("{n}" in text) is ("{n}" in english)
        assert (text[-1] in ".:…") == (english[-1] in ".:…"), text


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_the_page_and_the_bot_have_one_word_for_one_thing(locale: str) -> None:
    of_the_bot = {
        bare(message.id): bare(message.string)
        for message in catalogue_of(locale)
        if isinstance(message.id, str) and isinstance(message.string, str)
    }
    shared = {english: text for english, text in texts_in(locale).items() if english in of_the_bot}
    assert {"Leaderboard", "Discard"} <= set(shared)
    assert shared == {english: of_the_bot[english] for english in shared}


@pytest.mark.parametrize(
    ("locale", "button", "refusal"),
    [
        ("ru-RU", "Войти", "Напиши имя."),
        ("de-AT", "Reinkommen", "Bitte gib einen Namen an."),
        ("fr-FR", "Come in", "Please give a name."),
    ],
)
async def test_a_reader_sees_the_page_in_the_language_of_their_browser(
    site: Site, browser: Browser, locale: str, button: str, refusal: str
) -> None:
    guest = await browser.stranger(Device(390, 844, has_touch=True, locale=locale))
    await guest.page.goto(site.url)
    come_in = guest.page.locator("#sign-in-form button")
    assert await come_in.text_content() == button
    assert await guest.page.evaluate("document.documentElement.lang") == (spoken(locale) or "en")
    await come_in.click()
    notice = guest.page.locator("#sign-in-notice")
    await notice.wait_for()
    assert await notice.text_content() == refusal


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
