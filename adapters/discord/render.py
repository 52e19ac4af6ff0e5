"""A screen in Discord's form: a text, one picture, rows of buttons.

One renderer serves posts, edits and answers.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any

import discord

from adapters import port
from adapters.discord.markdown import NOTHING, Text, tame, text_of

# Discord takes 2000 characters; the rest is left for the backslashes that keep names from being Markdown.
LIMITS = port.Limits(
    buttons=25,
    per_row=5,
    label=80,
    body=1800,
    toast=1800,
    caption=1800,
    ephemeral_seconds=14 * 60.0,
    notices_stay=True,
    named_arguments=True,
    has_servers=True,
    pin_right=port.gettext_noop("Pin Messages"),
    private_setting=port.gettext_noop("Privacy Settings → Direct Messages"),
)

MAX_TEXT = 2000
MAX_ALT = 1024
ROWS = 5

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
    external_emojis=True,
)
# The rights that a server grants the bot that is added to it; README.md names the same.
SCOPES = ("bot", "applications.commands")

STYLES = {
    port.Tone.NEUTRAL: discord.ButtonStyle.secondary,
    port.Tone.PRIMARY: discord.ButtonStyle.primary,
    port.Tone.GOOD: discord.ButtonStyle.success,
    port.Tone.DANGER: discord.ButtonStyle.danger,
}

# Returns the address that opens a table by itself; None where a press does it.
TableLink = Callable[[int], str | None]


@dataclass(frozen=True, slots=True)
class Application:
    """What this bot has at Discord, and its messages refer to.

    Attributes:
        id: The id by which a server adds it; None until that is known.
        icons: Its emojis for buttons, by the names that `CallbackButton.icon` uses.
        commands: The ids of its commands, by name.
    """

    id: int | None = None
    icons: Mapping[str, discord.PartialEmoji] = field(default_factory=dict)
    commands: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rendered:
    """The parts of a Discord message; an edit replaces every one of them."""

    content: str
    mentions: discord.AllowedMentions
    picture: port.Picture | None
    view: discord.ui.View | None
    document: port.Document | None

    @property
    def has_icons(self) -> bool:
        """Whether a button carries an icon."""
        buttons = self.view.children if self.view is not None else ()
        return any(isinstance(button, discord.ui.Button) and button.emoji is not None for button in buttons)

    def changes(self) -> dict[str, Any]:
        """Returns all parameters of an edit; its attachments are fresh for each sending."""
        return {
            "content": self.content,
            "attachments": self.files(),
            "view": self.view,
            "allowed_mentions": self.mentions,
        }

    def files(self) -> list[discord.File]:
        """Returns the attachments, fresh for each sending."""
        files: list[discord.File] = []
        if self.picture is not None:
            name = "picture.png"
            alt = self.picture.alt[:MAX_ALT]
            files.append(discord.File(BytesIO(self.picture.png), filename=name, description=alt))

        if self.document is not None:
            files.append(discord.File(BytesIO(self.document.content), filename=self.document.name))

        return files


def render(
    screen: port.Screen,
    document: port.Document | None = None,
    application: Application = Application(),
) -> Rendered:
    """Renders a screen and its document."""
    spans = screen.text if screen.picture is None else screen.body
    text = text_of(spans, MAX_TEXT, application.commands)
    is_blank = not text.content.strip() and document is None
    content = NOTHING if is_blank else text.content

    return Rendered(content, _mentions(text), screen.picture, _view(screen, application), document)


def _mentions(*texts: Text) -> discord.AllowedMentions:
    """Lets a message notify those whom its texts mention, and nobody else."""
    people: list[discord.abc.Snowflake] = [discord.Object(person) for text in texts for person in text.people]
    return discord.AllowedMentions(everyone=False, users=people, roles=False, replied_user=False)


# --- Buttons ----------------------------------------------------------------------------------------------


def with_table_links(screen: port.Screen, link: TableLink) -> port.Screen:
    """Returns a screen whose buttons open tables without a press that the bot would have to answer."""
    rows = tuple(tuple(_linked(button, link) for button in row) for row in screen.rows)
    return replace(screen, rows=rows)


def _linked(button: port.Button, link: TableLink) -> port.Button:
    if not isinstance(button, port.ViewButton):
        return button

    address = link(button.table_id)
    return button if address is None else port.LinkButton(button.label, address)


REPEATED = re.compile(r"\+\d+\+")


def custom_id(token: str, earlier: int = 0) -> str:
    """Writes a token on a button; Discord wants each id once in a message and none empty.

    >>> custom_id("h:7"), custom_id("h:7", earlier=1), token_of("+1+h:7")
    ('h:7', '+1+h:7', 'h:7')
    """
    return f"+{earlier}+{token}" if earlier or not token or REPEATED.match(token) else token


def token_of(text: str) -> str:
    """Reads the token from a button."""
    return REPEATED.sub("", text, count=1) if REPEATED.match(text) else text


def _view(screen: port.Screen, application: Application) -> discord.ui.View | None:
    counts = Counter[str]()
    buttons = [[_button(item, counts, application) for item in row] for row in screen.rows]
    rows = [items for row in buttons if (items := [item for item in row if item is not None])]
    if not rows:
        return None

    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows[:ROWS]):
        for button in row[: LIMITS.per_row]:
            button.row = number
            view.add_item(button)

    # A finished view is sent but not remembered: presses come through `AnyButton`, so nothing is kept in
    # memory and nothing times out.
    view.stop()
    return view


def _button(
    button: port.Button, counts: Counter[str], application: Application
) -> discord.ui.Button[discord.ui.View] | None:
    """Draws a button, given how often each token is in the message so far; None: not needed here."""
    label = tame(button.label)
    match button:
        case port.CallbackButton():
            counts[button.token] += 1
            return discord.ui.Button(
                custom_id=custom_id(button.token, counts[button.token] - 1),
                label=label[: LIMITS.label] if label[: LIMITS.label].strip() else NOTHING,
                style=STYLES[button.tone],
                disabled=not button.enabled,
                emoji=application.icons.get(button.icon),
            )
        case port.LinkButton():
            return discord.ui.Button(label=label, url=button.url)
        case port.AddToGroupButton(marks=None) if application.id is not None:
            address = discord.utils.oauth_url(application.id, permissions=PERMISSIONS, scopes=SCOPES)
            return discord.ui.Button(label=label, url=address)
        case port.AddToGroupButton(marks=server) if application.id is not None and server is not None:
            address = discord.utils.oauth_url(
                application.id,
                permissions=PERMISSIONS | discord.Permissions(manage_roles=True),
                guild=discord.Object(int(server.id)),
                disable_guild_select=True,
                scopes=SCOPES,
            )
            return discord.ui.Button(label=label, url=address)

    return None  # the private chat needs no opening here
