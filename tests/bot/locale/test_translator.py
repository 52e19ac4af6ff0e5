"""One language of the bot."""

import pytest

from adapters.port import Mark, Span
from bot.locale import LOCALES, Summaries, Translator


@pytest.mark.parametrize(
    ("locale", "spoken"),
    [
        ("ru", "ru"),
        ("de-AT", "de"),
        ("uk_UA", "uk"),
        ("LT", "lt"),
        ("en-GB", "en"),
        ("tlh", "en"),
        ("", "en"),
    ],
)
def test_a_translator_speaks_the_language_of_its_locale_or_english(locale: str, spoken: str) -> None:
    assert Translator(locale).locale == spoken


def test_messages_are_said_in_the_language() -> None:
    said = [Translator(locale).text("Take") for locale in LOCALES]
    assert said == ["Take", "Беру", "Беру", "Aufnehmen", "Imu"]


def test_what_nobody_has_translated_is_said_in_english() -> None:
    assert Translator("ru").text("Nobody says {this}.", this="so") == "Nobody says so."


def test_names_keep_their_look_where_the_language_puts_them() -> None:
    name = Span("Anna", Mark.BOLD)
    cards = (Span("6♠"), Span("6♥"))
    assert Translator("de").spans("{name} takes {cards}.", name=name, cards=cards) == (
        name,
        Span(" nimmt "),
        *cards,
        Span(" auf."),
    )


def test_a_name_with_braces_is_only_a_name() -> None:
    assert Translator("ru").text("{name} resigns.", name="{n}") == "{n} сдаётся."


def test_cards_are_written_as_players_of_the_language_write_them() -> None:
    courts = ["".join(Translator(locale).ranks[-4:]) for locale in LOCALES]
    assert courts == ["JQKA", "ВДКТ", "ВДКТ", "BDKA", "JQKA"]
    for locale in LOCALES:
        assert Translator(locale).ranks[:-4] == tuple(map(str, range(2, 11)))


def test_no_letter_looks_like_that_of_another_rank_in_another_language() -> None:
    look_alike = str.maketrans("ВДКТ", "BDKT")
    courts = [[rank.translate(look_alike) for rank in Translator(locale).ranks[-4:]] for locale in LOCALES]
    ranks: dict[str, set[int]] = {}
    for court in courts:
        for place, letter in enumerate(court):
            ranks.setdefault(letter, set()).add(place)

    assert all(len(places) == 1 for places in ranks.values())


def test_a_message_is_given_in_every_other_language_at_once() -> None:
    assert Summaries("show my cards") == {
        "ru": "показать мои карты",
        "uk": "показати мої карти",
        "de": "meine Karten zeigen",
        "lt": "parodyti mano kortas",
    }


def test_numbers_are_written_as_each_language_writes_them() -> None:
    losses = [Translator(locale).number(-2.5, is_change=True) for locale in LOCALES]
    assert losses == ["−2.5", "−2,5", "−2,5", "−2,5", "−2,5"]
    assert [Translator(locale).number(0.875, 2) for locale in LOCALES] == ["0.88", *["0,88"] * 4]
    assert [Translator(locale).number(1.44, is_change=True) for locale in ("en", "lt")] == ["+1.4", "+1,4"]


def test_a_percent_sign_stands_where_the_language_has_it() -> None:
    shares = {locale: Translator(locale).percent(0.4) for locale in LOCALES}
    assert shares == {"en": "40%", "uk": "40%"} | dict.fromkeys(("ru", "de", "lt"), "40\N{NO-BREAK SPACE}%")


def test_a_number_keeps_to_its_unit_and_a_dash_to_the_word_before_it() -> None:
    russian = Translator("ru")
    assert russian.count("{n} card", "{n} cards", 5) == "5\N{NO-BREAK SPACE}карт"
    assert russian.text("Throw-in, 36 cards") == "Подкидной, 36\N{NO-BREAK SPACE}карт"
    assert russian.text("If you can't beat a card, or don't want to,").endswith("бить\N{NO-BREAK SPACE}—")
    resigns = russian.spans("{name} resigns.", name="Player 2 is")
    assert "".join(span.text for span in resigns).startswith("Player 2 is ")  # a name stays as it is


def test_what_people_read_has_typographic_apostrophes_and_keeps_numbers_and_units_together() -> None:
    english = Translator("en")
    assert english.text("It's not your turn.") == "It’s not your turn."
    assert english.text("in {n} s", n=60) == "in 60\N{NO-BREAK SPACE}s"
    assert english.text("{name} takes.", name="O'Hara").startswith("O'Hara")  # a name stays as it is
