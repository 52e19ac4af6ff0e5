"""The tools of a translator: a list of sentences is edited and written back into every catalogue."""

import shutil
from pathlib import Path

import pytest

from bot.locale import catalogues
from bot.locale.__main__ import TRANSLATED, main
from bot.locale.catalogues import catalogue_of, forms_of, untranslated, write_catalogue

pytestmark = pytest.mark.slow  # it reads and writes all catalogues

TAKE = """\
en: Take
ru: Беру
uk: Беру
de: Aufnehmen
lt: Imu
"""
CARDS = """\
en: Your {n} card
en: Your {n} cards
ru (1, 21, 31): У тебя {n} карта
ru (2, 3, 4): У тебя {n} карты
ru (5, 6, 7): У тебя {n} карт
uk (1, 21, 31): У тебе {n} карта
uk (2, 3, 4): У тебе {n} карти
uk (5, 6, 7): У тебе {n} карт
de (1): Du hast {n} Karte
de (2, 3, 4): Du hast {n} Karten
lt (1, 21, 31): Turi {n} kortą
lt (2, 3, 4): Turi {n} kortas
lt (10, 11, 12): Turi {n} kortų
"""


@pytest.fixture(autouse=True)
def own_catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives the test a copy of the catalogues to write."""
    for locale in TRANSLATED:
        shutil.copytree(catalogues.path_of(locale).parent, tmp_path / locale / "LC_MESSAGES")
    monkeypatch.setattr(catalogues, "_HERE", tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sentences.txt"


def translation(english: str, locale: str) -> tuple[str, ...]:
    return forms_of(catalogue_of(locale)[english].string)


def forget(english: str, *locales: str) -> None:
    """Takes a translation out of some catalogues."""
    for locale in locales:
        catalogue = catalogue_of(locale)
        catalogue[english].string = ""
        write_catalogue(locale, catalogue)


def texts() -> list[bytes]:
    return [catalogues.path_of(locale).read_bytes() for locale in TRANSLATED]


def missing(capsys: pytest.CaptureFixture[str]) -> str:
    """Returns the list of the sentences that lack a translation."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main("missing")

    assert ended.value.code == 1
    return capsys.readouterr().out


def test_a_missing_sentence_is_listed_once_with_what_it_has(capsys: pytest.CaptureFixture[str]) -> None:
    forget("Take", "de", "lt")
    listed = missing(capsys)
    assert TAKE.replace(" Aufnehmen", "").replace(" Imu", "").strip() in listed
    assert listed.count("en: Take\n") == 1


def test_a_sentence_that_no_catalogue_has_yet_is_missing_in_all(capsys: pytest.CaptureFixture[str]) -> None:
    for locale in TRANSLATED:
        catalogue = catalogue_of(locale)
        catalogue.delete("Take")
        write_catalogue(locale, catalogue)

    assert "en: Take\nru:\nuk:\nde:\nlt:\n" in missing(capsys)


