// The types of the data that the bot sends to the page, named as in `adapters/port`, and of the scripts' own data.

/** A rank (one of `23456789TJQKA`) and a suit (one of `SHDC`), as in `9H`. */
export type Card = string;

/** A unique key for each of several equal cards: `9H`, and `9H#2` for the second. */
export type CardKey = string;

export interface Span {
  text: string;
  mark: Mark;
  mention?: string;
  link?: string;
  when?: number;
}

export interface Button {
  token: string;
  label: string;
  tone: Tone;
  enabled: boolean;
  /** The ids of the people for whom it works; if missing, it works for everybody except those in `besides`. */
  readers?: string[];
  besides?: string[];
}

export interface PictureFile {
  alt: string;
  width: number;
  height: number;
  digest: string;
}

export interface DocumentFile {
  name: string;
  digest: string;
}

export interface Guest {
  id: string;
  name: string;
}

export interface AskedLine {
  by: string;
  name: string;
  text: string;
  mentions?: string[];
}

export type ChatContent = AskedLine;

export interface ScreenContent<Drawn = Board | LobbyBoard | HandBoard | OwnResult | undefined> {
  body: Span[];
  rows: Button[][];
  picture: PictureFile | null;
  board?: Drawn;
  drawn?: PuzzleBoard | PlayerCard | Guide | RuleGuide | SettingList;
  game?: string;
  has_address?: boolean; // whether the page shows this finished game to everybody
  document?: DocumentFile;
  asked?: AskedLine;
}

export interface MessageOf<Kind, Content> {
  id: string;
  kind: Kind;
  private: boolean;
  at: number;
  content: Content;
}

export type ChatMessage = MessageOf<"chat", ChatContent>;
export type ScreenMessage = MessageOf<"post" | "answer", ScreenContent>;
export type TableMessage = MessageOf<"post" | "answer", ScreenContent & { board: Board }>;
export type LobbyMessage = MessageOf<"post" | "answer", ScreenContent & { board: LobbyBoard }>;
export type HandMessage = MessageOf<"post" | "answer", ScreenContent & { board: HandBoard }>;
export type EndingMessage = MessageOf<"post" | "answer", ScreenContent<OwnResult | undefined>>;
export type Message = ChatMessage | ScreenMessage;

export interface Command {
  name: string;
  summary: string;
  arguments: string[];
}

/** The immediate answer to a line or a press. */
export interface Answer {
  toast?: string;
  look?: string;
  open_private?: boolean;
  /** The language that the reader has just chosen. */
  language?: string;
  /** The game whose review to open. */
  review?: string;
  form?: Form;
}

/** The immediate answer to a press in a view. */
export interface VisitAnswer extends Answer {
  /** A screen for the presser alone. */
  answer?: ScreenMessage;
  /** Whether something was posted to the room of the table. */
  posted?: true;
}

/** A button for an alternative: it opens an address, or performs an action. */
export interface Way {
  label: string;
  href?: string;
  go?: () => void;
}

/** How a chat shows the page, and vouches for the person who opens it. */
export interface ChatDoor {
  /** Whether the frame stays open longer than a secret is valid; the page then requests another proof. */
  isLasting?: boolean;
  /** The sentence for a reader for whom the chat gives no proof. */
  unproven: string;
  /**
   * Returns a proof (empty if there is none), and the table that the page's own address names. `whose` identifies the
   * reader and the table: a secret that was obtained for the same ones is still valid.
   */
  proof(): Promise<{ proof: string; wanted: string; whose: string }>;
  /** Returns other ways to the table for a refused reader; `way` is an address from the bot, if there is one. */
  ways(way: string): Way[];
  /** Sends a link and a text to another chat; without it, the device shares them. */
  share?(link: string, text: string): void;
  /** Called after each drawing, with whether the reader plays and whether it is their turn. */
  onDraw(now: { isPlaying: boolean; isTurn: boolean }): void;
  /** Called whenever the reader presses a button that sends something. */
  onPress(): void;
}

export type Frame =
  | { type: "all"; you: Guest & { owner: boolean }; now: number; commands: Command[]; messages: Message[] }
  | { type: "message"; message: Message }
  | { type: "gone"; id: string }
  | { type: "forgotten" }
  | { type: "people"; people: Guest[] }
  | Throw
  | RemarkFrame
  | { type: "here" }
  | { type: "beat" };

/** Something thrown at a seat of a game, by another player or by a spectator. */
export interface Throw {
  type: "throw";
  board: string;
  by: number | null;
  seat: number;
  thing: Thing;
}

