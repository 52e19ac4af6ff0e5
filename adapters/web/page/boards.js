// Which table is shown live, among all messages: the one at which the reader sits, else the newest in the room.

export class Boards {
  constructor() {
    /** @type {Map<string, import("../types").Message>} */
    this.messages = new Map();
  }

  clear() {
    this.messages.clear();
  }

  put(message) {
    if (message.content.board || isEnding(message)) this.messages.set(message.id, message);
    else this.remove(message.id);
  }

  remove(id) {
    this.messages.delete(id);
  }

  /** What to show somebody: the messages of a table, its result, the reader's hand or how they fared; or of a `lobby`; null: nothing. */
  shown(me) {
    const known = [...this.messages.values()];
    const drawn = known.filter(({ content }) => content.board);
    const lobby = drawn.filter(({ content }) => content.board.players).sort(byId).at(-1);
    const tables = drawn.filter(({ content }) => content.board.seats);
    const best = tables.sort((one, other) => this.rank(other, me) - this.rank(one, me))[0];
    if (!best) return lobby ? { lobby } : null;
    const { board } = best.content;
    const ofGame = tables.filter(({ content }) => content.board.id === board.id).sort(byId);
    if (lobby && board.is_over && byId(lobby, ofGame.at(-1)) > 0) return { lobby };
    const hands = drawn.filter(({ content }) => content.board.moves && content.board.id === board.id);
    const endings = known.filter((each) => isEnding(each) && each.content.game === board.id.replace(":", "-"));
    return {
      table: ofGame[0],
      result: board.is_over && ofGame.length > 1 ? ofGame.at(-1) : null,
      ending: board.is_over ? (endings.sort(byId).at(-1) ?? null) : null,
      hand: board.is_over ? null : (hands.sort(byId).at(-1) ?? null),
    };
  }

  rank({ id, content: { board } }, me) {
    const isMine = board.seats.some(({ user }) => user && user === me.id);
    return (board.is_over ? 0 : 4e15) + (isMine && !board.is_over ? 2e15 : 0) + Number(id);
  }
}

/** Whether a message tells its reader how a game ended for them. */
function isEnding(message) {
  return message.private && Boolean(message.content.game);
}

function byId(one, other) {
  return Number(one.id) - Number(other.id);
}
