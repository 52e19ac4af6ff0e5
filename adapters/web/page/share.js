// Shares a finished game by the device's share sheet, with a picture, or else by copying its link.

import { t } from "./texts.js";

/**
 * Shares an address, with a picture if the device accepts one; returns whether it was copied instead.
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
  await navigator.share(fits ? whole : { title: t("Durak"), url: link }).catch(() => {}); // the reader may cancel
  return false;
}

/** Fetches a picture as a file; none if it is gone. @param {string} address */
async function filesOf(address) {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) return [];
  return [new File([await response.blob()], "durak.png", { type: "image/png" })];
}
