// Back on a phone closes what lies over the room first: a dialog, or the drawer with the chat.
//
// One entry of the history stands for whatever is open, and is used again by what opens next: browsers allow few
// changes of the history in a short time.

import { $, all } from "./dom.js";
import { isDrawerOpen, showChat } from "./drawer.js";

/** Let Back close what is open; `isPhone`: with fingers and no pointer, where Back is always at hand. */
export function listenToBack(isPhone = matchMedia("(pointer: coarse)").matches) {
  if (!isPhone) return;
  let isGuarded = Boolean(history.state?.over);
  const guard = () => {
    if (isGuarded || !topmost()) return;
    history.pushState({ over: true }, "");
    isGuarded = true;
  };
  const watch = new MutationObserver(guard);
  for (const dialog of all("dialog")) watch.observe(dialog, { attributeFilter: ["open"] });
  watch.observe($("room"), { attributeFilter: ["class"] });
  addEventListener("popstate", ({ state }) => {
    if (!isGuarded || state?.over || location.hash) return;
    isGuarded = false;
    const close = topmost();
    if (close) close();
    else history.back(); // what the entry stood for was closed in another way
  });
}

/** What closes whatever lies over everything else; null: nothing is open. */
function topmost() {
  const dialog = all("dialog[open]").at(-1);
  if (dialog) return () => dialog.close();
  return isDrawerOpen() ? () => showChat(false) : null;
}
