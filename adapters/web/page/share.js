// A finished game is shared: by the device's own sheet with a picture, or as a link to copy.

import { t } from "./texts.js";

/**
 * Shares the address of something, with a picture where the device takes one; returns whether it was copied instead.
 * @param {string} link
 * @param {string} [picture] its address
 */
export async function share(link, picture = "") {
  if (!navigator.share) {
    await navigator.clipboard.writeText(link);
    return true;
  }

  const files = picture ? await filesOf(picture) : [];
  const whole = { title: t("Durak"), url: link, ...(files.length && { files }) };
  const fits = files.length && navigator.canShare?.(whole);
  await navigator.share(fits ? whole : { title: t("Durak"), url: link }).catch(() => {}); // its reader thought again
  return false;
}

/** Fetches a picture as a file; none if it is gone. @param {string} address */
async function filesOf(address) {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) return [];
  return [new File([await response.blob()], "durak.png", { type: "image/png" })];
}
