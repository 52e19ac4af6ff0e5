// The line to the bot: reconnects by itself. After each connect the first frame brings everything as it is now.

/** @import {Frame} from "../types" */
import { pathOf } from "./rooms.js";

const UNKNOWN = 4401;
const LATER = 1013;
const SILENCE = 12_000; // milliseconds after which the bot is asked whether it is there
const ANSWER = 3_000; // in which it has to say so
const SLEEP = 45_000; // a hidden page asks nothing: the bot says something every 20 seconds
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;

export class Stream {
  /**
   * @param {string} room
   * @param {string} secret empty for a spectator
   * @param {{frame: (frame: Frame) => void, up: () => void, down: (why: string) => void, unknown: () => void}} on
   */
  constructor(room, secret, on) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${pathOf(room)}/stream`;
    this.secret = secret;
    this.on = on;
    this.wait = FIRST_WAIT;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = 0;
    for (const name of ["online", "pageshow"]) addEventListener(name, () => this.hurry());
    addEventListener("offline", () => this.drop()); // said at once, not when the silence has lasted
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    this.connect();
  }

  /** Try now instead of later; a phone that wakes up does not wait. */
  hurry() {
    if (!this.socket) this.connect();
    else if (this.socket.readyState === WebSocket.OPEN) this.ask();
  }

  /** Ask whether the bot is there: no answer is an answer, too. */
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
    this.heard(socket);
    socket.onopen = () => socket.send(JSON.stringify(this.secret ? { secret: this.secret } : { looks: true }));
    socket.onmessage = (event) => {
      this.heard(socket);
      /** @type {Frame} */
      const frame = JSON.parse(event.data);
      if (frame.type === "all") {
        this.wait = FIRST_WAIT;
        this.on.up();
      }
      this.on.frame(frame);
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.lost(event.code, event.reason);
    };
  }

  /** @param {WebSocket} socket */
  heard(socket) {
    if (socket !== this.socket) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), SILENCE);
  }

  /** Give the connection up and try again, if there is one. */
  drop() {
    const socket = this.socket;
    if (!socket) return;
    this.lost(0);
    socket.close();
  }

  /** @param {number} code @param {string} [reason] */
  lost(code, reason = "") {
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
