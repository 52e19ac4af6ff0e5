"""The sentence for each reason to refuse a request."""

from bot.locale import Translator, gettext_noop
from bot.model.refusal import RefusedError, TableRefusal
from bot.screens.setting_problems import rule_set_problem_text
from engine import Reason

NO_FILE = gettext_noop("The file can't be sent here.")  # for every document

MOVES: dict[Reason, str] = {
    Reason.GAME_OVER: gettext_noop("The game is over."),
    Reason.NO_SUCH_SEAT: gettext_noop("You're not at this table."),
    Reason.OUT_OF_GAME: gettext_noop("You have no cards left: well played."),
    Reason.NOT_YOUR_TURN: gettext_noop("It's not your turn."),
    Reason.NOT_ATTACKER: gettext_noop("Somebody else attacks first."),
    Reason.NOT_DEFENDER: gettext_noop("Only the defender can do that."),
    Reason.DEFENDER_CANNOT_ATTACK: gettext_noop("You're the defender now."),
    Reason.TEAMMATE: gettext_noop("Your partner defends: no cards against your own team."),
    Reason.NOT_IN_HAND: gettext_noop("You don't have that card."),
    Reason.OPENING_ONE_CARD: gettext_noop("The attack begins with one card."),
    Reason.ONE_RANK: gettext_noop("Cards played together must have the same rank."),
    Reason.ONE_AT_A_TIME: gettext_noop("Throw in one card at a time."),
    Reason.THROW_IN_OFF: gettext_noop("Nobody throws in by these rules."),
    Reason.NOT_A_HELPER: gettext_noop("You may not throw in against this defender."),
    Reason.TOO_EARLY: gettext_noop("Not yet: wait until it's beaten."),
    Reason.AFTER_TAKE: gettext_noop("The defender takes: nothing may be added."),
    Reason.RANK_NOT_ON_TABLE: gettext_noop("That rank is not on the table: it cannot be thrown in."),
    Reason.LIMIT: gettext_noop("No more can be thrown in."),
    Reason.WAIT_FOR_OTHERS: gettext_noop("Not yet: others go first."),
    Reason.ALREADY_DONE: gettext_noop("You have passed: wait for the next card."),
    Reason.NOTHING_TO_DECLINE: gettext_noop("No need to pass now."),
    Reason.NO_SUCH_ATTACK: gettext_noop("You don't have to beat that card."),
    Reason.DOES_NOT_BEAT: gettext_noop("That card doesn't beat it."),
    Reason.NOTHING_TO_TAKE: gettext_noop("There's nothing to take."),
    Reason.ALREADY_TAKING: gettext_noop("You're already taking."),
    Reason.MUST_BEAT: gettext_noop("You can't take while you can beat it all or transfer."),
    Reason.TRANSFER_OFF: gettext_noop("No transfers by these rules."),
    Reason.TRANSFER_RANK: gettext_noop("Transfer with a card of the attack's rank."),
    Reason.TRANSFER_TOO_LATE: gettext_noop("Too late to transfer: a card is already beaten."),
    Reason.TRANSFER_ONE_CARD: gettext_noop("Transfer with one card."),
    Reason.TRANSFER_NO_ROOM: gettext_noop("The next player holds too few cards for this attack."),
    Reason.TRANSFER_FIRST_BOUT: gettext_noop("The first attack of a game can't be transferred."),
    Reason.SHOW_OFF: gettext_noop("You can't transfer by showing a trump in these rules."),
    Reason.SHOW_WRONG_CARD: gettext_noop("Show the trump of the attack's rank."),
    Reason.SHOWN_ALREADY: gettext_noop("This trump has already been used for a transfer."),
    Reason.LAY_AWAY_OFF: gettext_noop("Four of a kind stay in the hand by these rules."),
    Reason.NOT_FOUR: gettext_noop("You don't have all four."),
    Reason.TABLE_NOT_EMPTY: gettext_noop("Wait until the table is empty."),
    Reason.KEEP_A_CARD: gettext_noop("Keep a card to attack with."),
    Reason.EXCHANGE_OFF: gettext_noop("By these rules nobody swaps a low trump."),
    Reason.NO_EXCHANGE: gettext_noop("You can't swap your low trump now."),
    Reason.REDEAL_OFF: gettext_noop("No new deal by these rules."),
    Reason.NO_REDEAL: gettext_noop("No new deal with these cards."),
    Reason.KEPT_ALREADY: gettext_noop("You keep your cards in this game."),
    Reason.NOT_ALL_KEPT: gettext_noop("Wait until everybody has looked at their cards."),
    Reason.CHEATING_OFF: gettext_noop("Nobody cheats by these rules."),
    Reason.ACCUSE_AGAIN: gettext_noop("You've been seeing things: look again in the next round."),
    Reason.NO_CARD_TO_ACCUSE: gettext_noop("That card isn't on the table, or began the round."),
    Reason.OWN_CARD: gettext_noop("You can't point at a card of your own side."),
}

