"""Four short games that teach Durak: positions, the moves that they teach, and sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.locale import gettext_noop
from engine import PRESETS, Move, Rules, State

LEARNER = 0
TEACHER = 1

TEACHER_NAME = "Ada"  # as in the sentences below


@dataclass(frozen=True)
class LessonStep:
    """A move of the learner.

    Attributes:
        task: The sentence before the move.
        move: The text of the move.
        praise: The sentence after the move.
        otherwise: The sentence after a different legal move; empty if there is none. After a second one, the
            lesson names the button to press.
        answers: The teacher's moves after it.
    """

    task: str
    move: str
    praise: str
    otherwise: str = ""
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A short game of two players with an empty talon.

    Attributes:
        title: The heading, in English.
        preset: The name of the rules' preset.
        hands: The cards of the learner and of the teacher.
        trump: The letter of the trump suit.
        opening: The teacher's moves before the first turn; if empty, the learner leads.
        turns: The learner's moves, in order.
    """

    title: str
    preset: str
    hands: tuple[str, str]
    trump: str
    opening: tuple[str, ...]
    turns: tuple[LessonStep, ...]

    def position(self, turn: int) -> State:
        """Returns the position before a turn; the final position if `turn` is the number of turns."""
        attacker = TEACHER if self.opening else LEARNER
        state = State.setup(
            PRESETS[self.preset], hands=self.hands, talon="", trump=self.trump, attacker=attacker
        )
        for move in self.opening:
            state = state.apply(TEACHER, Move.parse(move)).state

        for past_turn in self.turns[:turn]:
            state = state.apply(LEARNER, Move.parse(past_turn.move)).state
            for answer in past_turn.answers:
                state = state.apply(TEACHER, Move.parse(answer)).state

        return state


