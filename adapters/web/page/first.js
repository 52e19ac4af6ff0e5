// An inline script before all modules: if they are refused, as in a frame with an opaque origin, it shows how else to play.
// The server inserts it into the page, and its digest into the policy.

{
  const PATIENCE = 12_000; // milliseconds until a missing script counts as refused

  /** Shows how else to play, unless the page has started meanwhile. */
  const giveUp = () => {
    if ("runs" in document.documentElement.dataset) return;

    const data = document.getElementById("texts")?.textContent ?? "";
    const { language, texts } = JSON.parse(data || '{"language": "en", "texts": {}}');
    const isPressed = location.host.endsWith(".discordsays.com") && !location.search.includes("custom_id=");
    const where = isPressed ? "refused-in-discord" : "refused";
    const paragraph = document.getElementById(where);
    const page = document.getElementById("closed");
    if (!paragraph || !page) return;

    const english = paragraph.textContent.trim().replace(/\s+/g, " ");
    document.documentElement.lang = language;
    paragraph.textContent = texts[english] ?? english.replaceAll("'", "’");
    paragraph.hidden = false;
    page.hidden = false;
  };

  const giveUpOnceRead = () => {
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", giveUp);
    else giveUp();
  };

  addEventListener("error", ({ target }) => target instanceof HTMLScriptElement && giveUpOnceRead(), true);
  setTimeout(giveUpOnceRead, PATIENCE);
}