def test_a_list_comes_back_into_every_catalogue(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forget("Take", *TRANSLATED)
    forget("Your {n} card", *TRANSLATED)
    assert "en: Take" in missing(capsys)

    file.write_text(f"# a comment\n{TAKE}\n\n{CARDS}", "utf-8")
    main("fill", str(file))
    assert [translation("Take", locale) for locale in TRANSLATED] == [
        ("Беру",),
        ("Беру",),
        ("Aufnehmen",),
        ("Imu",),
    ]
    assert translation("Your {n} card", "lt") == ("Turi {n} kortą", "Turi {n} kortas", "Turi {n} kortų")
    assert "Take" not in [message.id for message in untranslated(catalogue_of("de"))]


def test_a_sentence_is_shown_with_all_its_plurals_by_words_of_any_language(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main("show", "turi {n} KORTŲ")
    place, _, listed = capsys.readouterr().out.partition("\n")
    assert place.startswith("# bot/")
    assert listed == CARDS


def test_a_sentence_is_found_as_readers_see_it(capsys: pytest.CaptureFixture[str]) -> None:
    main("show", "can’t beat a card, or don’t")
    assert "en: If you can't beat a card, or don't want to," in capsys.readouterr().out


def test_what_no_sentence_contains_is_said_to_be_in_none() -> None:
    with pytest.raises(SystemExit, match="No sentence contains “xyzzy”"):
        main("show", "xyzzy")


def test_what_was_shown_can_be_corrected_and_what_is_empty_stays(file: Path) -> None:
    file.write_text(TAKE.replace("Aufnehmen", "Nehmen").replace("Imu", ""), "utf-8")
    main("fill", str(file))
    assert translation("Take", "de") == ("Nehmen",)
    assert translation("Take", "lt") == ("Imu",)


def test_a_space_at_the_beginning_of_a_sentence_survives(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = translation(" (host)", "ru")
    assert before[0].startswith(" ")
    main("show", " (host)")
    file.write_text(capsys.readouterr().out, "utf-8")
    forget(" (host)", "ru")
    main("fill", str(file))
    assert translation(" (host)", "ru") == before


def test_a_filled_sentence_is_no_longer_unfinished(file: Path) -> None:
    catalogue = catalogue_of("de")
    catalogue["Take"].flags.add("fuzzy")
    write_catalogue("de", catalogue)
    assert "Take" in [message.id for message in untranslated(catalogue_of("de"))]

    file.write_text(TAKE, "utf-8")
    main("fill", str(file))
    assert "Take" not in [message.id for message in untranslated(catalogue_of("de"))]


@pytest.mark.parametrize(
    ("listed", "mistake"),
    [
        (f"\n{TAKE.replace('Aufnehmen', 'Nimm {cards}')}", "line 5, “Take”, de: has the places {cards}"),
        (
            CARDS.replace("ru (5, 6, 7): У тебя {n} карт\n", ""),
            "“Your {n} cards”, ru: has 2 of 3",
        ),
        (
            CARDS.replace("de (1): Du hast {n} Karte\n", "de (1):\n"),
            "line 9, “Your {n} cards”, de: has 1 of",
        ),
        ("en: Taek\nde: Aufnehmen", "line 1: “Taek” is no sentence of the bot"),
        ("en: Your {n} card\nde: Deine Karte", "line 1: “Your {n} card” is no sentence of the bot"),
        ("de: Aufnehmen", "line 1: the English is missing"),
        (f"{TAKE}pl: Biorę", "line 6: “pl: Biorę” does not begin with a language (en, ru, uk, de, lt)"),
        (f"{TAKE}\nAufnehmen", "line 7: “Aufnehmen” does not begin with a language"),
    ],
)
def test_a_mistake_is_said_with_its_place_and_nothing_is_written(
    file: Path, listed: str, mistake: str
) -> None:
    forget("Take", "lt")
    before = texts()
    file.write_text(listed, "utf-8")
    with pytest.raises(SystemExit) as ended:
        main("fill", str(file))

    assert mistake in str(ended.value.code)
    assert texts() == before


def test_what_the_code_no_longer_says_is_dropped_and_listed(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for locale, text in (("de", "Nimm"), ("lt", "Imk")):
        catalogue = catalogue_of(locale)
        catalogue.add("Taek", text)
        write_catalogue(locale, catalogue)

    forget("Take", "de", "lt")
    main()
    assert "Taek" not in catalogue_of("de")

    dropped = capsys.readouterr().out
    assert "en: Taek\nru:\nuk:\nde: Nimm\nlt: Imk\n" in dropped
    file.write_text(dropped.replace("en: Taek", "en: Take"), "utf-8")
    main("fill", str(file))
    assert translation("Take", "lt") == ("Imk",)


def test_a_word_that_is_no_command_gets_the_commands() -> None:
    with pytest.raises(SystemExit, match=r"python -m bot\.locale missing"):
        main("list")
