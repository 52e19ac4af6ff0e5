// Which table is shown live, among all messages: the one at which the reader sits, else the newest in the room.

export class Boards {
  constructor() {
    this.messages = new Map();
    this.plain = new Set(); // public messages with buttons that are no table: a lobby, say
  }

  clear() {
    this.messages.clear();
    this.plain.clear();
  }

  put(message) {
    const { id, kind, content } = message;
    this.remove(id);
    if (content.board) this.messages.set(id, message);
    else if (kind === "post" && !message.private && !content.asked && content.rows?.length) this.plain.add(id);
  }

  remove(id) {
    this.messages.delete(id);
    this.plain.delete(id);
  }

  /** What to show somebody: the message of a table, of its result, and of the reader's hand; null: nothing. */
  shown(me) {
    const tables = [...this.messages.values()].filter(({ content }) => content.board.seats);
    const best = tables.sort((one, other) => this.rank(other, me) - this.rank(one, me))[0];
    if (!best) return null;
    const { board } = best.content;
    const ofGame = tables.filter(({ content }) => content.board.id === board.id).sort(byId);
    if (board.is_over && [...this.plain].some((id) => Number(id) > Number(ofGame.at(-1).id))) return null;
    const hands = [...this.messages.values()].filter(({ content }) => content.board.moves && content.board.id === board.id);
    return {
      table: ofGame[0],
      result: board.is_over && ofGame.length > 1 ? ofGame.at(-1) : null,
      hand: board.is_over ? null : (hands.sort(byId).at(-1) ?? null),
    };
  }

  rank({ id, content: { board } }, me) {
    const isMine = board.seats.some(({ user }) => user && user === me.id);
    return (board.is_over ? 0 : 4e15) + (isMine && !board.is_over ? 2e15 : 0) + Number(id);
  }
}

function byId(one, other) {
  return Number(one.id) - Number(other.id);
}
