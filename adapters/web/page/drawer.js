// The chat beside a live table: a column where there is room and something to read, else a drawer over the table.

import { $ } from "./dom.js";
import { wish, wishes } from "./wishes.js";

const isColumn = matchMedia("(min-width: 62.5rem)"); // as in board.css

export function openDrawer() {
  $("open-chat").onclick = () => {
    showChat(!$("room").classList.contains("chatting"));
    if (isColumn.matches) wish("chat", $("room").classList.contains("chatting"));
  };
  const close = () => isColumn.matches || showChat(false);
  $("stage").addEventListener("pointerdown", close);
  addEventListener("keydown", (event) => event.key === "Escape" && close());
  isColumn.addEventListener("change", rest);
}

/** Show the chat as it is by itself: as a column, unless it is empty or its reader wants none. */
function rest() {
  const isEmpty = !document.querySelector("#public > .chat");
  showChat(isColumn.matches && wishes.chat && !isEmpty);
}

/** Whether the chat lies over the table. */
export function isDrawerOpen() {
  return !isColumn.matches && $("room").matches(".live.chatting");
}

/** Open or close the drawer. @param {boolean} isOpen */
export function showChat(isOpen) {
  $("room").classList.toggle("chatting", isOpen);
  $("open-chat").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) $("chat-news").hidden = true;
}

/** Say that there is something new in the chat, if it cannot be seen. */
export function noteNews() {
  if ($("room").classList.contains("chatting")) return;
  if (isColumn.matches && wishes.chat) showChat(true);
  else $("chat-news").hidden = false;
}

/** A table takes the place of the chat, which has been read so far; or gives it back. @param {boolean} isLive */
export function makeRoom(isLive) {
  if ($("room").classList.contains("live") === isLive) return;
  $("room").classList.toggle("live", isLive);
  $("stage").hidden = !isLive;
  $("chat-news").hidden = true;
  rest();
}
