"""The tools of a translator: find untranslated sentences in the code, and fill in their translations.

python -m bot.locale             updates the catalogues from the code, and lists the removed sentences
python -m bot.locale missing     lists the sentences that lack a translation; fails if there are any
python -m bot.locale show TEXT   lists the sentences that contain a text, in any language
python -m bot.locale fill FILE   writes the translations of an edited list into the catalogues
"""

import sys
from pathlib import Path

from babel.messages import Message

from bot.locale import LOCALES
from bot.locale.catalogues import catalogue_of, forms_of, untranslated, update_catalogue, write_catalogue
from bot.locale.messages import every_message
from bot.locale.side_by_side import Catalogues, ListError, fill, listing

TRANSLATED = LOCALES[1:]


def main(*words: str) -> None:
    """Runs one of the translator's commands."""
    match words:
        case []:
            update()
        case ["missing"]:
            list_missing()
        case ["show", text]:
            show(text)
        case ["fill", file]:
            fill_from(Path(file))
        case _:
            sys.exit(__doc__)


def update() -> None:
    """Brings the catalogues up to date with the code, and lists the sentences that are no longer in it."""
    before = {locale: catalogue_of(locale) for locale in TRANSLATED}
    _write(_current_catalogues())

    ids = {message.id for message in every_message()}
    dropped = {
        message.id: message
        for catalogue in before.values()
        for message in catalogue
        if message.id not in ids and any(forms_of(message.string))
    }
    if dropped:
        print("# No longer in the code. If one was reworded, change its English here, and fill this in.\n")
        print(listing(dropped.values(), before))


def list_missing() -> None:
    """Lists the sentences that lack a translation."""
    catalogues = _current_catalogues()
    lacking = {message.id for catalogue in catalogues.values() for message in untranslated(catalogue)}
    missing = [message for message in _sentences() if message.id in lacking]
    if missing:
        print(listing(missing, catalogues))
        sys.exit(1)


def show(text: str) -> None:
    """Lists the sentences that contain a text."""
    query = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("\N{NO-BREAK SPACE}", " ").lower()
    catalogues = _current_catalogues()

    def contains(message: Message) -> bool:
        translations = (catalogue[message.id].string for catalogue in catalogues.values())
        return any(query in form.lower() for each in (message.id, *translations) for form in forms_of(each))

    messages = [message for message in _sentences() if contains(message)]
    if not messages:
        sys.exit(f"No sentence contains “{text}”.")
    print(listing(messages, catalogues))


def fill_from(file: Path) -> None:
    """Writes the translations of an edited list into the catalogues."""
    catalogues = _current_catalogues()
    try:
        filled = fill(file.read_text("utf-8"), catalogues)
    except ListError as error:
        sys.exit(f"{error}\nNothing was written.")

    _write(catalogues)
    print(f"New translations: {filled}", file=sys.stderr)


def _sentences() -> list[Message]:
    return [message for message in every_message() if message.id]


def _current_catalogues() -> Catalogues:
    """Returns the catalogues with exactly the sentences of the code."""
    messages = every_message()
    return {locale: update_catalogue(locale, messages) for locale in TRANSLATED}


def _write(catalogues: Catalogues) -> None:
    for locale, catalogue in catalogues.items():
        write_catalogue(locale, catalogue)
        missing = len(untranslated(catalogue))
        print(f"{locale}: {len(catalogue)} sentences, {missing} without a translation", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
