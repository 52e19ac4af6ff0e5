"""The page's own sentences, in the languages of its readers; in the code they stand in English."""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b

from aiohttp import ETag, web

from adapters.web.inbound import locale_of

Translations = Callable[[str], Mapping[str, str]]
"""Gives what each sentence is in a language."""


class Sentences:
    """Says what the page says by itself, and not the bot."""

    def __init__(self, languages: Sequence[str], translations: Translations) -> None:
        """Speak these languages, the first of which is the one in the code."""
        self._languages = languages
        self._translations = translations

    def said(self, request: web.Request, english: str, **values: object) -> str:
        """Say a sentence to who asks; `values` stand in its places."""
        text = self._translations(self._language_of(request)).get(english, english)
        return text.format(**values) if values else text

    async def get_texts(self, request: web.Request) -> web.Response:
        """Tell the page all sentences in the language of its reader, and which languages there are."""
        language = self._language_of(request)
        texts = {} if language == self._languages[0] else dict(self._translations(language))
        facts = {"language": language, "languages": list(self._languages), "texts": texts}
        content = json.dumps(facts)
        tag = ETag(blake2b(content.encode(), digest_size=12).hexdigest(), is_weak=True)
        if any(known.value == tag.value for known in request.if_none_match or ()):
            response = web.Response(status=304)
        else:
            response = web.json_response(text=content)
            response.enable_compression()
        response.headers["Vary"] = "Accept-Language"
        response.etag = tag
        return response

    def _language_of(self, request: web.Request) -> str:
        locale = locale_of(request)
        return locale if locale in self._languages else self._languages[0]
