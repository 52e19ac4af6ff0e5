"""Turns messages into text and spans of one language.

Messages stand in the code in English, are translated by gettext, and have named places: `"{name} takes."`.
What people read has typographic apostrophes, and keeps a number on one line with its unit and a dash with the
word before it.
"""

import ast
import gettext
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache, lru_cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel.dates import format_skeleton
from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from babel.numbers import format_decimal, format_percent

from adapters.port import Mark, Span

# The languages the bot speaks; the first is the one everything is written in.
LOCALES = ("en", "ru", "uk", "de", "lt")

Phrase = str | Span | tuple[Span, ...]  # what may stand in a place of a message


def gettext_noop(message: str) -> str:
    """Mark a message that stands in a table of messages and is translated later."""
    return message


class Summaries(Mapping[str, str]):
    """The translations of a message by language, each made when a chat asks for it."""

    def __init__(self, message: str) -> None:
        self._message = message

    def __getitem__(self, locale: str) -> str:
        if locale not in LOCALES[1:]:
            raise KeyError(locale)
        return Translator(locale).text(self._message)

    def __iter__(self) -> Iterator[str]:
        return iter(LOCALES[1:])

    def __len__(self) -> int:
        return len(LOCALES) - 1


@lru_cache
def spoken(locale: str) -> str | None:
    """Return the language of a locale, if it is spoken here.

    >>> spoken("en-GB"), spoken("tlh")
    ('en', None)
    """
    base = locale.replace("_", "-").partition("-")[0].lower()
    return base if base in LOCALES else None


class Translator:
    """Says messages in one language.

    Attributes:
        locale: Which one it is, as in `LOCALES`.
        ranks: What stands on cards, from the two to the ace, as players of this language write it.
    """

    def __init__(self, locale: str) -> None:
        """Speak `locale` (`de`, `en-GB`), or English if that is not among `LOCALES`."""
        self.locale = spoken(locale) or LOCALES[0]
        self.ranks = tuple(_sentence(self.locale, gettext_noop("2 3 4 5 6 7 8 9 10 J Q K A")).split())

    def text(self, message: str, **places: object) -> str:
        """Return the message as plain text."""
        return _sentence(self.locale, message).format(**places)

    def count(self, one: str, many: str, number: int, /, **places: object) -> str:
        """Return the form of a message that fits `number`, which stands in its place `{n}`."""
        sentence = translations_of(self.locale).ngettext(one, many, number)
        return _typeset(self.locale, sentence).format(n=number, **places)

    def number(self, value: float, decimals: int = 1, *, is_change: bool = False) -> str:
        """Return a number as this language writes it; a change always has a sign.

        >>> Translator("de").number(2.5), Translator("en").number(1.44, is_change=True)
        ('2,5', '+1.4')
        """
        digits = "0." + "0" * decimals
        written = format_decimal(value, f"+{digits};-{digits}" if is_change else digits, locale=self.locale)
        return written.replace("-", "\N{MINUS SIGN}")

    def percent(self, share: float) -> str:
        """Return a share, 1 for all, in whole percents.

        >>> Translator("en").percent(0.42)
        '42%'
        """
        return format_percent(share, locale=self.locale)

    def moment(self, at: datetime) -> str:
        """Return a day of the week, with its date and time.

        >>> Translator("de").moment(datetime(2026, 11, 23, 20, 30))
        'Mo., 23. November, 20:30'
        """
        return f"{format_skeleton('MMMMEd', at, locale=self.locale)}, {at:%H:%M}"

    def spans(self, message: str, *, mark: Mark = Mark.PLAIN, **places: Phrase) -> tuple[Span, ...]:
        """Return the message as spans, so that names and cards keep their own look inside it."""
        spans: list[Span] = []
        for literal, place in _parts(self.locale, message):
            if literal:
                spans.append(Span(literal, mark))
            if place is not None:
                phrase = places[place]
                if isinstance(phrase, tuple):
                    spans += phrase
                else:
                    spans.append(Span(phrase, mark) if isinstance(phrase, str) else phrase)
        return tuple(spans)


@cache
def _sentence(locale: str, message: str) -> str:
    """Return a message in a language; there are as many as stand in the code."""
    return _typeset(locale, translations_of(locale).gettext(message))


@cache
def _parts(locale: str, message: str) -> tuple[tuple[str, str | None], ...]:
    """Split a message at its places: each text, and the name of the place after it."""
    return tuple((text, place) for text, place, _, _ in Formatter().parse(_sentence(locale, message)))


# Where a line may not break: between a number and its unit, and before a dash.
_BREAKS = re.compile(r"(?<=\d) (?=[^\W\d])|(?<=\{n\}) (?=[^\W\d])| (?=[–—])")

# The same in English, where only abbreviated units need it.
_ENGLISH_BREAKS = re.compile(r"(?<=\d) (?=(?:s|min)\b)|(?<=\{n\}) (?=(?:s|min)\b)| (?=[–—])")


@cache
def _typeset(locale: str, sentence: str) -> str:
    breaks = _ENGLISH_BREAKS if locale == LOCALES[0] else _BREAKS
    return breaks.sub("\N{NO-BREAK SPACE}", sentence.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}"))


