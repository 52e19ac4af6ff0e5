// Who plays how well, and the games that are over.

/** @import {ListedGame, PlayerTally, Questions} from "../types" */
import { Api, RefusedError } from "./connection.js";
import { $, all, button, element, first, unspoken } from "./dom.js";
import { pieces } from "./messages.js";
import { said, translatePage } from "./texts.js";

const api = new Api("/facts");
const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

translatePage();
document.title = `Durak · ${said("Results")}`;
for (const each of all("button[data-period]")) each.onclick = () => show(each.dataset.period);
show("all");

/** @param {string} [period] */
async function show(period) {
  for (const each of all("button[data-period]")) each.ariaPressed = String(each.dataset.period === period);
  const results = await asked(`results?period=${period}`);
  if (!results) return;
  const { best, fools, games } = results;
  const lowest = Math.min(...best.map(({ index }) => index)); // the best has the longest bar
  const most = Math.max(1, ...fools.map((each) => each.fools));
  const language = document.documentElement.lang;
  const indices = best.map(({ index }) => index.toLocaleString(language, TWO_DIGITS));
  const lost = fools.map(({ fools, games }) => `${fools} / ${games}`);
  fill("best", best.map((each, n) => bar(each, lowest / each.index, indices, n)));
  fill("fools", fools.map((each, n) => bar(each, each.fools / most, lost, n)));
  fill("games", games.map(gameLink));
  $("nothing").hidden = best.length > 0 || games.length > 0;
}

/** @param {"best" | "fools" | "games"} id @param {HTMLElement[]} items */
function fill(id, items) {
  $(id).hidden = items.length === 0;
  first("ol", $(id))?.replaceChildren(...items);
}

/**
 * Makes a row of a ranking: a place, which equal figures share, a name, a bar and a figure.
 * @param {PlayerTally} player
 * @param {number} share of the bar that is full
 * @param {string[]} figures of the whole ranking
 * @param {number} row
 */
function bar({ user, name }, share, figures, row) {
  const place = element("span", "place", `${figures.indexOf(figures[row]) + 1}.`);
  const who = user ? button("who link") : element("span", "who");
  who.append(element("bdi", "", name));
  if (user) who.onclick = () => tell(user);
  const meter = unspoken(Object.assign(element("meter"), { min: 0, max: 1, value: share }));
  return element("li", "", place, who, meter, element("span", "number", figures[row]));
}

/** @param {string} user */
async function tell(user) {
  const player = await asked(`players/${user}`);
  if (!player) return;
  $("player").hidden = false;
  first(".told", $("player"))?.replaceChildren(...pieces(player.told));
  $("player").scrollIntoView({ block: "nearest" });
}

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
  const link = element(
    "a",
    "button game",
    element("strong", "", ...sat),
    element("span", "", is_stopped ? `${when} · ${said("stopped")}` : when),
  );
  link.href = `/games/${id}`;
  return element("li", "", link);
}

/**
 * Requests something; null: it was refused, and the page shows the reason.
 * @template {keyof Questions} What
 * @param {What} what
 */
async function asked(what) {
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
