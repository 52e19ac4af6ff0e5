// A finished game, step by step, with every hand open.

import { Api, RefusedError } from "./api.js";
import { BoardView } from "./board.js";
import { face, words } from "./cards.js";
import { $, element } from "./dom.js";
import { pieces } from "./draw.js";
import { LOOKS, returning } from "./identity.js";
import { said, translatePage } from "./texts.js";

const api = new Api("/facts/games");
const NOBODY = { id: "" };
const STEP = "#";
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
  constructor(game, { title, summary, steps, checks, review }) {
    this.game = game;
    this.steps = steps;
    this.names = summary.names;
    $("title").textContent = title;
    document.title = title;
    $("replay").hidden = false;
    this.board = new BoardView($("table"));
    $("checks").replaceChildren(...checks.map(({ holds, text }) => element("li", holds ? "holds" : "fails", `${holds ? "✅" : "❌"} ${text}`)));
    this.drawMarks(review);
    $("review").onclick = () => this.look();
    $("place").max = steps.length - 1;
    $("place").oninput = () => this.show(Number($("place").value));
    $("back").onclick = () => this.show(this.place - 1);
    $("forward").onclick = () => this.show(this.place + 1);
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.show(fromAddress()));
    $("share").onclick = () => this.share();
    this.show(fromAddress());
    if (review === "underway") this.look();
  }

  drawMarks(review) {
    $("marks").replaceChildren(...this.steps.flatMap(({ mark }, place) => (mark.length ? [this.way(place)] : [])));
    $("review").hidden = review !== "offered";
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
    this.drawMarks(replay.review);
    if (!$("marks").children.length && replay.review === "done") $("marks").textContent = said("None of them cost much.");
    this.show(this.place);
  }

  way(place) {
    const button = element("button", "button", `💡 ${said("Review: move {n}", { n: place + 1 })}`);
    button.type = "button";
    button.onclick = () => this.show(place);
    return button;
  }

  show(wanted) {
    const place = (this.place = Math.max(0, Math.min(wanted || 0, this.steps.length - 1)));
    const { board, hands, mark } = this.steps[place];
    history.replaceState(null, "", place ? `${STEP}${place}` : location.pathname);
    $("place").value = place;
    $("back").disabled = place === 0;
    $("forward").disabled = place === this.steps.length - 1;
    this.board.draw(board, null, () => "");
    $("told").replaceChildren(`${place} / ${this.steps.length - 1} `, ...pieces(board.told.length ? board.told : board.status, NOBODY, {}));
    $("mark").hidden = mark.length === 0;
    $("mark").replaceChildren(...pieces(mark, NOBODY, {}));
    $("hands").replaceChildren(...hands.flatMap((cards, seat) => this.hand(cards, seat)));
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

  key({ key, target }) {
    if (target.matches("input")) return;
    if (key === "ArrowLeft") this.show(this.place - 1);
    else if (key === "ArrowRight") this.show(this.place + 1);
    else if (key === "Home") this.show(0);
    else if (key === "End") this.show(this.steps.length - 1);
  }

  async share() {
    try {
      await navigator.clipboard.writeText(location.href);
      $("share").textContent = said("Copied");
    } catch {
      prompt(said("Copy link"), location.href); // without https the modern way is closed
    }
  }
}

function fromAddress() {
  return Number(location.hash.slice(STEP.length)) || 0;
}

open(location.pathname.split("/")[2]);
