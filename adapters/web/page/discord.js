// Discord around the page: identifies the person who opened it, and follows the size of its frame.

/** @import {ChatDoor} from "../types" */
import { secretOf } from "./inside.js";
import { t } from "./texts.js";

const CLIENTS = ["https://discord.com", "https://ptb.discord.com", "https://canary.discord.com"];
const HANDSHAKE = 0;
const FRAME = 1;
const CLOSE = 2;
const CLOSE_NORMAL = 1000;
const PATIENCE = 12_000; // milliseconds to wait for Discord's answer
const LAYOUTS = ["focused", "small", "grid"];

const query = new URLSearchParams(location.search);
const application = location.host.split(".")[0];

/** Returns the window of Discord around the page. @returns {Window} */
function host() {
  return parent.opener ?? parent;
}

/** Returns the origin of Discord's window: that of the referrer if it is Discord's, or else the usual one. */
function origin() {
  return CLIENTS.find((client) => document.referrer.startsWith(`${client}/`)) ?? CLIENTS[0];
}

/** @param {number} opcode @param {object} data */
function send(opcode, data) {
  host().postMessage([opcode, data], origin());
}

/** @param {string} command @param {object} args @param {string} [event] */
function ask(command, args, event) {
  const nonce = crypto.randomUUID();
  send(FRAME, { cmd: command, args, nonce, ...(event && { evt: event }) });
  return nonce;
}

/** Calls back with each message of Discord's own windows. @param {(data: any) => void} hear */
function listen(hear) {
  addEventListener("message", ({ source, origin: from, data }) => {
    if (source !== host() || !CLIENTS.includes(from) || !Array.isArray(data)) return;
    if (data[0] === FRAME) hear(data[1]);
  });
}

/** Applies Discord's layout mode; the styles show only the table if there is little room. @param {number} mode */
function lay(mode) {
  document.documentElement.dataset.layout = LAYOUTS[mode] ?? LAYOUTS[0];
}

/** Requests an authorization code for the person from Discord; returns an empty one if it is refused. @returns {Promise<string>} */
function authorize() {
  return new Promise((resolve) => {
    let nonce = "";
    listen((message) => {
      if (message.evt === "READY") {
        ask("SUBSCRIBE", {}, "ACTIVITY_LAYOUT_MODE_UPDATE");
        nonce = ask("AUTHORIZE", {
          client_id: application,
          response_type: "code",
          state: "",
          prompt: "none",
          scope: ["identify"],
        });
      } else if (message.evt === "ACTIVITY_LAYOUT_MODE_UPDATE") {
        lay(message.data.layout_mode);
      } else if (nonce && message.nonce === nonce) {
        resolve(message.evt === "ERROR" ? "" : (message.data.code ?? ""));
      }
    });
    setTimeout(resolve, PATIENCE, "");
    send(HANDSHAKE, {
      v: 1,
      encoding: "json",
      client_id: application,
      frame_id: query.get("frame_id"),
    });
  });
}

/** Closes the frame; the next press on the chat's button gives a link. */
function leave() {
  send(CLOSE, { code: CLOSE_NORMAL, message: "", nonce: crypto.randomUUID() });
}

/** @type {ChatDoor} */
export const discordDoor = {
  isLasting: true, // Discord never reloads a frame
  unproven: t("Discord hasn't said who you are."),
  proof: async () => {
    const code = authorize(); // also after a reload, because Discord waits for the handshake
    const wanted = [query.get("instance_id"), query.get("custom_id")].join(" ").trim();
    const proof = secretOf(wanted) ? "" : await code;
    return { proof, wanted, whose: wanted };
  },
  ways: () => [
    { label: t("Try again"), go: () => location.reload() }, // gets another code from Discord
    { label: t("Back to the chat"), go: leave },
  ],
  share: (link, text) => void ask("SHARE_LINK", { message: `${text} ${link}` }), // Discord asks where to
  onDraw: () => {},
  onPress: () => {},
};
