// Stands in the page itself, before all modules: where those are refused, as in a frame that has no origin of its own, it
// says how else one can play. The server puts it there, and its digest into the policy.

{
  const PATIENCE = 12_000; // milliseconds until a script that does not come counts as refused

  /** Shows how else one can play, unless the page has begun meanwhile. */
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