/** A remark that a player has sent by one press. */
export interface RemarkFrame {
  type: "remark";
  board: string;
  seat: number;
  remark: Remark;
}

export interface ListedGame extends GameSummary {
  id: string;
}

export interface ReplayStep {
  board: Board;
  hands: Card[][];
  mark: Span[];
  played: BoardMove | null;
  better: BoardMove | null;
  mover: number | null;
}

export interface ReplayOf {
  own: number | null;
  title: string;
  summary: ListedGame;
  review: ReviewState;
  checks: { holds: boolean; text: string }[];
  steps: ReplayStep[];
}

export interface Room {
  name: string;
  people: Guest[];
}

/** An open lobby, as the entry page shows it. */
export interface Invitation {
  names: string[];
  host: string;
  most: number;
  hasSeat: boolean;
}

/** A guest of this browser. If only the cookie has the guest's secret, `secret` is `cookie:` followed by their id. */
export interface Secret {
  name: string;
  secret: string;
}

/** The GET requests below `/r/<room>` or `/facts`, with their answers. */
export interface Questions {
  privacy: { message: ScreenMessage; links: string[] };
  addresses: { addresses: string[] };
  rooms: { rooms: Room[]; has_results: boolean };
  own: { has_statistics: boolean };
  rules: RuleGuide;
  "rule-sets": RuleSetCard[];
  [results: `results?${string}`]: { best: PlayerTally[]; fools: PlayerTally[]; games: ListedGame[] };
  [player: `players/${string}`]: PlayerCard;
  [game: `games/${string}`]: ReplayOf;
  [address: `addresses/${string}`]: { address: string };
  [puzzle: `puzzles/${string}`]: PuzzleBoard;
}

/** The POST requests, with their answers. */
export interface Posts {
  guests: Secret;
  renewals: Secret;
  return: { guests: Secret[] };
  owner: Answer;
  lines: Answer;
  presses: VisitAnswer;
  visits: { secret: string; language: string };
  dismissals: Answer;
  throws: object;
  remarks: object;
}

// --- The scripts' own data ---

/** The person for whom the page is drawn; the `id` of a spectator is empty. */
export type Reader = Pick<Guest, "id">;

/** The actions in a message; `file` returns the address of a file. */
export interface MessageActions {
  press(message: string, token: string, button: HTMLButtonElement): void;
  dismiss(message: string): void;
  lead(message: string): void;
  file(message: string, file: { digest: string }): Promise<string>;
  missing(error: Error): void;
  /** Called when the answer should be shown over the table. */
  asks(): void;
  /** Called to show the invitation in this place. */
  gathers(place: HTMLElement): void;
}

/** The messages that are shown at the table: the lobby's; or those of a game, with the lobby of the next one after its result. */
export type Moment =
  | { lobby: LobbyMessage; table?: undefined; hand?: undefined; result?: undefined; ending?: undefined; next?: undefined }
  | {
      lobby?: undefined;
      table: TableMessage;
      hand: HandMessage | null;
      result: TableMessage | null;
      ending: EndingMessage | null;
      next?: LobbyMessage | null;
    };

/** The visible state of a game at one moment. */
export interface View {
  board: Board;
  hand: HandBoard | null;
  own: number | null;
  isTurn: boolean;
  handMessage: string | null;
  tableMessage: string;
  result: TableMessage | null;
  ending: EndingMessage | null;
  /** The player who has opened the next table; empty if nobody has. */
  opener: string;
  /** The table's buttons in the menu; after a game, `next` are the main buttons and `more` the others in the menu. */
  common: Button[];
  next: Button[];
  more: Button[];
  others: Button[];
  /** The hand's buttons in the menu: they leave the game. */
  quiet: Button[];
  questions: Button[];
  isAsked: boolean;
}

/** The message to which a button other than a move belongs. */
export type From = "hand" | "table" | "result" | "lobby";

/** The thing at the table that a finger or a key touches. */
export type Target =
  | { type: "card"; key: CardKey }
  | { type: "attack"; attack: Card }
  | { type: "move"; name: string }
  | { type: "other"; token: string; from: From }
  | { type: "seat"; seat: number }
  | { type: "table" }
  | { type: "undo" };

/** The type of the elements that a selector finds, if it begins with an element name. */
export type ElementOf<Selector extends string> =
  Selector extends `${infer Tag extends keyof HTMLElementTagNameMap}${"[" | "." | ":"}${string}`
    ? HTMLElementTagNameMap[Tag]
    : Selector extends keyof HTMLElementTagNameMap
      ? HTMLElementTagNameMap[Selector]
      : HTMLElement;

// --- Below: written by `python -m tests.regenerate types` from the port and the HTML ---

