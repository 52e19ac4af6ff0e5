"""The rule sets one can ask for: the presets everybody knows, and the variations of a server."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from adapters.port import ServerRef
from bot.model.people import PRESET_OF
from bot.model.table import InvalidName, NameProblem, RuleSet, RuleSetError
from bot.people import Servers
from bot.storage import VariationStore
from engine import PRESETS, InvalidSettingError, Rules

DEFAULT_PRESET = "podkidnoy-36"
MOST_RULE_SETS = 20
"""More names than this find no room among the buttons of a lobby."""

MOST_VARIATIONS = MOST_RULE_SETS - len(PRESETS)
"""Names that one server can give."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")


class RuleBook:
    """Finds rules by what people type."""

    def __init__(self, variation_store: VariationStore, servers: Servers) -> None:
        self._variation_store = variation_store
        self._servers = servers

    async def variations(self, server: ServerRef) -> Mapping[str, Rules]:
        """Return the rules that have a name of their own on a server."""
        return await self._variation_store.variations(server)

    async def names(self, server: ServerRef) -> tuple[str, ...]:
        """Name everything that can be played on a server, its own variations first."""
        return (*await self.variations(server), *PRESETS)

    async def rule_sets(self, server: ServerRef) -> Mapping[str, Rules]:
        """Return everything that can be played on a server, what is played by default first."""
        rule_sets = {**await self.variations(server), **PRESETS}
        default = await self.default(server)
        return {name: rule_sets[name] for name in sorted(rule_sets, key=lambda name: name != default)}

    async def default(self, server: ServerRef) -> str:
        """Name what is played on a server when nobody says otherwise."""
        return (await self._servers.choices(server)).preset or DEFAULT_PRESET

    async def read(self, server: ServerRef, words: Sequence[str]) -> RuleSet:
        """Read a name and single settings, as in `perevodnoy throw_in=all`; both may be left out.

        Raises:
            RuleSetError: There is no such name or setting, or two settings cannot be together.
        """
        options = list(words)
        is_named = bool(options) and "=" not in options[0]
        name = options.pop(0).lower() if is_named else await self.default(server)
        chosen = await self.named(server, name)
        return replace(chosen, rules=with_options(chosen.rules, options))

    async def named(self, server: ServerRef, name: str) -> RuleSet:
        """Find rules by their name, or by a word that people use for a preset.

        Raises:
            RuleSetError: Nothing has this name.
        """
        if name in PRESETS:
            return RuleSet(name, PRESETS[name])
        variations = await self.variations(server)
        if name not in variations and name in PRESET_OF:
            return RuleSet(PRESET_OF[name], PRESETS[PRESET_OF[name]])
        if name not in variations:
            raise RuleSetError(InvalidName(NameProblem.NO_RULE_SET, name, (*variations, *PRESETS)))
        return RuleSet(name, variations[name], house_rules=variations[name])

    async def set_default(self, server: ServerRef, name: str) -> None:
        """Let a server play this when nobody says otherwise.

        Raises:
            RuleSetError: Nothing has this name.
        """
        await self._servers.choose(server, preset=(await self.named(server, name)).name)

    async def save(self, server: ServerRef, name: str, rules: Rules) -> None:
        """Give rules a name of their own on a server.

        Raises:
            RuleSetError: The name cannot be one, or the server has too many.
        """
        if not _NAME.fullmatch(name) or name in PRESETS:
            raise RuleSetError(InvalidName(NameProblem.UNSUITABLE, name))
        variations = await self.variations(server)
        if name not in variations and len(variations) >= MOST_VARIATIONS:
            raise RuleSetError(InvalidName(NameProblem.TOO_MANY, name, tuple(variations)))
        await self._variation_store.save(server, name, rules)

    async def forget(self, server: ServerRef, name: str) -> None:
        """Take a name away.

        Raises:
            RuleSetError: No variation of this server has it.
        """
        variations = await self.variations(server)
        if name not in variations:
            raise RuleSetError(InvalidName(NameProblem.NO_VARIATION, name, tuple(variations)))
        with self._servers.changing(server):  # it may have been what is played there
            await self._variation_store.forget(server, name)


def with_options(rules: Rules, options: Sequence[str]) -> Rules:
    """Change single settings, as in `throw_in=all`.

    More players than there are cards for are refused only if somebody asks for them: a smaller deck alone
    merely leaves fewer seats.

    Raises:
        RuleSetError: There is no such setting or value, or two settings cannot be together.
    """
    try:
        changed = rules.with_options(options)
    except InvalidSettingError as error:
        raise RuleSetError(error) from None
    clashes = changed.clashes()
    if any(option.startswith("max_players=") for option in options) and changed.teams == "off":
        clashes = clashes or changed.clashes(changed.max_players)
    if clashes:
        raise RuleSetError(clashes[0])
    return changed
