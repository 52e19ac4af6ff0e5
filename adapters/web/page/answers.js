// Draws answers that are more than text: puzzles, a player's statistics, the help as cards, rules, and lists of settings.

/** @import {BoardMove, Card, GameSign, Guide, GuidePicture, MessageActions, PlayerCard, PuzzleBoard, RuleGuide, SettingLine, SettingList} from "../types" */
import { besideFace, faceOf } from "./avatars.js";
import { face, suitSign, suitWords, withCards, words } from "./cards.js";
import { button, classes, element, hasMouse, svg, unspoken } from "./dom.js";
import { listenToCards } from "./lesson.js";
import { shareBy } from "./share.js";
import { comparedFace, comparisonOn, drawBout, nameMarks } from "./table.js";
import { t, withoutSign } from "./texts.js";

/** @typedef {PuzzleBoard | PlayerCard | Guide | RuleGuide | SettingList} Drawing */
/** @typedef {Pick<MessageActions, "press">} Presses */

/**
 * Returns the elements of an answer.
 * @param {Drawing} drawing
 * @param {HTMLElement} body its text
 * @param {string} message its id
 * @param {Presses} on
 */
export function answerOf(drawing, body, message, on) {
  if ("figures" in drawing) return playerOf(drawing, body);
  if ("ways" in drawing) return [body, ...guideOf(drawing, message, on)];
  if ("sentences" in drawing) return [...titleOf(drawing), rulesOf(drawing), body];
  if ("groups" in drawing) return [body, ...settingsOf(drawing, message, on)];
  return [body, puzzleTable(drawing, message, on)];
}

/** Returns the buttons that the page adds to those of an answer: to send an answered puzzle to others. @param {Drawing} drawing */
export function buttonsAfter(drawing) {
  const isAnswered = "played" in drawing && drawing.played && drawing.number;
  return isAnswered ? [challengeOf(drawing.number)] : [];
}

/** Lists the tokens that the drawn answer offers itself, so that they need no button below it. @param {Drawing} drawing @returns {string[]} */
export function tokensIn(drawing) {
  if ("figures" in drawing || "sentences" in drawing) return [];
  if ("ways" in drawing) return drawing.ways.map(({ token }) => token);
  if ("groups" in drawing) return drawing.groups.flatMap(({ lines }) => lines.map(({ token }) => token));
  return movesByCard(drawing);
}

// --- A puzzle: both hands are open, and one move wins.

const MAX_IN_ROW = 7; // cards of a hand in one row

/**
 * Returns the table of a puzzle. A tap plays a card if only one move has it. For other moves the message has buttons.
 * @param {PuzzleBoard} puzzle
 * @param {string} message its id
 * @param {Presses} on
 */
function puzzleTable(puzzle, message, on) {
  const { trump, rival, other, cards } = puzzle;
  const { played, better } = comparison(puzzle);
  const { bout, mark } = comparisonOn(puzzle.bout, played, better);
  const lying = new Set(bout.flatMap(({ attack, beat }) => [attack, beat]));
  const table = element("ol", "bout");
  table.ariaLabel = t("On the table");
  drawBout(table, bout, mark);

  const sign = suitSign(trump);
  sign.role = "img";
  sign.ariaLabel = `${t("Trump")}: ${suitWords(trump)}`;
  const theirs = handOf(rival || t("Other player"), other.map((card) => imageOf(card)));
  const whose = movesByCard(puzzle).length ? invitationTo(puzzle) : t("Your cards");
  const mine = handOf(whose, cards.map((card) => (lying.has(card) ? gap() : cardFor(card, puzzle, message, on))));
  const trumps = element("div", "puzzle-trump", sign, unspoken(element("span", "", t("Trump"))));
  const middle = element("div", "puzzle-middle", trumps, table, ...cardless(played, "played"), ...cardless(better, "better"));
  const isEmpty = cards.every((card) => lying.has(card));
  const whole = element("div", classes("puzzle", { solved: !played }), theirs, middle, ...(isEmpty ? [] : [mine]));
  whole.style.setProperty("--most", String(Math.min(MAX_IN_ROW, Math.max(1, cards.length, other.length))));
  nameMarks(whole, better && played ? t("Better") : t("Wins"));
  if (isLesson(puzzle)) listenToCards(whole, puzzle, (move, card) => on.press(message, move.token, card));
  return whole;
}

