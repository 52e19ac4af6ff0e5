"""Rule sets side by side: what each is called, and what distinguishes it most from the others."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from adapters.port import RuleSetCard, RuleSketch, RuleTrait
from bot.locale import Translator
from bot.screens.how_to_play import how_to_play
from bot.screens.presets import preset_name
from bot.screens.special_rules import special_rules
from engine import Rules

TRAITS: Mapping[RuleTrait, Callable[[Rules], bool]] = {
    RuleTrait.TRANSFER: lambda rules: rules.transfer,
    RuleTrait.SHOW: lambda rules: rules.transfer and rules.transfer_by_showing_trump,
    RuleTrait.TEAMS: lambda rules: rules.teams != "off",
    RuleTrait.POINTS: lambda rules: rules.scoring == "punkte",
    RuleTrait.EPAULETTES: lambda rules: rules.epaulettes != "off" or rules.scoring == "epaulettes",
    RuleTrait.NEIGHBOURS: lambda rules: rules.throw_in == "neighbours",
    RuleTrait.ALONE: lambda rules: rules.throw_in in {"none", "attacker"},
    RuleTrait.UNLIMITED: lambda rules: rules.attack_limit is None,
    RuleTrait.REDEAL: lambda rules: rules.redeal_same_suit > 0,
    RuleTrait.EQUAL: lambda rules: rules.opening_cards == "equal_rank",
    RuleTrait.CLOSED: lambda rules: rules.throw_in != "none" and rules.throw_in_after_take == "none",
}
"""When rules have each of the traits; what is most to be noticed stands first."""

MOST_TRAITS = 3
"""So many are seen at a glance."""

_SENTENCE_END = re.compile(r"(?<=[.!])\s+")


def rule_set_cards(rule_sets: Mapping[str, Rules], translator: Translator) -> tuple[RuleSetCard, ...]:
    """Describe rule sets; the first is the plainest, to which the others are compared."""
    told = {name: list(rule_sentences(rules, translator)) for name, rules in rule_sets.items()}
    plain = next(iter(told.values()), [])
    shared = Counter(sentence for each in told.values() for sentence in each)
    cards = []
    for name, (about_cards, *others) in told.items():
        special = [sentence for sentence in others if sentence not in plain]
        rarest = min(special, key=lambda sentence: shared[sentence], default="")
        cards.append(
            RuleSetCard(name, preset_name(name, translator), about_cards, rarest, sketch_of(rule_sets[name]))
        )
    return tuple(cards)


def sketch_of(rules: Rules) -> RuleSketch:
    """Say what a picture of rules shows, when as few play as may."""
    deck = rules.cards(rules.min_players)
    lowest = min(deck, key=lambda card: card.rank)
    traits = [trait for trait, holds in TRAITS.items() if holds(rules)]
    return RuleSketch(str(lowest)[0], len(deck), tuple(traits[:MOST_TRAITS]))


def rule_sentences(rules: Rules, translator: Translator) -> Iterator[str]:
    """Say everything there is to say about rules, one sentence at a time, about their cards first."""
    for told in (*special_rules(rules, None, translator), *how_to_play(rules, None, translator)):
        yield from _SENTENCE_END.split(told)
