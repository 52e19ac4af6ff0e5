// Short notices for this person alone.

import { RefusedError } from "./api.js";
import { element } from "./dom.js";
import { withCards } from "./draw.js";

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

/** Say what came of a request, unless it `isMoot()` by then; give the answer, or null when it was refused. */
export async function tell(request, isMoot = () => false) {
  try {
    const answer = await request;
    if (answer.toast && !isMoot()) toast(answer.toast);
    return answer;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (!isMoot()) toast(error.message, "danger");
    return null;
  }
}