/** Returns the button that sends a puzzle to others. @param {number} number of the puzzle */
function challengeOf(number) {
  const path = `/puzzles/${number}`;
  const title = t("Beat my puzzle");
  const challenge = button("button challenge", "📤 ", element("span", "label", t("Challenge friends")));
  challenge.onclick = () => shareBy(challenge, location.origin + path, `${path}/picture`, title);
  return challenge;
}

/** Returns whether a position is one of a lesson, which is played by the gestures of the live table. @param {PuzzleBoard} puzzle */
function isLesson({ rival, played }) {
  return Boolean(rival) && !played;
}

/** @param {PuzzleBoard} puzzle */
function invitationTo(puzzle) {
  if (!isLesson(puzzle)) return hasMouse ? t("Your cards: click one to play it") : t("Your cards: tap one to play it");
  const isBeating = puzzle.moves.some(({ attack }) => attack);
  if (hasMouse) return isBeating ? t("Your cards: click one, then the card to beat") : t("Your cards: click one twice");
  return isBeating ? t("Your cards: tap one, then the card to beat") : t("Your cards: tap one, then tap it again");
}

/**
 * Returns the chosen move if it was wrong, and the winning one; null for both before a choice.
 * @param {PuzzleBoard} puzzle
 */
function comparison({ played, better }) {
  return better ? { played, better } : { played: null, better: played };
}

/** Draws a move without a card, which can't be marked on one. @param {BoardMove | null} move @param {string} mark */
function cardless(move, mark) {
  return move && !move.cards.length ? [element("p", `cardless ${mark}`, move.label)] : [];
}

/** @param {string} whose @param {HTMLElement[]} cards */
function handOf(whose, cards) {
  const hand = element("div", "puzzle-hand", unspoken(element("p", "", whose)), ...cards);
  hand.role = "group";
  hand.ariaLabel = whose;
  return hand;
}

/** @param {Card} card @param {HTMLElement} [picture] */
function imageOf(card, picture = face(card)) {
  const item = element("span", "", picture);
  item.role = "img";
  item.ariaLabel = words(card);
  return item;
}

/** Returns the tokens of the moves that a tap on a card makes. @param {PuzzleBoard} puzzle */
function movesByCard({ cards, moves }) {
  return cards.flatMap((card) => moveOf(card, moves)?.token ?? []);
}

/** @param {Card} card @param {PuzzleBoard} puzzle @param {string} message @param {Presses} on */
function cardFor(card, puzzle, message, on) {
  if (puzzle.played) return cardAfterChoice(card, puzzle);

  const move = moveOf(card, puzzle.moves);
  if (!move) return imageOf(card);

  const item = button("puzzle-card", face(card));
  item.ariaLabel = `${words(card)}: ${move.label}`;
  if (isLesson(puzzle)) item.dataset.key = card;
  else item.onclick = () => on.press(message, move.token, item);
  return item;
}

/** Draws a card after the choice of a move, with a mark if it belongs to the chosen or the winning one. @param {Card} card @param {PuzzleBoard} puzzle */
function cardAfterChoice(card, puzzle) {
  const { played, better } = comparison(puzzle);
  return imageOf(card, comparedFace(card, played, better));
}

/** Draws the gap in a hand for a card that is on the table. */
function gap() {
  return unspoken(element("span", "puzzle-gap"));
}

