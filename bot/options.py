"""What the buttons of a lobby's options do."""

from collections.abc import Iterable
from dataclasses import replace

from adapters.port import Reply, User
from bot.arguments import BadArgument
from bot.lobby import Lobby
from bot.locale import Voice
from bot.parlour import Parlour
from bot.rule_book import RuleBook, RuleSet, with_options
from bot.screens import refusals
from bot.screens.options import PANELS, panel_of
from bot.screens.settings import LABELS
from bot.table_options import CLOCKS
from engine import STRENGTHS


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
            elif setting == "clock":
                now = now.play_with(user.ref, replace(now.options, clock=_clock(value, voice)))
            elif setting == "auto_done":
                now = now.play_with(user.ref, replace(now.options, auto_done=value == "on"))
            elif setting == "strength":
                now = now.play_with(user.ref, replace(now.options, strength=_one_of(STRENGTHS, value, voice)))
            else:
                rules = with_options(now.rules, [f"{setting}={value}"], voice)
                now = now.play_by(user.ref, now.preset, rules, now.house_rules)
            return now.open_panel(user.ref, panel_of(setting))

        await self._parlour.change(lobby.id, changed)


def _clock(text: str, voice: Voice) -> int:
    return int(_one_of(map(str, CLOCKS), text, voice))


def _one_of(values: Iterable[str], text: str, voice: Voice) -> str:
    if text not in values:
        raise BadArgument(voice.say(refusals.UNREADABLE))
    return text
