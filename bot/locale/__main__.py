"""Brings the translations up to date with the code, and lists the missing ones: `python -m bot.locale`."""

import sys
from pathlib import Path

from bot.locale import LOCALES
from bot.locale.catalogues import path_of, text_of, untranslated, update_catalogue
from bot.locale.messages import messages_in

project = Path(__file__).parents[2]
messages = messages_in(project / "bot", project / "adapters")
is_whole = True
for locale in LOCALES[1:]:
    catalogue = update_catalogue(locale, messages)
    path_of(locale).parent.mkdir(parents=True, exist_ok=True)
    path_of(locale).write_bytes(text_of(catalogue))
    missing = untranslated(catalogue)
    is_whole = is_whole and not missing
    print(f"{locale}: {len(catalogue)} messages, {len(missing)} of them without a translation")
    for message in missing:
        print(f"  {message.id!r}")
sys.exit(not is_whole)
