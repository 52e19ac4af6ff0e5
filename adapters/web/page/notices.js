// Short notices for this person alone.

/** @import {Answer} from "../types" */
import { withCards } from "./cards.js";
import { RefusedError } from "./connection.js";
import { $, all, element } from "./dom.js";
import { said } from "./texts.js";

const SHORTEST = 2_500;
const PER_CHARACTER = 40;
const COPIED_MS = 2_000;

/**
 * Show a sentence, in place of the last one, for as long as it takes to read it; a touch takes it away.
 * @param {string} text
 * @param {string} [tone]
 */
export function toast(text, tone = "") {
  const notice = element("div", `toast ${tone}`, ...withCards(text));
  const away = () => notice.remove();
  notice.onclick = away;
  const place = all("dialog[open]").at(-1) ?? document.body; // an open dialog lies over everything else
  if ($("toasts").parentElement !== place) place.append($("toasts"));
  $("toasts").replaceChildren(notice);
  setTimeout(away, SHORTEST + PER_CHARACTER * text.length);
}

/** Says that the connection is lost, until it is back. @param {string} [why] */
export function showOutage(why) {
  $("offline").hidden = false;
  $("offline").textContent = `${why || said("Connection lost.")} ${said("Trying again …")}`;
}

export function hideOutage() {
  $("offline").hidden = true;
}

/**
 * Say on a button for a moment that it has copied something, with these children in place of its own.
 * @param {HTMLButtonElement} button
 * @param {...(Node | string)} children
 */
export function sayCopied(button, ...children) {
  const [label, before] = [button.ariaLabel, [...button.childNodes]];
  if (label === said("Copied")) return;
  button.replaceChildren(...children);
  button.ariaLabel = said("Copied");
  setTimeout(() => {
    button.replaceChildren(...before);
    button.ariaLabel = label;
  }, COPIED_MS);
}

/**
 * Say what came of a request, unless it `isMoot()` by then; give the answer, or null when it was refused.
 * @param {Promise<Answer>} request
 */
export async function tell(request, isMoot = () => false) {
  try {
    const answer = await request;
    if (answer.toast && !isMoot()) toast(answer.toast);
    return answer;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (!isMoot()) toast(error.message, "danger");
    return null;
  }
}
