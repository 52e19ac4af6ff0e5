"""All rows of the tables of costs, in their order."""

from collections.abc import Mapping, Sequence

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

CHAT = (
    Row(
        name="press-text",
        title="CPU time of a press in a chat, in text",
        before="51 to 60 ms",
        goals=(AtMost(10, "ms"),),
        measure=telegram.cpu_in_text,
        why_missed="Two fifths of the time go to the calls to Telegram and its client library. The rest is "
        "spread over eleven thousand function calls: a sixth of it renders hands, a thirtieth compares "
        "screens. Fewer calls to Telegram would help most.",
    ),
    Row(
        name="press-pictures",
        title="CPU time of a press in a chat, with pictures",
        before="78 to 86 ms",
        goals=(AtMost(22, "ms"),),
        measure=telegram.cpu_with_pictures,
        why_missed="The difference from a press in text is one picture. Two thirds of that go to "
        "compression.",
    ),
    Row(
        name="speed",
        title="presses a second, compared with an echo bot",
        figures=("in text", "with pictures"),
        before="0.19x; 0.15x",
        goals=(AtLeast(1, "x"), AtLeast(0.6, "x")),
        measure=telegram.speed,
        why_missed="Presses mostly wait for CPU time: see above.",
    ),
    Row(
        name="calls",
        title="calls to Telegram for a press, in text; with pictures",
        before="not counted",
        goals=(),
        measure=telegram.calls,
    ),
    Row(
        name="picture",
        title="CPU time of a picture of a table",
        before="31 ms",
        goals=(AtMost(10, "ms"),),
        measure=drawing.table_picture,
        why_missed="Half of the time goes to compression with zlib level 5. Level 3 would save a third of "
        "that, but files would be an eighth larger.",
    ),
)

PAGE = (
    Row(
        name="page",
        title="your own new hand after a press on the page, with 10 tables of 5 players",
        figures=("median", "99th percentile", "median with 10 tables, against one"),
        before="2.3 s on a busy machine",
        goals=(AtMost(100, "ms"), AtMost(250, "ms"), AtMost(5, "x")),
        measure=page.press_to_hand,
        why_missed="The slowest presses wait for simultaneous ones at other tables, because they are "
        "answered one by one.",
    ),
    Row(
        name="languages",
        title="CPU time of a press on the page, with 5 players and 10 spectators",
        figures=("in five languages", "in one language"),
        before="not measured",
        goals=(AtMost(30, "ms"), AtMost(25, "ms")),
        measure=page.press_beside_onlookers,
        why_missed="The table is rendered once for each language.",
    ),
    Row(
        name="first-paint",
        title="first paint of the page, on a slow phone with slow 4G",
        before="2.2 s on a busy machine",
        goals=(AtMost(1, "s"),),
        measure=first_paint.on_a_slow_phone,
        why_missed="The page, its styles and the first paint follow one after another, and scripts come "
        "later.",
    ),
    Row(
        name="slow-3g",
        title="first visit of the page, on a slow phone with slow 3G",
        figures=("until you can type a name", "from the name to the room", "size", "requests"),
        before="2.7 s; 2.0 s; 149 kB; 39",
        goals=(AtMost(4, "s"), AtMost(2, "s"), AtMost(70, "kB"), AtMost(8)),
        measure=first_paint.on_slow_3g,
        why_missed="Most of the bytes are scripts. Headers account for 5 kB and the card graphics for 4. "
        "Shorter names in the scripts would save 8 kB, a sixth of a second. But the only minifier without "
        "Node, tdewolff-minify, takes 8 MiB of memory and has to be compiled on a Mac.",
    ),
    Row(
        name="room-to-table",
        title="opening a table with cards on the page, on a slow phone",
        figures=("longest frame", "layout shift"),
        before="172 to 193 ms; 0.00",
        goals=(AtMost(100, "ms"), AtMost(0.05)),
        measure=first_paint.from_room_to_table,
        why_missed="The place of the table, the hand and the table are drawn in three frames. Half of the "
        "time goes to style and layout.",
    ),
)

RUNNING = (
    Row(
        name="statements",
        title="database work for a press",
        figures=("SQL statements", "`BEGIN IMMEDIATE`", "commits"),
        before="46; 16.6; 5.5",
        goals=(AtMost(10), AtMost(2), AtMost(2)),
        measure=presses.statements_of_a_press,
        why_missed="A hand that is posted again so that the phone rings is noted before and after, which "
        "sometimes takes another transaction.",
    ),
    Row(
        name="journal",
        title="moves stored a second, compared with plain `sqlite3`",
        before="0.07 (0.31 to 0.37 on another disk)",
        goals=(AtLeast(0.8),),
        measure=journal.appends_beside_sqlite,
        why_missed="A move takes ten calls to the driver, aiosqlite, and each is handed to another thread, "
        "so that nobody waits for the disk. The slower the disk, the less that matters: on another one, "
        "where plain `sqlite3` took 0.5 ms for a row, the ratio was 0.63. So only figures from the same "
        "disk can be compared.",
    ),
    Row(
        name="restart",
        title="restart with 1,000 games running",
        figures=("CPU time until all games are restored", "until commands are answered"),
        before="26.5 s; 26.5 s",
        goals=(AtMost(3, "s"), AtMost(1, "s")),
        measure=restart.measured,
    ),
    Row(
        name="moves",
        title="moves a second in the engine, compared with durakgame",
        before="0.18x (24,000 a second)",
        goals=(AtLeast(0.8, "x"),),
        measure=moves.moves_beside_durakgame,
        why_missed="The engine lists all legal moves, checks the one it plays, and returns a new position "
        "with what everybody sees of the move. durakgame changes lists in place and checks nothing. "
        "Functions generated for a single rule set would be faster, but harder to read.",
    ),
    Row(
        name="start",
        title="start without a token",
        figures=("CPU", "memory"),
        before="1.4 s; 120 MiB",
        goals=(AtMost(0.8, "s"), AtMost(85, "MiB")),
        measure=starting.start,
        why_missed="Importing a thousand modules takes 0.9 s and 93 MiB. SQLAlchemy takes a fifth of the "
        "time, and aiohttp an eighth, mostly to load trusted certificates. The rest is spread over "
        "hundreds of modules. SQLModel builds no validators (`defer_build`), as no row is ever "
        "validated. It still takes 6 % of the time, which tables declared with SQLAlchemy alone would "
        "save. The next step would be fewer data classes: generating the code for 425 of them takes 13 %. "
        "The date and number formats of five languages take 9 MiB. They are loaded at startup so that "
        "nobody waits for them later.",
    ),
)

