"""The rule sets that people can ask for: the presets, and the variations of a server."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from unicodedata import category, normalize

from adapters.port import ServerRef
from bot.model.choices import CHOICES, REPLACED, RuleSet, read_choice
from bot.model.preset_words import AGAINST_BOTS, PRESET_OF
from bot.model.refusal import InvalidName, NameProblem, RefusedError
from bot.people import Servers
from bot.storage import VariationStore
from engine import PRESETS, SETTINGS, InvalidSettingError, Rules, SettingProblem, nearest, value_text

DEFAULT_PRESET = "podkidnoy-36"
MAX_RULE_SETS = 20  # a lobby has no room for more buttons
MAX_VARIATIONS = MAX_RULE_SETS - len(PRESETS)  # how many one server can have

# The most characters of a variation's name, and the most bytes of it that fit behind a button.
MAX_NAME_LENGTH = 20
MAX_NAME_BYTES = 40


class RuleBook:
    """Finds rules by the words that people type."""

    def __init__(self, variation_store: VariationStore, servers: Servers) -> None:
        self._variation_store = variation_store
        self._servers = servers

    async def variations(self, server: ServerRef) -> Mapping[str, Rules]:
        """Returns the variations of a server that can be played, by name."""
        return {name: rules for name, rules in (await self._load(server)).items() if rules is not None}

    async def unplayable(self, server: ServerRef) -> tuple[str, ...]:
        """Returns the names of a server's variations that can no longer be played."""
        return tuple(name for name, rules in (await self._load(server)).items() if rules is None)

    async def _load(self, server: ServerRef) -> Mapping[str, Rules | None]:
        """Returns all variations of a server; None for those that cannot be played."""
        saved = await self._variation_store.variations(server)
        return {name: None if rules is None or rules.obstacles() else rules for name, rules in saved.items()}

    async def names(self, server: ServerRef) -> tuple[str, ...]:
        """Returns the names of all rule sets that can be played on a server, its variations first."""
        return (*await self.variations(server), *PRESETS)

    async def rule_sets(self, server: ServerRef) -> Mapping[str, Rules]:
        """Returns all rule sets of a server, its default first."""
        rule_sets = {**await self.variations(server), **PRESETS}
        default = await self.default(server)
        return {name: rule_sets[name] for name in sorted(rule_sets, key=lambda name: name != default)}

    async def default(self, server: ServerRef) -> str:
        """Returns the name of a server's default rule set."""
        preset = (await self._servers.choices(server)).preset
        return preset if preset in PRESETS or preset in await self.variations(server) else DEFAULT_PRESET

    async def read(self, server: ServerRef, words: Sequence[str]) -> RuleSet:
        """Parses a name and single settings in any order, as in `throw-in=all perevodnoy`; all are optional.

        Raises:
            RefusedError: There is no such name or setting, or two settings clash.
        """
        words = re.sub(r"\s*=\s*", "=", " ".join(words)).split()
        for setting in map(_setting_of, words):
            if setting in REPLACED:
                raise RefusedError(InvalidName(NameProblem.REPLACED, setting, (REPLACED[setting],)))

        names = [word.lower() for word in words if "=" not in word]
        rule_set_names = (*await self._load(server), *PRESETS, *PRESET_OF)
        unknown = (name for name in names if _setting_of(name) not in _SETTINGS)
        rule_set_name = next((name for name in names if name in rule_set_names), next(unknown, None))
        if rule_set_name is None:
            default = await self.default(server)
            preset = (await self._servers.choices(server)).preset
            unplayable = "" if preset in {"", default} else preset
            rule_set = replace(await self.find(server, default), unplayable=unplayable)
        else:
            rule_set = await self.find(server, rule_set_name)

        options = [word for word in words if word.lower() != rule_set_name]
        try:
            choices = dict(_choice(option) for option in options if _setting_of(option) in CHOICES)
            others = [_option(option) for option in options if _setting_of(option) not in CHOICES]
        except InvalidSettingError as error:
            raise RefusedError(error) from None

        return replace(rule_set, rules=with_options(rule_set.rules, others), choices=choices)

    async def find(self, server: ServerRef, name: str) -> RuleSet:
        """Finds rules by their name, or by a word that people use for a preset.

        Raises:
            RefusedError: Nothing has this name, or it can no longer be played.
        """
        if name in PRESETS:
            return RuleSet(name, PRESETS[name])

        variations = await self._load(server)
        if name not in variations and name in PRESET_OF:
            return RuleSet(PRESET_OF[name], PRESETS[PRESET_OF[name]])

        if name not in variations:
            playable = [name for name, rules in variations.items() if rules is not None]
            raise RefusedError(InvalidName(NameProblem.NO_RULE_SET, name, (*playable, *PRESETS, *PRESET_OF)))

        if (rules := variations[name]) is None:
            raise RefusedError(InvalidName(NameProblem.UNPLAYABLE, name))

        return RuleSet(name, rules, house_rules=rules)

    async def set_default(self, server: ServerRef, name: str) -> None:
        """Sets the default rule set of a server.

        Raises:
            RefusedError: Nothing has this name, or it can no longer be played.
        """
        await self._servers.choose(server, preset=(await self.find(server, name)).name)

    async def save(self, server: ServerRef, name: str, rules: Rules) -> None:
        """Saves rules under a name on a server, in letters of any script.

        Raises:
            RefusedError: The name is unsuitable or means something else, or the server has too many.
        """
        name = normalize("NFC", name).lower()
        is_preset = name in PRESETS or name in PRESET_OF
        if is_preset or name == AGAINST_BOTS or _setting_of(name) in _SETTINGS:
            raise RefusedError(InvalidName(NameProblem.TAKEN, name))
        if not _is_suitable(name):
            raise RefusedError(InvalidName(NameProblem.UNSUITABLE, name))

        variations = await self._load(server)
        if name not in variations and len(variations) >= MAX_VARIATIONS:
            raise RefusedError(InvalidName(NameProblem.TOO_MANY, name, tuple(variations)))

        await self._variation_store.save(server, name, rules)

    async def forget(self, server: ServerRef, name: str) -> None:
        """Deletes a variation of a server.

        Raises:
            RefusedError: No variation of this server has it.
        """
        variations = await self._load(server)
        if name not in variations:
            raise RefusedError(InvalidName(NameProblem.NO_VARIATION, name, tuple(variations)))
        with self._servers.changing(server):  # it may have been the default there
            await self._variation_store.forget(server, name)


