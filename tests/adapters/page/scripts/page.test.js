// The logic in the page's scripts: the meaning of a tap, the choice of the table, and the fate of a move.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import "./browser.js";

const PAGE = "../../../../adapters/web/page";
const { Boards, isTorn, stepBefore } = await import(`${PAGE}/moment.js`);
const { keyed, spoken } = await import(`${PAGE}/cards.js`);
const { INDEX, INDEX_WIDTH } = await import(`${PAGE}/deck.js`);
const { Choice } = await import(`${PAGE}/moves.js`);
const { arrowOf, obstaclesOf } = await import(`${PAGE}/arrow.js`);
const { cardWidth, fanOf, layoutOf, lyingIn, overlapOf } = await import(`${PAGE}/layout.js`);
const { viewFor } = await import(`${PAGE}/lobby.js`);
const { hasFinished, knownGuests, noteFinished, remember } = await import(`${PAGE}/memory.js`);
const { MessageList } = await import(`${PAGE}/messages.js`);
const { Outbound } = await import(`${PAGE}/connection.js`);
const { OfflineError } = await import(`${PAGE}/connection.js`);
const { roomName } = await import(`${PAGE}/gather.js`);
const { Stream } = await import(`${PAGE}/connection.js`);
const { shortened } = await import(`${PAGE}/avatars.js`);
const { t } = await import(`${PAGE}/texts.js`);
const { soundBetween } = await import(`${PAGE}/announcer.js`);
const { listen } = await import(`${PAGE}/touch.js`);
const { Underway } = await import(`${PAGE}/moves.js`);

const KINDS = { A: "attack", D: "beat", X: "transfer", T: "take" };

function move(text) {
  const [letter, ...cards] = text.split(" ");
  const attack = letter === "D" ? cards.shift() : null;
  return { token: `m:1:1:${text}`, kind: KINDS[letter], cards, attack, label: text };
}

function chosen(held, ...moves) {
  const choice = new Choice();
  choice.offer(moves.map(move), held.split(" "));
  return choice;
}

test("the second tap on a card plays it if that means one thing", () => {
  const choice = chosen("TD 6C", "D 9D TD");
  assert.equal(choice.tapCard("TD"), null);
  assert.equal(choice.tapCard("TD").token, "m:1:1:D 9D TD");
});

test("one tap plays a card that can mean one thing, where that is wanted", () => {
  const choice = chosen("TD KH 6C 6D", "D 9D TD", "D 9D KH", "D JD KH", "X 6C", "X 6C 6D");
  choice.isOneTap = true;
  assert.equal(choice.tapCard("KH"), null);
  choice.clear();
  assert.equal(choice.tapCard("6C"), null);
  choice.clear();
  assert.equal(choice.tapCard("TD").token, "m:1:1:D 9D TD");
});

test("a card that beats two is sent to the one that is tapped", () => {
  const choice = chosen("KH", "D 9D KH", "D JD KH");
  choice.tapCard("KH");
  assert.equal(choice.tapCard("KH"), null);
  assert.deepEqual([...choice.targets], ["9D", "JD"]);
  assert.equal(choice.tapAttack("JD").token, "m:1:1:D JD KH");
});

test("the attack card can be tapped first", () => {
  const choice = chosen("KH", "D 9D KH");
  assert.equal(choice.tapAttack("9D"), null);
  assert.equal(choice.tapCard("KH").token, "m:1:1:D 9D KH");
});

test("equal cards are laid together, and what fits nothing is put back", () => {
  const choice = chosen("6D 6H 8C", "A 6D", "A 6H", "A 6D 6H", "A 8C");
  for (const key of ["6D", "6H"]) choice.tapCard(key);
  assert.equal(choice.exact.length, 1);
  choice.tapCard("8C");
  assert.deepEqual(choice.chosen, ["8C"]);
});

