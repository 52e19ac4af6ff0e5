"""Renders screens as Discord messages: a text, one picture, rows of buttons.

Posts, edits and answers share one renderer.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from io import BytesIO
from typing import Any

import discord

from adapters import port
from adapters.discord.markdown import NOTHING, Text, tame, text_of

# Discord takes 2000 characters; the rest is for the backslashes that escape Markdown in names.
LIMITS = port.Limits(
    buttons=25,
    per_row=5,
    label=80,
    menu=25,
    questions=True,
    folds_buttons=True,
    body=1800,
    toast=1800,
    caption=1800,
    ephemeral_seconds=14 * 60.0,
    notices_stay=True,
    named_arguments=True,
    has_servers=True,
    portraits=True,
    pin_right=port.gettext_noop("Pin Messages"),
    private_setting=port.gettext_noop("Privacy Settings → Direct Messages"),
)

MAX_TEXT = 2000  # characters; in a container, of each of its two texts
MAX_ALT = 1024
PICTURE = "picture.png"
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
# A server that adds the bot grants it these scopes and the permissions above; README.md lists the same.
SCOPES = ("bot", "applications.commands")

STYLES = {
    port.Tone.NEUTRAL: discord.ButtonStyle.secondary,
    port.Tone.PRIMARY: discord.ButtonStyle.primary,
    port.Tone.GOOD: discord.ButtonStyle.success,
    port.Tone.DANGER: discord.ButtonStyle.danger,
}

ContainerPart = discord.ui.Item[discord.ui.LayoutView]
Button = discord.ui.Button[Any]
Menu = discord.ui.Select[Any]
Control = Button | Menu

# The prefix of a menu's id; the value of each choice is a token.
MENU = "menu:"
MAX_PLACEHOLDER = 150

# Returns the address that opens a table; None if only a press opens it.
TableLink = Callable[[int], str | None]


@dataclass(frozen=True, slots=True)
class Application:
    """The parts of the bot's application at Discord that its messages refer to.

    Attributes:
        id: The application's id, by which a server adds the bot; None until it is known.
        icons: The emojis for buttons, by the names that `CallbackButton.icon` uses.
        commands: The ids of the slash commands, by name.
    """

    id: int | None = None
    icons: Mapping[str, discord.PartialEmoji] = field(default_factory=dict)
    commands: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rendered:
    """The parts of a Discord message; an edit replaces all of them.

    Without `content` the `view` is a container, which contains the text.
    """

    content: str | None
    mentions: discord.AllowedMentions
    picture: port.Picture | None
    view: discord.ui.View | discord.ui.LayoutView | None
    document: port.Document | None

    @property
    def has_icons(self) -> bool:
        """Whether a button carries an icon."""
        items = self.view.walk_children() if self.view is not None else ()
        return any(isinstance(item, discord.ui.Button) and item.emoji is not None for item in items)

    def parts(self) -> dict[str, Any]:
        """Returns the parameters of a new message; its files are fresh for each sending."""
        return {
            **self._content(),
            "files": self.files(),
            "view": self.view or discord.utils.MISSING,
            "allowed_mentions": self.mentions,
        }

    def changes(self) -> dict[str, Any]:
        """Returns all parameters of an edit; its attachments are fresh for each sending."""
        return {
            **self._content(),
            "attachments": self.files(),
            "view": self.view,
            "allowed_mentions": self.mentions,
        }

    def _content(self) -> dict[str, Any]:
        return {} if self.content is None else {"content": self.content}

    def files(self) -> list[discord.File]:
        """Returns the attachments, fresh for each sending."""
        files: list[discord.File] = []
        if self.picture is not None:
            alt = self.picture.alt[:MAX_ALT]
            files.append(discord.File(BytesIO(self.picture.png), filename=PICTURE, description=alt))

        if self.document is not None:
            files.append(discord.File(BytesIO(self.document.content), filename=self.document.name))

        return files


def suits_container(screen: port.Screen) -> bool:
    """Returns whether a screen should be a container: it is about a table, or has a picture or a menu.

    A container has no `content`: no phone shows its text in a notification, and no search finds it.
    """
    has_menu = any(
        isinstance(button, port.CallbackButton) and button.menu for row in screen.rows for button in row
    )
    return screen.accent is not None or screen.picture is not None or has_menu


def render(
    screen: port.Screen,
    document: port.Document | None = None,
    application: Application = Application(),
    *,
    in_container: bool = False,
) -> Rendered:
    """Renders a screen and its document."""
    if in_container:
        return _render_container(screen, document, application)

    spans = screen.text if screen.picture is None else screen.beside_picture
    text = text_of(spans, MAX_TEXT, application.commands)
    is_blank = not text.content.strip() and document is None
    content = NOTHING if is_blank else text.content

    return Rendered(content, _mentions(text), screen.picture, _view(screen, application), document)


def _mentions(*texts: Text) -> discord.AllowedMentions:
    """Allows a message to notify the people whom its texts mention, and nobody else."""
    people: list[discord.abc.Snowflake] = [discord.Object(person) for text in texts for person in text.people]
    return discord.AllowedMentions(everyone=False, users=people, roles=False, replied_user=False)


# --- Containers -------------------------------------------------------------------------------------------

# The colours at the edge, the same as in the pictures of tables.
ACCENTS = {
    port.Accent.GATHERING: 0x3FA37F,
    port.Accent.ATTACK: 0xFF7A45,
    port.Accent.DEFENCE: 0x69B1FF,
    port.Accent.WAITING: None,
    port.Accent.OVER: 0xF5B82E,
}


def _render_container(
    screen: port.Screen, document: port.Document | None, application: Application
) -> Rendered:
    """Renders a screen as one container: its texts, its picture, its file, and its buttons.

    A picture replaces the screen's details. There are at most 37 components; Discord accepts 40.
    """
    parts = list[ContainerPart]()
    texts = [
        text_of(spans, MAX_TEXT, application.commands)
        for spans in ((screen.details, screen.body) if screen.picture is None else (screen.beside_picture,))
    ]
    visible = [text for text in texts if text.content.strip()]
    for text in visible:
        if parts:
            parts.append(discord.ui.Separator())
        parts.append(discord.ui.TextDisplay(text.content))

    if screen.picture is not None:
        parts.append(_gallery(screen.picture))

    if document is not None:
        parts.append(_file(document))

    rows = [discord.ui.ActionRow[discord.ui.LayoutView](*row) for row in _rows(screen, application)]
    container = discord.ui.Container[discord.ui.LayoutView](
        *(parts or [discord.ui.TextDisplay(NOTHING)]),
        *rows,
        accent_colour=None if screen.accent is None else ACCENTS[screen.accent],
    )
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(container)
    view.stop()  # as in `_view`
    return Rendered(None, _mentions(*visible), screen.picture, view, document)


def _gallery(picture: port.Picture) -> ContainerPart:
    alt = picture.alt[:MAX_ALT] or None
    return discord.ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{PICTURE}", description=alt))


def _file(document: port.Document) -> ContainerPart:
    address = f"attachment://{document.name}"
    if document.is_animation:
        return discord.ui.MediaGallery(discord.MediaGalleryItem(address))
    return discord.ui.File(address)


# --- Buttons ----------------------------------------------------------------------------------------------


def with_table_links(screen: port.Screen, link: TableLink) -> port.Screen:
    """Returns a screen in which buttons that open tables are links, where `link` returns an address."""
    rows = tuple(tuple(_linked(button, link) for button in row) for row in screen.rows)
    return replace(screen, rows=rows)


def _linked(button: port.Button, link: TableLink) -> port.Button:
    if not isinstance(button, port.ViewButton):
        return button

    address = link(button.table_id)
    return button if address is None else port.LinkButton(button.label, address)


REPEATED = re.compile(r"\+\d+\+")


def custom_id(token: str, earlier: int = 0) -> str:
    """Returns a button's id for a token; Discord requires ids that are unique in a message and not empty.

    >>> custom_id("h:7"), custom_id("h:7", earlier=1), token_of("+1+h:7")
    ('h:7', '+1+h:7', 'h:7')
    """
    return f"+{earlier}+{token}" if earlier or not token or REPEATED.match(token) else token


def token_of(text: str) -> str:
    """Returns the token of a button's id."""
    return REPEATED.sub("", text, count=1) if REPEATED.match(text) else text


