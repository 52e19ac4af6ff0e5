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
  fill(
    "best",
    best.map((each) =>
      bar(each, lowest / each.index, each.index.toLocaleString(document.documentElement.lang, TWO_DIGITS)),
    ),
  );
  fill(
    "fools",
    fools.map((each) => bar(each, each.fools / most, `${each.fools} / ${each.games}`)),
  );
  fill("games", games.map(gameLink));
  $("nothing").hidden = best.length > 0 || games.length > 0;
}

/** @param {"best" | "fools" | "games"} id @param {HTMLElement[]} items */
function fill(id, items) {
  $(id).hidden = items.length === 0;
  first("ol", $(id))?.replaceChildren(...items);
}

/** A row with a name, a bar and its number. @param {PlayerTally} player @param {number} share @param {string} number */
function bar({ user, name }, share, number) {
  const who = user ? button("who link") : element("span", "who");
  who.append(element("bdi", "", name));
  if (user) who.onclick = () => tell(user);
  const meter = unspoken(Object.assign(element("meter"), { min: 0, max: 1, value: share }));
  return element("li", "", who, meter, element("span", "number", number));
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
 * Ask for something; null: it was refused, and the page says why.
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
