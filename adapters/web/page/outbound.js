// What is sent while the connection is gone: it is kept, sent again once there is one, or said to be lost.

/** @import {Api} from "./api.js" */
import { OfflineError } from "./api.js";

const KEPT_MS = 120_000; // what was pressed longer ago may not be meant any more
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
    this.waiting = new Set(); // what to call when there is a connection
  }

  /**
   * Send something; it is done once, however often it is sent. Throws when it is refused, or lost.
   * @param {"lines" | "presses" | "dismissals"} what
   * @param {object} body
   */
  async send(what, body) {
    const named = { ...body, name: newName() };
    try {
      return await this.api.send(what, named);
    } catch (error) {
      if (!(error instanceof OfflineError)) throw error;
      this.on.doubt();
      this.on.waiting();
      if (!(await this.connection())) throw error;
      return this.api.send(what, named);
    }
  }

  /** Wait until there is a connection; say whether there was one in time. @returns {Promise<boolean>} */
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
