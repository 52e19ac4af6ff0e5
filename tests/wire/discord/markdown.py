"""Discord's Markdown, read as its clients render it."""

import re
from collections.abc import Mapping

TOKEN = re.compile(
    r"""
    \\(?P<escaped>[!-/:-@\[-`{-~])
    | (?P<fence>`+)(?P<code>[\s\S]*?[^`])(?P=fence)(?!`)
    | <@!?(?P<person>\d+)>
    | <(?P<command>/[\w ]+):\d+>
    | \[(?P<label>(?:\\.|[^\]\\])*)\]\(https?://[^)\s]+\)
    | (?P<mark>\*\*|\*|~~|__|_|\|\||^-\#[ ])
    | (?P<invisible>[\u200b\u2060])
    """,
    re.VERBOSE | re.MULTILINE,
)
PADDED = re.compile(r"^ (?= *`)|(?<=`) $")


def readable(content: str, names: Mapping[int, str]) -> str:
    """Returns the text of a message as its readers see it.

    >>> readable("**A\\\\*** to <@7>: ``9`H``", {7: "Anna"})
    'A* to @Anna: 9`H'
    """

    def shown(match: re.Match[str]) -> str:
        if match["escaped"]:
            return match["escaped"]
        if match["code"]:
            return PADDED.sub("", match["code"])
        if match["person"]:
            return f"@{names.get(int(match['person']), 'unknown-user')}"
        if match["command"]:
            return match["command"]
        if match["label"] is not None:
            return readable(match["label"], names)

        return ""

    return TOKEN.sub(shown, content)


def live_markup(content: str) -> list[str]:
    """Returns every piece of text that Discord would render as a mark, a mention or a link."""
    found = [match[0] for match in TOKEN.finditer(content) if not (match["escaped"] or match["invisible"])]
    return found + re.findall(r"@everyone|@here|https?://[^\s)]+", TOKEN.sub("", content))
