// Finding a game: against bots or at a new table, in other rooms, and by inviting others to this one.

/** @import {GuidePicture, Room, RuleSetCard} from "../types" */
/** @import {Api} from "./connection.js" */
import { cap, pictureOf } from "./answers.js";
import { avatarOf, initial } from "./avatars.js";
import { sketch, withCards } from "./cards.js";
import { pathOf, RefusedError, room, shownRoom } from "./connection.js";
import { $, all, button, element, openDialog, unspoken } from "./dom.js";
import { beInThisTab, forget, isInCookie, remember } from "./memory.js";
import { sayCopied, toast } from "./notices.js";
import { t } from "./texts.js";

// --- Starting a game: against bots with one tap, or at a table with chosen rules.

const TABLE = "/durak"; // the command that opens a table
const RANGE = /(\d+–\d+)/; // the numbers of players, which stay on one line

export class Play {
  /**
   * @param {Api} api
   * @param {object} on
   * @param {(line: string) => void} on.say sends a line
   * @param {() => boolean} on.mayPlay returns whether a game can be started in this room
   * @param {(line: string) => void} on.leave goes to a room where one can be started, and sends the line there
   */
  constructor(api, on) {
    this.api = api;
    this.on = on;
    for (const each of all(".button:not(.way)[data-say='/learn']")) each.prepend(cap(), " ");
    for (const each of all("[data-picture]")) each.prepend(pictureOf(/** @type {GuidePicture} */ (each.dataset.picture)));
    addEventListener("click", ({ target }) => {
      /** @type {HTMLElement | null} */
      const pressed = target instanceof Element ? target.closest("[data-say], [data-play]") : null;
      if (!pressed) return;

      const { say, play } = pressed.dataset;
      const isPromised = Boolean(pressed.closest("#play")) && this.promisesRoom;
      for (const dialog of all("dialog[open]")) dialog.close();
      if (say === undefined) this.open(play);
      else this.begin(say, isPromised);
    });
  }

  /** Whether the dialog promises a room of the reader's own, even if the game of the others ends while it is open. */
  get promisesRoom() {
    return !$("play-elsewhere").hidden;
  }

  /** Opens the dialog, or only its rules. @param {string} [part] "rules" */
  async open(part = "") {
    $("play-elsewhere").hidden = this.on.mayPlay();
    for (const each of all("#play section:not(#play-rules)")) each.hidden = part === "rules";
    openDialog($("play"));
    const ruleSets = await this.api.get("rule-sets").catch(() => []);
    const usual = ruleSets.filter((ruleSet) => ruleSet.is_usual);
    const others = ruleSets.filter((ruleSet) => !ruleSet.is_usual);

    $("rule-sets").replaceChildren(...usual.map((ruleSet) => this.card(ruleSet)));
    $("more-rule-sets").replaceChildren(...others.map((ruleSet) => this.card(ruleSet)));
    $("more-games").hidden = !others.length;
  }

  /** @param {RuleSetCard} ruleSet */
  card({ name, title, cards, about, sketch: looks }) {
    const text = element("span", "text", element("strong", "", title));
    if (about) text.append(element("span", "about", ...withCards(about)));
    const parts = cards.split(RANGE).map((part, n) => (n % 2 ? element("span", "range", part) : part));
    text.append(element("span", "", ...parts));
    const card = button("button rule-set", sketch(looks), text);
    card.onclick = () => {
      $("play").close();
      this.begin(`/durak ${name}`, this.promisesRoom);
    };
    return card;
  }

  /** @param {string} line @param {boolean} isPromised whether a new table is to be in the reader's own room */
  begin(line, isPromised) {
    if (line.startsWith(TABLE) && (isPromised || !this.on.mayPlay())) this.on.leave(line);
    else this.on.say(line);
  }
}

// --- The rooms of the page: a list with the people in them, and a form for a new one.

