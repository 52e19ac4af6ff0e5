// Shares finished games and puzzles with the device's share sheet and a picture, or else by copying their links.

import { element } from "./dom.js";
import { sayCopied, toast } from "./notices.js";
import { t } from "./texts.js";

/**
 * Shares an address, with a picture if the device accepts one; returns whether it was copied instead.
 * @param {string} link
 * @param {string} [picture] its address
 * @param {string} [sentence] what is to be seen there
 */
async function share(link, picture = "", sentence = "") {
  if (!navigator.share) {
    await navigator.clipboard.writeText([sentence, link].filter(Boolean).join("\n"));
    return true;
  }

  const words = { title: sentence || t("Durak"), url: link };
  const files = picture ? await filesOf(picture) : [];
  const whole = { ...words, ...(files.length && { files }) };
  const fits = files.length && navigator.canShare?.(whole);
  await navigator.share(fits ? whole : words).catch(() => {}); // the reader may cancel
  return false;
}

/**
 * Shares an address by a button, which shows whether it was copied.
 * @param {HTMLButtonElement} button
 * @param {string} link
 * @param {string} picture its address
 * @param {string} [sentence] what is to be seen there
 */
export async function shareBy(button, link, picture, sentence) {
  try {
    const isCopied = await share(link, picture, sentence);
    if (isCopied) sayCopied(button, "✓ ", element("span", "label", t("Copied")));
  } catch {
    prompt(t("Copy link"), link); // without https there is no clipboard API
  }
}

/**
 * Shares the address of a replay, or shows a notice that it was copied.
 * @param {string} link may name a step of the game
 * @param {string} sentence who lost the game
 */
export async function shareReplay(link, sentence) {
  const isCopied = await share(link, `${link.split("#")[0]}/picture`, sentence);
  if (isCopied) toast(t("The link to the replay is copied."));
}

/** Fetches a picture as a file; none if it is gone. @param {string} address */
async function filesOf(address) {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) return [];
  return [new File([await response.blob()], "durak.png", { type: "image/png" })];
}
