"""What the buttons of a lobby's options do."""

from dataclasses import replace
from typing import Any

from adapters.port import Reply, User
from bot.arguments import BadArgument
from bot.lobby import Lobby
from bot.locale import Voice
from bot.parlour import Parlour
from bot.rule_book import RuleBook, RuleSet, with_options
from bot.screens import refusals
from bot.screens.options import PANELS, panel_of
from bot.screens.settings import LABELS
from bot.table_options import CHOICES
from engine import value_text


class Options:
    """Opens panels of settings, and sets them."""

    def __init__(self, parlour: Parlour, rule_book: RuleBook) -> None:
        self._parlour = parlour
        self._rule_book = rule_book

    async def change(self, lobby: Lobby, user: User, what: str, voice: Voice) -> Reply:
        """Open or set something, as in `ChangeOption`.

        Raises:
            LobbyRefused: The table does not gather, this person did not open it, or too many sit there.
        """
        setting, sign, value = what.partition("=")
        if not (what in PANELS or setting in LABELS or not what):
            return Reply(toast=voice.say(refusals.UNREADABLE))
        if not sign:
            await self._parlour.change(lobby.id, lambda now: now.open_panel(user.ref, what or None))
            return Reply()
        try:
            await self._set(lobby, user, setting, value, voice)
        except BadArgument as bad:
            return Reply(toast=str(bad))
        return Reply()

    async def _set(self, lobby: Lobby, user: User, setting: str, value: str, voice: Voice) -> None:
        chosen: RuleSet | None = None
        if setting == "preset":
            chosen = await self._rule_book.named(lobby.room.server, value, voice)

        def changed(now: Lobby) -> Lobby:
            if chosen is not None:
                now = now.play_by(user.ref, chosen.name, chosen.rules, chosen.house_rules)
            elif setting in CHOICES:
                option: dict[str, Any] = {setting: _choice(setting, value, voice)}
                now = now.play_with(user.ref, replace(now.options, **option))
            else:
                rules = with_options(now.rules, [f"{setting}={value}"], voice)
                now = now.play_by(user.ref, now.preset, rules, now.house_rules)
            return now.open_panel(user.ref, panel_of(setting))

        await self._parlour.change(lobby.id, changed)


def _choice(setting: str, text: str, voice: Voice) -> object:
    """Read a choice as it stands on its button."""
    for choice in CHOICES[setting]:
        if value_text(choice) == text:
            return choice
    raise BadArgument(voice.say(refusals.UNREADABLE))
