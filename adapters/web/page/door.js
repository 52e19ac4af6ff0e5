// The door: somebody gives a name, goes on as who they were here before, or only looks.

import { RefusedError } from "./api.js";
import { $, element } from "./dom.js";
import { LOOKS, knownGuests, remember } from "./identity.js";

/** Open the door. `come(secret)` is called with who comes in; `isOwner`: they hold the owner's link. */
export function openDoor(api, { notice, isOwner, come }) {
  $("sign-in").hidden = false;
  $("room").hidden = true;
  $("sign-in-owner").hidden = !isOwner;
  $("look").hidden = isOwner;
  say(notice);
  const known = knownGuests();
  $("known").hidden = known.length === 0;
  $("known-guests").replaceChildren(...known.map((guest) => knownButton(guest, come)));
  $("look").onclick = () => come(LOOKS);
  $("sign-in-form").onsubmit = async (event) => {
    event.preventDefault();
    try {
      const { name, secret } = await api.send("guests", { name: $("name").value });
      remember({ name, secret });
      come(secret);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      say(error.message);
      $("name").focus();
    }
  };
  $("name").focus();
}

function say(notice) {
  $("sign-in-notice").hidden = !notice;
  $("sign-in-notice").textContent = notice;
}

function knownButton({ name, secret }, come) {
  const button = element("button", "button", element("bdi", "", name));
  button.type = "button";
  button.onclick = () => come(secret);
  return button;
}