test("a choice outlives an update unless its card is gone", () => {
  const choice = chosen("6D 8C", "A 6D", "A 8C");
  choice.tapCard("6D");
  choice.offer([move("A 6D")], ["6D"]);
  assert.deepEqual(choice.chosen, ["6D"]);
  choice.offer([move("A 8C")], ["8C"]);
  assert.deepEqual(choice.chosen, []);
});

test("a card is dropped on what it beats, or on the table if it can mean one thing", () => {
  const choice = chosen("KH 9C", "D 9D KH", "D JD KH", "X 9C");
  assert.equal(choice.drop("KH", "JD").token, "m:1:1:D JD KH");
  assert.equal(choice.drop("KH", null), null);
  assert.equal(choice.drop("9C", null).token, "m:1:1:X 9C");
});

test("a card cheats only by a drop where it does not belong", () => {
  const choice = chosen("KH 7C", "D 9D KH");
  choice.offer([move("D 9D KH")], ["KH", "7C"], ["D 9D 7C", "D JD 7C", "D JD KH", "X KH", "X 7C"].map(move));
  for (const tap of [() => choice.tapCard("7C"), () => choice.tapAttack("JD"), () => choice.tapTable()]) {
    assert.equal(tap(), null);
  }
  assert.deepEqual([...choice.dropTargets("7C")], ["9D", "JD"]);
  assert.equal(choice.cheat("7C", "JD").token, "m:1:1:D JD 7C");
  assert.equal(choice.cheat("7C", null).token, "m:1:1:X 7C");
  assert.equal(choice.cheat("KH", "JD").token, "m:1:1:D JD KH");
  assert.equal(choice.cheat("KH", null), null); // a card that fits somewhere has just missed its target
});

test("equal cards of two decks have keys of their own", () => {
  assert.deepEqual(keyed(["9H", "9H"]).map(({ key }) => key), ["9H", "9H#2"]);
});

test("cards in a sentence are spoken in words", () => {
  assert.equal(spoken("Anna plays 10♥ and J♣."), "Anna plays ten of hearts and jack of clubs.");
});

test("a sentence has its values in their places", () => {
  assert.equal(t("Review: move {n}", { n: 3 }), "Review: move 3");
});

test("a room's name can stand in an address, in every script", () => {
  assert.equal(roomName("  У Бабы  Яги! "), "У-Бабы-Яги");
  assert.equal(roomName("?!"), "");
});

test("everybody is shown what they can do in a lobby", () => {
  const board = {
    players: [{ user: "a", is_host: true }, { user: "b", is_host: false }, { user: null }],
    for_host: "host", for_seated: "seated", for_others: "others",
  };
  assert.deepEqual(["a", "b", "c", ""].map((id) => viewFor(board, { id })), ["host", "seated", "others", "others"]);
});

const board = (id, facts = {}) => ({ id, seats: [{ user: "a" }], is_over: false, ...facts });
const message = (id, content, isPrivate = false) => ({ id: String(id), private: isPrivate, content });

test("one's own running table is shown, and not a newer one of others", () => {
  const boards = new Boards();
  boards.put(message(1, { board: board("1:1") }));
  boards.put(message(2, { board: board("2:1", { seats: [{ user: "b" }] }) }));
  assert.equal(boards.newest({ id: "a" }).table.id, "1");
  assert.equal(boards.newest({ id: "c" }).table.id, "2");
});

test("a result comes with how its reader fared, and gives its place to the next lobby", () => {
  const boards = new Boards();
  boards.put(message(1, { board: board("1:1", { is_over: true }) }));
  boards.put(message(2, { board: board("1:1", { is_over: true }) }));
  boards.put(message(3, { game: "1-1" }, true));
  const { result, ending } = boards.newest({ id: "a" });
  assert.deepEqual([result.id, ending.id], ["2", "3"]);
  boards.put(message(4, { board: { id: "1:2", players: [] } }));
  assert.equal(boards.newest({ id: "a" }).lobby.id, "4");
});