/** Returns the only move with this card alone; null if there is none, or several. @param {Card} card @param {BoardMove[]} moves */
function moveOf(card, moves) {
  const alone = moves.filter((move) => move.cards.length === 1 && move.cards[0] === card);
  return alone.length === 1 ? alone[0] : null;
}

// --- A player's statistics: a face, the main figures, the newest games, and the rest in sentences.

/** @param {PlayerCard} player @param {HTMLElement} body */
export function playerOf({ name, figures, form }, body) {
  const head = element("div", "player-head", faceOf(name), element("bdi", "", besideFace(name)));
  if (!figures.length) return [head, body];

  const main = figures.find(({ hint }) => hint);
  const items = figures.map((figure) => {
    const { value, label, hint } = figure;
    const term = element("dt", "", label, ...(hint ? [element("small", "", hint)] : []));
    return element("div", figure === main ? "main" : "", term, element("dd", "", value));
  });
  const games = form.length ? [formOf(form)] : [];
  return [head, element("dl", "figures", ...items), ...games, asFacts(body)];
}

/** Draws the results of the newest games in order. @param {GameSign[]} form */
function formOf(form) {
  const games = form.map(({ sign, meaning }) => element("li", "", unspoken(element("span", "", sign)), ` ${meaning}`));
  return element("div", "last-games", element("strong", "", t("Last games")), element("ol", "", ...games));
}

/** Puts each fact on its own line, without marks. @param {HTMLElement} body */
function asFacts(body) {
  const lines = (body.textContent ?? "").split("\n").filter(Boolean);
  body.replaceChildren(...lines.flatMap(factsIn).map(factOf));
  return body;
}

/** Returns the facts of a line: several if each of its parts has a label. @param {string} line */
function factsIn(line) {
  const parts = line.split(" · ");
  return parts.every((part) => part.includes(": ")) ? parts : [line];
}

const LONGEST_VALUE = 20; // a longer one is a sentence below its label

/** Draws a fact, with its label on the left and its value on the right. @param {string} fact */
function factOf(fact) {
  const [label, ...rest] = fact.split(": ");
  if (!rest.length) return element("span", "fact", fact);

  const name = label[0].toLocaleUpperCase() + label.slice(1);
  const value = rest.join(": ");
  const isSentence = value.length > LONGEST_VALUE;
  return element("span", "fact", element("span", "", name), " ", element(isSentence ? "span" : "b", "", value));
}

// --- The help: cards to press, and the commands that have to be typed.

/** @param {Guide} guide @param {string} message @param {Presses} on */
function guideOf({ ways, typed }, message, on) {
  const cards = ways.map(({ picture, label, token }) => {
    const card = button("button way", pictureOf(picture), element("span", "", label));
    card.onclick = () => on.press(message, token, card);
    return card;
  });
  const lines = typed.flatMap(({ command, about }) => [
    element("dt", "", element("code", "", command)),
    element("dd", "", about),
  ]);
  return [element("div", "ways", ...cards), element("dl", "typed", ...lines)];
}

// --- Rules: the goal, pictures of how to play, the course of the game as a numbered list, and the table's special rules.

const NAME = /^(\S+(?: \S+)?): /u; // of a rule, at the beginning of its sentence

/** Returns the title above rules that also explain how to play. @param {RuleGuide} guide */
function titleOf({ sentences }) {
  return sentences.length ? [element("h2", "large", t("How to play"))] : [];
}

/** @param {RuleGuide} guide */
export function rulesOf({ title, sentences: [goal, ...order], heading, special }) {
  /** @type {HTMLElement[]} */
  const parts = [goal ? element("p", "variant", title) : element("h2", "large", title)];
  if (goal) {
    const steps = order.map((each) => element("li", "", ...withCards(each)));
    parts.push(element("p", "goal", ...withCards(goal)), gestures(), element("ol", "", ...steps));
  }

  if (special.length) parts.push(...specialRules(heading, special, Boolean(goal)));
  return element("div", "rules", ...parts);
}