def _view(screen: port.Screen, application: Application) -> discord.ui.View | None:
    rows = _rows(screen, application)
    if not rows:
        return None

    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        for control in row:
            control.row = number
            view.add_item(control)

    # A finished view is sent but not remembered: presses come through `AnyButton`, so nothing is kept in
    # memory and nothing times out.
    view.stop()
    return view


def _rows(screen: port.Screen, application: Application) -> list[Sequence[Control]]:
    """Renders the buttons and menus, as many as a message takes."""
    counts = Counter[str]()
    rows = [_row(row, counts, application) for row in screen.rows]
    return [row for row in rows if row][:ROWS]


def _row(row: Sequence[port.Button], counts: Counter[str], application: Application) -> Sequence[Control]:
    choices = [button for button in row if isinstance(button, port.CallbackButton) and button.menu]
    if choices:
        return [_menu(choices, counts)]

    buttons = [_button(item, counts, application) for item in row]
    return [item for item in buttons if item is not None][: LIMITS.per_row]


def _menu(choices: Sequence[port.CallbackButton], counts: Counter[str]) -> Menu:
    """Renders choices as a menu, with a hash of them in its id.

    The client shows what was chosen until the menu has another id, even if the choice had no effect.
    """
    options = list[discord.SelectOption]()
    for choice in choices[: LIMITS.menu]:
        is_chosen = choice.tone is port.Tone.PRIMARY and not any(option.default for option in options)
        options.append(
            discord.SelectOption(label=_label(choice), value=_id_of(choice.token, counts), default=is_chosen)
        )

    state = repr([option.to_dict() for option in options])
    digest = blake2b(state.encode(), digest_size=12).hexdigest()
    return discord.ui.Select(
        custom_id=f"{MENU}{digest}", placeholder=tame(choices[0].menu)[:MAX_PLACEHOLDER], options=options
    )


def _button(button: port.Button, counts: Counter[str], application: Application) -> Button | None:
    """Renders a button, given how often each token is in the message so far; None if Discord needs none."""
    label = tame(button.label)
    match button:
        case port.CallbackButton():
            return discord.ui.Button(
                custom_id=_id_of(button.token, counts),
                label=_label(button),
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


def _label(button: port.CallbackButton) -> str:
    label = tame(button.label)[: LIMITS.label]
    return label if label.strip() else NOTHING


def _id_of(token: str, counts: Counter[str]) -> str:
    """Returns the id of a token's button or option, and counts the token's uses in the message."""
    counts[token] += 1
    return custom_id(token, counts[token] - 1)
