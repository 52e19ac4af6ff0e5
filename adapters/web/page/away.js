// Stands in for a room that cannot be reached, and tries to reach it; or for an address at which there is nothing.

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
