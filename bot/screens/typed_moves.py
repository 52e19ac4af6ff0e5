"""Reads and writes typed moves, in the reader's language or in English: `9h`, `jh 9h`, `take`."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import engine
from adapters.port import Suggestion
from bot.locale import LOCALES, Translator, gettext_noop
from bot.screens.hand import move_label
from bot.screens.text import SIGNS, Line, as_lines, rank_text

# The letters of spades, hearts, diamonds and clubs, typed after a rank; alternatives follow a slash.
SUITS = gettext_noop("s h d c")

# The word before the cards of a move, or for a move without cards; alternatives follow a slash.
VERBS: Mapping[type[engine.Move], str] = {
    engine.Take: gettext_noop("take"),
    engine.Done: gettext_noop("done/pass"),
    engine.Defend: gettext_noop("beat"),
    engine.Transfer: gettext_noop("transfer"),
    engine.ShowTrump: gettext_noop("show"),
    engine.Exchange: gettext_noop("swap"),
    engine.LayAway: gettext_noop("discard"),
    engine.Keep: gettext_noop("keep"),
    engine.Redeal: gettext_noop("redeal"),
    engine.Accuse: gettext_noop("caught"),
}

NO_MOVE = gettext_noop("That's no move now.")
AMBIGUOUS = gettext_noop("That could be more than one move.")

AGAINST_THE_RULES = "!"  # before a move that cheats, so that nobody cheats by mistake

MAX_SUGGESTED = 60  # moves that one answer lists; more are rare

_SHORT_TEN = "t"
_WORD = re.compile(r"[^\s,;+]+")

# The meaning of typed words: one move, or several throw-ins in order.
Reading = tuple[engine.Move, ...]


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """The words of a language and of English, lower-case and without accents."""

    verbs: Mapping[str, type[engine.Move]]
    ranks: Mapping[str, engine.Rank]
    cards: Mapping[str, engine.Card]


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Typed words: an optional verb, and the cards or the rank after it."""

    verb: type[engine.Move] | None
    objects: tuple[engine.Card | engine.Rank, ...]


def readings(
    text: str, view: engine.SeatView, moves: Sequence[engine.Move], translator: Translator
) -> list[Reading]:
    """Returns every meaning of a text among a seat's `moves`.

    The list is empty if the text can't be read or no move fits it, and has several items if it is ambiguous.
    """
    sly, text = _split(text)
    moves = [move for move in moves if engine.is_honest(view.public, move) is not sly]
    phrase = _read(text, _vocabulary(translator.locale))
    if phrase is None:
        return []

    meanings: list[Reading] = [(move,) for move in moves if _means(phrase, move)]
    return meanings or _several_throw_ins(phrase, view, moves)


def typed_form(
    move: engine.Move, view: engine.SeatView, moves: Sequence[engine.Move], translator: Translator
) -> str:
    """Returns the shortest text that means this move and no other of `moves`."""
    sign = "" if engine.is_honest(view.public, move) else AGAINST_THE_RULES
    forms = [f"{sign}{form}" for form in _forms(move, view.public, translator)]
    unambiguous = (form for form in forms if readings(form, view, moves, translator) == [(move,)])
    return next(unambiguous, forms[-1])


def offer_lines(
    trouble: str,
    offered: Sequence[engine.Move],
    view: engine.SeatView,
    moves: Sequence[engine.Move],
    translator: Translator,
) -> Line:
    """Lists moves as texts to type, after the sentence `trouble` about the last text, if any.

    Cheats are listed only if nothing else is `offered`.
    """
    honest = [move for move in offered if engine.is_honest(view.public, move)] or offered
    forms = [typed_form(move, view, moves, translator) for move in honest[:MAX_SUGGESTED]]
    if len(honest) > MAX_SUGGESTED:
        forms.append("…")

    first = translator.spans(trouble) if trouble else ()
    return as_lines(first, translator.spans("You can type: {moves}", moves=" · ".join(forms)))


def move_suggestions(
    text: str, view: engine.SeatView, moves: Sequence[engine.Move], translator: Translator
) -> list[Suggestion]:
    """Suggests the moves whose texts begin with the text typed so far; cheats only after their sign."""
    begun = _plain(text).lstrip()
    is_sly, _ = _split(text)
    suggestions = []
    for move in moves:
        if engine.is_honest(view.public, move) is is_sly:
            continue

        form = typed_form(move, view, moves, translator)
        if _plain(form).startswith(begun):
            label = f"{form} · {move_label(move, view.public, translator)}"
            suggestions.append(Suggestion(label, form))

    return suggestions


# --- reading ----------------------------------------------------------------------------------------------


