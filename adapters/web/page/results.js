// Who plays how well, and the games that are over.

import { Api, RefusedError } from "./api.js";
import { $, all, element } from "./dom.js";
import { pieces } from "./draw.js";
import { said, translatePage } from "./texts.js";

const api = new Api("/facts");
const NOBODY = { id: "" };
const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

translatePage();
document.title = `Durak · ${said("Results")}`;
for (const button of all("[data-period]")) {
  button.onclick = () => show(button.dataset.period);
}
show("all");

async function show(period) {
  for (const button of all("[data-period]")) {
    button.setAttribute("aria-pressed", String(button.dataset.period === period));
  }
  const results = await asked(`results?period=${period}`);
  if (!results) return;
  const { best, fools, games } = results;
  const lowest = Math.min(...best.map(({ index }) => index)); // the best has the longest bar
  const most = Math.max(1, ...fools.map((each) => each.fools));
  fill("best", best.map((each) => bar(each, lowest / each.index, each.index.toLocaleString(document.documentElement.lang, TWO_DIGITS))));
  fill("fools", fools.map((each) => bar(each, each.fools / most, `${each.fools} / ${each.games}`)));
  fill("games", games.map(way));
  $("nothing").hidden = best.length > 0 || games.length > 0;
}

function fill(id, items) {
  $(id).hidden = items.length === 0;
  $(id).querySelector("ol").replaceChildren(...items);
}

/** A row with a name, a bar and its number. */
function bar({ user, name }, share, number) {
  const who = element(user ? "button" : "span", user ? "who link" : "who", element("bdi", "", name));
  if (user) Object.assign(who, { type: "button", onclick: () => tell(user) });
  const meter = Object.assign(element("meter"), { min: 0, max: 1, value: share });
  meter.ariaHidden = "true";
  return element("li", "", who, meter, element("span", "number", number));
}

async function tell(user) {
  const player = await asked(`players/${user}`);
  if (!player) return;
  $("player").hidden = false;
  $("player").querySelector(".told").replaceChildren(...pieces(player.told, NOBODY, {}));
  $("player").scrollIntoView({ block: "nearest" });
}

function way({ id, at, names, losers, is_stopped }) {
  const when = new Date(at * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const sat = names.flatMap((name, seat) => [seat ? ", " : "", element(losers.includes(seat) ? "s" : "span", "", element("bdi", "", name))]);
  const link = element("a", "button game", element("strong", "", ...sat), element("span", "", is_stopped ? `${when} · ${said("stopped")}` : when));
  link.href = `/games/${id}`;
  return element("li", "", link);
}

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
