"""The components of messages: rows of buttons and menus, and the containers that hold everything.

A message with the flag `CONTAINERS` consists of components alone. Discord's guide (Component Reference, Using
Message Components) has the rules that its OpenAPI document leaves out.
"""

from collections import Counter
from collections.abc import Iterator

from tests.wire.discord.component_tree import Component, Type, media, of_type, texts, walk
from tests.wire.discord.world import Attachment, Message, MessageFlag, snowflake

MAX_ROWS = 5  # of a message without the flag
MAX_IN_ROW = 5
MAX_COMPONENTS = 40  # of a message with the flag, each nested one counted
MAX_CHARACTERS = 4000  # of all texts of a message with the flag
LINK = 5  # a style of buttons
REFERENCE = "attachment://"


def problems(
    message: Message, flags: MessageFlag, components: list[Component], emojis: set[int]
) -> list[str]:
    """Returns what Discord would not take about the components of a message with these flags."""
    in_rows = MessageFlag.CONTAINERS not in flags
    found = list(_problems_of_rows(components) if in_rows else _problems_of_containers(components))
    found += _problems_of_presses(components, emojis)

    if MessageFlag.CONTAINERS in message.flags and in_rows:
        found.append("flags: IS_COMPONENTS_V2 cannot be removed")

    return found


def _problems_of_rows(components: list[Component]) -> Iterator[str]:
    if len(components) > MAX_ROWS:
        yield f"components: must be {MAX_ROWS} or fewer in length."

    for component in components:
        if component["type"] != Type.ROW:
            yield f"components: type {component['type']} needs the flag IS_COMPONENTS_V2"


def _problems_of_containers(components: list[Component]) -> Iterator[str]:
    if not components:
        yield "components: a message with IS_COMPONENTS_V2 needs some"
    if len(list(walk(components))) > MAX_COMPONENTS:
        yield f"components: total number of components exceeds the maximum of {MAX_COMPONENTS}"
    if sum(map(len, texts(components))) > MAX_CHARACTERS:
        yield f"components: total length of displayable text exceeds the maximum of {MAX_CHARACTERS}"

    for text in texts(components):
        if not text.strip():
            yield "components: content: this field is required"


def _problems_of_presses(components: list[Component], emojis: set[int]) -> Iterator[str]:
    yield from _problems_within_rows(components)
    buttons = of_type(components, Type.BUTTON)
    menus = of_type(components, Type.MENU)
    for button in buttons:
        yield from _problems_of_button(button, emojis)
    for menu in menus:
        yield from _problems_of_menu(menu)

    pressed = [button for button in buttons if button["style"] != LINK] + menus
    for custom_id, times in Counter(component.get("custom_id") for component in pressed).items():
        if times > 1:
            yield f"components: custom id {custom_id!r} is duplicated"


def _problems_within_rows(components: list[Component]) -> Iterator[str]:
    for row in of_type(components, Type.ROW):
        menus = sum(part["type"] == Type.MENU for part in row["components"])
        if menus and len(row["components"]) > 1:
            yield "components: a menu takes a whole row"
        if len(row["components"]) > MAX_IN_ROW:
            yield f"components: a row has at most {MAX_IN_ROW} buttons"


def _problems_of_button(button: Component, emojis: set[int]) -> Iterator[str]:
    if button["style"] != LINK and not button.get("custom_id"):
        yield "components: a custom id is required"
    if not (button.get("label") or "").strip() and "emoji" not in button:
        yield "components: a button needs a label or an emoji"

    emoji = (button.get("emoji") or {}).get("id")
    if emoji is not None and int(emoji) not in emojis:
        yield "components: emoji: Invalid emoji"


def _problems_of_menu(menu: Component) -> Iterator[str]:
    values = Counter(option["value"] for option in menu["options"])
    if max(values.values()) > 1:
        yield "components: the value of an option is duplicated"
    if sum(bool(option.get("default")) for option in menu["options"]) > (menu.get("max_values") or 1):
        yield "components: too many options are chosen by default"


def missing_files(components: list[Component], attachments: list[Attachment]) -> list[str]:
    """Returns the problems with references to files: none may be dangling, and a file's must be one."""
    names = {attachment.filename for attachment in attachments}
    addresses = [medium["url"] for medium in media(components)]
    files = [component["file"]["url"] for component in of_type(components, Type.FILE)]
    return [
        f"components: {address} is no file of this message"
        for address in addresses
        if address.startswith(REFERENCE) and address.removeprefix(REFERENCE) not in names
    ] + [f"components: {address} is no attachment" for address in files if not address.startswith(REFERENCE)]


def completed(components: list[Component], attachments: list[Attachment]) -> list[Component]:
    """Returns components as Discord keeps them: with ids, and with the addresses of files."""
    copies = [_completed(component, attachments) for component in components]
    for number, component in enumerate(walk(copies), start=1):
        component["id"] = number

    return copies


def _completed(component: Component, attachments: list[Attachment]) -> Component:
    copy = dict(component)
    if "components" in copy:
        copy["components"] = [_completed(part, attachments) for part in copy["components"]]

    match copy["type"]:
        case Type.MENU:
            copy = {"min_values": 1, "max_values": 1, **copy}
            copy.pop("required", None)  # which is about modals
        case Type.CONTAINER:
            copy = {"accent_color": None, "spoiler": False, **copy}
        case Type.GALLERY:
            copy["items"] = [
                {"description": None, "spoiler": False, **item, "media": _medium(item["media"], attachments)}
                for item in copy["items"]
            ]
        case Type.FILE:
            medium = _medium(copy["file"], attachments)
            copy = {"spoiler": False, "name": None, "size": None, **copy, "file": medium}

    if copy.get("emoji"):
        copy["emoji"] = {**copy["emoji"], "id": str(copy["emoji"]["id"])}

    return copy


def _medium(medium: Component, attachments: list[Attachment]) -> Component:
    """Returns a file as the answer names it: by an address, and never as it was referred to."""
    name = medium["url"].removeprefix(REFERENCE)
    file = next((attachment for attachment in attachments if attachment.filename == name), None)
    if file is None:
        return {"id": str(snowflake()), "url": medium["url"], "proxy_url": medium["url"]}

    address = f"https://cdn.discordapp.com/ephemeral/{file.id}/{file.filename}"
    return {"id": str(file.id), "url": address, "proxy_url": address, "attachment_id": str(file.id)}