LESSONS: Sequence[Lesson] = (
    Lesson(
        title=gettext_noop("Beat, or take"),
        preset="podkidnoy-36",
        hands=("9S 6H QC 8C", "7S KH AC TD"),
        trump="D",
        opening=("A 7S",),
        turns=(
            LessonStep(
                gettext_noop("Ada leads 7♠ against you. Beat it with a higher card of its suit."),
                "D 7S 9S",
                gettext_noop("Beaten! Both cards are out of the game, and now you lead."),
                gettext_noop("You can beat this one. If you take it, you keep the card and don't lead next."),
                ("P",),
            ),
            LessonStep(
                gettext_noop("Lead any card. Weak ones first: the strong ones defend you later."),
                "A 6H",
                gettext_noop("Well led: your weakest card has cost Ada a king."),
                gettext_noop("You may, but that one can still beat something. You have a weaker card."),
                ("D 6H KH",),
            ),
            LessonStep(
                gettext_noop("You have no 6 and no king to add. Press Done, and Ada leads."),
                "P",
                gettext_noop("The table is empty again."),
                answers=("A AC",),
            ),
            LessonStep(
                gettext_noop("No club of yours is higher than an ace, and you have no trump. Take it."),
                "T",
                gettext_noop(
                    "You hold an ace now: no shame in that. If you take, you don't lead next, that's all."
                ),
                answers=("P",),
            ),
        ),
    ),
    Lesson(
        title=gettext_noop("Throw in"),
        preset="podkidnoy-36",
        hands=("7S 7H 9C KC", "9S 8H JS QS"),
        trump="D",
        opening=(),
        turns=(
            LessonStep(
                gettext_noop("You lead. You have two sevens: begin with 7♠, the other one comes in handy."),
                "A 7S",
                gettext_noop("Ada beats it with 9♠. The attack isn't over yet!"),
                gettext_noop("You may, but try 7♠ alone: the rest of this lesson follows from it."),
                ("D 7S 9S",),
            ),
            LessonStep(
                gettext_noop("Cards of a rank on the table may be thrown in: here 7 and 9. Throw in 7♥."),
                "A 7H",
                gettext_noop("Beaten as well. Now 7, 8 and 9 lie there."),
                gettext_noop("That's allowed, too. But keep the 9 for a moment, and throw in 7♥."),
                ("D 7H 8H",),
            ),
            LessonStep(
                gettext_noop("Go on while it hurts: which card of yours fits?"),
                "A 9C",
                gettext_noop("Ada has no higher club and no trump, and takes all five cards."),
                gettext_noop("No need to stop: your 9♣ fits the 9♠ on the table."),
                ("T",),
            ),
            LessonStep(
                gettext_noop("While Ada takes, more of these ranks could follow. You have none: Pass."),
                "P",
                gettext_noop("Ada took, so you lead again. Throwing in is how fools are made."),
            ),
        ),
    ),
    Lesson(
        title=gettext_noop("Trumps and the last card"),
        preset="podkidnoy-36",
        hands=("8C 6H 9D", "7C AS TD KC"),
        trump="H",
        opening=("A 7C",),
        turns=(
            LessonStep(
                gettext_noop("Hearts are trumps: they beat every other suit. Is one needed against 7♣?"),
                "D 7C 8C",
                gettext_noop("Right, a higher club is enough. Trumps are for worse times."),
                gettext_noop("Look for something cheaper: trumps are for worse times, and 8♣ is enough."),
                ("P",),
            ),
            LessonStep(
                gettext_noop("You lead. Keep the trump."),
                "A 9D",
                gettext_noop("Ada beats it with 10♦."),
                gettext_noop("Not the trump! It's the only card of yours that beats an ace."),
                ("D 9D TD",),
            ),
            LessonStep(
                gettext_noop("Nothing to add: press Done."),
                "P",
                gettext_noop("Here it comes: Ada leads an ace."),
                answers=("A AS",),
            ),
            LessonStep(
                gettext_noop("Even the lowest trump beats an ace of another suit."),
                "D AS 6H",
                gettext_noop(
                    "That was your last card, and there's nothing to draw: you're safe. Ada still holds K♣, "
                    "and the last one with cards is the fool."
                ),
                gettext_noop("You'd hold two cards, and Ada one. You have a trump: use it!"),
            ),
        ),
    ),
    Lesson(
        title=gettext_noop("Pass it on"),
        preset="perevodnoy",
        hands=("8D JS JD 7D", "8C QS 6S TC"),
        trump="H",
        opening=("A 8C",),
        turns=(
            LessonStep(
                gettext_noop(
                    "Where transfers are on (“Transfer”), a card of the same rank passes an attack on. "
                    "You have an 8, too."
                ),
                "X 8D",
                gettext_noop("Now both eights are against Ada, who can't beat 8♦ and takes."),
                gettext_noop("No need to take: put your 8♦ beside it, and it's Ada's problem."),
                ("T",),
            ),
            LessonStep(
                gettext_noop("No more eights to add: press Pass."),
                "P",
                gettext_noop("Ada took, so it's your lead."),
            ),
            LessonStep(
                gettext_noop("Two jacks again: lead J♠ first."),
                "A JS",
                gettext_noop("Ada beats it with Q♠."),
                gettext_noop("You may, but begin with J♠: Ada wastes the queen on it."),
                ("D JS QS",),
            ),
            LessonStep(
                gettext_noop("And now the other one."),
                "A JD",
                gettext_noop("Ada can't beat J♦, and takes everything again."),
                gettext_noop("Don't stop now: J♦ fits the jack on the table."),
                ("T",),
            ),
            LessonStep(
                gettext_noop("No more jacks or queens: press Pass."),
                "P",
                gettext_noop("One card left!"),
            ),
            LessonStep(
                gettext_noop("Lead your last card."),
                "A 7D",
                gettext_noop("No cards left: you're out, and Ada is the fool. Now try it against a bot!"),
                answers=("T",),
            ),
        ),
    ),
)


def course_of(rules: Rules) -> int:
    """Returns the number of lessons that teach what is played by these rules.

    The lessons about transfers come last, and are left out where nobody may transfer.
    """
    if rules.transfer:
        return len(LESSONS)

    return sum(not PRESETS[lesson.preset].transfer for lesson in LESSONS)
