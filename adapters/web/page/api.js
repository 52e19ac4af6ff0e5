// Requests to the bot.

/** @import {Posts, Questions} from "../types" */
import { LANGUAGE_HEADER, said } from "./texts.js";

export class RefusedError extends Error {
  /** @param {string} message a sentence for the reader @param {number} [status] of the response */
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** The request may not have arrived. */
export class OfflineError extends RefusedError {}

const PATIENCE = 10_000; // milliseconds until a connection that is silent counts as none

export class Api {
  /** @param {string} base the beginning of every address */
  constructor(base) {
    this.base = base;
    this.secret = "";
  }

  /**
   * Post something; give the answer, or throw `RefusedError`.
   * @template {keyof Posts} What
   * @param {What} what
   * @param {object} body
   * @returns {Promise<Posts[What]>}
   */
  async send(what, body) {
    return (await this.request(what, body)).json().catch(() => ({}));
  }

  /** Post something that is answered by a picture. @param {string} what @param {object} body */
  async picture(what, body) {
    return (await this.request(what, body)).blob();
  }

  /**
   * Ask for something, or throw `RefusedError`.
   * @template {keyof Questions} What
   * @param {What} what
   * @returns {Promise<Questions[What]>}
   */
  async get(what) {
    return (await this.request(what)).json();
  }

  /** Fetch a file of a message. @param {string} message @param {string} digest */
  async file(message, digest) {
    const response = await fetch(`${this.base}/files/${message}/${digest}`, { headers: this.headers }).catch(() => null);
    if (!response?.ok) throw new RefusedError(said("The file couldn't be fetched. Please try again."));
    return response.blob();
  }

  /** Send a request: a change if it has a body, else a question. @param {string} what @param {object} [body] */
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
      throw new OfflineError(said("Not sent: there is no connection. Please try again."));
    }
    if (response.ok) return response;
    const { error } = await response.json().catch(() => ({}));
    throw new RefusedError(error || said("Something went wrong. Please try again."), response.status);
  }

  get headers() {
    return { ...LANGUAGE_HEADER, ...(this.secret && { Authorization: `Bearer ${this.secret}` }) };
  }
}