test("a result stays for those whom its rematch is waiting for, until they sit down or leave it", () => {
  const boards = new Boards();
  const seats = [{ user: "a" }, { user: "b" }];
  boards.put(message(1, { board: board("1:1", { is_over: true, seats }) }));
  boards.put(message(2, { board: board("1:1", { is_over: true, seats }), game: "1-1" }));
  const rematch = { id: "1:2", players: [{ user: "a" }], expected: [{ user: "b" }] };
  boards.put(message(4, { board: rematch }));
  assert.equal(boards.newest({ id: "a" }).lobby.id, "4");
  assert.equal(boards.newest({ id: "b" }).result.id, "2");
  assert.equal(boards.newest({ id: "b" }, "", "1:1").lobby.id, "4", "they have left it");
  assert.equal(boards.newest({ id: "c" }).lobby.id, "4");

  const lobby = { ...rematch, players: [{ user: "a" }, { user: "b" }], expected: [] };
  boards.put(message(4, { board: lobby }));
  assert.equal(boards.newest({ id: "b" }, "1:1").lobby.id, "4");
  assert.equal(boards.resultBefore(message(4, { board: lobby }), { id: "b" }).id, "2");
  assert.equal(boards.resultBefore(message(4, { board: lobby }), { id: "c" }), null);
  assert.equal(boards.resultBefore(message(5, { board: { ...lobby, id: "2:1" } }), { id: "b" }), null, "another table");
});

test("after a game that was stopped, the result of the one before is not shown again", () => {
  const boards = new Boards();
  boards.put(message(1, { board: board("1:1", { is_over: true }) }));
  boards.put(message(2, { board: board("1:1", { is_over: true }), game: "1-1" }));
  boards.put(message(3, { game: "1-1", document: {} }));
  assert.equal(boards.lastStop, null, "a film of a game is not its stop");
  boards.put(message(4, { board: board("1:2") }));
  boards.put(message(4, { game: "1-2" }));
  assert.equal(boards.newest({ id: "a" }), null);
  assert.equal(boards.lastStop.id, "4");
  assert.equal(boards.newest({ id: "a" }, "1:1").result.id, "2", "a result that is being read stays");
  boards.put(message(5, { board: board("2:1") }));
  assert.equal(boards.newest({ id: "a" }).table.id, "5");
});

test("a table waits for the hand of the same moment, unless its reader only looks on or it is over", () => {
  const shown = (step, handStep, facts) => ({
    table: message(1, { board: board("1:1", { step, ...facts }) }),
    hand: handStep && message(2, { board: { step: handStep } }, true),
  });
  const torn = [shown(2, 1), shown(1, 2), shown(1, null)];
  assert.deepEqual([shown(2, 2), ...torn, shown(2, null, { is_over: true })].map((each) => isTorn(each, { id: "a" })), [false, true, true, true, false]);
  assert.deepEqual(torn.map((each) => isTorn(each, { id: "b" })), [false, false, false]);
});

test("the last cards of a bout are seen before they go, and the table of a game before its result", () => {
  const shown = (facts, more) => ({ table: message(1, { board: board("1:1", { bout: [], latest: [], ...facts }) }), hand: null, result: null, ...more });
  const open = [{ attack: "6C", beat: null }];
  const beaten = [{ attack: "6C", beat: "9C" }];
  const before = shown({ bout: open });
  const after = shown({ last_bout: beaten });
  assert.deepEqual(stepBefore(before, after).table.content.board.bout, beaten);
  assert.equal(stepBefore(shown({ bout: beaten }), after), null, "they were seen");
  assert.equal(stepBefore(null, after), null);
  assert.equal(stepBefore(before, shown({})), null, "an earlier version's board");

  const over = shown({ is_over: true, last_bout: open }, { result: message(2, {}) });
  assert.equal(stepBefore(before, over).result, null);
  assert.equal(stepBefore(shown({ is_over: true }), over), null, "the table of its end was seen");
});