TABLES: dict[TableRefusal, str] = {
    TableRefusal.ALREADY_SEATED: gettext_noop("You're already at this table."),
    TableRefusal.NOT_SEATED: gettext_noop("You're not at this table."),
    TableRefusal.FULL: gettext_noop("All seats are taken."),
    TableRefusal.NOT_GATHERING: gettext_noop("This game has already started."),
    TableRefusal.ONLY_OPENER: gettext_noop("Only the host can do that."),
    TableRefusal.ALONE: gettext_noop("One more player needed: wait, or press “Add bot”."),
    TableRefusal.NOBODY_HUMAN: gettext_noop("Bots don't play by themselves."),
    TableRefusal.NO_HOUSE_PLAYER: gettext_noop("There's no bot to remove."),
    TableRefusal.NOT_PLAYING: gettext_noop("No game is running here."),
    TableRefusal.NOT_OVER: gettext_noop("The game isn't over yet."),
    TableRefusal.ROOM_TAKEN: gettext_noop("There's already a table here: finish or close it first."),
    TableRefusal.KEPT: gettext_noop(
        "The last seats are kept for those who were invited: try again in a few minutes."
    ),
    TableRefusal.OF_CUP: gettext_noop("That's a game of the cup: its next round is drawn by itself."),
    TableRefusal.CALLED_ALREADY: gettext_noop("The last players have already been called."),
    TableRefusal.NOT_A_PERSON: gettext_noop(
        "You write as a group or a channel, and those can't play. Press “Join”: then you play as yourself."
    ),
    TableRefusal.NO_TABLE: gettext_noop("There's no such table here. /durak opens a new one."),
}

