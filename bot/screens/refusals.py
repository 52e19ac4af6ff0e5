"""Why something did not happen, in a sentence for the person who tried it."""

from bot.locale import Voice, sentence
from bot.model.table import TableRefusal, TableRefusedError
from bot.screens.clashes import clash_text
from engine import Reason

MOVES: dict[Reason, str] = {
    Reason.GAME_OVER: sentence("The game is over."),
    Reason.NO_SUCH_SEAT: sentence("You do not sit at this table."),
    Reason.OUT_OF_GAME: sentence("You are out of this game already: well done."),
    Reason.NOT_YOUR_TURN: sentence("It is not your turn."),
    Reason.NOT_ATTACKER: sentence("Another player attacks first."),
    Reason.NOT_DEFENDER: sentence("Only the defender may do that."),
    Reason.DEFENDER_CANNOT_ATTACK: sentence("You defend in this bout."),
    Reason.TEAMMATE: sentence("Your partner defends: no cards against your own team."),
    Reason.NOT_IN_HAND: sentence("You do not hold that card."),
    Reason.OPENING_ONE_CARD: sentence("The attack begins with one card."),
    Reason.ONE_RANK: sentence("Cards played together must have the same rank."),
    Reason.ONE_AT_A_TIME: sentence("Throw in one card at a time."),
    Reason.THROW_IN_OFF: sentence("Nobody throws in by these rules."),
    Reason.NOT_A_HELPER: sentence("You may not throw in against this defender."),
    Reason.TOO_EARLY: sentence("Not yet: the defender answers first."),
    Reason.AFTER_TAKE: sentence("The defender takes: nothing may be added."),
    Reason.RANK_NOT_ON_TABLE: sentence("Only ranks that lie on the table may be thrown in."),
    Reason.LIMIT: sentence("No more cards fit into this attack."),
    Reason.WAIT_FOR_OTHERS: sentence("Others may throw in before you."),
    Reason.ALREADY_DONE: sentence("You are done in this bout."),
    Reason.NOTHING_TO_DECLINE: sentence("There is nothing to decline now."),
    Reason.NO_SUCH_ATTACK: sentence("That card needs no answer."),
    Reason.DOES_NOT_BEAT: sentence("That card does not beat it."),
    Reason.NOTHING_TO_TAKE: sentence("There is nothing to take."),
    Reason.ALREADY_TAKING: sentence("You take already."),
    Reason.MUST_BEAT: sentence("You can beat it, so by these rules you must."),
    Reason.TRANSFER_OFF: sentence("The attack cannot be transferred by these rules."),
    Reason.TRANSFER_RANK: sentence("Transfer with a card of the attack's rank."),
    Reason.TRANSFER_TOO_LATE: sentence("Too late to transfer: a card is beaten already."),
    Reason.TRANSFER_ONE_CARD: sentence("Transfer with one card."),
    Reason.TRANSFER_NO_ROOM: sentence("The next player holds too few cards for this attack."),
    Reason.TRANSFER_FIRST_BOUT: sentence("The first attack of a game cannot be transferred."),
    Reason.SHOW_OFF: sentence("Showing a trump does not transfer by these rules."),
    Reason.SHOW_WRONG_CARD: sentence("Show the trump of the attack's rank."),
    Reason.SHOWN_ALREADY: sentence("This trump has transferred in this bout already."),
    Reason.LAY_AWAY_OFF: sentence("Four of a kind stay in the hand by these rules."),
    Reason.NOT_FOUR: sentence("You do not hold all four."),
    Reason.TABLE_NOT_EMPTY: sentence("Wait until the table is empty."),
    Reason.KEEP_A_CARD: sentence("Keep a card to attack with."),
    Reason.EXCHANGE_OFF: sentence("The turn-up is not exchanged by these rules."),
    Reason.NO_EXCHANGE: sentence("You cannot exchange the turn-up now."),
    Reason.REDEAL_OFF: sentence("There is no new deal by these rules."),
    Reason.NO_REDEAL: sentence("Your hand gives no right to a new deal."),
    Reason.KEPT_ALREADY: sentence("You keep your cards in this game."),
    Reason.NOT_ALL_KEPT: sentence("The attack begins when everybody has looked at their cards."),
}

