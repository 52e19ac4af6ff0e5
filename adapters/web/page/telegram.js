// Telegram around the page: identifies the person, follows Telegram's colours and edges, and uses its Back button and
// haptic feedback.

/** @import {ChatDoor} from "../types" */
import { all, topDialog } from "./dom.js";
import { applyShade, restoreShade, takeFragment } from "./inside.js";
import { t } from "./texts.js";

/**
 * @typedef {object} Hosted the globals that Telegram adds to a page
 * @property {{postEvent: (type: string, data: string) => void}} [TelegramWebviewProxy] in its apps
 */

const PREFIX = "web_app_";

let isPlaying = false;
let wasTurn = false;

/** Sends Telegram an event; Telegram ignores unknown ones. @param {string} type @param {object} [data] */
function send(type, data = {}) {
  const { TelegramWebviewProxy: app } = /** @type {Hosted} */ (globalThis);
  if (app) app.postEvent(type, JSON.stringify(data));
  else if (parent !== window) parent.postMessage(JSON.stringify({ eventType: type, eventData: data }), "*");
}

/** @type {Record<string, (data: any) => void>} */
const HEARD = {
  theme_changed: ({ theme_params: colours }) => paint(colours),
  safe_area_changed: (edges) => leaveRoom("safe", edges),
  content_safe_area_changed: (edges) => leaveRoom("content", edges),
  back_button_pressed: () => topDialog()?.close(),
};

/** Listens to Telegram: its apps call global functions, and its web client posts messages from the parent window. */
function listen() {
  const receive = (/** @type {string} */ type, /** @type {unknown} */ data) => HEARD[type]?.(data ?? {});
  Object.assign(globalThis, {
    Telegram: { WebView: { receiveEvent: receive } },
    TelegramGameProxy: { receiveEvent: receive },
    TelegramGameProxy_receiveEvent: receive,
  });
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || typeof data !== "string") return;
    try {
      const { eventType, eventData } = JSON.parse(data);
      receive(eventType, eventData);
    } catch {
      // not an event
    }
  });
}

/** Makes the page light or dark like Telegram. @param {{bg_color?: string}} [colours] */
function paint(colours) {
  const match = /^#(..)(..)(..)$/.exec(colours?.bg_color ?? "");
  if (!match) return;

  const [red, green, blue] = match.slice(1).map((part) => parseInt(part, 16));
  const isDark = 0.3 * red + 0.59 * green + 0.11 * blue < 128;
  applyShade(isDark ? "dark" : "light");
}

/** @type {Record<string, Partial<Record<"top" | "right" | "bottom" | "left", number>>>} */
const edges = {};

/** Keeps free the edges that the phone or Telegram covers. @param {string} whose @param {object} widths in pixels */
function leaveRoom(whose, widths) {
  edges[whose] = widths;
  for (const side of /** @type {const} */ (["top", "right", "bottom", "left"])) {
    const pixels = Object.values(edges).reduce((sum, each) => sum + (Number(each[side]) || 0), 0);
    document.documentElement.style.setProperty(`--inside-${side}`, `${pixels}px`);
  }
}

/** Follows Telegram's colours and edges, on a page opened from the table. */
export function followTelegram() {
  listen();
  askForLooks();
}

function askForLooks() {
  for (const what of ["theme", "safe_area", "content_safe_area"]) send(`${PREFIX}request_${what}`);
}

function start() {
  listen();
  if (parent !== window) send("iframe_ready");
  send(`${PREFIX}ready`);
  send(`${PREFIX}expand`);
  send(`${PREFIX}setup_swipe_behavior`, { allow_vertical_swipe: false }); // dragging a card down would close the page
  askForLooks();

  const back = new MutationObserver(() =>
    send(`${PREFIX}setup_back_button`, { is_visible: Boolean(topDialog()) }),
  );
  for (const dialog of all("dialog")) back.observe(dialog, { attributeFilter: ["open"] });
}

/** @param {string} type @param {object} options */
function tap(type, options) {
  send(`${PREFIX}trigger_haptic_feedback`, { type, ...options });
}

/** Returns the id of the person in signed data, which Telegram's apps may hand out again; empty if unreadable. @param {string} proof */
function readerIn(proof) {
  try {
    return String(JSON.parse(new URLSearchParams(proof).get("user") ?? "{}").id ?? "");
  } catch {
    return "";
  }
}

/** Opens an address in Telegram, and closes the page. @param {string} address as in `https://t.me/durak_bot` */
function follow(address) {
  const { pathname, search } = new URL(address);
  send(`${PREFIX}open_tg_link`, { path_full: pathname + search });
  send(`${PREFIX}close`);
}

/** Lets the reader choose a chat, and writes a link and a text there. @param {string} link @param {string} text */
function sendOn(link, text) {
  const query = `url=${encodeURIComponent(link)}&text=${encodeURIComponent(text)}`;
  send(`${PREFIX}open_tg_link`, { path_full: `/share/url?${query}` });
}

/** @type {ChatDoor} */
export const telegramDoor = {
  unproven: t("Telegram hasn't said who you are."),
  proof: async () => {
    const fragment = new URLSearchParams(takeFragment());
    restoreShade();
    try {
      paint(JSON.parse(fragment.get("tgWebAppThemeParams") ?? "{}"));
    } catch {
      // keeps the device's colours
    }
    start();

    const query = new URLSearchParams(location.search);
    const wanted = query.get("table") ?? query.get("tgWebAppStartParam") ?? "";
    const proof = fragment.get("tgWebAppData") ?? "";
    return { proof, wanted, whose: `${wanted} ${readerIn(proof)}` };
  },
  ways: (way) => [
    ...(way ? [{ label: t("Get a link instead"), go: () => follow(way) }] : []),
    { label: t("Back to the chat"), go: () => send(`${PREFIX}close`) },
  ],
  share: sendOn,

  onDraw: (now) => {
    if (now.isPlaying !== isPlaying) send(`${PREFIX}setup_closing_behavior`, { need_confirmation: now.isPlaying });
    if (now.isTurn && !wasTurn) tap("notification", { notification_type: "success" });
    isPlaying = now.isPlaying;
    wasTurn = now.isTurn;
  },

  onPress: () => tap("impact", { impact_style: "light" }),
};