def with_options(rules: Rules, options: Sequence[str]) -> Rules:
    """Changes single settings, as in `throw_in=all`; refuses only clashes that these settings cause.

    More players than the deck has cards for are refused only if `max_players` is set: a smaller deck just
    leaves fewer seats.

    Raises:
        RefusedError: There is no such setting or value, or two settings clash.
    """
    try:
        new_rules = rules.with_options(options)
    except InvalidSettingError as error:
        raise RefusedError(error) from None

    objections = rules.clashes()
    names = {option.partition("=")[0] for option in options}
    clashes = [
        clash
        for clash in new_rules.clashes()
        if clash not in objections or names.intersection(clash.settings)
    ]

    if any(option.startswith("max_players=") for option in options) and new_rules.teams == "off":
        clashes = clashes or list(new_rules.clashes(new_rules.max_players))

    if clashes:
        raise RefusedError(clashes[0])

    return new_rules


_SETTINGS = (*SETTINGS, *CHOICES, *REPLACED)


def _setting_of(option: str) -> str:
    """Returns the name of the setting that is meant, as in `Throw-in=all`."""
    return option.partition("=")[0].lower().replace("-", "_")


def _option(option: str) -> str:
    """Returns a setting of the rules as the engine reads it.

    Raises:
        InvalidSettingError: There is no setting of this name.
    """
    name = _setting_of(option)
    (typed_name, sign, value) = option.partition("=")
    if name not in SETTINGS:
        problem = SettingProblem.UNKNOWN_SETTING
        text = value if sign else None
        raise InvalidSettingError(problem, typed_name, text, nearest(name, _SETTINGS))

    word = value.lower().replace("-", "_")
    return f"{name}{sign}{word if word in map(value_text, SETTINGS[name]) else value}"


def _choice(option: str) -> tuple[str, object]:
    """Parses a choice for a table that is not a rule, as in `clock=5`."""
    name = _setting_of(option)
    (_, sign, value) = option.partition("=")
    text = value if sign else None
    return name, read_choice(name, text)


def _is_suitable(name: str) -> bool:
    """Returns whether a name has only letters, digits and hyphens, and fits behind a button."""
    is_written = all(sign == "-" or category(sign)[0] in "LMN" for sign in name)
    is_short = len(name) <= MAX_NAME_LENGTH and len(name.encode()) <= MAX_NAME_BYTES
    return is_written and is_short and name[:1].isalnum()
