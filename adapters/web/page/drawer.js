// The chat beside a live table: a column at a desk, on a phone a drawer that opens over the table.

const $ = (id) => document.getElementById(id);

export function openDrawer() {
  $("open-chat").onclick = () => showChat(!$("room").classList.contains("chatting"));
  $("stage").addEventListener("pointerdown", () => showChat(false));
  addEventListener("keydown", (event) => event.key === "Escape" && showChat(false));
}

/** Open or close the drawer. */
export function showChat(isOpen) {
  $("room").classList.toggle("chatting", isOpen);
  $("open-chat").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) $("chat-news").hidden = true;
}

/** Say that there is something new in the chat, if it cannot be seen. */
export function noteNews() {
  if (!$("room").classList.contains("chatting")) $("chat-news").hidden = false;
}

/** A table takes the place of the chat, which has been read so far; or gives it back. */
export function makeRoom(isLive) {
  if ($("room").classList.contains("live") === isLive) return;
  $("room").classList.toggle("live", isLive);
  $("stage").hidden = !isLive;
  $("chat-news").hidden = true;
  showChat(false);
}
