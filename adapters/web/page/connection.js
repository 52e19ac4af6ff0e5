// The connection to the bot: requests, their retry after an outage, and the stream of changes.

/** @import {Frame, Posts, Questions} from "../types" */
import { behindDoor, carrying, isInside } from "./inside.js";
import { language, t } from "./texts.js";

/** The room that this page shows. */
export const room = decodeURIComponent(location.pathname.split("/")[2]);

const MAIN_ROOM = "main"; // where everybody comes who names no room

/** The name of this room for titles; empty for the main room, which needs none. */
export const roomTitle = room === MAIN_ROOM ? "" : room;

/** Returns the name of a room for lists. @param {string} name */
export function shownRoom(name) {
  return name === MAIN_ROOM ? t("Main room") : name;
}

/** @param {string} name of a room */
export function pathOf(name) {
  return `/r/${encodeURIComponent(name)}`;
}

/** Returns the address of a finished game, which differs in the frame of a chat. @param {string} game */
export function gamePath(game) {
  return isInside ? carrying(behindDoor(`/games/${game}`)) : `/games/${game}`;
}

// --- Requests to the bot.

export class RefusedError extends Error {
  /**
   * @param {string} message a sentence for the reader
   * @param {number} [status] of the response
   * @param {string} [way] an alternative address for what was refused
   */
  constructor(message, status = 0, way = "") {
    super(message);
    this.status = status;
    this.way = way;
  }
}

/** The request may not have arrived. */
export class OfflineError extends RefusedError {}

const PATIENCE = 10_000; // milliseconds until a request without a response counts as failed

export class Api {
  /** @param {string} base the beginning of every address */
  constructor(base) {
    this.base = base;
    this.secret = "";
  }

  /**
   * Posts something and returns the answer, or throws `RefusedError`.
   * @template {keyof Posts} What
   * @param {What} what
   * @param {object} body
   * @returns {Promise<Posts[What]>}
   */
  async send(what, body) {
    return (await this.request(what, body)).json().catch(() => ({}));
  }

  /** Posts something and returns the picture in the response. @param {string} what @param {object} body */
  async picture(what, body) {
    return (await this.request(what, body)).blob();
  }

  /**
   * Requests something and returns the answer, or throws `RefusedError`.
   * @template {keyof Questions} What
   * @param {What} what
   * @returns {Promise<Questions[What]>}
   */
  async get(what) {
    return (await this.request(what)).json();
  }

  /** Fetches a file of a message. @param {string} message @param {string} digest */
  file(message, digest) {
    return this.blob(`files/${message}/${digest}`);
  }

  /** Fetches a person's portrait. @param {string} key */
  portrait(key) {
    return this.blob(`portraits/${key}`);
  }

  /** @param {string} what */
  async blob(what) {
    const response = await fetch(`${this.base}/${what}`, { headers: this.headers }).catch(() => null);
    if (!response?.ok) throw new RefusedError(t("The file couldn't be fetched. Please try again."));
    return response.blob();
  }

  /** Sends a POST request if there is a body, and a GET request otherwise. @param {string} what @param {object} [body] */
  async request(what, body) {
    const change = { method: "POST", body: JSON.stringify(body) };
    /** @type {Response} */
    let response;
    try {
      response = await fetch(`${this.base}/${what}`, {
        ...(body && change),
        headers: { "Content-Type": "application/json", ...this.headers },
        signal: AbortSignal.timeout?.(PATIENCE),
      });
    } catch {
      throw new OfflineError(t("Not sent: there is no connection. Please try again."));
    }
    if (response.ok) return response;
    const { error = "", way = "" } = await response.json().catch(() => ({}));
    const sentence = error.replaceAll("'", "’") || t("Something went wrong. Please try again.");
    throw new RefusedError(sentence, response.status, way);
  }

  /** @returns {Record<string, string>} */
  get headers() {
    return this.secret ? { Authorization: `Bearer ${this.secret}` } : {};
  }
}

// --- Requests during an outage: they are sent again once the connection is back, or reported as lost.

const KEPT_MS = 120_000; // an older press may no longer be what the reader wants
const NAME_BYTES = 16;

