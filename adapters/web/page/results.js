// The page of results: the standings, and the finished games.

/** @import {ListedGame, PlayerTally, Questions} from "../types" */
import { hat, playerOf } from "./answers.js";
import { besideFace, faceOf } from "./avatars.js";
import { showCards } from "./cards.js";
import { Api, RefusedError } from "./connection.js";
import { closeBeside } from "./dialogs.js";
import { $, all, button, element, first, openDialog, unspoken } from "./dom.js";
import { beTheWayBack, lastRoom } from "./memory.js";
import { pieces } from "./messages.js";
import { t, translatePage } from "./texts.js";

const api = new Api("/facts");
const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const WORST = 2; // the fool index at the right end of a scale, whose middle is the average
const STEPS = [1, 0, 2]; // the indices of the rows on the podium, from left to right

/** @type {Record<string, string>} */
const NOBODY = {
  week: t("Nobody has been the fool this week."),
  month: t("Nobody has been the fool this month."),
  year: t("Nobody has been the fool this year."),
  all: t("Nobody has been the fool here yet."),
};

translatePage();
document.title = `${t("Durak")} · ${t("Results")}`;
closeBeside();
beTheWayBack(location.pathname);
$("way-back").href = lastRoom() || "/";
showCards();
for (const each of all("button[data-period]")) each.onclick = () => show(each.dataset.period);
show("all");

/** @param {string} [period] */
async function show(period = "all") {
  for (const each of all("button[data-period]")) each.ariaPressed = String(each.dataset.period === period);
  const results = await fetchOrRefuse(`results?period=${period}`);
  if (!results) return;

  const { best, fools, games } = results;
  showBest(best);
  showFools(fools);
  fill("games", games.map(gameLink));
  $("nothing").hidden = best.length > 0;
  $("nothing-title").textContent = NOBODY[period];
}

/** @param {"best" | "fools" | "games"} id @param {HTMLElement[]} items */
function fill(id, items) {
  $(id).hidden = items.length === 0;
  first("ol", $(id))?.replaceChildren(...items);
}

// --- the rankings ---

/** @param {PlayerTally[]} best */
function showBest(best) {
  const language = document.documentElement.lang;
  const placed = best.filter(({ unplaced }) => !unplaced);
  const figures = placed.map(({ index }) => index.toLocaleString(language, TWO_DIGITS));
  const places = placesOf(figures);
  const rows = placed.map((player, n) => rowOf(player, places[n], figures[n], scale(player)));
  fill("best", [...rows, ...best.filter(({ unplaced }) => unplaced).map(unplacedRow)]);

  const steps = placed.length < STEPS.length ? [] : STEPS.map((row) => stepOf(placed[row], places[row]));
  first(".podium", $("best"))?.replaceChildren(...steps);
}

/** @param {PlayerTally[]} fools */
function showFools(fools) {
  const figures = fools.map(({ fools, games }) => t("{fools} of {games}", { fools, games }));
  const places = placesOf(fools.map((each) => String(each.fools)));
  fill("fools", fools.map((player, n) => rowOf(player, places[n], figures[n], bar(player.fools / player.games))));

  const [top, next] = fools;
  const isAlone = top && top.fools > (next?.fools ?? 0);
  first(".first-fool", $("fools"))?.replaceChildren(...(isAlone ? firstFool(top) : []));
}

/** Returns the place of each row; equal figures share a place. @param {string[]} figures */
function placesOf(figures) {
  return figures.map((figure) => figures.indexOf(figure) + 1);
}

/**
 * Returns a row of a ranking.
 * @param {PlayerTally} player
 * @param {number | null} place
 * @param {string} figure
 * @param {HTMLElement} picture a picture of the figure
 */
function rowOf({ user, name }, place, figure, picture) {
  const who = user ? button("who") : element("span", "who");
  who.append(element("bdi", "", besideFace(name)));
  if (user) who.onclick = () => tell(user);

  const number = element("span", "place", place === null ? "" : String(place));
  return element("li", "", number, faceOf(name), who, unspoken(picture), element("span", "number", figure));
}

/** Returns the row of a player without a place yet, with the reason. @param {PlayerTally} player */
function unplacedRow(player) {
  const row = rowOf(player, null, player.unplaced, element("span"));
  row.className = "unplaced";
  return row;
}

/** Draws a fool index on a scale with the average in its middle. @param {PlayerTally} player */
function scale({ index }) {
  const line = element("span", "scale");
  line.style.setProperty("--at", String(Math.min(1, index / WORST)));
  return line;
}

/** @param {number} share of the bar that is full */
function bar(share) {
  const line = element("span", "bar");
  line.style.setProperty("--at", String(share));
  return line;
}

/** @param {PlayerTally} player @param {number} place */
function stepOf({ name }, place) {
  const step = element("div", "step", faceOf(name), element("bdi", "", besideFace(name)), element("b", "", String(place)));
  step.dataset.place = String(place);
  return step;
}

/** Draws the most frequent fool, with a hat and a remark. @param {PlayerTally} player */
function firstFool({ name, fools, games }) {
  const face = foolOf(name);
  const count = element("strong", "", `${besideFace(name)}: ${t("fool in {fools} of {games}", { fools, games })}`);
  const remark = element("p", "", t("Nobody collects cards like {name}.", { name }));
  return [face, element("div", "", count, remark)];
}

/** @param {string} user */
async function tell(user) {
  const player = await fetchOrRefuse(`players/${user}`);
  if (!player) return;

  const body = element("div", "body", ...pieces(player.text));
  $("player-body").replaceChildren(...playerOf(player, body));
  openDialog($("player"));
}

// --- the games ---

/** @param {ListedGame} game */
function gameLink({ id, at, names, losers, is_stopped }) {
  const when = new Date(at * 1000).toLocaleString(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const sat = names.flatMap((name, seat) => [
    seat ? ", " : "",
    element(losers.includes(seat) ? "s" : "span", "", element("bdi", "", name)),
  ]);
  const faces = losers.length ? losers.map((seat) => foolOf(names[seat])) : [element("span", "avatar", "=")];
  const link = element(
    "a",
    "button game",
    unspoken(element("span", "faces", ...faces)),
    element("strong", "", ...sat),
    element("span", "when", is_stopped ? `${when} · ${t("stopped")}` : when),
  );
  link.href = `/games/${id}`;
  return element("li", "", link);
}

/** @param {string} name */
function foolOf(name) {
  const face = faceOf(name);
  face.append(hat());
  return face;
}

/**
 * Requests something; returns null if it was refused, and shows the reason on the page.
 * @template {keyof Questions} What
 * @param {What} what
 */
async function fetchOrRefuse(what) {
  $("refused").hidden = true;
  try {
    return await api.get(what);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    $("refused").textContent = error.message;
    $("refused").hidden = false;
    return null;
  }
}