const view = (step, cards, ...moves) => ({
  board: { id: "1:1", step, bout: [{ attack: "9D", beat: null }], seats: [{ cards: cards.length }] },
  hand: { cards, moves: moves.map(move) },
  own: 0,
  handMessage: "7",
});

test("a move is seen at once, sent with its newest token, and over when table and hand show it", async () => {
  const sent = [];
  const underway = new Underway(async (...what) => { sent.push(what.slice(0, 2)); return {}; }, () => {});
  const before = view(1, ["TD", "6C"], "D 9D TD");
  underway.look(before);
  underway.begin(before.hand.moves[0], ["TD"], 0);
  assert.deepEqual(underway.boardAfter(before.board).bout, [{ attack: "9D", beat: "TD" }]);
  assert.deepEqual([...underway.keys], ["TD"]);
  underway.follow(view(2, ["6C"]));
  assert.equal(underway.move, null);
  assert.deepEqual(sent, [["7", "m:1:1:D 9D TD"]]);
});

test("a refused move is taken back, and one that counted is not refused", async () => {
  let isMoot;
  const underway = new Underway(async (_message, _token, moot) => { isMoot = moot; return { toast: "no" }; }, () => {});
  const before = view(1, ["TD"], "D 9D TD");
  underway.look(before);
  underway.begin(before.hand.moves[0], ["TD"], 0);
  assert.equal(isMoot(), false);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(underway.move, null);
  assert.equal(isMoot(), true);
});

function late(sent, refusals) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const send = async (...what) => { sent.push(what.slice(0, 2)); return {}; };
  const underway = new Underway(send, () => {}, (keys) => refusals.push(keys));
  const before = view(1, ["TD"], "A TD");
  underway.look(before);
  underway.look(view(2, ["TD"], "D 9D TD")); // somebody else's card arrived in the meantime
  underway.begin(before.hand.moves[0], ["TD"], 0);
  return underway;
}

test("a move that the newest hand does not offer waits for the next one", () => {
  const sent = [];
  const refusals = [];
  const underway = late(sent, refusals);
  assert.equal(underway.mayBeUndone, false);
  mock.timers.tick(300);
  underway.look(view(3, ["TD"], "A TD"));
  assert.deepEqual(sent, [["7", "m:1:1:A TD"]]);

  underway.look(view(4, ["TD"], "A TD"));
  mock.timers.tick(1000);
  assert.equal(sent.length, 1, "it is sent once");
  assert.deepEqual(refusals, []);
  mock.timers.reset();
});

test("a move that the next hand does not offer either is refused", () => {
  const sent = [];
  const refusals = [];
  const underway = late(sent, refusals);
  underway.look(view(3, ["TD"], "D 9D TD"));
  assert.deepEqual(refusals, [], "another hand may come");
  mock.timers.tick(1000);
  assert.deepEqual(refusals, [["TD"]]);
  assert.equal(underway.move, null);
  assert.deepEqual(sent, []);
  mock.timers.reset();
});

test("a move whose game is over meanwhile is neither sent nor refused", () => {
  const sent = [];
  const refusals = [];
  const underway = late(sent, refusals);
  const next = view(1, ["TD"], "A TD");
  next.board.id = "2:1";
  underway.look(next);
  underway.follow(next);
  mock.timers.tick(1000);
  assert.deepEqual([sent, refusals], [[], []]);
  mock.timers.reset();
});

test("what finds no connection is sent again under its own name, once there is one", async () => {
  const sent = [];
  const api = { send: async (what, body) => { if (sent.push(body) === 1) throw new OfflineError("no"); return { what }; } };
  const outbound = new Outbound(api, { doubt: () => {}, waiting: () => setTimeout(() => outbound.up()) });
  assert.deepEqual(await outbound.send("lines", { text: "/durak" }), { what: "lines" });
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[0], sent[1]);
  assert.match(sent[0].name, /^[0-9a-f]{32}$/);
});