/** Lists special rules; below the course of the game they are folded, as a beginner need not read them at once. @param {string} heading @param {string[]} special @param {boolean} isBelowCourse */
function specialRules(heading, special, isBelowCourse) {
  const list = element("ul", "", ...special.map(ruleItem));
  if (!heading) return [list];

  const title = element("h2", "", heading);
  return isBelowCourse ? [element("details", "folded", element("summary", "", title), list)] : [title, list];
}

/** Draws a rule, with its name emphasised. @param {string} sentence */
function ruleItem(sentence) {
  const name = NAME.exec(sentence)?.[0] ?? "";
  const rest = withCards(sentence.slice(name.length));
  return name ? element("li", "", element("b", "", name), ...rest) : element("li", "", ...rest);
}

// --- Pictures of how to play by touch.

/** @type {{hand?: Card[], table?: Card[], choice?: Card, sign?: string, text: string}[]} */
const GESTURES = [
  {
    hand: ["TS", "9D", "KH"], // in decks of all sizes
    choice: "9D",
    text: hasMouse
      ? t("Click a card to choose it, and once more to play it. Or drag it to the table.")
      : t("Tap a card to choose it, and once more to play it. Or drag it to the table."),
  },
  { table: ["9S", "JS"], text: t("You defend? Lay a higher card of the same suit on it, or a trump.") },
  {
    table: ["9S"],
    hand: ["JS", "KH"],
    choice: "JS",
    text: hasMouse
      ? t("If your card beats several, click the one you want to beat.")
      : t("If your card beats several, tap the one you want to beat."),
  },
  { table: ["TS", "9D"], sign: "➜", hand: ["KH"], text: t("You can't or won't beat it? Take everything that lies there.") },
];

/** Draws the ways to move, with a sentence below each. */
export function gestures() {
  return element("div", "gestures", ...GESTURES.map(gestureOf));
}

/** @param {typeof GESTURES[number]} gesture */
function gestureOf({ hand = [], table = [], choice, sign = "", text }) {
  /** @param {Card[]} cards @param {string} className */
  const row = (cards, className) =>
    element(
      "span",
      className,
      ...cards.map((card) => {
        const picture = face(card);
        picture.classList.toggle("chosen", card === choice);
        return picture;
      }),
    );
  const parts = [
    ...(table.length ? [row(table, "how-laid")] : []),
    sign,
    ...(hand.length ? [row(hand, "how-held")] : []),
  ];
  return element(
    "figure",
    "",
    unspoken(element("span", "how-picture", ...parts)),
    element("figcaption", "", text),
  );
}

// --- Settings: names at the left, values at the right. Switches toggle at once; any other setting opens its values.

/** @param {SettingList} list @param {string} message @param {Presses} on */
function settingsOf({ groups, more }, message, on) {
  const parts = groups.flatMap(({ heading, lines }) => {
    const list = element("div", "settings", ...lines.map((line) => settingOf(line, message, on)));
    return heading ? [element("h2", "", heading), list] : [list];
  });
  return more ? [...parts, element("p", "more", more)] : parts;
}

/** @param {SettingLine} line @param {string} message @param {Presses} on */
function settingOf({ name, value, token, about, switch: other, is_on }, message, on) {
  const text = element("span", "text", withoutSign(name));
  if (about) text.append(element("small", "", about));

  const row = button("setting", text, other ? element("span", "toggle") : element("span", "value", value));
  row.dataset.token = token;
  row.onclick = () => on.press(message, other || token, row);
  if (!other) return row;

  row.role = "switch";
  row.ariaChecked = String(is_on);
  return row;
}

/** Draws the cap of the fool. */
export function hat() {
  const picture = pictureOf("fools");
  picture.classList.add("hat");
  return picture;
}

/** Draws the cap of a graduate in the colour of the text around it; its emoji is black, and hard to see on the felt. */
export function cap() {
  const picture = pictureOf("lessons");
  picture.classList.add("cap");
  return picture;
}

