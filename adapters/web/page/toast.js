// Short notices for this person alone.

import { element, withCards } from "./draw.js";

const SHORTEST = 2_500;
const PER_CHARACTER = 40;

/** Show a sentence, in place of the last one, for as long as it takes to read it; a touch takes it away. */
export function toast(text, tone = "") {
  const notice = element("div", `toast ${tone}`, ...withCards(text));
  const away = () => notice.remove();
  notice.onclick = away;
  document.getElementById("toasts").replaceChildren(notice);
  setTimeout(away, SHORTEST + PER_CHARACTER * text.length);
}
