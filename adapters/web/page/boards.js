// Which table is shown live, among all messages: the one at which the reader sits, else the newest in the room.

/** @import {HandMessage, LobbyMessage, Message, Reader, ScreenMessage, Shown, TableMessage} from "../types" */

export class Boards {
  constructor() {
    /** @type {Map<string, ScreenMessage>} */
    this.messages = new Map();
  }

  clear() {
    this.messages.clear();
  }

  /** @param {Message} message */
  put(message) {
    if (message.kind !== "chat" && (message.content.board || isEnding(message))) this.messages.set(message.id, message);
    else this.remove(message.id);
  }

  /** @param {string} id */
  remove(id) {
    this.messages.delete(id);
  }

  /** What to show to a reader; null: nothing. @param {Reader} me @returns {Shown | null} */
  shown(me) {
    const known = [...this.messages.values()].sort((one, other) => Number(one.id) - Number(other.id));
    const lobby = known.filter(isLobby).at(-1);
    const tables = known.filter(isTable);
    const [best] = [...tables].sort((one, other) => rank(other, me) - rank(one, me));
    if (!best) return lobby ? { lobby } : null;
    const { id, is_over } = best.content.board;
    const ofGame = tables.filter(({ content }) => content.board.id === id);
    const newest = ofGame[ofGame.length - 1];
    if (lobby && is_over && Number(lobby.id) > Number(newest.id)) return { lobby };
    const hand = known.filter(isHand).filter(({ content }) => content.board.id === id).at(-1) ?? null;
    const ending = known.filter(isEnding).filter(({ content }) => content.game === id.replace(":", "-")).at(-1) ?? null;
    return {
      table: ofGame[0],
      hand: is_over ? null : hand,
      result: is_over && ofGame.length > 1 ? newest : null,
      ending: is_over ? ending : null,
    };
  }
}

/**
 * Whether what is shown is of two moments, or half of one: the table and the hand of a player are two messages.
 * @param {Shown | null} shown
 * @param {Reader} me a spectator has no hand to wait for
 */
export function isTorn(shown, me) {
  if (!shown?.table) return false;
  const { board } = shown.table.content;
  const isSeated = board.seats.some(({ user }) => user && user === me.id);
  return isSeated && !board.is_over && shown.hand?.content.board.step !== board.step;
}

/** A running table goes first, above all one's own, then a newer one. @param {TableMessage} message @param {Reader} me */
function rank({ id, content: { board } }, me) {
  const isMine = board.seats.some(({ user }) => user && user === me.id);
  return (board.is_over ? 0 : 4e15) + (isMine && !board.is_over ? 2e15 : 0) + Number(id);
}

/** @param {ScreenMessage} message @returns {message is TableMessage} */
const isTable = (message) => "seats" in (message.content.board ?? {});

/** @param {ScreenMessage} message @returns {message is LobbyMessage} */
const isLobby = (message) => "players" in (message.content.board ?? {});

/** @param {ScreenMessage} message @returns {message is HandMessage} */
const isHand = (message) => "moves" in (message.content.board ?? {});

/** Whether a message tells its reader how a game ended for them. @param {ScreenMessage} message */
const isEnding = (message) => message.private && Boolean(message.content.game);