def _read(text: str, vocabulary: _Vocabulary) -> _Phrase | None:
    """Reads a text; None if one of its words has no meaning."""
    words = _WORD.findall(_plain(text))
    if not words:
        return None

    verb = vocabulary.verbs.get(words[0])
    if verb is not None:
        words = words[1:]

    objects = []
    for word in words:
        card_or_rank = vocabulary.cards.get(word) or vocabulary.ranks.get(word)
        if card_or_rank is None:
            return None
        objects.append(card_or_rank)

    return _Phrase(verb, tuple(objects))


def _split(text: str) -> tuple[bool, str]:
    """Returns whether a text has the sign of a cheat, and the text without it."""
    words = text.strip()
    return words.startswith(AGAINST_THE_RULES), words.removeprefix(AGAINST_THE_RULES)


def _means(phrase: _Phrase, move: engine.Move) -> bool:
    """Returns whether typed words fit a move."""
    if phrase.verb not in {None, type(move)}:
        return False

    objects = phrase.objects
    match move:
        case engine.Attack(cards) | engine.Transfer(cards):
            return Counter(objects) == Counter(cards)
        case engine.Defend(card, attack):
            return objects in {(card,), (card, attack)}
        case engine.ShowTrump(card):
            return objects == (card,)
        case engine.Accuse(card):
            return phrase.verb is not None and objects == (card,)
        case engine.LayAway(rank):
            return phrase.verb is not None and objects == (rank,)

    return phrase.verb is not None and not objects


def _several_throw_ins(phrase: _Phrase, view: engine.SeatView, moves: Sequence[engine.Move]) -> list[Reading]:
    """Reads several cards as consecutive throw-ins, if each could be thrown in now."""
    if phrase.verb is not None or not view.public.bout:
        return []

    throw_ins = {move.cards: move for move in moves if isinstance(move, engine.Attack)}
    copies = Counter(card for card in phrase.objects if isinstance(card, engine.Card))
    is_legal = all((card,) in throw_ins for card in phrase.objects)
    is_held = all(view.hand.count(card) >= count for card, count in copies.items())
    if not (is_legal and is_held):
        return []

    return [tuple(throw_ins[card,] for card in copies.elements())]


@cache
def _vocabulary(locale: str) -> _Vocabulary:
    """Returns the vocabulary of a language, whose own words take precedence over the English ones."""
    verbs: dict[str, type[engine.Move]] = {}
    ranks = {_SHORT_TEN: engine.Rank.TEN}
    suits = {sign: suit for suit, sign in SIGNS.items()}

    for translator in (Translator(LOCALES[0]), Translator(locale)):
        for kind, words in VERBS.items():
            verbs.update(dict.fromkeys(_plain(translator.text(words)).split("/"), kind))

        for suit, letters in zip(engine.Suit, _suits(translator), strict=True):
            suits.update(dict.fromkeys(_plain(letters).split("/"), suit))

        ranks.update(zip(map(_plain, translator.ranks), engine.Rank, strict=True))

    cards = {rank + suit: engine.Card(suits[suit], ranks[rank]) for rank, suit in product(ranks, suits)}
    return _Vocabulary(verbs, ranks, cards)


def _suits(translator: Translator) -> list[str]:
    return translator.text(SUITS).split()


def _plain(text: str) -> str:
    """Returns a text in lower case, without accents and emoji selectors.

    >>> _plain("9Š TAKE")
    '9s take'
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if unicodedata.category(character) != "Mn")


# --- writing ----------------------------------------------------------------------------------------------


def _verb(move: engine.Move, view: engine.PublicView, translator: Translator) -> str:
    """Returns the word for a move, preferably the one on its button; empty if the move has none."""
    if type(move) not in VERBS:
        return ""

    words = translator.text(VERBS[type(move)]).split("/")
    label = move_label(move, view, translator).casefold()
    return label if label in words else words[0]


def _forms(move: engine.Move, view: engine.PublicView, translator: Translator) -> Iterator[str]:
    """Yields the texts of a move, the shortest first; the last is always unambiguous."""
    verb = _verb(move, view, translator)

    match move:
        case engine.Attack(cards):
            yield _cards_form(cards, translator)

        case engine.Transfer(cards):
            form = _cards_form(cards, translator)
            yield form
            yield f"{verb} {form}"

        case engine.Defend(card, attack):
            form = _cards_form((card, attack), translator)
            yield _cards_form((card,), translator)
            yield form
            yield f"{verb} {form}"

        case engine.ShowTrump(card):
            form = _cards_form((card,), translator)
            yield form
            yield f"{verb} {form}"

        case engine.Accuse(card):
            yield f"{verb} {_cards_form((card,), translator)}"

        case engine.LayAway(rank):
            yield f"{verb} {rank_text(rank, translator).lower()}"

        case _:
            yield verb


def _cards_form(cards: Sequence[engine.Card], translator: Translator) -> str:
    letters = dict(zip(engine.Suit, _suits(translator), strict=True))
    words = [rank_text(card.rank, translator) + letters[card.suit].split("/")[0] for card in cards]
    return " ".join(words).lower()
