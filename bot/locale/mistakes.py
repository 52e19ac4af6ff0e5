"""Finds mistakes that any translation can have, regardless of its wording."""

import re
from collections.abc import Iterator, Sequence
from string import Formatter

# Traces of a wrong copy: markup, places of other formats, two spaces, three dots for an ellipsis.
_DAMAGE = re.compile(r"[<>\n\t]|&\w+;|  |\.\.\.|%[sd(]|\{\}|\$\{|[ \u202f]\.$")

_COMMAND = re.compile(r"(?<!\w)/[a-z]+")
_SIGNS = "·×↪⏰🚪⚔🛡🤝🃏🎖👑⏸💡🔒🔑⏩⚙✅🔎"

# Forms of formal address, which the bot does not use.
_FORMAL = {
    "ru": re.compile(r"\b(вы|вас|вам|вами|ваш\w*)\b", re.IGNORECASE),
    "uk": re.compile(r"\b(ви|вас|вам|вами|ваш\w*)\b", re.IGNORECASE),
    "de": re.compile(r"\bIhr\b|\bSie\b(?!.*\bdu\b)"),
    "lt": re.compile(r"\b(jūs|jums|jus|jūsų)\b", re.IGNORECASE),
}

# Letters that a language does not have, but others do.
_FOREIGN = {
    "ru": re.compile(r"[іїєґ]", re.IGNORECASE),
    "uk": re.compile(r"[ыэъё]", re.IGNORECASE),
    "de": re.compile(r"[а-яёіїєґąčęėįšųūž]", re.IGNORECASE),
    "lt": re.compile(r"[а-яёіїєґäöüß]", re.IGNORECASE),
}


def mistakes_in(english: Sequence[str], forms: Sequence[str], locale: str, plurals: int) -> Iterator[str]:
    """Yields what is wrong with a translation.

    Args:
        english: The sentence as it is in the code: one text, or two if it counts something.
        forms: The translation: one text, or one for each plural.
        locale: Its language.
        plurals: How many plurals that language has.
    """
    full_number = plurals if len(english) > 1 else 1
    number = len([form for form in forms if form])
    if not number == len(forms) == full_number:
        yield f"has {number} of {full_number} texts"
        return

    for form in forms:
        is_last = form is forms[-1]
        yield from _mistakes_in_places(english[-1], form, can_omit_number=not is_last)
        yield from _mistakes_in_copying(english[-1], form)
        yield from _mistakes_in_language(form, locale)


def _mistakes_in_places(english: str, form: str, *, can_omit_number: bool) -> Iterator[str]:
    try:
        places = _places(form)
    except ValueError:
        yield f"has a brace without its partner: “{form}”"
        return

    english_places = _places(english)
    is_same = places == english_places
    is_same_without_number = can_omit_number and {*places, "n"} == {*english_places, "n"}
    if not is_same and not is_same_without_number:
        yield f"has the places {_in_braces(places)} instead of {_in_braces(english_places)}: “{form}”"


def _places(text: str) -> list[str]:
    return sorted(place for _, place, _, _ in Formatter().parse(text) if place is not None)


def _in_braces(places: Sequence[str]) -> str:
    return ", ".join(f"{{{place}}}" for place in places) or "none"


def _mistakes_in_copying(english: str, form: str) -> Iterator[str]:
    missing = [command for command in _COMMAND.findall(english) if command not in form]
    missing += [sign for sign in _SIGNS if sign in english and sign not in form]
    for each in missing:
        yield f"lacks {each}: “{form}”"

    damage = _DAMAGE.search(form)
    if damage:
        yield f"has {damage[0]!r}: “{form}”"

    if _indent(form) != _indent(english) or form != form.rstrip():
        yield f"begins or ends with other spaces than the English: “{form}”"

    for ends in (".!", ":"):
        if (form[-1] in ends) != (english[-1] in ends):
            yield f"ends otherwise than the English: “{form}”"


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _mistakes_in_language(form: str, locale: str) -> Iterator[str]:
    formal = _FORMAL[locale].search(form) if locale in _FORMAL else None
    if formal:
        yield f"is formal, with “{formal[0]}”: “{form}”"

    foreign = _FOREIGN[locale].search(form) if locale in _FOREIGN else None
    if foreign:
        yield f"has “{foreign[0]}”, a letter of another language: “{form}”"

    if '"' in form:
        yield f"has the quotation mark of a typewriter: “{form}”"
