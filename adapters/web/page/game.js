// A finished game, step by step, with every hand open.

import { Api, RefusedError } from "./api.js";
import { BoardView } from "./board.js";
import { face, words } from "./cards.js";
import { $, all, element } from "./dom.js";
import { pieces } from "./draw.js";
import { LOOKS, returning } from "./identity.js";
import { said, translatePage } from "./texts.js";
import { sayCopied } from "./toast.js";

const api = new Api("/facts/games");
const NOBODY = { id: "" };
const STEP = "#";
const STEP_MS = 1_300; // from one move to the next while it plays
const REST_MS = 400; // browsers allow few changes of the address, so it is written when nothing moves any more
const PAUSE = 2_000; // milliseconds between two looks whether a review is done

translatePage();
const whoever = returning();
if (whoever !== LOOKS) api.secret = whoever;
async function open(game) {
  try {
    new Replay(game, await found(game));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    $("refused").textContent = error.message;
    $("refused").hidden = false;
  }
}

/** Fetch a game; a secret that is not known any more keeps nobody from looking. */
async function found(game) {
  try {
    return await api.get(game);
  } catch (error) {
    if (!api.secret || error.status !== 401) throw error;
    api.secret = "";
    return api.get(game);
  }
}

class Replay {
  constructor(game, { title, summary, steps, checks, review, own }) {
    this.game = game;
    this.steps = steps;
    this.own = own;
    this.names = summary.names;
    this.place = 0;
    this.rest = 0;
    this.timer = 0; // of the next step while it plays
    $("title").textContent = title;
    document.title = title;
    $("replay").hidden = false;
    this.board = new BoardView($("table"));
    $("checks").replaceChildren(...checks.map(({ holds, text }) => element("li", holds ? "holds" : "fails", `${holds ? "✅" : "❌"} ${text}`)));
    this.drawBouts(review);
    $("review").onclick = () => this.look();
    $("place").max = steps.length - 1;
    for (const [id, place] of Object.entries({
      place: () => Number($("place").value),
      first: () => 0,
      back: () => this.place - 1,
      forward: () => this.place + 1,
      last: () => steps.length - 1,
    })) $(id)[id === "place" ? "oninput" : "onclick"] = () => this.stepTo(place());
    $("play").onclick = () => this.play(!this.timer);
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.stepTo(fromAddress()));
    $("share").onclick = () => this.share();
    this.show(fromAddress());
    if (review === "underway") this.look();
  }

  /** List the rounds, each with where it begins, and mark those with a move that cost much. */
  drawBouts(review) {
    const begins = this.steps.flatMap(({ board }, place) =>
      board.bout.length && !this.steps[place - 1]?.board.bout.length ? [place] : [],
    );
    $("bouts").replaceChildren(...begins.map((begin, n) => {
      const isMarked = this.steps.slice(Math.max(0, begin - 1), begins[n + 1] ?? this.steps.length).some(({ mark }) => mark.length);
      const { seats } = this.steps[begin].board;
      const names = ["attacker", "defender"].map((role) => this.names[seats.findIndex((seat) => seat.role === role)]);
      const button = element("button", "button", `${n + 1}. `, element("bdi", "", names[0] ?? ""), " → ", element("bdi", "", names[1] ?? ""), isMarked ? " 💡" : "");
      button.type = "button";
      button.dataset.place = String(begin);
      button.onclick = () => this.stepTo(begin);
      return element("li", "", button);
    }));
    const marks = this.steps.flatMap(({ mark }, place) => (mark.length ? [place] : []));
    for (const place of marks) {
      const way = element("button", "button costly", `💡 ${said("Review: move {n}", { n: place + 1 })}`);
      way.type = "button";
      way.onclick = () => this.stepTo(place);
      const bout = all("#bouts button[data-place]").filter((each) => Number(each.dataset.place) <= place + 1).at(-1);
      (bout?.parentElement ?? $("bouts")).append(way);
    }
    $("review").hidden = review !== "offered";
    $("no-marks").hidden = review !== "done" || marks.length > 0;
  }

  /** Ask for the moves of the reader that cost most, until they are known. */
  async look() {
    Object.assign($("review"), { hidden: false, disabled: true, textContent: said("Looking at your moves …") });
    let replay = await found(`${this.game}?review`).catch(() => null);
    while (replay?.review === "underway") {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      replay = await found(this.game).catch(() => null);
    }
    Object.assign($("review"), { disabled: false, textContent: said("What were my worst moves?") });
    if (!replay) return;
    this.steps = replay.steps;
    this.drawBouts(replay.review);
    this.show(this.place);
  }

  /** Go to a step, and stay there. */
  stepTo(place) {
    this.play(false);
    this.show(place);
  }

  /** Let the game go on by itself, or stop it. */
  play(isPlaying) {
    clearInterval(this.timer);
    this.timer = 0;
    $("play").setAttribute("aria-pressed", String(isPlaying));
    if (!isPlaying) return;
    if (this.place === this.steps.length - 1) this.show(0);
    this.timer = setInterval(() => {
      this.show(this.place + 1);
      if (this.place === this.steps.length - 1) this.play(false);
    }, STEP_MS);
  }

  show(wanted) {
    const place = (this.place = Math.max(0, Math.min(wanted || 0, this.steps.length - 1)));
    const { board, hands, mark } = this.steps[place];
    $("place").value = place;
    for (const id of ["first", "back"]) $(id).disabled = place === 0;
    for (const id of ["forward", "last"]) $(id).disabled = place === this.steps.length - 1;
    this.board.draw(board, this.own, () => "");
    $("told").replaceChildren(`${place} / ${this.steps.length - 1} `, ...pieces(board.told.length ? board.told : board.status, NOBODY, {}));
    $("mark").hidden = mark.length === 0;
    $("mark").replaceChildren(...pieces(mark, NOBODY, {}));
    const order = [...hands.keys()].sort((one, other) => Number(other === this.own) - Number(one === this.own));
    $("hands").replaceChildren(...order.flatMap((seat) => this.hand(hands[seat], seat)));
    const now = all("#bouts [data-place]").filter((each) => Number(each.dataset.place) <= place).at(-1);
    for (const each of all("#bouts [data-place]")) each.toggleAttribute("aria-current", each === now);
    $("all-bouts").scrollTop = (now?.offsetTop ?? 0) - $("bouts").offsetTop; // where it is a list of its own
    clearTimeout(this.rest);
    this.rest = setTimeout(() => history.replaceState(null, "", place ? `${STEP}${place}` : location.pathname), REST_MS);
  }

  hand(cards, seat) {
    const shown = cards.map((card) => {
      const drawn = face(card);
      drawn.role = "img";
      drawn.ariaLabel = words(card);
      return drawn;
    });
    return [element("dt", "", element("bdi", "", this.names[seat])), element("dd", "open-hand", ...(shown.length ? shown : ["–"]))];
  }

  key(event) {
    const { key, target } = event;
    if (target.matches("input") && key !== " ") return;
    if (key === "ArrowLeft") this.stepTo(this.place - 1);
    else if (key === "ArrowRight") this.stepTo(this.place + 1);
    else if (key === "Home") this.stepTo(0);
    else if (key === "End") this.stepTo(this.steps.length - 1);
    else if (key === " " && !target.closest("button, a")) {
      event.preventDefault();
      this.play(!this.timer);
    }
  }

  async share() {
    try {
      await navigator.clipboard.writeText(location.href);
      sayCopied($("share"), "✓ ", element("span", "label", said("Copied")));
    } catch {
      prompt(said("Copy link"), location.href); // without https the modern way is closed
    }
  }
}

function fromAddress() {
  return Number(location.hash.slice(STEP.length)) || 0;
}

open(location.pathname.split("/")[2]);