test("a list leaves its newest end only for a reader who scrolled up", () => {
  const scroll = { addEventListener: () => {}, scrollTop: 0, scrollHeight: 500, clientHeight: 500 };
  const list = new MessageList({}, scroll, {});
  const grow = (height) => { scroll.scrollHeight += height; list.scrolled(); list.settle(); };
  for (let n = 0; n < 3; n++) grow(400);
  assert.equal(scroll.scrollTop, 1700);
  scroll.scrollTop = 300;
  grow(400);
  assert.equal(scroll.scrollTop, 300);
  scroll.scrollTop = 1600;
  grow(0);
  assert.equal(scroll.scrollTop, 2100);
});

/** A stream with the events that it reported, and the sockets that it opened. */
function streamed() {
  const [events, sockets] = [[], []];
  globalThis.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    sent = [];
    constructor() { sockets.push(this); }
    send(text) { this.sent.push(text); }
    close() { this.readyState = 3; }
    hear(frame) { this.onmessage({ data: JSON.stringify(frame) }); }
  };
  const on = (name) => (...what) => events.push([name, ...what]);
  new Stream("main", "secret", { frame: on("frame"), up: on("up"), down: on("down"), unknown: on("unknown") });
  return { events, sockets };
}

test("a silent line is asked, given up, and tried again", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { events, sockets: [socket, ...others], sockets } = streamed();
  assert.deepEqual(others, []);
  socket.onopen();
  socket.hear({ type: "all" });
  mock.timers.tick(12_000);
  assert.deepEqual(socket.sent, ['{"secret":"secret"}', "?"]);
  socket.hear({ type: "here" });
  assert.deepEqual(events.map(([name]) => name), ["up", "frame", "frame"]);
  mock.timers.tick(12_000);
  mock.timers.tick(3_000);
  assert.deepEqual(events.at(-1), ["down", ""]);
  mock.timers.tick(1_000);
  assert.equal(sockets.length, 2);
  socket.onclose({ code: 1006, reason: "" });
  assert.equal(events.length, 4, "the end of a line that was given up means nothing");
});

test("a guest whom the bot does not know is not tried again", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { events, sockets } = streamed();
  sockets[0].onclose({ code: 4401, reason: "unknown" });
  mock.timers.tick(60_000);
  assert.deepEqual([events, sockets.length], [[["unknown"]], 1]);
});

test("a browser that refuses storage knows no guest, and lets them in all the same", () => {
  const { localStorage } = globalThis;
  Object.defineProperty(globalThis, "localStorage", { get: () => assert.fail("SecurityError"), configurable: true });
  remember({ name: "Anna", secret: "s" });
  assert.deepEqual(knownGuests(), []);
  Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true });
});

test("of two guests of one browser, only the one who has finished a game has", () => {
  const { localStorage } = globalThis;
  const stored = new Map();
  const storage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => stored.set(name, text) };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  noteFinished("7");
  noteFinished("12");
  assert.deepEqual(["7", "12", "1", ""].map(hasFinished), [true, true, false, false]);
  Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true });
});

test("a finger that strays a little taps what it came down on, and one that moves drags it", () => {
  const done = [];
  const root = new EventTarget();
  const finger = (target, type, clientX) => target.dispatchEvent(
    Object.assign(new Event(type), { clientX, clientY: 0, pointerId: 1, isPrimary: true, button: 0 }),
  );
  let under = "9H";
  listen(root, {
    find: () => under,
    tap: (found) => done.push(["tap", found]),
    mayDrag: () => true,
    drag: (found, x) => done.push(["drag", found, x]),
    drop: (found, x) => done.push(["drop", found, x]),
    rest: () => done.push(["rest"]),
  });
  finger(root, "pointerdown", 100);
  under = "JH";
  finger(window, "pointermove", 105);
  finger(window, "pointerup", 105);
  assert.deepEqual(done.splice(0), [["tap", "9H"]]);
  finger(root, "pointerdown", 100);
  finger(window, "pointermove", 130);
  finger(window, "pointerup", 131);
  assert.deepEqual(done, [["drag", "JH", 30], ["drop", "JH", 131], ["rest"]]);
});