const LONGEST = 32;
const MOST_FACES = 4; // of a room in the list

/** Converts a typed name to one that is valid in an address; empty if no character is. @param {string} name */
export function roomName(name) {
  const words = name.normalize("NFC").trim().replace(/\s+/gu, "-");
  return [...words.replace(/[^\p{L}\p{N}_-]/gu, "")].slice(0, LONGEST).join("");
}

/** Returns the name of another room for a guest of this name who cannot play in this one. @param {string} name */
export function ownRoom(name) {
  const own = roomName(name) || roomName(`${room}-2`);
  return own === room ? roomName(`${own.slice(0, LONGEST - 2)}-2`) : own;
}

const NO_ROOMS = { rooms: [], has_results: true }; // without an answer

export class Rooms {
  /** @param {Api} api */
  constructor(api) {
    this.api = api;
    $("place").onclick = () => this.open();
    $("open-room").onclick = (event) => {
      event.preventDefault(); // it would close the dialog
      const name = roomName($("new-room-name").value);
      if (name) location.assign(pathOf(name));
      else $("new-room-name").focus();
    };
  }

  async open() {
    openDialog($("rooms"));
    const { rooms, has_results: hasResults } = await this.api.get("rooms").catch(() => NO_ROOMS);
    $("to-results").hidden = !hasResults;
    const isFolded = (/** @type {Room} */ { name, people }) => !people.length && name !== room;
    const empty = rooms.filter(isFolded);
    const others = rooms.filter((each) => !isFolded(each));

    $("room-list").replaceChildren(...others.map((each) => element("li", "", this.link(each))));
    $("empty-room-list").replaceChildren(...empty.map((each) => element("li", "", this.link(each))));
    $("empty-rooms").hidden = !empty.length;
    $("no-rooms").hidden = rooms.some(({ name }) => name !== room);
    $("empty-count").textContent = String(empty.length);
  }

  /** @param {Room} room */
  link({ name, people }) {
    const faces = people.slice(0, MOST_FACES).map((guest) => avatarOf(guest.name, initial(guest.name)));
    const names = people.flatMap((guest, n) => [n ? ", " : "", element("bdi", "", guest.name)]);
    const title = element("strong", "", shownRoom(name));
    const who = element("span", "names", ...(names.length ? names : [t("Nobody is there now.")]));
    const link = element("a", "button room-way", unspoken(element("span", "faces", ...faces)), title, who);
    link.href = pathOf(name);
    if (name !== room) return link;

    link.setAttribute("aria-current", "page");
    title.append(" · ", element("span", "here", t("You are here")));
    return link;
  }
}

// --- Invitations: a link to the room and its QR code, in the lobby and in a dialog; on request, the guest's own link.

export class Invite {
  /** @param {Api} api @param {string} room @param {string} secret the guest's own; empty for a spectator */
  constructor(api, room, secret) {
    this.api = api;
    this.path = pathOf(room);
    this.secret = secret;
    this.origin = location.origin;
    this.isReachable = false; // whether other devices can open the page
    $("open-own-link").onclick = async () => {
      $("menu").close();
      openDialog($("links"));
      await this.find();
      this.showOwn();
    };
    $("show-own-link").onclick = () => this.showOwn();
    $("renew-own-link").onclick = () => this.renew();
    $("share").hidden = !navigator.share;
    $("share").onclick = () => navigator.share({ title: t("Durak"), url: $("room-link").href }).catch(() => {});
    $("address").onchange = () => this.use($("address").value);
    for (const each of all("button[data-copy]")) {
      each.onclick = () => copy(each, $(/** @type {"room-link" | "own-link"} */ (each.dataset.copy)));
    }
  }

