"""All rows of the list of costs, in their order."""

from tests.bench import (
    disk,
    drawing,
    first_paint,
    growth,
    journal,
    limits,
    many_tables,
    moves,
    page,
    pauses,
    presses,
    restart,
    starting,
    tallies,
    telegram,
)
from tests.bench.rows import AtLeast, AtMost, Row

ROWS = (
    Row(
        name="press-text",
        title="CPU of a press on Telegram, 4 tables of 4 people, in text",
        before="51 to 60 ms (an echo bot with as many calls: 11 ms)",
        goals=(AtMost(10, "ms"),),
        measure=telegram.cpu_in_text,
        why_missed="A busy machine makes everything slower: compare the echo bot. Two fifths are the calls "
        "to Telegram, with the client library. The rest is spread over eleven thousand function calls: a "
        "sixth renders hands, a thirtieth compares screens. Fewer calls to Telegram would help most.",
    ),
    Row(
        name="press-pictures",
        title="CPU of a press with pictures, all processes together",
        before="78 to 86 ms",
        goals=(AtMost(22, "ms"),),
        measure=telegram.cpu_with_pictures,
        why_missed="The difference to a press in text is one picture, and two thirds of that is compression.",
    ),
    Row(
        name="speed",
        title="presses per second, against an echo bot that makes as many calls",
        figures=("in text", "with pictures"),
        before="0.19; 0.15",
        goals=(AtLeast(1, "x"), AtLeast(0.6, "x")),
        measure=telegram.speed,
        why_missed="A press mostly waits for its own CPU time: see above.",
    ),
    Row(
        name="calls",
        title="calls of a press on Telegram, 4 tables of 4 people, in text; with pictures",
        before="not counted",
        goals=(),
        measure=telegram.calls,
    ),
    Row(
        name="picture",
        title="CPU of one picture of a table",
        before="31 ms",
        goals=(AtMost(10, "ms"),),
        measure=drawing.table_picture,
        why_missed="More than half of the time is spent compressing it. Level 5 would save a tenth of that "
        "and make files 7 % larger. Level 3 would save two thirds, make files a quarter larger, and a "
        "crowded table more than 40 kB. Filters save nothing and make files at least a seventh larger.",
    ),
    Row(
        name="page",
        title="press to the presser's new hand on the page, 10 tables of 5 people who think for a second",
        figures=("median", "slowest of a hundred", "median against one table"),
        before="2.3 s on a busy machine",
        goals=(AtMost(100, "ms"), AtMost(250, "ms"), AtMost(5, "x")),
        measure=page.press_to_hand,
        why_missed="The slowest are simultaneous presses at other tables, which are answered one by one. On "
        "a busy machine the bot also waits for the processor, even at a single table.",
    ),
    Row(
        name="languages",
        title="CPU of a press at a table of the page with 5 players and 10 onlookers",
        figures=("in five languages", "all in one"),
        before="not measured",
        goals=(AtMost(30, "ms"), AtMost(25, "ms")),
        measure=page.press_beside_onlookers,
        why_missed="Each language renders the table once more, whoever reads it.",
    ),
    Row(
        name="first-paint",
        title="first paint of the page on a phone 4x slower than this machine, 150 ms and 1.6 Mbit/s away",
        before="2.2 s on a busy machine",
        goals=(AtMost(1, "s"),),
        measure=first_paint.on_a_slow_phone,
        why_missed="A busy machine makes the phone slower as well. The page, its styles and the first paint "
        "follow one another; scripts come after them.",
    ),
    Row(
        name="slow-3g",
        title="first visit of the page with such a phone on slow 3G, 400 ms and 400 kbit/s away",
        figures=("until a name can be typed", "from the name to the room", "size", "requests"),
        before="2.7 s; 2.0 s; 149 kB; 39",
        goals=(AtMost(4, "s"), AtMost(2, "s"), AtMost(70, "kB"), AtMost(8)),
        measure=first_paint.on_slow_3g,
        why_missed="5 kB are the heads of answers, 4 kB the drawings on cards. Shorter names inside of the "
        "scripts would save 7 kB, but no tool that shortens them runs everywhere without Node.",
    ),
    Row(
        name="statements",
        title="database work of a press, 1 table of 4 people",
        figures=("SQL statements", "`BEGIN IMMEDIATE`", "commits"),
        before="46; 16.6; 5.5",
        goals=(AtMost(10), AtMost(2), AtMost(2)),
        measure=presses.statements_of_a_press,
        why_missed="A hand that is posted again, to ring, is noted before and after it is posted, which "
        "sometimes takes one more transaction.",
    ),
    Row(
        name="journal",
        title="journal appends per second, against plain `sqlite3` with the same schema and FULL",
        before="0.31 to 0.37",
        goals=(AtLeast(0.8),),
        measure=journal.appends_beside_sqlite,
        why_missed="Each move visits the thread of the connection once. That keeps the loop free while the "
        "disk writes, and costs less the slower the disk is. Writing on the loop itself would save it, but "
        "then everybody would wait for the disk.",
    ),
    Row(
        name="restart",
        title="restart with 1,000 running games",
        figures=("CPU until nothing is left to do", "until chats are answered"),
        before="26.5 s; 26.5 s",
        goals=(AtMost(3, "s"), AtMost(1, "s")),
        measure=restart.measured,
    ),
    Row(
        name="moves",
        title="moves per second of random games, podkidnoy-36, two players, against PyPI's durakgame 1.0.4",
        before="0.18x (24,000 per second)",
        goals=(AtLeast(0.8, "x"),),
        measure=moves.moves_beside_durakgame,
        why_missed="We choose every move from all legal ones, check it, and return a new position with "
        "events for onlookers. durakgame changes lists in place and checks nothing. A quarter of the time "
        "lists moves, a quarter finds who may act, a quarter ends bouts. Functions generated for one rule "
        "set would be faster, and harder to read.",
    ),
    Row(
        name="start",
        title="import and start without tokens",
        figures=("CPU", "memory"),
        before="1.4 s; 120 MiB",
        goals=(AtMost(0.8, "s"), AtMost(85, "MiB")),
        measure=starting.start,
        why_missed="Importing a thousand modules takes 0.9 s and 93 MiB. SQLAlchemy and the models take half "
        "of both: SQLModel prepares each model for pydantic, which checks no row, so tables written with "
        "SQLAlchemy alone are the next step. aiohttp takes an eighth, mostly for the trusted certificates of "
        "its client. The dates and numbers of five languages take 9 MiB. They are read at the start, so that "
        "nobody's first sentence waits for them.",
    ),
    Row(
        name="tallies",
        title="statistics of 1,000,000 results",
        figures=("`/leaderboard`", "`/stats`", "longest wait of a move meanwhile"),
        before="39 s; 73 s; 26 to 44 s",
        goals=(AtMost(0.5, "s"), AtMost(0.5, "s"), AtMost(50, "ms")),
        measure=tallies.long_questions,
        why_missed="On a busy machine, moves wait for the processor and not for the tallies.",
    ),
    Row(
        name="mydata",
        title="`/mydata` of a person with 50,000 games and 650,000 moves",
        figures=("CPU, others' moves included", "all files", "longest wait of a move meanwhile"),
        before="5.2 s; 3.91 MB; 224 ms",
        goals=(AtMost(2, "s"), AtMost(9, "MB"), AtMost(100, "ms")),
        measure=tallies.everything_about_the_busiest,
        why_missed="SQLite writes JSON for half of the time, and compressing it takes a quarter. On a busy "
        "machine, moves wait for the processor and not for the file.",
    ),
    Row(
        name="many-tables",
        title="10,000 tables in memory",
        figures=("a press, against 10 tables", "longest step of tidying"),
        before="+66 ms; 1.7 s",
        goals=(AtMost(1.15, "x"), AtMost(10, "ms")),
        measure=many_tables.measured,
        why_missed="Tables are found by key, so their number does not matter. Single presses differ by a "
        "tenth and more, and other programs or a larger memory make them slower.",
    ),
    Row(
        name="growth",
        title="growth",
        figures=("a press with 4,000 tables, against 4", "a start with 300,000 games on record"),
        before="the same; 36 s",
        goals=(AtMost(1.15, "x"), AtMost(3, "s")),
        measure=growth.measured,
        why_missed="Single presses differ by a tenth and more where other programs run.",
    ),
    Row(
        name="limits",
        title="40 tables of 4 with a press each 5 seconds on a Telegram that keeps to its limits",
        figures=("refusals", "press to the presser's hand, nine of ten", "calls a press"),
        before="63 %; 6.5 s; 10.4",
        goals=(AtMost(1, "%"), AtMost(1.5, "s"), AtMost(3.5)),
        measure=limits.row(40),
        why_missed="A busy machine makes everything later.",
    ),
    Row(
        name="limits-80",
        title="80 such tables",
        figures=("refusals", "press to the presser's hand, nine of ten", "calls a press"),
        before="88 %; 21 s; 24",
        goals=(AtMost(1, "%"), AtMost(4, "s"), AtMost(3.5)),
        measure=limits.row(80),
        why_missed="A busy machine makes everything later.",
    ),
    Row(
        name="limits-at-once",
        title="200 such tables, all pressing at once",
        figures=("refusals", "press to the presser's hand, nine of ten", "answered, nine of ten"),
        before="75 %; 32 s; 14 s",
        goals=(AtMost(1, "%"), AtMost(12, "s"), AtMost(2, "s")),
        measure=limits.row(200, rounds=1),
        why_missed="A busy machine makes everything later.",
    ),
    Row(
        name="limits-discord",
        title="80 tables on a Discord that keeps to its limits",
        figures=("refusals", "press to the presser's hand, nine of ten", "calls a press"),
        before="1.8 %; 25 s; 5.9",
        goals=(AtMost(1, "%"), AtMost(4, "s"), AtMost(4)),
        measure=limits.row(80, is_discord=True),
        why_missed="A busy machine makes everything later.",
    ),
    Row(
        name="pauses",
        title="longest pause of the event loop",
        figures=("while six tables draw", "for a first or second command, a hello, or a first press"),
        before="86 ms (idle: 9 ms); 84 ms",
        goals=(AtMost(20, "ms"), AtMost(20, "ms")),
        measure=pauses.measured,
        why_missed="On a busy machine the pauses while tables draw come from the machine: the loop itself "
        "computes for 16 ms at most, for six simultaneous presses whose answers cannot wait.",
    ),
    Row(
        name="disk",
        title="disk space of a game of podkidnoy-36 among four, in text",
        before="14.8 KiB, and its messages for ever",
        goals=(AtMost(6, "KiB"),),
        measure=disk.disk_of_a_game,
    ),
)