/** Draws the crown of the winner. */
export function crown() {
  const picture = drawn([
    ["gold", "M7 38 3 12l16 11L32 3l13 20 16-11-4 26z"],
    ["red", "M32 25a4 4 0 1 0 .1 0zM17 28a3 3 0 1 0 .1 0zM47 28a3 3 0 1 0 .1 0z"],
  ]);
  picture.classList.add("hat");
  return picture;
}

/** Draws a picture of the help. @param {GuidePicture} name */
export function pictureOf(name) {
  return drawn(PICTURES[name]);
}

/** @param {Shape[]} parts */
function drawn(parts) {
  const shapes = parts.map(([of, d]) => svg("path", { class: of, d }));
  return svg("svg", { class: "drawn", viewBox: "0 0 64 44", "aria-hidden": "true" }, ...shapes);
}

/** @typedef {[of: string, d: string]} Shape in 64 by 44, with its colour or as a line */

/** @type {Record<GuidePicture, Shape[]>} */
const PICTURES = {
  bots: [
    ["line", "M32 14V8"],
    ["gold", "M32 3a3 3 0 1 0 .1 0z"],
    ["ivory", "M20 14h24q4 0 4 4v16q0 4-4 4H20q-4 0-4-4V18q0-4 4-4z"],
    ["gold", "M12 22h3v9h-3zM49 22h3v9h-3z"],
    ["dark", "M25 20a3 3 0 1 0 .1 0zM39 20a3 3 0 1 0 .1 0zM25 31h14v2H25z"],
  ],
  friends: [
    ["gold", "M15 12a6 6 0 1 0 .1 0zM4 38q0-12 11-12t11 12z"],
    ["gold", "M49 12a6 6 0 1 0 .1 0zM38 38q0-12 11-12t11 12z"],
    ["ivory", "M32 6a8 8 0 1 0 .1 0zM18 40q0-16 14-16t14 16z"],
  ],
  lessons: [
    ["ivory", "M18 23v9q14 9 28 0v-9l-14 6z"],
    ["ivory", "M32 7 60 18 32 29 4 18z"],
    ["gold", "M53 20l2-1v10l2 6h-6l2-6z"],
  ],
  rules: [
    ["ivory", "M31 11Q20 5 7 8v28q13-3 24 3z"],
    ["ivory", "M33 11q11-6 24-3v28q-13-3-24 3z"],
    ["ink", "M12 15q7-1 14 2M12 21q7-1 14 2M12 27q7-1 14 2M38 17q7-3 14-2M38 23q7-3 14-2M38 29q7-3 14-2"],
  ],
  puzzle: [["gold", "M15 13h11a6 6 0 1 1 12 0h11v10a6 6 0 1 1 0 11v6H15V30a6 6 0 1 0 0-11z"]],
  fools: [
    ["red", "M16 35C18 18 11 14 5 22 5 4 26 0 34 35z"],
    ["green", "M48 35C46 18 53 14 59 22 59 4 38 0 30 35z"],
    ["gold", "M23 35C23 20 28 10 32 6c4 4 9 14 9 29z"],
    ["ivory", "M15 34h34q2 0 2 3t-2 3H15q-2 0-2-3t2-3zM5 20a4 4 0 1 0 .1 0zM59 20a4 4 0 1 0 .1 0zM32 1a4 4 0 1 0 .1 0z"],
  ],
  statistics: [
    ["ivory", "M12 24h9v14h-9z"],
    ["gold", "M27 8h9v30h-9z"],
    ["red", "M42 17h9v21h-9z"],
    ["line", "M7 40h50"],
  ],
  settings: [
    ["line", "M10 11h44M10 23h44M10 35h44"],
    ["gold", "M22 6a5 5 0 1 0 .1 0zM44 18a5 5 0 1 0 .1 0zM28 30a5 5 0 1 0 .1 0z"],
  ],
};