# --- The files of the translations ---


_HERE = Path(__file__).parent

_LINE = 110


def path_of(locale: str) -> Path:
    """Return the file that holds the translations of a language."""
    return _HERE / locale / "LC_MESSAGES" / "durak.po"


def catalogue_of(locale: str) -> Catalog:
    """Read the translations of a language as people write them."""
    path = path_of(locale)
    if not path.exists():
        return Catalog(
            locale,
            "durak",
            header_comment=f"# {locale}",
            project="durak-bot",
            version="1",
            msgid_bugs_address=" ",
            last_translator=" ",
            language_team=" ",
            revision_date=datetime.now(UTC),
            fuzzy=False,
        )
    return read_po(BytesIO(path.read_bytes()), locale, "durak")


@cache
def translations_of(locale: str) -> gettext.NullTranslations:
    """Return the translations of a language, ready to be used; without a file everything stays English."""
    if not path_of(locale).exists():
        return gettext.NullTranslations()
    # Compiled here and not in a build: it takes a few milliseconds, once, and no file can be out of date.
    compiled = BytesIO()
    write_mo(compiled, catalogue_of(locale))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def brought_up_to_date(locale: str, messages: Catalog) -> Catalog:
    """Return the translations of these messages as far as there are any; those of other messages are gone."""
    catalogue = catalogue_of(locale)
    # The date stays, so that the same messages make the same file.
    catalogue.update(messages, no_fuzzy_matching=True, update_creation_date=False)
    return catalogue


def text_of(catalogue: Catalog) -> bytes:
    """Write a catalogue down as it stands in its file."""
    text = BytesIO()
    write_po(text, catalogue, width=_LINE, ignore_obsolete=True, include_lineno=False)
    return text.getvalue()


def untranslated(catalogue: Catalog) -> list[Message]:
    """List the messages that lack a translation, or one of its plurals."""
    strings = ((message, message.string) for message in catalogue if message.id)
    return [
        message for message, string in strings if not (all(string) if isinstance(string, tuple) else string)
    ]


# --- Finds the messages in the code ---


# The methods of a translator that take a message, and of how many texts it is made.
_METHODS = {"text": 1, "spans": 1, "count": 2}


def messages_in(*folders: Path) -> Catalog:
    """Gather every message in the files under some folders, file by file in the order of the lines.

    They stand in Python, in scripts of pages (`said("…")`), and in what people read of HTML.
    """
    found = Catalog()
    for folder in folders:
        for path in sorted(each for each in folder.rglob("*") if each.suffix in _READERS):
            place = path.relative_to(folder.parent).as_posix()
            for line, texts in sorted(_READERS[path.suffix](path.read_text("utf-8"))):
                found.add(texts if len(texts) > 1 else texts[0], locations=[(place, line)])
    return found


def sentences_of(folder: str, locale: str) -> Mapping[str, str]:
    """Return what the messages in the files of a folder (`adapters/`) are in a language."""
    return {
        message.id: _typeset(locale, message.string)
        for message in _catalogue(locale)
        if isinstance(message.id, str)
        and isinstance(message.string, str)
        and any(place.startswith(folder) for place, _ in message.locations)
    }


_catalogue = cache(catalogue_of)  # a page asks for its sentences again and again

_Found = tuple[int, tuple[str, ...]]  # the line, and the texts of a message

_SAID = re.compile(r'\bsaid\(\s*"((?:[^"\\]|\\.)*)"')
_READ_ATTRIBUTES = ("placeholder", "aria-label", "alt")
_NOT_READ = {"code", "title", "script", "style"}


def _in_script(source: str) -> Iterator[_Found]:
    for found in _SAID.finditer(source):
        yield source.count("\n", 0, found.start()) + 1, (found[1],)


class _Reader(HTMLParser):
    """Gathers what people read of a page, but for what they would type and what is called so everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[_Found] = []
        self._is_read = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_read = tag not in _NOT_READ and ("translate", "no") not in attrs
        for name, value in attrs:
            if name in _READ_ATTRIBUTES and value:
                self.found.append((self.getpos()[0], (value,)))

    def handle_endtag(self, tag: str) -> None:
        self._is_read = True

    def handle_data(self, data: str) -> None:
        if self._is_read and re.search(r"\w\w", data):
            self.found.append((self.getpos()[0], (" ".join(data.split()),)))


def _in_html(source: str) -> Iterable[_Found]:
    reader = _Reader()
    reader.feed(source)
    return reader.found


def _in_python(source: str) -> Iterator[_Found]:
    for node in ast.walk(ast.parse(source)):
        wanted = 0  # of how many texts the message is made that is said here
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="sa"))):
                pass  # text of SQL
            case ast.Call(func=ast.Attribute(attr=name)):
                wanted = _METHODS.get(name, 0)
            case ast.Call(func=ast.Name(id="gettext_noop")):
                wanted = 1
        if isinstance(node, ast.Call) and wanted:
            arguments = (getattr(each, "value", None) for each in node.args[:wanted])
            texts = tuple(text for text in arguments if isinstance(text, str))
            if len(texts) == wanted:
                yield node.lineno, texts


_READERS = {".py": _in_python, ".js": _in_script, ".html": _in_html}