LOBBY: dict[TableRefusal, str] = {
    TableRefusal.ALREADY_SEATED: sentence("You sit at this table already."),
    TableRefusal.NOT_SEATED: sentence("You do not sit at this table."),
    TableRefusal.FULL: sentence("All seats are taken."),
    TableRefusal.NOT_GATHERING: sentence("This game is not gathering players any more."),
    TableRefusal.ONLY_OPENER: sentence("Only who opened the table may do that."),
    TableRefusal.ALONE: sentence(
        "It takes one more player: wait for somebody to join, or press “Add house player”."
    ),
    TableRefusal.NOBODY_HUMAN: sentence("House players do not play by themselves."),
    TableRefusal.NO_HOUSE_PLAYER: sentence("No house player sits here."),
    TableRefusal.RULES_DO_NOT_FIT: sentence("These rules do not fit this number of players."),
    TableRefusal.NOT_PLAYING: sentence("No game is running here."),
    TableRefusal.NOT_OVER: sentence("The game is not over."),
    TableRefusal.ROOM_TAKEN: sentence("Another table stands here: finish that game first."),
}

STALE = sentence("The table has moved on: here is how it stands now.")
UNREADABLE = sentence("That button is not from here.")
NO_TABLE = sentence("There is no such table here. /durak opens a new one.")
NOT_SEATED = sentence("You do not sit at this table.")
OVER = sentence("This game is over.")
PAST_GAME = sentence("That belongs to an earlier game.")
FROZEN = sentence("The record of this game is damaged, so it cannot go on. /stop puts the table away.")
NO_CARDS = sentence("You hold no cards at the moment. /durak opens a table.")
NOT_DEALT = sentence("The cards are not dealt yet.")
READY = sentence("All set: your cards will come here when the game starts.")
NOT_YOURS_TO_CLOSE = sentence("Only who opened the table, or an admin of this chat, may close it.")
NOTHING_TO_ADVISE = sentence("No table waits for a move of yours.")
NO_HINTS = sentence("Hints are off at this table.")
NO_FINISHED_GAME = sentence("No game has been finished here yet.")
NO_GAME_OF_YOURS = sentence("You have finished no game yet.")
STILL_PLAYING = sentence("Your game here is not over: /review looks back at finished games.")
EXPORT_FOR_MODERATORS = sentence("The file is for admins of this chat.")
ONLY_MODERATORS = sentence("Only admins of this chat may change that.")
NOT_YOURS_TO_HOST = sentence("That is for who opened the table, or an admin of this chat.")
NOT_YOURS_TO_STOP = sentence(
    "A running game stops when everybody agrees who plays, or when an admin of this chat says so."
)
OTHERS_HAVE_TO_AGREE = sentence("Noted: the game stops as soon as everybody agrees who plays.")
NOBODY_CALLED = sentence("Not yet: first they are called, and get some time to come back.")
NO_RUNNING_TABLE = sentence("No table stands here. /durak opens one.")
NOT_ALLOWED_HERE = sentence(
    "I cannot keep a table here, because I am not allowed to: {missing}. An admin can change that."
)
NOT_WRITTEN = sentence(
    "I cannot write anything down at the moment. Nothing is lost: please try again in a minute."
)
BROKEN = sentence("Something went wrong on our side. Nothing is lost: please try again.")


def move_refusal(reason: Reason, voice: Voice) -> str:
    """Say why a move is against the rules."""
    return voice.say(MOVES[reason])


def table_refusal(refused: TableRefusedError, voice: Voice) -> str:
    """Say why the people of a table stay as they are."""
    if refused.clashes:
        return clash_text(refused.clashes[0], voice)
    return voice.say(LOBBY[refused.reason])
