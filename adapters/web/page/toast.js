// Short notices for this person alone.

import { element, withCards } from "./draw.js";

const SHORTEST = 3_000;
const PER_CHARACTER = 50;

/** Show a sentence for as long as it takes to read it; a touch takes it away. */
export function toast(text, tone = "") {
  const notice = element("div", `toast ${tone}`, ...withCards(text));
  const away = () => notice.remove();
  notice.onclick = away;
  document.getElementById("toasts").append(notice);
  setTimeout(away, SHORTEST + PER_CHARACTER * text.length);
}
