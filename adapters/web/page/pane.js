// The private pane: a column beside the chat, on a phone a sheet under it that can be folded.

const $ = (id) => document.getElementById(id);

export class Pane {
  constructor(list) {
    this.list = list;
    $("pane-handle").onclick = () => this.fold(!$("pane").classList.contains("folded"));
  }

  reset(messages, me) {
    this.list.reset(messages, me);
  }

  /** Show a private message; a new one unfolds the sheet, a changed one only says so. */
  put(message) {
    const isNew = this.list.put(message);
    if (isNew) this.open();
    else if ($("pane").classList.contains("folded")) $("pane-news").hidden = false;
    return isNew;
  }

  remove(id) {
    this.list.remove(id);
  }

  lead(id) {
    this.open();
    return this.list.lead(id);
  }

  open() {
    this.fold(false);
  }

  fold(isFolded) {
    $("pane").classList.toggle("folded", isFolded);
    $("pane-handle").setAttribute("aria-expanded", String(!isFolded));
    if (isFolded) return;
    $("pane-news").hidden = true;
    this.list.settle();
  }
}
