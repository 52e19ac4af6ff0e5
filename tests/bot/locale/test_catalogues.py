"""Promises of every translation, whatever its words."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo

from bot.app import REGISTRY
from bot.locale import LOCALES, Translator, catalogues, load_languages, sentences_of
from bot.locale.catalogues import forms_of
from bot.locale.messages import every_message
from bot.locale.mistakes import mistakes_in
from bot.model.refusal import TableRefusal
from bot.screens import refusals

TRANSLATED = LOCALES[1:]
UNTRANSLATED = "A sentence that nobody has translated"
MAX_TOAST_LENGTH = 200  # Telegram's answer to a press
MAX_SUMMARY_LENGTH = 100  # a command's description in Discord


@pytest.fixture(scope="module")
def in_code() -> Catalog:
    return every_message()


@pytest.fixture(params=TRANSLATED, scope="module")
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    return catalogues.catalogue_of(request.param)


def messages(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


def places(text: str) -> list[str]:
    return sorted(place for _, place, _, _ in Formatter().parse(text) if place is not None)


def test_every_sentence_of_a_catalogue_is_in_the_code(catalogue: Catalog, in_code: Catalog) -> None:
    obsolete = {message.id for message in messages(catalogue)} - {message.id for message in messages(in_code)}
    assert not obsolete, "`python -m bot.locale` brings the catalogues up to date"


def test_no_sentence_of_a_page_is_the_singular_of_another(in_code: Catalog) -> None:
    """Pages have no plurals, so such a sentence would stay English there."""
    plural = [message for message in in_code if message.id and not isinstance(message.id, str)]
    shared = [
        each.id for each in plural for place, _ in each.locations if place.startswith("adapters/web/page/")
    ]
    assert not shared


def test_no_translation_has_a_mistake(catalogue: Catalog) -> None:
    unfinished = {message.id for message in catalogues.untranslated(catalogue)}
    for message in messages(catalogue):
        if message.id not in unfinished:
            english, forms = forms_of(message.id), forms_of(message.string)
            wrong = mistakes_in(english, forms, str(catalogue.locale), catalogue.num_plurals)
            assert not list(wrong), message.id


@pytest.mark.parametrize("locale", ["ru", "uk", "lt"])
@pytest.mark.parametrize("number", [1, 2, 5, 11, 21, 22, 25, 101, 111])
def test_a_count_tells_its_number(locale: str, number: int, in_code: Catalog) -> None:
    for message in messages(in_code):
        if isinstance(message.id, tuple) and "n" in places(message.id[1]):
            one, many = message.id
            others = dict.fromkeys({*places(many)} - {"n"}, "…")
            assert str(number) in Translator(locale).count(one, many, number, **others)


@pytest.mark.parametrize(
    ("locale", "forms"),
    [
        ("en", ("card", "cards", "cards", "cards", "cards", "cards", "cards")),
        ("de", ("Karte", "Karten", "Karten", "Karten", "Karten", "Karten", "Karten")),
        ("ru", ("карта", "карты", "карт", "карт", "карта", "карты", "карт")),
        ("uk", ("карта", "карти", "карт", "карт", "карта", "карти", "карт")),
        ("lt", ("korta", "kortos", "kortos", "kortų", "korta", "kortos", "kortos")),
    ],
)
def test_a_count_takes_the_form_of_its_number(locale: str, forms: tuple[str, ...]) -> None:
    numbers = (1, 2, 5, 11, 21, 22, 25)
    said = [Translator(locale).count("{n} card", "{n} cards", number) for number in numbers]
    space = " " if locale == "en" else "\N{NO-BREAK SPACE}"
    assert said == [f"{number}{space}{form}" for number, form in zip(numbers, forms, strict=True)]


@pytest.mark.parametrize("locale", LOCALES)
def test_no_apostrophe_and_no_quotation_mark_is_that_of_a_typewriter(locale: str, in_code: Catalog) -> None:
    for message in messages(in_code):
        for text in forms_of(message.id):
            said = Translator(locale).text(text, **dict.fromkeys(places(text), "…"))
            assert not {"'", '"'} & set(said), said


@pytest.mark.parametrize("locale", TRANSLATED)
def test_sentences_call_buttons_what_stands_on_them(locale: str) -> None:
    say = Translator(locale).text
    translations = catalogues.known_catalogue_of(locale)
    for sentence, *labels in (
        ("Waiting for players: press Join, or Add bot.", "Join", "Add bot"),
        ("{host}, press Start when everyone's in.", "Start"),
        (refusals.GATHERING_AGAIN, "Start"),
        (refusals.TABLES[TableRefusal.ALONE], "Add bot"),
    ):
        for label in labels:
            if sentence in translations and label in translations:
                assert say(label) in say(sentence, host="Anna")


@pytest.mark.parametrize("locale", LOCALES)
def test_what_a_chat_shows_in_one_line_is_short(locale: str) -> None:
    say = Translator(locale).text
    for command in REGISTRY.announced():
        for summary in (command.summary, *(argument.summary for argument in command.arguments)):
            assert len(say(summary)) <= MAX_SUMMARY_LENGTH

    for reasons in (refusals.MOVES, refusals.TABLES):
        for sentence in reasons.values():
            assert len(say(sentence)) <= MAX_TOAST_LENGTH


def test_what_is_no_longer_said_is_dropped_and_the_rest_is_kept() -> None:
    code = Catalog()
    code.add("Take")
    code.add(UNTRANSLATED)

    renewed = catalogues.update_catalogue("de", code)
    assert {message.id: message.string for message in messages(renewed)} == {
        "Take": "Aufnehmen",
        UNTRANSLATED: None,
    }
    assert b"Weg damit" not in catalogues.text_of(renewed)
    assert [message.id for message in catalogues.untranslated(renewed)] == [UNTRANSLATED]


def test_a_new_sentence_is_translated_in_each_language_by_itself() -> None:
    code = Catalog()
    code.add(UNTRANSLATED)
    german, russian = (catalogues.update_catalogue(locale, code) for locale in ("de", "ru"))
    german[UNTRANSLATED].string = "Neu"
    assert not russian[UNTRANSLATED].string


def test_readers_see_the_english_of_what_is_not_translated_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    russian = Catalog("ru", "durak")
    russian.add("Take", "Беру")
    russian.add("Done", "Гото", flags=["fuzzy"])
    russian.add(UNTRANSLATED, locations=[("adapters/web/page/room.js", 1)])
    russian.add(("{n} penny", "{n} pennies"))
    monkeypatch.setattr(catalogues, "_HERE", tmp_path)
    catalogues.write_catalogue("ru", russian)

    with fresh_catalogues():
        said = catalogues.translations_of("ru")
        assert [said.gettext(each) for each in ("Take", "Done", UNTRANSLATED)] == [
            "Беру",
            "Done",
            UNTRANSLATED,
        ]
        assert said.ngettext("{n} penny", "{n} pennies", 21) == "{n} pennies"
        assert not sentences_of("adapters/", "ru")


def test_a_new_language_begins_with_nothing_translated(in_code: Catalog) -> None:
    polish = catalogues.update_catalogue("pl", in_code)
    assert len(catalogues.untranslated(polish)) == len(messages(in_code))
    assert catalogues.translations_of("pl").gettext("Take") == "Take"


def test_a_loaded_language_reads_nothing_for_its_first_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    load_languages()
    monkeypatch.delattr(catalogues, "read_po")
    for locale in LOCALES:
        assert Translator(locale).text("Take")
        assert sentences_of("adapters/", locale) or locale == LOCALES[0]


def test_a_compiled_catalogue_is_read_only_for_the_translations_that_it_was_made_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(catalogues.path_of("de").parent, tmp_path / "de/LC_MESSAGES")
    monkeypatch.setattr(catalogues, "_HERE", tmp_path)
    compiled = catalogues.compiled_path_of("de")
    compiled.write_bytes(compiled_with(Take="Nimm"))
    with fresh_catalogues():
        assert catalogues.translations_of("de").gettext("Take") == "Nimm"

    path = catalogues.path_of("de")
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    with fresh_catalogues():
        assert catalogues.translations_of("de").gettext("Take") != "Nimm"


def test_all_that_a_start_reads_of_a_language_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(catalogues.path_of("de").parent, tmp_path / "de/LC_MESSAGES")
    monkeypatch.setattr(catalogues, "_HERE", tmp_path)
    of_pages = sentences_of("adapters/", "de")
    catalogues.compile_catalogues()
    monkeypatch.delattr(catalogues, "read_po")
    with fresh_catalogues():
        assert catalogues.translations_of("de").gettext("Take") != "Take"
        assert sentences_of("adapters/", "de") == of_pages


@contextmanager
def fresh_catalogues() -> Iterator[None]:
    """Forgets the catalogues that were read, before and after."""
    for read in (catalogues.known_catalogue_of, catalogues.translations_of, sentences_of):
        read.cache_clear()
    yield
    for read in (catalogues.known_catalogue_of, catalogues.translations_of, sentences_of):
        read.cache_clear()


def compiled_with(**translations: str) -> bytes:
    catalogue = Catalog("de", "durak")
    for message, translation in translations.items():
        catalogue.add(message, translation)

    compiled = BytesIO()
    write_mo(compiled, catalogue)
    return compiled.getvalue()
