// The rooms of the page: where people are, and how a new one is opened.

/** @import {Api} from "./api.js" */
/** @import {Room} from "../types" */
import { $, element } from "./dom.js";
import { said } from "./texts.js";

const LONGEST = 32;

/** The room that this page shows. */
export const room = decodeURIComponent(location.pathname.split("/")[2]);

/** @param {string} name of a room */
export function pathOf(name) {
  return `/r/${encodeURIComponent(name)}`;
}

/** Make a typed name one that can stand in an address; empty when nothing of it can. @param {string} typed */
export function roomName(typed) {
  const words = typed.normalize("NFC").trim().replace(/\s+/gu, "-");
  return [...words.replace(/[^\p{L}\p{N}_-]/gu, "")].slice(0, LONGEST).join("");
}

/** Give a room to a guest of this name, who cannot play in this one. @param {string} name */
export function ownRoom(name) {
  const own = roomName(name) || roomName(`${room}-2`);
  return own === room ? roomName(`${own.slice(0, LONGEST - 2)}-2`) : own;
}

export class Rooms {
  /** @param {Api} api */
  constructor(api) {
    this.api = api;
    $("place").onclick = () => this.open();
    $("new-room").onsubmit = (event) => {
      event.preventDefault();
      const name = roomName($("new-room-name").value);
      if (name) location.assign(pathOf(name));
      else $("new-room-name").focus();
    };
  }

  async open() {
    $("rooms").showModal();
    const rooms = await this.api.get("rooms").catch(() => []);
    $("room-list").replaceChildren(...rooms.map((each) => element("li", "", this.link(each))));
  }

  /** @param {Room} room */
  link({ name, people }) {
    const who = people.flatMap((guest, n) => [n ? ", " : "", element("bdi", "", guest.name)]);
    const link = element("a", "button room-way", element("strong", "", name));
    link.append(element("span", "", ...(who.length ? who : [said("Nobody is there now.")])));
    link.href = pathOf(name);
    if (name === room) link.setAttribute("aria-current", "page");
    return link;
  }
}
