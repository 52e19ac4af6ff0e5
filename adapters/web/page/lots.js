// The part that this browser takes in the shuffle: it draws a value, tells its hash when the person sits down,
// and tells the value once, at the start, when the hashes of all are known.

import { sha256 } from "./sha256.js";
import { said } from "./texts.js";

const PREFIX = "durak-value-"; // an entry for each value: other tabs write at the same moment
const MOST_KEPT = 24;
const BYTES = 32;

export class Lots {
  /** `warn(text)` is told when a deal was started before, and nothing came of it. */
  constructor(warn) {
    this.warn = warn;
    this.drawn = new Map(); // for browsers that keep nothing
  }

  /** Draw a new value; give the hash of its digits. */
  commit() {
    const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
    const value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const lot = { commitment: sha256(value), value, terms: "", at: Date.now() };
    this.keep(lot);
    return lot.commitment;
  }

  /**
   * Give the value behind a commitment, or nothing. `terms` is the line that says what is dealt, with the seal
   * and all commitments: a value is told for one such line alone, and only if its hash stands in it.
   */
  reveal(commitment, terms) {
    const lots = this.kept();
    const lot = lots.find((each) => each.commitment === commitment);
    if (!lot || !terms.includes(commitment) || (lot.terms && lot.terms !== terms)) return "";
    if (lots.some((each) => each.terms && each.terms !== terms && sealOf(each.terms) === sealOf(terms))) {
      this.warn(
        said("This deal was started once before, and nothing came of it: its cards may have been known."),
      );
    }
    this.keep({ ...lot, terms });
    return lot.value;
  }

  /** Give the values that were told, the newest first. */
  told() {
    return this.kept().filter(({ terms }) => terms);
  }

  kept() {
    const lots = new Map(this.drawn);
    try {
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith(PREFIX)) lots.set(key, JSON.parse(localStorage.getItem(key)));
      }
    } catch {
      // A browser that keeps nothing, or something that is no entry of ours.
    }
    return [...lots.values()].sort((one, other) => other.at - one.at);
  }

  keep(lot) {
    this.drawn.set(PREFIX + lot.commitment, lot);
    try {
      localStorage.setItem(PREFIX + lot.commitment, JSON.stringify(lot));
      for (const { commitment } of this.kept().slice(MOST_KEPT)) {
        this.drawn.delete(PREFIX + commitment);
        localStorage.removeItem(PREFIX + commitment);
      }
    } catch {
      // As above.
    }
  }
}

function sealOf(terms) {
  return / seal=(\S+)/.exec(terms)?.[1];
}
