// A finished game, step by step, with every hand open. It opens at its end, with the sentence of who was the fool.

/** @import {Card, ReplayOf, ReplayStep, ReviewState} from "../types" */
import { announce } from "./announcer.js";
import { face, words } from "./cards.js";
import { Api, RefusedError } from "./connection.js";
import { $, all, button, element, markMore } from "./dom.js";
import { behindDoor, carrying, door, isInside, restoreShade, secretOf } from "./inside.js";
import { LOOKS, returning, wayBack } from "./memory.js";
import { pieces } from "./messages.js";
import { plain } from "./outcome.js";
import { shareReplay } from "./share.js";
import { BoardView, comparedFace, comparisonOn, nameMarks } from "./table.js";
import { t, translatePage } from "./texts.js";

const api = new Api(isInside ? "/visits" : "/facts");
const STEP_MS = 1_300; // from one move to the next while it plays
const REST_MS = 400; // the pause after which the address is updated, because browsers limit the rate of that
const PAUSE = 2_000; // milliseconds between two checks whether a review is done

translatePage();
if (isInside) restoreShade();
if (isInside && door === "telegram") import("./telegram.js").then(({ followTelegram }) => followTelegram());
const secret = isInside ? secretOf() : returning();
if (secret !== LOOKS) api.secret = secret;
$("way-back").href = isInside ? carrying(behindDoor("")) : wayBack() || "/results";

/** @param {`games/${string}`} game */
async function open(game) {
  try {
    new Replay(game, await fetchGame(game));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    $("refused").textContent = error.message;
    $("refused").hidden = false;
  }
}

/** Fetches a game, without the secret if the bot no longer knows it. @param {`games/${string}`} game */
async function fetchGame(game) {
  try {
    return await api.get(game);
  } catch (error) {
    if (!api.secret || !(error instanceof RefusedError) || error.status !== 401) throw error;
    api.secret = "";
    return api.get(game);
  }
}

class Replay {
  /** @param {`games/${string}`} game @param {ReplayOf} replay */
  constructor(game, { title, summary, steps, checks, review, own }) {
    this.game = game;
    this.steps = steps;
    this.own = own;
    this.names = summary.names;
    this.place = 0;
    this.rest = 0;
    this.timer = 0; // of the next step while it plays
    this.isReviewing = false; // whether a review is running
    this.review = review;
    this.board = new BoardView($("table"));
    this.watch = button("button primary watch", t("▶ Watch the game")); // at the end, beside who was the fool
    nameMarks($("table"), t("Better"));

    $("share").hidden = isInside; // nobody else could open the address
    $("play-here").hidden = isInside;
    const [brand] = /^[^·]+ · /.exec(title) ?? [""];
    $("title").replaceChildren(element("span", "brand", brand), title.slice(brand.length));
    $("verdict").textContent = plain(steps[this.end].board.status);
    document.title = title;
    $("replay").hidden = false;
    $("checks").replaceChildren(
      ...checks.map(({ holds, text }) =>
        element("li", holds ? "holds" : "fails", `${holds ? "✅" : "❌"} ${text}`),
      ),
    );
    this.drawBouts(review);
    $("review").onclick = () => this.reviewMoves(true);
    this.listen();
    markMore($("all-bouts"));

    this.show(this.fromAddress());
    const isAsked = new URLSearchParams(location.search).has("review");
    if (review === "underway" || (isAsked && review === "offered")) this.reviewMoves();
    else if (isAsked) this.showFirstMark();
  }

