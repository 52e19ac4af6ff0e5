"""Mistakes of translations, each in an example."""

import pytest

from bot.locale.mistakes import mistakes_in

PLURALS = {"de": 2, "ru": 3, "uk": 3, "lt": 3}
CARDS = ("{name} has {n} card.", "{name} has {n} cards.")


@pytest.mark.parametrize(
    ("english", "translation", "locale"),
    [
        (("Take",), ("Aufnehmen",), "de"),
        (("{name} takes {cards}.",), ("{name} nimmt {cards} auf.",), "de"),
        (("{name} takes {cards}.",), ("Die Karten {cards} nimmt {name} auf!",), "de"),
        (CARDS, ("{name} hat eine Karte.", "{name} hat {n} Karten."), "de"),
        (CARDS, ("{name}: {n} карта.", "{name}: {n} карты.", "{name}: {n} карт."), "ru"),
        (("⏰ Type /durak:",), ("⏰ Schreib /durak:",), "de"),
        ((" (host)",), (" (leitet)",), "de"),
        (("They take it, and you pass.",), ("Sie nehmen es, und du passt.",), "de"),
    ],
)
def test_a_good_translation_has_none(
    english: tuple[str, ...], translation: tuple[str, ...], locale: str
) -> None:
    assert list(mistakes_in(english, translation, locale, PLURALS[locale])) == []


@pytest.mark.parametrize(
    ("english", "translation", "locale", "mistake"),
    [
        ("{name} takes.", "{nmae} nimmt.", "de", "has the places {nmae} instead of {name}"),
        ("{name} takes.", "Jemand nimmt.", "de", "has the places none instead of {name}"),
        ("{n} for {name}", "{n} für", "de", "has the places {n} instead of {n}, {name}"),
        ("{name} takes.", "{name nimmt.", "de", "has a brace without its partner"),
        ("Type /durak there.", "Schreib es dort.", "de", "lacks /durak"),
        ("⏰ Hurry", "Beeilung", "de", "lacks ⏰"),
        ("Take", "Auf  nehmen", "de", "has '  '"),
        ("Take", "<b>Aufnehmen</b>", "de", "has '<'"),
        ("Take it…", "Nimm sie...", "de", "has '...'"),
        (" (host)", "(leitet)", "de", "begins or ends with other spaces"),
        ("Take", "Aufnehmen ", "de", "begins or ends with other spaces"),
        ("Take it.", "Nimm sie", "de", "ends otherwise"),
        ("Cards", "Karten:", "de", "ends otherwise"),
        ("Your cards", "Ваши карты", "ru", "is formal, with “Ваши”"),
        ("Your cards", "Ваші карти", "uk", "is formal, with “Ваші”"),
        ("Do you take?", "Nehmen Sie?", "de", "is formal, with “Sie”"),
        ("Your cards", "Jūsų kortos", "lt", "is formal, with “Jūsų”"),
        ("Take", "Взяти її", "ru", "has “ї”, a letter of another language"),
        ("Take", "Быстро", "uk", "has “ы”, a letter of another language"),
        ("Take", "Беру", "de", "has “Б”, a letter of another language"),
        ("Take", "Беру", "lt", "has “Б”, a letter of another language"),
        ("Say “take”", 'Sag "nehmen"', "de", "has the quotation mark of a typewriter"),
    ],
)
def test_a_mistake_gets_a_sentence(english: str, translation: str, locale: str, mistake: str) -> None:
    found = list(mistakes_in((english,), (translation,), locale, PLURALS[locale]))
    assert any(each.startswith(mistake) for each in found), found


@pytest.mark.parametrize(
    ("translation", "mistake"),
    [
        (("{name}: {n} карт.",), "has 1 of 3 texts"),
        (("{name}: {n} карта.", "", "{name}: {n} карт."), "has 2 of 3 texts"),
        (("{name}: {n} a.",) * 4, "has 4 of 3 texts"),
    ],
)
def test_a_language_has_all_of_its_plurals(translation: tuple[str, ...], mistake: str) -> None:
    assert list(mistakes_in(CARDS, translation, "ru", 3)) == [mistake]


def test_only_the_last_plural_has_to_name_its_number() -> None:
    german = ("{name} hat eine Karte.", "{name} hat Karten.")
    (mistake,) = mistakes_in(CARDS, german, "de", 2)
    assert mistake.startswith("has the places {name} instead of {n}, {name}")