STATISTICS = (
    Row(
        name="tallies",
        title="statistics of 1,000,000 results",
        figures=("`/leaderboard`", "`/stats`", "longest wait of a move at the same time"),
        before="39 s; 73 s; 26 to 44 s",
        goals=(AtMost(0.5, "s"), AtMost(0.5, "s"), AtMost(50, "ms")),
        measure=tallies.long_questions,
    ),
    Row(
        name="mydata",
        title="`/mydata` of a person with 50,000 games and 650,000 moves",
        figures=(
            "CPU time, including other people's moves",
            "all files",
            "longest wait of a move at the same time",
        ),
        before="5.2 s; 3.91 MB; 224 ms",
        goals=(AtMost(2, "s"), AtMost(9, "MB"), AtMost(100, "ms")),
        measure=tallies.everything_about_the_busiest,
        why_missed="Half of the time SQLite writes JSON, and a quarter goes to compression.",
    ),
)

TABLES = (
    Row(
        name="many-tables",
        title="10,000 tables in memory",
        figures=("a press, compared with 10 tables", "longest step of the clean-up"),
        before="66 ms more (not comparable); 1.7 s",
        goals=(AtMost(1.15, "x"), AtMost(10, "ms")),
        measure=many_tables.measured,
        why_missed="Tables are found by key, so their number does not matter. But the cost of a press "
        "varies by a tenth from run to run, and grows with the memory in use.",
    ),
    Row(
        name="growth",
        title="growth",
        figures=(
            "a press with 4,000 tables, compared with 4",
            "opening the database with 300,000 finished games",
        ),
        before="about 1x; 36 s",
        goals=(AtMost(1.15, "x"), AtMost(3, "s")),
        measure=growth.measured,
        why_missed="The cost of a press varies by a tenth from run to run.",
    ),
    Row(
        name="limits",
        title="40 tables within Telegram's rate limits",
        figures=("refusals", "your own new hand after a press, 90th percentile", "calls a press"),
        before="63 %; 6.5 s; 10.4",
        goals=(AtMost(1, "%"), AtMost(1.5, "s"), AtMost(3.5)),
        measure=limits.row(40),
    ),
    Row(
        name="limits-80",
        title="80 tables within Telegram's rate limits",
        figures=("refusals", "your own new hand after a press, 90th percentile", "calls a press"),
        before="88 %; 21 s; 24",
        goals=(AtMost(1, "%"), AtMost(4, "s"), AtMost(3.5)),
        measure=limits.row(80),
    ),
    Row(
        name="limits-at-once",
        title="200 tables, all pressed at once, within Telegram's rate limits",
        figures=(
            "refusals",
            "your own new hand after a press, 90th percentile",
            "the answer to a press, 90th percentile",
        ),
        before="75 %; 32 s; 14 s",
        goals=(AtMost(1, "%"), AtMost(12, "s"), AtMost(2, "s")),
        measure=limits.row(200, rounds=1),
    ),
    Row(
        name="limits-discord",
        title="80 tables within Discord's rate limits",
        figures=("refusals", "your own new hand after a press, 90th percentile", "calls a press"),
        before="1.8 %; 25 s; 5.9",
        goals=(AtMost(1, "%"), AtMost(4, "s"), AtMost(4)),
        measure=limits.row(80, is_discord=True),
    ),
)

REST = (
    Row(
        name="pauses",
        title="longest pause of the event loop",
        figures=("while six tables draw pictures", "during first commands, greetings and first presses"),
        before="86 ms (idle: 9 ms); 84 ms",
        goals=(AtMost(20, "ms"), AtMost(20, "ms")),
        measure=pauses.measured,
        why_missed="Drawing takes turns with the event loop, as both run in one process.",
    ),
    Row(
        name="disk",
        title="disk space of a four-player game",
        before="14.8 KiB, and its messages forever",
        goals=(AtMost(6, "KiB"),),
        measure=disk.disk_of_a_game,
    ),
)

# The rows of each table, by its heading.
GROUPS: Mapping[str, Sequence[Row]] = {
    "A press in a chat": CHAT,
    "The page": PAGE,
    "Storing, restarting and starting": RUNNING,
    "Statistics": STATISTICS,
    "Many tables": TABLES,
    "Pauses and disk space": REST,
}

ROWS = tuple(row for rows in GROUPS.values() for row in rows)
