// What the bot tells the page; the names are those of the port (`adapters/port/screens.py`).

/** A rank of `23456789TJQKA` and a suit of `SHDC`, as in `9H`. */
export type Card = string;

export interface Span {
  text: string;
  mark: string;
  mention?: string;
  link?: string;
  when?: number;
}

export interface Button {
  token: string;
  label: string;
  tone: string;
  enabled: boolean;
}

export interface BoardSeat {
  name: string;
  user: string | null;
  cards: number;
  role: "none" | "attacker" | "defender";
  is_awaited: boolean;
  is_out: boolean;
  is_away: boolean;
  team: string;
  seen: Card[];
}

export interface BoardPair {
  attack: Card;
  beat: Card | null;
  by: number | null;
}

export interface Board {
  id: string;
  step: number;
  seats: BoardSeat[];
  bout: BoardPair[];
  talon: number;
  discard: number;
  discarded: Card[];
  trump: string;
  turn_up: Card | null;
  status: Span[];
  told: Span[];
  asked: Span[];
  since: number | null;
  until: number | null;
  is_over: boolean;
  losers: number[];
}

export interface BoardMove {
  token: string;
  kind: string;
  cards: Card[];
  attack: Card | null;
  label: string;
}

export interface HandBoard {
  id: string;
  step: number;
  seat: number;
  cards: Card[];
  moves: BoardMove[];
  idle: { card: Card; token: string }[];
  is_awaited: boolean;
  says: Span[];
  note: Span[];
  advice: string | null;
  one_tap: boolean;
}

/** What is shown of a game at one moment. */
export interface View {
  board: Board;
  hand: HandBoard | null;
  own: number | null;
  handMessage: string | null;
  tableMessage: string;
  result: Message | null;
  common: Button[];
  others: Button[];
  questions: Button[];
  isAsked: boolean;
}

export interface Message {
  id: string;
  kind: string;
  private: boolean;
  at: number;
  content: any;
}