export type Mark = "plain" | "bold" | "italic" | "code" | "strike" | "small";

export type Tone = "neutral" | "primary" | "good" | "danger";

export type ReviewState = "none" | "offered" | "underway" | "done";

export interface Board {
  id: string;
  step: number;
  title: string;
  seats: BoardSeat[];
  trump: string;
  turn_up: Card | null;
  talon: number;
  discard: number;
  discarded: Card[];
  bout: BoardPair[];
  is_taking: boolean;
  status: Span[];
  latest: Span[];
  asked: Span[];
  own_questions: SeatWords[];
  since: number | null;
  until: number | null;
  is_over: boolean;
  losers: number[];
  fools_hand: string[];
  last_bout: BoardPair[];
  result: GameResult | null;
}

export interface BoardSeat {
  name: string;
  user: string | null;
  cards: number;
  role: Role;
  is_awaited: boolean;
  is_out: boolean;
  is_away: boolean;
  team: string;
  seen: Card[];
  place: number;
  portrait: string;
}

export type Role = "none" | "attacker" | "defender";

export interface BoardPair {
  attack: Card;
  beat: Card | null;
  by: number | null;
}

export interface SeatWords {
  seats: number[];
  words: Span[];
}

export interface GameResult {
  verdict: Span[];
  caption: Span[];
  notes: Span[][];
  left: string;
  length: string;
}

export interface LobbyBoard {
  id: string;
  about: Span[];
  heading: string;
  players: LobbySeat[];
  most: number;
  seal: Span[];
  for_host: LobbyView;
  for_seated: LobbyView;
  for_others: LobbyView;
  expected: LobbySeat[];
}

export interface LobbySeat {
  name: string;
  user: string | null;
  is_host: boolean;
  team: string;
  portrait: string;
}

export interface LobbyView {
  says: Span[];
  tokens: string[];
  best: string;
  bots: string[];
  out: string[];
  closes: string;
}

export interface HandBoard {
  id: string;
  step: number;
  seat: number;
  cards: Card[];
  moves: BoardMove[];
  is_awaited: boolean;
  says: Span[];
  note: Span[];
  advice: string | null;
  idle: BoardIdle[];
  one_tap: boolean;
  latest: Span[];
  cheats: BoardMove[];
}

export interface BoardMove {
  token: string;
  kind: MoveKind;
  cards: Card[];
  attack: Card | null;
  label: string;
}

export type MoveKind = "attack" | "beat" | "transfer" | "show" | "take" | "done" | "lay_away" | "exchange" | "keep" | "redeal";

export interface BoardIdle {
  card: Card;
  token: string;
}

export interface OwnResult {
  verdict: Span[];
  caption: Span[];
  notes: Span[][];
  rating: string;
}

export interface PuzzleBoard {
  trump: string;
  text: Span[];
  other: Card[];
  bout: BoardPair[];
  cards: Card[];
  moves: BoardMove[];
  played: BoardMove | null;
  better: BoardMove | null;
  rival: string;
  number: number;
}

export interface PlayerCard {
  name: string;
  figures: Figure[];
  text: Span[];
  form: GameSign[];
}

export interface Figure {
  value: string;
  label: string;
  hint: string;
}

export interface GameSign {
  sign: string;
  meaning: string;
}

export interface Guide {
  text: Span[];
  ways: GuideWay[];
  typed: GuideLine[];
}

export interface GuideWay {
  picture: GuidePicture;
  label: string;
  token: string;
}

export type GuidePicture = "bots" | "friends" | "lessons" | "rules" | "puzzle" | "fools" | "statistics" | "settings";

export interface GuideLine {
  command: string;
  about: string;
}

export interface Form {
  title: string;
  about: string;
  fields: FormField[];
  others: Button[];
}

export interface FormField {
  label: string;
  choices: FormChoice[];
  chosen: number | null;
  is_switch: boolean;
}

export interface FormChoice {
  token: string;
  label: string;
  about: string;
  sketch: RuleSketch | null;
}

export interface RuleSketch {
  lowest: string;
  size: number;
  transfers: boolean;
}

export interface RuleSetCard {
  name: string;
  title: string;
  cards: string;
  about: string;
  sketch: RuleSketch;
  is_usual: boolean;
}

export interface RuleGuide {
  title: string;
  sentences: string[];
  special: string[];
  heading: string;
  text: Span[];
}

export interface SettingList {
  text: Span[];
  groups: SettingGroup[];
  more: string;
}

export interface SettingGroup {
  heading: string;
  lines: SettingLine[];
}

export interface SettingLine {
  name: string;
  value: string;
  token: string;
  about: string;
  switch: string;
  is_on: boolean;
}

