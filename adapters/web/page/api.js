// Requests to the bot, and the guests that this browser has been.

import { said } from "./texts.js";

const KNOWN = "durak-guests";
const MOST_KNOWN = 8;
const NOTICE = "durak-notice";

export class RefusedError extends Error {}

export class Api {
  constructor(room) {
    this.base = `/r/${room}`;
    this.secret = "";
  }

  /** Send a request; give the JSON of the answer, or throw `RefusedError` with a sentence for the person. */
  async send(what, body) {
    let response;
    try {
      response = await fetch(`${this.base}/${what}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.secret}` },
        body: JSON.stringify(body),
      });
    } catch {
      throw new RefusedError(said("Not sent: there is no connection. Please try again."));
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new RefusedError(said(answer.error || "Something went wrong. Please try again."));
    return answer;
  }

  /** Fetch a file of a message. */
  async file(message, digest) {
    const response = await fetch(`${this.base}/files/${message}/${digest}`, {
      headers: { Authorization: `Bearer ${this.secret}` },
    }).catch(() => null);
    if (!response?.ok) throw new RefusedError(said("The file could not be fetched. Please try again."));
    return response.blob();
  }
}

/** The guests this browser came in as, newest first: `{name, secret}`. */
export function knownGuests() {
  try {
    const known = JSON.parse(localStorage.getItem(KNOWN));
    return Array.isArray(known) ? known : [];
  } catch {
    return [];
  }
}

export function remember(guest) {
  const others = knownGuests().filter((known) => known.secret !== guest.secret);
  keep([guest, ...others].slice(0, MOST_KNOWN));
}

export function forget(secret) {
  keep(knownGuests().filter((known) => known.secret !== secret));
}

/** Keep a sentence for the page as it will be after it was loaded anew. */
export function leaveNotice(text) {
  try {
    sessionStorage.setItem(NOTICE, text);
  } catch {
    // A browser that keeps nothing: nothing is said.
  }
}

export function takeNotice() {
  try {
    const text = sessionStorage.getItem(NOTICE) ?? "";
    sessionStorage.removeItem(NOTICE);
    return text;
  } catch {
    return "";
  }
}

function keep(guests) {
  try {
    localStorage.setItem(KNOWN, JSON.stringify(guests));
  } catch {
    // A browser that keeps nothing: the link still works.
  }
}
