// What brings others here: a link and its picture for phones, in the lobby and in a dialog, and on wish the
// guest's own link.

/** @import {Api} from "./api.js" */
import { RefusedError } from "./api.js";
import { $, all, button, element } from "./dom.js";
import { beInThisTab, forget, remember } from "./identity.js";
import { pathOf } from "./rooms.js";
import { said } from "./texts.js";
import { sayCopied, toast } from "./toast.js";

export class Invite {
  /** @param {Api} api @param {string} room @param {string} secret the guest's own; empty for a spectator */
  constructor(api, room, secret) {
    this.api = api;
    this.path = pathOf(room);
    this.secret = secret;
    this.origin = location.origin;
    $("show-own-link").onclick = () => this.showOwn();
    $("renew-own-link").onclick = () => this.renew();
    $("share").hidden = !navigator.share;
    $("share").onclick = () => navigator.share({ title: "Durak", url: $("room-link").href }).catch(() => {});
    $("address").onchange = () => this.use($("address").value);
    for (const each of all("button[data-copy]")) {
      each.onclick = () => copy(each, $(/** @type {"room-link" | "own-link"} */ (each.dataset.copy)));
    }
  }

  /** Put the link and its picture where people gather, once. @param {HTMLElement} place */
  async offer(place) {
    if (place.childElementCount) return;
    const link = element("a", "address");
    lead(link, location.origin + this.path);
    const copies = button("other", said("Copy"));
    copies.onclick = () => copy(copies, link);
    const code = Object.assign(element("img", "code-picture"), { alt: said("Link to this room as a QR code"), hidden: true });
    const note = Object.assign(element("p", "", said("Only this computer can open this link so far.")), { hidden: true });
    place.append(code, element("div", "copy", link, copies), note);
    if (!this.secret) return;
    const addresses = await this.addresses();
    note.hidden = addresses.length > 0;
    if (!addresses.length) return;
    lead(link, addresses[0] + this.path);
    await this.draw(code, link.href);
  }

  /** At which addresses others can open the page. */
  async addresses() {
    return (await this.api.get("addresses").catch(() => ({ addresses: [location.origin] }))).addresses;
  }

  open() {
    $("own").hidden = true;
    $("show-own-link").hidden = !this.secret;
    lead($("own-link"), "");
    $("own-code").removeAttribute("src");
    $("links").showModal();
    this.show(location.origin);
    if (this.secret) this.find();
  }

  /** Ask at which addresses others can open the page: the one in this browser may lead nowhere else. */
  async find() {
    const addresses = await this.addresses();
    $("only-here").hidden = addresses.length > 0;
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
    lead($("own-link"), `${this.origin}${this.path}#${this.secret}`);
    this.draw($("own-code"), $("own-link").href);
  }

  /** Get another secret: whoever else has this one is shut out. */
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
    try {
      const before = image.src;
      image.src = URL.createObjectURL(await this.api.picture("qr-code", { link }));
      if (before) URL.revokeObjectURL(before);
      image.hidden = false;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      image.hidden = true; // the link can be copied all the same
    }
  }
}

/** Let a link lead to an address, and say it: longer ones are broken where they may. @param {HTMLAnchorElement} link @param {string} address */
function lead(link, address) {
  link.href = address;
  link.replaceChildren(...address.split("/").flatMap((part, n) => (n ? ["/", element("wbr"), part] : [part])));
}

/** @param {HTMLButtonElement} button @param {HTMLAnchorElement} link */
async function copy(button, link) {
  getSelection()?.selectAllChildren(link);
  try {
    await navigator.clipboard.writeText(link.href);
  } catch {
    document.execCommand("copy"); // without https the modern way is closed; the text is selected anyway
  }
  sayCopied(button, said("Copied"));
}