test("names that are too long for their place keep what distinguishes them", () => {
  assert.equal(shortened("Žygimantas Petrauskas", 20), "Žygimantas Petrauskas");
  assert.equal(shortened("Александра Константиновна", 20), "Александра Конс…новна");
  assert.notEqual(shortened("Александра Константиновна", 16), shortened("Александра Константинопольская", 16));
});

const TABLES = [
  [304, 300], [344, 330], [374, 520], [398, 600], [584, 420], [640, 140],
  [752, 640], [828, 150], [1004, 380], [1264, 440], [1424, 600], [1904, 760],
];

const COACHING = [{ letters: 54, row: 0 }, { letters: 80, row: 0 }];
const QUESTION = [{ letters: 60, row: 0 }, { letters: 40, row: 52 }];

for (const text of [16, 20, 32]) {
  for (const [what, notes, least] of [["nothing", [], 30], ["a first game's coaching", COACHING, 26], ["a question", QUESTION, 22]]) {
    test(`nothing on a table lies over anything else, for 2 to 6 at 12 sizes, in text of ${text} pixels, with ${what} in words`, () => {
      for (const [width, height] of TABLES) {
        for (const others of [1, 2, 3, 4, 5, 6]) {
          const layout = layoutOf({ width, height, text, others, notes });
          const { seats, own, talon, heap, bout } = layout;
          const boxes = [...seats, talon, heap, bout, ...[own, layout.notes].filter(Boolean)];
          const where = `${others} others at ${width} x ${height}`;
          assert.equal(Boolean(layout.notes), notes.length > 0, where);
          assert.equal(seats.length, others, where);
          assert.equal(overlapOf(boxes), null, where);
          for (const box of boxes) {
            assert.ok(box.x >= -1 && box.x + box.width <= width + 1, where);
            assert.ok(box.y >= -1 && box.y + box.height <= height + 1, where);
          }
          assert.ok(cardWidth(3, bout) >= least, `${where}: ${cardWidth(3, bout)}`);
        }
      }
    });
  }
}

test("a single opponent sits in the middle wherever their face finds room above the bout", () => {
  for (const [width, height] of [[344, 158], [752, 265], [640, 180], [828, 200], [1264, 440]]) {
    const [seat] = layoutOf({ width, height, text: 16, others: 1 }).seats;
    assert.ok(Math.abs(seat.x + seat.width / 2 - width / 2) < 1, `at ${width} x ${height}`);
  }
  const [aside] = layoutOf({ width: 828, height: 120, text: 16, others: 1 }).seats;
  assert.ok(aside.x + aside.width < 414, "the cards would be too small");
});

/** Lists all attacks there can be: between any two of the others, and on and by the reader. */
function attacks(others) {
  const seats = Array.from({ length: others }, (_, n) => n);
  const between = seats.flatMap((from) => seats.filter((to) => to !== from).map((to) => ({ from, to })));
  const withReader = seats.flatMap((seat) => [{ from: seat, to: null }, { from: null, to: seat }]);
  return [...between, ...withReader];
}

/** Returns the spots of a way, a pixel from one another. */
function alongWay(way) {
  return way.slice(1).flatMap((end, n) => {
    const start = way[n];
    const steps = Math.ceil(Math.hypot(end.x - start.x, end.y - start.y));
    return Array.from({ length: steps + 1 }, (_, step) => ({
      x: start.x + ((end.x - start.x) * step) / steps,
      y: start.y + ((end.y - start.y) * step) / steps,
    }));
  });
}

const holds = ({ x, y, width, height }, spot) =>
  spot.x > x && spot.x < x + width && spot.y > y && spot.y < y + height;