  /** Puts the link and its QR code into the lobby, once. @param {HTMLElement} place */
  async offer(place) {
    if (place.childElementCount) return;
    const link = element("a", "address");
    lead(link, location.origin + this.path);
    const copies = button("other", t("Copy invite link"));
    copies.onclick = () => copy(copies, link);
    const code = Object.assign(element("img", "code-picture"), {
      alt: t("Link to this room as a QR code"),
      hidden: true,
    });
    const note = Object.assign(element("p", "", t("Only this computer can open this link so far.")), {
      hidden: true,
    });
    place.append(code, element("div", "copy", link, copies), note);
    if (!this.secret) return;
    const addresses = await this.addresses();
    note.hidden = addresses.length > 0;
    if (!addresses.length) return;
    this.isReachable = true;
    lead(link, addresses[0] + this.path);
    await this.draw(code, link.href);
  }

  /** Returns the addresses at which others can open the page. */
  async addresses() {
    return (await this.api.get("addresses").catch(() => ({ addresses: [location.origin] }))).addresses;
  }

  open() {
    $("own").hidden = true;
    $("show-own-link").hidden = !this.secret;
    lead($("own-link"), "");
    $("own-code").removeAttribute("src");
    openDialog($("links"));
    this.show(location.origin);
    if (this.secret) this.find();
  }

  /** Finds the addresses at which others can open the page, because this browser's may only work here. */
  async find() {
    const addresses = await this.addresses();
    this.isReachable = addresses.length > 0;
    $("only-here").hidden = this.isReachable;
    $("address").hidden = addresses.length < 2;
    $("address").replaceChildren(...addresses.map((address) => new Option(address, address)));
    this.use(addresses[0] ?? location.origin);
  }

  /** @param {string} origin */
  use(origin) {
    this.origin = origin;
    this.show(origin);
    if (this.secret) this.draw($("room-code"), $("room-link").href);
  }

  /** @param {string} origin */
  show(origin) {
    lead($("room-link"), origin + this.path);
  }

  showOwn() {
    $("own").hidden = false;
    $("show-own-link").hidden = true;
    const isHidden = isInCookie(this.secret); // no script can read it; the guest can get a new link
    $("own-link").parentElement?.toggleAttribute("hidden", isHidden);
    $("own-code").hidden = isHidden;
    if (isHidden) return;
    lead($("own-link"), `${this.origin}${this.path}#${this.secret}`);
    this.draw($("own-code"), $("own-link").href);
  }

  /** Gets another secret, which shuts out anyone else who has the current one. */
  async renew() {
    try {
      const { name, secret } = await this.api.send("renewals", {});
      forget(this.secret);
      remember({ name, secret });
      beInThisTab(secret);
      location.reload();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      toast(error.message, "danger");
    }
  }

  /** @param {HTMLImageElement} image @param {string} link */
  async draw(image, link) {
    if (!this.isReachable) {
      image.hidden = true; // no other device could open the link
      return;
    }
    try {
      const before = image.src;
      image.src = URL.createObjectURL(await this.api.picture("qr-code", { link }));
      if (before) URL.revokeObjectURL(before);
      image.hidden = false;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      image.hidden = true; // the link can still be copied
    }
  }
}

/** Sets the address of a link, and shows it with the letters of its room's name; it may break after slashes. @param {HTMLAnchorElement} link @param {string} address */
function lead(link, address) {
  link.href = address;
  const [scheme = "", rest] = /^(https?:\/\/)?(.*)$/.exec(decodeURI(address))?.slice(1) ?? ["", address];
  link.replaceChildren(
    element("span", "scheme", scheme),
    ...rest.split("/").flatMap((part, n) => (n ? ["/", element("wbr"), part] : [part])),
  );
}

/** @param {HTMLButtonElement} button @param {HTMLAnchorElement} link */
async function copy(button, link) {
  getSelection()?.selectAllChildren(link);
  try {
    await navigator.clipboard.writeText(link.href);
  } catch {
    document.execCommand("copy"); // without https there is no clipboard API; the text is already selected
  }
  sayCopied(button, t("Copied"));
}
