// The names of the teams, by the signs with which the bot marks them.

import { t } from "./texts.js";

const NAMES = /** @type {Record<string, string>} */ ({
  "🔴": t("Red team"),
  "🔵": t("Blue team"),
  "🟢": t("Green team"),
});

/** Returns the name of a team; empty if its sign is unknown. @param {string} sign */
export function teamName(sign) {
  return NAMES[sign] ?? "";
}
