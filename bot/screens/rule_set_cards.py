"""Rule sets side by side: what each is called, and what distinguishes it most from the others."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from adapters.port import RuleSetCard
from bot.locale import Translator
from bot.screens.how_to_play import how_to_play
from bot.screens.presets import preset_name
from bot.screens.special_rules import special_rules
from engine import Rules

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
        cards.append(RuleSetCard(name, preset_name(name, translator), about_cards, rarest))
    return tuple(cards)


def rule_sentences(rules: Rules, translator: Translator) -> Iterator[str]:
    """Say everything there is to say about rules, one sentence at a time, about their cards first."""
    for told in (*special_rules(rules, None, translator), *how_to_play(rules, None, translator)):
        yield from _SENTENCE_END.split(told)
