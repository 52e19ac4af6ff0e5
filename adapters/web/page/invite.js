// The dialog that brings others here: a link and its picture for phones, and on wish the guest's own link.

import { RefusedError } from "./api.js";
import { pathOf } from "./rooms.js";
import { said } from "./texts.js";

const $ = (id) => document.getElementById(id);

export class Invite {
  /** `secret` is the guest's own; empty for somebody who only looks. */
  constructor(api, room, secret) {
    this.api = api;
    this.path = pathOf(room);
    this.secret = secret;
    this.origin = location.origin;
    $("show-own-link").onclick = () => this.showOwn();
    $("share").hidden = !navigator.share;
    $("share").onclick = () => navigator.share({ title: "Durak", url: $("room-link").value }).catch(() => {});
    $("address").onchange = () => this.use($("address").value);
    for (const button of document.querySelectorAll("[data-copy]")) button.onclick = () => copy(button);
  }

  open() {
    $("own").hidden = true;
    $("show-own-link").hidden = !this.secret;
    $("own-link").value = "";
    $("own-code").removeAttribute("src");
    $("links").showModal();
    this.show(location.origin);
    if (this.secret) this.find();
  }

  /** Ask at which addresses others can open the page: the one in this browser may lead nowhere else. */
  async find() {
    const { addresses } = await this.api.get("addresses").catch(() => ({ addresses: [location.origin] }));
    $("only-here").hidden = addresses.length > 0;
    $("address").hidden = addresses.length < 2;
    $("address").replaceChildren(...addresses.map((address) => new Option(address, address)));
    this.use(addresses[0] ?? location.origin);
  }

  use(origin) {
    this.origin = origin;
    this.show(origin);
    if (this.secret) this.draw($("room-code"), $("room-link").value);
  }

  show(origin) {
    $("room-link").value = origin + this.path;
  }

  showOwn() {
    $("own").hidden = false;
    $("show-own-link").hidden = true;
    $("own-link").value = `${this.origin}${this.path}#${this.secret}`;
    this.draw($("own-code"), $("own-link").value);
  }

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

async function copy(button) {
  const field = $(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // without https the modern way is closed; the text is selected anyway
  }
  button.textContent = said("Copied");
}