  /** Connects the controls for moving through the game. */
  listen() {
    $("step").max = String(this.end);
    $("step").oninput = () => this.stepTo(Number($("step").value));
    $("first").onclick = () => this.stepTo(0);
    $("back").onclick = () => this.stepTo(this.place - 1);
    $("forward").onclick = () => this.stepTo(this.place + 1);
    $("last").onclick = () => this.stepTo(this.end);
    $("round").onchange = () => this.stepTo(Number($("round").value));
    $("other-mark").onclick = () => this.lookAt(this.otherMistake().place);
    $("autoplay").onclick = () => this.play(!this.timer);
    this.watch.onclick = () => this.play(true);
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.stepTo(this.fromAddress()));
    $("share").onclick = () => this.share();
  }

  /** Shares the game at the step that is shown. */
  async share() {
    const link = location.origin + this.address;
    try {
      await shareReplay(link, $("verdict").textContent ?? "");
    } catch {
      prompt(t("Copy link"), link); // without https there is no clipboard API
    }
  }

  /** Goes to the reader's first costly move: always if they have just asked for it, else unless the address names a step. @param {boolean} [isAsked] */
  showFirstMark(isAsked = false) {
    const [place] = this.mistakes();
    if (place !== undefined && (isAsked || !location.hash)) this.stepTo(place);
  }

  /** Returns the steps at which a review found something. */
  mistakes() {
    return [...this.steps.keys()].filter((place) => this.steps[place].mark.length);
  }

  /** Whether a review found nothing in the whole game. */
  get isFlawless() {
    return this.review === "done" && !this.mistakes().length;
  }

  /** Returns the next finding of the review, or the first one after the last, and whether it is ahead. */
  otherMistake() {
    const mistakes = this.mistakes();
    const ahead = mistakes.find((place) => place > this.place);
    return { place: ahead ?? mistakes[0] ?? this.place, isAhead: ahead !== undefined };
  }

  /** Lists the rounds, and marks those with a costly move. @param {ReviewState} review */
  drawBouts(review) {
    const rounds = roundsOf(this.steps, this.names);
    const options = rounds.map(({ begin, title, isMarked }) => {
      return new Option(isMarked ? `💡 ${title}` : title, String(begin));
    });
    $("round").replaceChildren(...options);
    $("bouts").replaceChildren(
      ...rounds.map(({ begin, title }) => {
        const bout = button("button", element("bdi", "", title));
        bout.dataset.place = String(begin);
        bout.onclick = () => this.lookAt(begin);
        return element("li", "", bout);
      }),
    );

    const marks = this.mistakes();
    for (const place of marks) {
      const bout = roundAt(place + 1);
      (bout?.parentElement ?? $("bouts")).append(this.wayTo(place));
    }
    $("review").hidden = review !== "offered";
    this.review = review;
  }

  /** Requests a review of the reader's moves, waits until it is done, and shows it; the page shows that it is running. @param {boolean} [isAsked] by a press */
  async reviewMoves(isAsked = false) {
    const looking = t("Looking at your moves …");
    Object.assign($("review"), { hidden: false, disabled: true, textContent: looking });
    this.markReviewing(true);
    $("mark-title").textContent = `🔎 ${looking}`;
    $("mark-text").textContent = "";
    $("other-mark").hidden = true;

    let replay = await fetchGame(`${this.game}?review`).catch(() => null);
    while (replay?.review === "underway") {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      replay = await fetchGame(this.game).catch(() => null);
    }
    Object.assign($("review"), { disabled: false, textContent: t("What were my worst moves?") });
    this.markReviewing(false);
    if (!replay) return;

    this.steps = replay.steps;
    this.drawBouts(replay.review);
    this.show(this.place);
    this.showFirstMark(isAsked);
  }

  /** @param {boolean} isReviewing */
  markReviewing(isReviewing) {
    this.isReviewing = isReviewing;
    $("mark").hidden = !isReviewing;
    $("mark").classList.toggle("looking-on", isReviewing);
  }

  /** Goes to a step, and stops the playback. @param {number} place */
  stepTo(place) {
    this.play(false);
    this.show(place);
  }

  /** Goes to a step that was chosen below the table, and scrolls up to the table. @param {number} place */
  lookAt(place) {
    this.stepTo(place);
    scrollTo({ top: 0 });
  }

  /** Starts or stops automatic playback. @param {boolean} isPlaying */
  play(isPlaying) {
    clearInterval(this.timer);
    this.timer = 0;
    $("autoplay").setAttribute("aria-pressed", String(isPlaying));
    $("autoplay").textContent = isPlaying ? "⏸" : "▶";
    if (!isPlaying) return;
    if (this.place === this.end) this.show(0);
    this.timer = setInterval(() => {
      this.show(this.place + 1);
      if (this.place === this.end) this.play(false);
    }, STEP_MS);
  }

  /** The number of the last step. */
  get end() {
    return this.steps.length - 1;
  }

  /** The path to the step that is shown, which the address of the page names after a pause. */
  get address() {
    return location.pathname + (this.place === this.end ? "" : `#${this.place}`);
  }

  /** Returns the step that the address names; the last one if it names none. */
  fromAddress() {
    const named = location.hash.slice(1);
    return named ? Number(named) || 0 : this.end;
  }

  /** @param {number} wanted */
  show(wanted) {
    const { end } = this;
    const place = Math.max(0, Math.min(wanted, end));
    const step = this.steps[place];
    const { hands, mark } = step;
    this.place = place;
    this.drawBoard(step);
    this.showPlace(place, end);

    const { board } = (mark.length && this.steps[place + 1]) || step; // a finding is about the next move
    const isEnd = place === end && !mark.length;
    const sentence = board.latest.length && !isEnd ? board.latest : board.status;
    const ways = place === end ? [this.watch] : [];
    $("step-text").replaceChildren(element("span", "count", `${place} / ${end}`), " ", ...pieces(sentence), ...ways);
    this.showMark(step);
    announce(`${place}. ${plain(sentence)}`, plain(mark));

    const isOwn = (/** @type {number} */ seat) => Number(seat === this.own);
    const order = [...hands.keys()].sort((one, other) => isOwn(other) - isOwn(one));
    $("hands").replaceChildren(...order.flatMap((seat) => this.hand(hands[seat], seat, step)));
  }

  /** Draws the table of a step and, for a finding of a review, the cards of the played and of the better move. @param {ReplayStep} step */
  drawBoard({ board, mover, played, better }) {
    const { bout, mark } = comparisonOn(board.bout, played, better);
    const seats = board.seats.map((seat, n) => ({ ...seat, is_awaited: n === mover })); // marks the player of the move
    this.board.draw({ ...board, bout, seats }, null, mark);
  }

  /** Shows the place in the game: on the slider, among the rounds and, after a pause, in the address. @param {number} place @param {number} end */
  showPlace(place, end) {
    $("step").value = String(place);
    $("step").style.setProperty("--at", String(place / end)); // the full part of the slider
    for (const way of [$("first"), $("back")]) way.disabled = place === 0;
    for (const way of [$("forward"), $("last")]) way.disabled = place === end;
    $("autoplay").classList.toggle("primary", place !== end); // at the end, the other button to watch it is

    const now = roundAt(this.steps[place].mark.length ? place + 1 : place); // a finding is about the next move
    if (now) $("round").value = now.dataset.place ?? "";
    for (const each of all("[data-place]", $("bouts"))) each.toggleAttribute("aria-current", each === now);
    if (now) centre(now, $("all-bouts"));

    clearTimeout(this.rest);
    this.rest = setTimeout(() => history.replaceState(null, "", this.address), REST_MS);
  }

  /** Returns the button that leads to a costly move. @param {number} place */
  wayTo(place) {
    const way = button("button costly", "💡");
    way.ariaLabel = t("Review: move {n}", { n: place + 1 });
    way.title = way.ariaLabel;
    way.onclick = () => this.lookAt(place);
    return way;
  }

  /** Shows a finding of a review, with the button to the next one, or that there is none in the whole game. @param {ReplayStep} step */
  showMark({ mark }) {
    if (this.isReviewing) return;
    $("mark").hidden = mark.length === 0 && !this.isFlawless;

    const mistakes = this.mistakes();
    const count = { n: mistakes.indexOf(this.place) + 1, total: mistakes.length };
    const title = this.isFlawless ? t("None of your moves cost you much.") : t("Mistake {n} of {total}", count);
    $("mark-title").textContent = title;
    $("mark-text").replaceChildren(...pieces(mark));

    const { isAhead } = this.otherMistake();
    $("other-mark").textContent = isAhead ? `${t("Next mistake")} ›` : `‹ ${t("First mistake")}`;
    $("other-mark").classList.toggle("primary", isAhead);
    $("other-mark").hidden = mistakes.length < 2;
  }

  /** @param {Card[]} cards @param {number} seat @param {ReplayStep} step */
  hand(cards, seat, { played, better }) {
    const isOwn = seat === this.own;
    const faces = cards.map((card) => {
      const picture = isOwn ? comparedFace(card, played, better) : face(card);
      picture.role = "img";
      picture.ariaLabel = words(card);
      return element("span", "strip", picture);
    });
    return [
      element("dt", "", element("bdi", "", this.names[seat])),
      element("dd", "open-hand", ...(faces.length ? faces : ["–"])),
    ];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { key } = event;
    const target = /** @type {Element} */ (event.target);
    if (target.matches("input") && key !== " ") return;
    if (key === "ArrowLeft") this.stepTo(this.place - 1);
    else if (key === "ArrowRight") this.stepTo(this.place + 1);
    else if (key === "Home") this.stepTo(0);
    else if (key === "End") this.stepTo(this.end);
    else if (key === " " && !target.closest("button, a")) {
      event.preventDefault();
      this.play(!this.timer);
    }
  }
}

