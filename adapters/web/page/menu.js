// The menu of the live table: rarely used buttons, and the reader's preferences on this device.

/** @import {Button} from "../types" */
/** @import {Live} from "./live.js" */
import { mayNotify, obstacle, ring } from "./announcer.js";
import { $, all, button, element, first, keep, openDialog } from "./dom.js";
import { hasFinished, preferences, setPreference } from "./memory.js";
import { t, withoutSign } from "./texts.js";
import { find } from "./touch.js";

/** Adds the menu. While it is open it keeps its size, so that nothing moves under a finger. @param {Live} live */
export function addMenu(live) {
  const open = button("tool", element("span", "sign", "⋯"), element("span", "label", t("Menu")));
  open.dataset.menu = "menu";
  open.title = t("Menu");
  open.ariaLabel = open.title;
  live.hand.tools.append(open);
  open.onclick = () => {
    const { more = [], common = [], quiet = [] } = live.view ?? {};
    drawLines($("table-buttons"), [...more, ...common, ...quiet]);
    for (const box of all("input[data-preference]")) box.checked = preferences[preferenceOf(box)];
    $("open-last-bout").hidden = !live.lastBout.bout.length;
    $("open-other-games").hidden = !live.view?.result;
    for (const each of [$("open-statistics"), $("open-results")]) each.hidden = !hasFinished(live.me.id);
    showObstacle();
    openDialog($("menu"));
  };
  first("[data-how]", $("menu"))?.addEventListener("click", () => $("menu").close());
  $("open-last-bout").onclick = () => {
    $("menu").close();
    live.lastBout.show();
  };
  $("open-other-games").onclick = () => {
    $("menu").close();
    live.moments.leave();
  };
  $("table-buttons").onclick = ({ target }) => {
    const found = find(/** @type {Element} */ (target));
    if (found?.type !== "other") return;
    $("menu").close();
    const isOf = (/** @type {Button[]} */ buttons = []) => buttons.some(({ token }) => token === found.token);
    if (isOf(live.view?.more)) live.press(found.token, "result");
    else live.press(found.token, isOf(live.view?.quiet) ? "hand" : "table");
  };
  for (const box of all("input[data-preference]")) {
    const name = preferenceOf(box);
    box.onchange = async () => {
      if (name === "notify" && box.checked) box.checked = await mayNotify();
      setPreference(name, box.checked);
      showObstacle();
      if (name === "sounds" && box.checked) ring();
    };
  }
}

/** Draws buttons of a message as lines of the menu. @param {HTMLElement} list @param {Button[]} buttons */
function drawLines(list, buttons) {
  keep(list, buttons, {
    key: ({ token }) => token,
    make: () => button("setting opens"),
    update: (line, { token, label }) => {
      line.dataset.other = token;
      line.textContent = withoutSign(label);
    },
  });
}

/** @param {HTMLInputElement} box */
function preferenceOf(box) {
  return /** @type {import("./memory.js").Preference} */ (box.dataset.preference);
}

/** Shows the reason why notifications are impossible, if they are, and disables and clears their checkbox then. */
function showObstacle() {
  const [box] = all("input[data-preference=notify]");
  box.disabled = Boolean(obstacle());
  box.checked &&= !box.disabled;
  $("no-notifications").hidden = !box.disabled;
  $("no-notifications").textContent = obstacle();
}