/** Returns whether an arrow, made longer at its tip, meets a box. */
function isPointedAt(box, way) {
  const [before, tip] = way.slice(-2);
  const far = Math.hypot(tip.x - before.x, tip.y - before.y);
  const step = (n) => ({ x: tip.x + ((tip.x - before.x) / far) * n, y: tip.y + ((tip.y - before.y) / far) * n });
  return Array.from({ length: 1200 }, (_, n) => step(2 * n)).some((spot) => holds(box, spot));
}

for (const text of [16, 20, 32]) {
  test(`an arrow points at the defender and crosses nothing, for 2 to 6 at 12 sizes, in text of ${text} pixels`, () => {
    let drawn = 0;
    let all = 0;
    for (const [width, height] of TABLES) {
      for (const [others, notes, pairs] of [2, 3, 4, 5, 6].flatMap((n) => [[n, [], 1], [n, COACHING, 2], [n, [], 3], [n, [], 6]])) {
        const layout = layoutOf({ width, height, text, others, notes });
        const obstacles = obstaclesOf(layout, pairs);
        for (const { from, to } of attacks(others)) {
          const where = `${from} attacks ${to} of ${others} over ${pairs} pairs at ${width} x ${height}`;
          const way = arrowOf(layout, { pairs, from, to });
          const isDrawn = layout.own || (from !== null && to !== null);
          if (!isDrawn) assert.equal(way, null, where);
          if (!isDrawn) continue;
          if (!layout.isRound) all += 1;
          const isNeighbour = others < 6 && from !== null && to !== null && Math.abs(from - to) === 1;
          const isRoomy = layout.isRound && width > 1200 && pairs <= 3 && text === 16 && !notes.length;
          if (isNeighbour && isRoomy) assert.ok(way, where);
          if (!way) continue;

          if (!layout.isRound) drawn += 1;
          const [before, tip] = way.slice(-2);
          const crossed = obstacles.find((box) => alongWay(way).some((spot) => holds(box, spot)));
          assert.equal(crossed, undefined, where);
          assert.ok(Math.hypot(tip.x - before.x, tip.y - before.y) >= 0.75 * layout.em, `${where}: its head`);
          assert.ok(isPointedAt(to === null ? layout.own : layout.seats[to], way), where);
        }
      }
    }
    assert.ok(drawn > 0.99 * all, `${drawn} of ${all}`);
  });
}

test("on a desk people sit around an ellipse, and the cards between them are as large as those of a hand", () => {
  for (const [width, height, largest] of [[1264, 420, 108], [890, 420, 108], [1500, 640, 144], [1904, 640, 144]]) {
    for (const others of [1, 2, 3, 4, 5]) {
      const where = `${others} others at ${width} x ${height}`;
      const { seats, own, bout, rim, isRound } = layoutOf({ width, height, text: 16, others, largest });
      assert.ok(isRound, where);
      assert.ok(own, `${where}: the reader has no face`);
      if (others > 1) assert.ok(seats[others - 1].x - seats[0].x > 0.45 * width, `${where}: too close`);
      assert.ok(Math.max(...seats.map(({ y }) => y)) - rim.y < rim.height / 2, `${where}: too low`);
      assert.ok(cardWidth(3, bout, largest) > 0.85 * largest, `${where}: small cards`);
    }
  }
});

test("an arrow that something stops never points at a pile", () => {
  for (const [width, height] of TABLES) {
    for (const [others, pairs] of [2, 3, 4, 5, 6].flatMap((n) => [[n, 1], [n, 4], [n, 6]])) {
      const layout = layoutOf({ width, height, text: 16, others });
      for (const { from, to } of attacks(others)) {
        const way = arrowOf(layout, { pairs, from, to });
        if (!way) continue;
        const [before, tip] = way.slice(-2);
        const far = Math.hypot(tip.x - before.x, tip.y - before.y);
        const beyond = { x: tip.x + ((tip.x - before.x) / far) * 0.5 * layout.em, y: tip.y + ((tip.y - before.y) / far) * 0.5 * layout.em };
        const pile = [layout.talon, layout.heap].find((box) => holds(box, beyond));
        assert.equal(pile, undefined, `${from} attacks ${to} of ${others} at ${width} x ${height}`);
      }
    }
  }
});

