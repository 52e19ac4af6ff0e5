"""The catalogues: one file of translations for each language, and the messages that it lacks."""

import gettext
from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

_HERE = Path(__file__).parent

_LINE = 110
_DIGITS = 16  # of a digest, in the name of a compiled catalogue


def path_of(locale: str) -> Path:
    """Returns the file with the translations of a language."""
    return _HERE / locale / "LC_MESSAGES" / "durak.po"


def catalogue_of(locale: str) -> Catalog:
    """Reads the translations of a language from the file that people edit; empty if there is none."""
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

    return read_po(BytesIO(path.read_bytes()), locale, "durak", abort_invalid=True)


@cache
def known_catalogue_of(locale: str) -> Catalog:
    """Returns a language's catalogue without untranslated messages, which readers see in English.

    Cached, as catalogues do not change while the bot runs.
    """
    catalogue = catalogue_of(locale)
    for message in untranslated(catalogue):
        catalogue.delete(message.id)

    return catalogue


@cache
def translations_of(locale: str) -> gettext.NullTranslations:
    """Returns the compiled translations of a language; without a file everything stays English."""
    if not path_of(locale).exists():
        return gettext.NullTranslations()
    return gettext.GNUTranslations(BytesIO(_compiled(locale)))


def translations_in(folder: str, locale: str) -> Mapping[str, str]:
    """Returns the translations of the sentences in the files of a folder (`adapters/`), without plurals."""
    if not path_of(locale).exists():
        return {}

    messages = read_mo(BytesIO(_compiled(locale, folder)))
    return {
        message.id: message.string
        for message in messages
        if message.id and isinstance(message.id, str) and isinstance(message.string, str)
    }


# The folders for which a build compiles catalogues: all of them, and those of the pages.
COMPILED = ("", "adapters/")


def compiled_path_of(locale: str, folder: str = "") -> Path:
    """Returns the file that a build compiles a catalogue to; its name has a digest of the translations."""
    path = path_of(locale)
    digest = sha256(path.read_bytes()).hexdigest()[:_DIGITS]
    name = folder.strip("/") or "durak"
    return path.with_name(f"{name}-{digest}.mo")


def compile_catalogues() -> None:
    """Compiles every catalogue to a file, so that a start need not do it."""
    for translations in sorted(_HERE.glob("*/LC_MESSAGES/durak.po")):
        locale = translations.parent.parent.name
        for folder in COMPILED:
            compiled_path_of(locale, folder).write_bytes(compiled_catalogue_of(locale, folder))


def compiled_catalogue_of(locale: str, folder: str = "") -> bytes:
    """Compiles the translations of a language in a folder; all of them take 100 ms of CPU."""
    catalogue = known_catalogue_of(locale)
    if folder:
        whole = catalogue
        catalogue = Catalog(locale)
        for message in whole:
            if any(place.startswith(folder) for place, _ in message.locations):
                catalogue[message.id] = message

    compiled = BytesIO()
    write_mo(compiled, catalogue)
    return compiled.getvalue()


def _compiled(locale: str, folder: str = "") -> bytes:
    compiled = compiled_path_of(locale, folder)
    return compiled.read_bytes() if compiled.exists() else compiled_catalogue_of(locale, folder)


def update_catalogue(locale: str, messages: Catalog) -> Catalog:
    """Returns the catalogue with exactly these messages, and their translations so far."""
    catalogue = catalogue_of(locale)
    # The date is kept, so that the same messages make the same file. The messages are copied, as new ones
    # become part of the catalogue and are translated there.
    catalogue.update(deepcopy(messages), no_fuzzy_matching=True, update_creation_date=False)
    return catalogue


def write_catalogue(locale: str, catalogue: Catalog) -> None:
    """Writes the file of a language."""
    path = path_of(locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text_of(catalogue))


def text_of(catalogue: Catalog) -> bytes:
    """Returns the content of a catalogue's file."""
    text = BytesIO()
    write_po(text, catalogue, width=_LINE, ignore_obsolete=True, include_lineno=False)
    return text.getvalue()


def forms_of(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """Returns the texts of a message or of its translation: several if it counts something."""
    if isinstance(text, str):
        return (text,)
    return tuple(text or ())


def untranslated(catalogue: Catalog) -> list[Message]:
    """Returns the messages without a translation, and those marked as unfinished (`fuzzy`)."""
    messages = (message for message in catalogue if message.id)
    return [message for message in messages if message.fuzzy or not any(forms_of(message.string))]


if __name__ == "__main__":  # as the build of a wheel runs it
    compile_catalogues()