STALE = gettext_noop("Too late, the table has moved on. This is how it looks now.")
UNREADABLE = gettext_noop("That button belongs to another chat.")
NOT_SHOWN = gettext_noop("That button is gone: the message has changed.")
QUICKER = gettext_noop("{name} was quicker: wait until it's beaten.")  # instead of Reason.TOO_EARLY
TABLE_CLOSED = gettext_noop("This table is closed. /durak opens another.")
TABLE_LOST = gettext_noop(
    "This table is gone: the bot was set back to an earlier day. /durak opens a new one."
)
NOT_SEATED = gettext_noop("You're not at this table.")
OVER = gettext_noop("This game is over.")
PAST_GAME = gettext_noop("That's from an earlier game.")
MOVES_FORGOTTEN = gettext_noop("That game's moves aren't kept any more, only its result.")
NOT_YOUR_LINK = gettext_noop("Only who played that game can withdraw its link.")
LINK_WITHDRAWN = gettext_noop(
    "That link leads nowhere any more. “{button}” under the result makes a new one."
)
ALREADY_SO = gettext_noop("No change: it's already so.")
JUST_SHOWN = gettext_noop("It's just above: somebody asked for it a moment ago.")
FILM_SHOWN = gettext_noop("That film is above, in this chat.")
GATHERING_AGAIN = gettext_noop("The next game is waiting: press Start at the table.")
CANNOT_WRITE = gettext_noop("I can't write to you. Press “{button}” at the table.")
WRITES_AGAIN = gettext_noop("OK, your cards will come here again.")
PLAYS_AGAIN = gettext_noop("You're in: the game starts at the table.")
FROZEN = gettext_noop("This game is damaged and can't go on. /stop closes the table.")
NOBODY_CALLED_SO = gettext_noop(
    "I don’t know who “{name}” is here: send the command as a reply to a message of theirs."
)
NO_CARDS = gettext_noop("You have no cards right now. /durak opens a table.")
NOT_DEALT = gettext_noop("The cards aren't dealt yet.")
READY_TO_ASK = gettext_noop("All set: ask me again here.")
READY = gettext_noop("All set: your cards will come here when the game starts.")
NOT_YOURS_TO_CLOSE = gettext_noop("Only the host or a chat admin can close it.")
NOTHING_TO_ADVISE = gettext_noop("It's not your turn at any table.")
NO_HINTS = gettext_noop("Hints are off at this table.")
NO_FINISHED_GAME = gettext_noop("No game has been finished here yet.")
NO_GAME_OF_YOURS = gettext_noop("You haven't finished a game yet.")
STILL_PLAYING = gettext_noop("Your game here isn't over: /review looks back at finished games.")
EXPORT_FOR_MODERATORS = gettext_noop("The file is for chat admins.")
PEOPLE_ONLY = gettext_noop(
    "You write as a group or a channel, so I can't tell who you are. Write as yourself and ask again."
)
ONLY_MODERATORS = gettext_noop("Only chat admins can change that.")
NOT_YOURS_TO_HOST = gettext_noop("Only the host or a chat admin can do that.")
NOT_YOURS_TO_STOP = gettext_noop("A game stops when all its players agree, or a chat admin says so.")
NOBODY_CALLED = gettext_noop("Not yet: I'll call them first.")
OWN_MOVE = gettext_noop("That's your own seat: make the move yourself.")
NO_RUNNING_TABLE = gettext_noop("No table here yet. /durak opens one.")
NO_NEWS_HERE = gettext_noop(
    "I can't post anything here: I need the right “{missing}”. An admin can change that."
)
NO_PINS_HERE = gettext_noop(
    "I can't pin anything here: I need the right “{missing}”. Give it to me, then try again."
)
NOT_ALLOWED_HERE = gettext_noop(
    "I can't run a table here: I need the right “{missing}”. An admin can change that."
)
ONLY_ANSWERS = gettext_noop("I'm only a guest here: add me, and I can do that.")
WROTE_IN_PRIVATE = gettext_noop("I've answered in our private chat.")
ENOUGH_POSTS = gettext_noop("That's enough posts for now. Again in {minutes} min.")
NOT_WRITTEN = gettext_noop("I can't save anything right now. Nothing is lost: please try again in a minute.")
DAMAGED = gettext_noop("My database is damaged: the owner of this bot has to restore a backup.")
BROKEN = gettext_noop("Something went wrong on our side. Nothing is lost: please try again.")


# Sentences above that are not refusals.
NOTICES = frozenset(
    {
        LINK_WITHDRAWN,
        NO_FILE,
        READY,
        READY_TO_ASK,
        ALREADY_SO,
        JUST_SHOWN,
        WRITES_AGAIN,
        PLAYS_AGAIN,
        GATHERING_AGAIN,
        CANNOT_WRITE,
    }
)

# The names of the reasons in counters and the log, by their sentences.
_NAMED = [
    (name, value) for name, value in list(globals().items()) if isinstance(value, str) and name.isupper()
]
REASONS = {sentence: name.lower() for name, sentence in _NAMED if sentence not in NOTICES}

# Reasons for several sentences that are not among those above.
RULE_SET = "rule_set"
ARGUMENT = "argument"


def known_reasons() -> frozenset[str]:
    """Returns the names of all reasons for refusals."""
    of_enums = {reason.name.lower() for reason in (*Reason, *TableRefusal)}
    return frozenset({*REASONS.values(), *of_enums, RULE_SET, ARGUMENT})


def move_refusal(reason: Reason, translator: Translator) -> str:
    """Returns the sentence for an illegal move."""
    return translator.text(MOVES[reason])


def refusal_text(refusal: RefusedError, translator: Translator, *, is_typed: bool = False) -> str:
    """Returns the sentence for a refusal; `is_typed` adds the typed names of settings."""
    match refusal.why:
        case TableRefusal():
            return translator.text(TABLES[refusal.why])
        case str():
            return translator.text(refusal.why, **refusal.values)
        case _:
            return rule_set_problem_text(refusal.why, translator, is_typed=is_typed)


def reason_of(refusal: RefusedError) -> str:
    """Returns the name of a refusal's reason, for counters and the log."""
    match refusal.why:
        case TableRefusal():
            return refusal.why.name.lower()
        case str():
            return REASONS.get(refusal.why, ARGUMENT)
        case _:
            return RULE_SET
