// The pages for a room that is offline, which retries, and for an address that does not exist.

import { $ } from "./dom.js";
import { translatePage } from "./texts.js";

const PAUSE = 5_000;

translatePage();
if ($("again")) waitForRoom();

function waitForRoom() {
  $("again").onclick = () => location.reload();
  addEventListener("online", () => location.reload());
  setInterval(async () => {
    const answer = await fetch("/healthz").catch(() => null);
    if (answer?.ok) location.reload();
  }, PAUSE);
}