export class Outbound {
  /**
   * @param {Api} api
   * @param {{waiting: () => void, doubt: () => void}} on called when something has to wait, and when the connection
   *   seems gone
   */
  constructor(api, on) {
    this.api = api;
    this.on = on;
    /** @type {Set<(isUp: boolean) => void>} */
    this.waiting = new Set(); // functions to call when the connection is back
  }

  /**
   * Sends a request, which the bot answers only once even if it is sent again. Throws if it is refused or lost.
   * @param {"lines" | "presses" | "dismissals"} what
   * @param {object} body
   */
  async send(what, body) {
    const request = { ...body, name: newName() };
    try {
      return await this.api.send(what, request);
    } catch (error) {
      if (!(error instanceof OfflineError)) throw error;
      this.on.doubt();
      this.on.waiting();
      if (!(await this.connection())) throw error;
      return this.api.send(what, request);
    }
  }

  /** Waits for a connection; returns whether it came back in time. @returns {Promise<boolean>} */
  connection() {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(false), KEPT_MS);
      /** @param {boolean} isUp */
      const done = (isUp) => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve(isUp);
      };
      this.waiting.add(done);
    });
  }

  up() {
    for (const done of [...this.waiting]) done(true);
  }
}

function newName() {
  const bytes = crypto.getRandomValues(new Uint8Array(NAME_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// --- The stream from the bot, which reconnects automatically. After each connect, the first frame has the whole state.

const UNKNOWN = 4401;
const LATER = 4429;
const SILENCE = 12_000; // milliseconds of silence after which the page asks whether the bot is there
const ANSWER = 3_000; // milliseconds in which the bot has to answer
const SLEEP = 45_000; // the silence that a hidden page allows; it asks nothing, and the bot sends a beat every 20 seconds
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;

export class Stream {
  /**
   * @param {string} path the address above `/stream`, as in `/r/main`
   * @param {string} secret empty for a spectator
   * @param {{frame: (frame: Frame) => void, up: () => void, down: (why: string) => void, unknown: () => void}} on
   */
  constructor(path, secret, on) {
    const site = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
    this.address = `${site}${path}/stream?language=${language}`; // not every browser names its own
    this.secret = secret;
    this.on = on;
    this.wait = FIRST_WAIT;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = 0;
    for (const name of ["online", "pageshow"]) addEventListener(name, () => this.hurry());
    addEventListener("offline", () => this.drop()); // shows the outage at once, not after the silence
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    this.connect();
  }

  /** Connects or checks the connection now, for example after a phone has woken up. */
  hurry() {
    if (!this.socket) this.connect();
    else if (this.socket.readyState === WebSocket.OPEN) this.ask();
  }

  /** Checks the connection, and drops it if no answer comes in time. */
  ask() {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) this.drop();
    else if (document.hidden) this.dropIn(SLEEP - SILENCE);
    else {
      socket.send("?");
      this.dropIn(ANSWER);
    }
  }

  /** @param {number} milliseconds */
  dropIn(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.drop(), milliseconds);
  }

  connect() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.notice(socket);
    socket.onopen = () =>
      socket.send(JSON.stringify(this.secret ? { secret: this.secret } : { looks: true }));
    socket.onmessage = (event) => {
      this.notice(socket);
      /** @type {Frame} */
      const frame = JSON.parse(event.data);
      if (frame.type === "all") {
        this.wait = FIRST_WAIT;
        this.on.up();
      }
      this.on.frame(frame);
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.end(event.code, event.reason);
    };
  }

  /** @param {WebSocket} socket */
  notice(socket) {
    if (socket !== this.socket) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), SILENCE);
  }

  /** Drops the connection, and reconnects after a while. */
  drop() {
    const socket = this.socket;
    if (!socket) return;
    this.end(0);
    socket.close();
  }

  /** Closes the connection until the page is visible again. */
  rest() {
    const socket = this.socket;
    this.socket = null;
    clearTimeout(this.timer);
    socket?.close();
  }

  /** @param {number} code @param {string} [reason] */
  end(code, reason = "") {
    this.socket = null;
    clearTimeout(this.timer);
    if (code === UNKNOWN) {
      this.on.unknown();
      return;
    }
    this.on.down(code === LATER ? reason : "");
    this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }
}
