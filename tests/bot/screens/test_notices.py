"""A refusal fits the notice of a phone, in every language."""

from collections.abc import Iterator, Mapping
from string import Formatter

import pytest

from bot.app import REGISTRY
from bot.locale import LOCALES, Translator
from bot.model.refusal import InvalidName, NameProblem, RefusedError
from bot.screens import refusals
from bot.screens.setting_problems import clash_text, rule_set_problem_text
from bot.screens.text import MAX_NOTICE_LENGTH, one_of
from bot.tables.rule_book import MAX_VARIATIONS, with_options
from engine import PRESETS, SETTINGS, Rules
from tests.bot.chat import LIMITS
from tests.engine.rules.test_settings import CLASHES, OBJECTIONS

LONG = "w" * 5000
FILLED = "w" * 90  # longer than the names of all permissions that a chat may withhold


def refusal_sentences() -> Iterator[str]:
    """Returns every sentence of the module, alone or by its reason."""
    for name, value in vars(refusals).items():
        if not name.isupper():
            continue

        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from (sentence for sentence in value.values() if isinstance(sentence, str))


def test_a_notice_is_as_long_as_the_narrowest_chat_shows() -> None:
    assert LIMITS.toast == MAX_NOTICE_LENGTH


@pytest.mark.parametrize("locale", LOCALES)
def test_every_refusal_fits(locale: str) -> None:
    sentences = set(refusal_sentences())
    assert set(refusals.MOVES.values()) <= sentences
    for sentence in sentences:
        places = {name: FILLED for _, name, _, _ in Formatter().parse(sentence) if name}
        assert len(Translator(locale).text(sentence, **places)) <= MAX_NOTICE_LENGTH, sentence


@pytest.mark.parametrize("locale", LOCALES)
def test_every_clash_fits(locale: str) -> None:
    for rules, players, _ in (*CLASHES, *((rules, None, reason) for rules, reason in OBJECTIONS)):
        for clash in rules.clashes(players):
            assert len(clash_text(clash, Translator(locale))) <= MAX_NOTICE_LENGTH, clash


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("option", [LONG, f"{LONG}=on", *SETTINGS, *(f"{name}={LONG}" for name in SETTINGS)])
def test_every_wrong_setting_fits(option: str, locale: str) -> None:
    with pytest.raises(RefusedError) as bad:
        with_options(Rules(), [option])
    assert len(refusals.refusal_text(bad.value, Translator(locale))) <= MAX_NOTICE_LENGTH


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("problem", NameProblem)
def test_every_wrong_name_of_rules_fits(problem: NameProblem, locale: str) -> None:
    existing = (*(f"{n}{'x' * 19}" for n in range(MAX_VARIATIONS)), *PRESETS)
    text = rule_set_problem_text(InvalidName(problem, LONG, existing), Translator(locale))
    assert len(text) <= MAX_NOTICE_LENGTH


@pytest.mark.parametrize("locale", LOCALES)
def test_every_wrong_word_fits(locale: str) -> None:
    for words in (REGISTRY.settings.names, LOCALES):
        with pytest.raises(RefusedError) as bad:
            one_of(words, LONG)
        assert len(refusals.refusal_text(bad.value, Translator(locale))) <= MAX_NOTICE_LENGTH