/**
 * Returns the first step of each round, a title with its players, and whether it has a costly move.
 * @param {ReplayOf["steps"]} steps
 * @param {string[]} names
 */
function roundsOf(steps, names) {
  const isBegin = (/** @type {number} */ place) => {
    const now = steps[place].board.bout;
    const before = steps[place - 1]?.board.bout ?? [];
    return now.length > 0 && (now[0].attack !== before[0]?.attack || now.length < before.length);
  };
  const begins = [...steps.keys()].filter(isBegin);
  return begins.map((begin, n) => {
    const moves = steps.slice(Math.max(0, begin - 1), begins[n + 1] ?? steps.length);
    const { seats } = steps[begin].board;
    const nameOf = (/** @type {string} */ role) => names[seats.findIndex((seat) => seat.role === role)] ?? "";
    const title = `${n + 1}. ${nameOf("attacker")} → ${nameOf("defender")}`;
    return { begin, title, isMarked: moves.some(({ mark }) => mark.length) };
  });
}

/** Scrolls a list so that an entry is in the middle. @param {HTMLElement} entry @param {HTMLElement} list */
function centre(entry, list) {
  const off = entry.getBoundingClientRect().top - list.getBoundingClientRect().top;
  list.scrollTop += off - (list.clientHeight - entry.clientHeight) / 2;
}

/** Returns the button of the current bout at a step. @param {number} place */
function roundAt(place) {
  return all("[data-place]", $("bouts"))
    .filter((each) => Number(each.dataset.place) <= place)
    .at(-1);
}

open(`games/${location.pathname.split("/").at(-1)}`);
