// Short notices for the reader: the outcome of requests, and the state of the connection.

/** @import {Answer, Frame, VisitAnswer} from "../types" */
/** @import {Api} from "./connection.js" */
import { withCards } from "./cards.js";
import { Outbound, RefusedError, Stream } from "./connection.js";
import { $, all, element, liftNotices } from "./dom.js";
import { t } from "./texts.js";

const SHORTEST = 2_500; // milliseconds
const PER_CHARACTER = 40;
const ABOVE_THE_HAND = 2_000; // minimum for a notice that covers the words above the hand
const COPIED_MS = 2_000;

/**
 * Shows a sentence in place of the last one, for the time that reading takes; a touch removes it.
 * @param {string} text
 * @param {string} [tone]
 */
export function toast(text, tone = "") {
  const notice = element("div", `toast ${tone}`, ...withCards(text));
  const away = () => notice.remove();
  notice.onclick = away;
  liftNotices();
  $("toasts").replaceChildren(notice);

  const isAboveHand = Boolean($("toasts").closest("#mine"));
  const reading = PER_CHARACTER * text.length;
  setTimeout(away, isAboveHand ? Math.max(ABOVE_THE_HAND, reading) : SHORTEST + reading);
}

/**
 * Marks a button as having copied something: for a moment, these children replace its own.
 * @param {HTMLButtonElement} button
 * @param {...(Node | string)} children
 */
export function sayCopied(button, ...children) {
  const label = button.ariaLabel;
  const before = [...button.childNodes];
  if (label === t("Copied")) return;
  button.replaceChildren(...children);
  button.ariaLabel = t("Copied");
  setTimeout(() => {
    button.replaceChildren(...before);
    button.ariaLabel = label;
  }, COPIED_MS);
}

/**
 * Shows the outcome of a request unless it `isMoot()` by then; returns the answer, or null if it was refused.
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

// --- The connection as the reader sees it: notices about outages, and about requests that have to wait.

export class Line {
  /**
   * @param {Api} api
   * @param {string} path the address above `/stream`, as in `/r/main`
   * @param {{frame: (frame: Frame) => void, unknown: () => void}} on
   */
  constructor(api, path, { frame, unknown }) {
    this.outbound = new Outbound(api, {
      doubt: () => this.stream.drop(),
      waiting: () => toast(t("No connection: this is sent as soon as there is one.")),
    });
    const up = () => {
      showOutage("");
      this.outbound.up();
    };
    const down = (/** @type {string} */ why) =>
      showOutage(`${why || t("Connection lost.")} ${t("Trying again …")}`);
    this.stream = new Stream(path, api.secret, { frame, unknown, up, down });
    addEventListener("click", refuseAtRest, { capture: true });
  }

  /**
   * Sends something and shows the outcome unless it `isMoot()` by then; returns the answer, or null if it was refused.
   * @param {Parameters<Outbound["send"]>[0]} what
   * @param {object} body
   * @param {() => boolean} [isMoot]
   * @returns {Promise<VisitAnswer | null>}
   */
  ask(what, body, isMoot) {
    return tell(this.outbound.send(what, body), isMoot);
  }

  /** Presses a button; after a refusal, the answer's toast has the reason. @param {string} message @param {string} token @returns {Promise<Answer>} */
  press(message, token) {
    return this.outbound.send("presses", { message, token }).catch((error) => ({ toast: error.message }));
  }

  /** Closes the connection until the page is visible again. */
  rest() {
    this.stream.rest();
  }
}

/**
 * Shows or ends an outage. It disables buttons that need the bot's answer at once; lines and presses at the table wait for
 * the connection.
 * @param {string} sentence empty if there is a connection
 */
function showOutage(sentence) {
  $("offline").hidden = !sentence;
  $("offline").textContent = sentence;
  for (const each of all("button[data-online]")) each.ariaDisabled = String(Boolean(sentence));
}

/** Answers a press on a button that an outage disables with the reason. @param {MouseEvent} event */
function refuseAtRest(event) {
  const { target } = event;
  if (!(target instanceof Element) || !target.closest("[data-online][aria-disabled=true]")) return;

  event.preventDefault();
  event.stopPropagation();
  toast($("offline").textContent ?? "");
}