test("an arrow to or from the reader meets their face", () => {
  const layout = layoutOf({ width: 1904, height: 640, text: 16, others: 3 });
  const to = arrowOf(layout, { pairs: 2, from: 2, to: null });
  const from = arrowOf(layout, { pairs: 2, from: null, to: 0 });
  assert.ok(isPointedAt(layout.own, to));
  assert.ok(isPointedAt(layout.own, [...from].reverse()));
});

test("an arrow along the edge of a round table never goes back", () => {
  for (const others of [2, 3, 4, 5]) {
    const layout = layoutOf({ width: 1264, height: 410, text: 16, others });
    for (const { from, to } of attacks(others)) {
      const way = arrowOf(layout, { pairs: 2, from, to });
      const parts = (way ?? []).slice(1).map(({ x, y }, n) => ({ x: x - way[n].x, y: y - way[n].y }));
      const turns = parts.slice(1).map(({ x, y }, n) => {
        return Math.abs(Math.atan2(parts[n].x * y - parts[n].y * x, parts[n].x * x + parts[n].y * y));
      });
      assert.ok(Math.max(0, ...turns) < 0.6 * Math.PI, `${from} attacks ${to} of ${others}`);
    }
  }
});

test("between two who sit with the piles an arrow is straight", () => {
  const table = { width: 752, height: 640 };
  const layout = layoutOf({ ...table, text: 16, others: 2 });
  assert.equal(arrowOf(layout, { pairs: 1, from: 0, to: 1 }).length, 2);
});

test("a table of no size to speak of is laid out all the same", () => {
  const { seats, talon, heap, bout } = layoutOf({ width: 60, height: 40, text: 32, others: 5 });
  assert.equal(overlapOf([...seats, talon, heap, bout]), null);
});

test("a larger text makes everything on the table larger where there is room", () => {
  const table = { width: 752, height: 640, others: 3 };
  assert.ok(layoutOf({ ...table, text: 32 }).em > layoutOf({ ...table, text: 16 }).em);
});

test("faces are whole where the reader's text leaves room for them, before anything grows", () => {
  const desk = { width: 1264, height: 380, text: 16, others: 5 };
  assert.ok(!layoutOf(desk).isCompact);
  assert.ok(layoutOf({ ...desk, height: 760, width: 1904 }).em >= 1.5 * layoutOf(desk).em);
});

test("cards are heard when they are dealt, laid, put away and taken", () => {
  const board = (bout, discard = 0, id = "1:1") => ({ id, bout, discard });
  const [open, beaten] = [{ attack: "6C", beat: null }, { attack: "6C", beat: "9C" }];
  assert.equal(soundBetween(null, board([])), "dealt");
  assert.equal(soundBetween(board([], 4), board([], 0, "1:2")), "dealt");
  assert.equal(soundBetween(board([]), board([open])), "laid");
  assert.equal(soundBetween(board([open]), board([beaten])), "laid");
  assert.equal(soundBetween(board([beaten]), board([], 2)), "away");
  assert.equal(soundBetween(board([open]), board([])), "taken");
  assert.equal(soundBetween(board([open]), board([open])), null);
});

test("the index of every card in a crowded hand is seen whole", () => {
  const indexEnd = (INDEX[0] + INDEX_WIDTH / 2) / 100; // of a card
  for (const width of [320, 360, 390, 430]) {
    for (const count of [6, 10, 15, 25, 36]) {
      const { card, places } = fanOf({ count, width, widest: 92 });
      for (const [n, { x }] of places.slice(1).entries()) {
        const strip = x - places[n].x; // negative where a row begins
        if (strip > 0) assert.ok(strip > card * indexEnd, `${count} cards on ${width} pixels`);
      }
    }
  }
});