export interface PlayerTally {
  user: string | null;
  name: string;
  games: number;
  fools: number;
  index: number;
  unplaced: string;
}

export interface GameSummary {
  table_id: number;
  game: number;
  at: number;
  names: string[];
  losers: number[];
  is_stopped: boolean;
}

export type Thing = "tomato" | "egg" | "snowball" | "slipper" | "rose" | "plane";

export type Remark = "hurry" | "nice" | "oops" | "luck" | "thanks" | "again" | "laugh" | "cry" | "cool" | "angry" | "wow" | "heart";

/** The elements of the pages, by their ids. */
export type Elements =
  Record<"open-results" | "own-link" | "play-here" | "room-link" | "to-results" | "to-standings" | "way-back", HTMLElementTagNameMap["a"]> &
  Record<"chat-news" | "notes-news", HTMLElementTagNameMap["b"]> &
  Record<"chat-room", HTMLElementTagNameMap["bdi"]> &
  Record<"again" | "autoplay" | "back" | "cheat-yes" | "close-chat" | "come-in" | "come-linked" | "enter" | "face" | "first" | "forward" | "last" | "look" | "open-chat" | "open-commands" | "open-last-bout" | "open-links" | "open-notes" | "open-old-notes" | "open-other-games" | "open-own-link" | "open-room" | "open-statistics" | "other-mark" | "others" | "place" | "privacy" | "renew-own-link" | "review" | "share" | "show-own-link" | "to-table" | "undo", HTMLElementTagNameMap["button"]> &
  Record<"empty-rooms" | "more-games", HTMLElementTagNameMap["details"]> &
  Record<"cheat" | "form" | "how" | "last-bout" | "links" | "menu" | "notes" | "panel" | "play" | "player" | "rooms", HTMLElementTagNameMap["dialog"]> &
  Record<"asked-buttons" | "chat-head" | "chat-scroll" | "commands" | "faces" | "form-fields" | "form-others" | "heading" | "hello" | "how-rules" | "known" | "known-guests" | "linked" | "mine" | "more-rule-sets" | "panel-message" | "player-body" | "puzzle" | "question" | "replay" | "room" | "rule-sets" | "side" | "steps" | "table" | "table-buttons" | "toasts", HTMLElementTagNameMap["div"]> &
  Record<"hands", HTMLElementTagNameMap["dl"]> &
  Record<"composer" | "sign-in-form", HTMLElementTagNameMap["form"]> &
  Record<"title", HTMLElementTagNameMap["h1"]> &
  Record<"bouts-title" | "cheat-title" | "checks-title" | "form-title" | "how-title" | "last-bout-title" | "links-title" | "mark-title" | "menu-title" | "notes-title" | "nothing-title" | "play-title" | "rooms-title", HTMLElementTagNameMap["h2"]> &
  Record<"own-code" | "room-code", HTMLElementTagNameMap["img"]> &
  Record<"line" | "name" | "new-room-name" | "step", HTMLElementTagNameMap["input"]> &
  Record<"closed" | "sign-in", HTMLElementTagNameMap["main"]> &
  Record<"periods", HTMLElementTagNameMap["nav"]> &
  Record<"bouts" | "last-bout-cards" | "private" | "public", HTMLElementTagNameMap["ol"]> &
  Record<"asked" | "closed-ways" | "closed-why" | "form-about" | "form-refused" | "hello-title" | "invitation-title" | "keys" | "last-bout-story" | "last-result" | "mark-text" | "news" | "no-notifications" | "no-rooms" | "offline" | "only-here" | "opening" | "owner-note" | "play-elsewhere" | "refused" | "refused-in-discord" | "sign-in-notice" | "sign-in-owner" | "step-text" | "verdict" | "welcome", HTMLElementTagNameMap["p"]> &
  Record<"before-modules" | "facts" | "texts", HTMLElementTagNameMap["script"]> &
  Record<"all-bouts" | "all-hands" | "alone" | "before" | "best" | "chat" | "device" | "fools" | "games" | "invitation" | "mark" | "nothing" | "own" | "play-bots" | "play-lessons" | "play-rules" | "play-table" | "stage", HTMLElementTagNameMap["section"]> &
  Record<"address" | "language" | "round", HTMLElementTagNameMap["select"]> &
  Record<"empty-count" | "people" | "room-name", HTMLElementTagNameMap["span"]> &
  Record<"in-the-room", HTMLElementTagNameMap["template"]> &
  Record<"checks" | "empty-room-list" | "invitation-seats" | "room-list", HTMLElementTagNameMap["ul"]>;
