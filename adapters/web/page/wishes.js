// What this browser's reader likes: how a move is confirmed, whether something sounds, whether the chat stands
// beside the table, and whether they have ever played a card here. Kept in this browser alone.

const KEY = "durak-wishes";
const DEFAULTS = { undo: false, sound: false, notify: false, played: false, chat: true };

export const wishes = { ...DEFAULTS, ...kept() };

export function wish(name, value) {
  wishes[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(wishes));
  } catch {
    // A browser that keeps nothing: it holds until the page is left.
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
