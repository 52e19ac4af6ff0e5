// Pictures and documents. They are fetched with the guest's secret, which no address holds.


const MOST_KEPT = 24;

export class Files {
  /** @param {import("./api.js").Api} api */
  constructor(api) {
    this.api = api;
    /** @type {Map<string, Promise<string>>} */
    this.kept = new Map(); // by the digest of a file: its address within this page
  }

  /**
   * Give an address for a file of a message.
   * @param {string} message
   * @param {{digest: string}} file
   */
  address(message, { digest }) {
    const known = this.kept.get(digest);
    const address = known ?? this.fetched(message, digest);
    this.kept.delete(digest);
    this.kept.set(digest, address); // the newest stand last
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT) this.drop(oldest);
    return address;
  }

  /** @param {string} message @param {string} digest */
  async fetched(message, digest) {
    try {
      return URL.createObjectURL(await this.api.file(message, digest));
    } catch (error) {
      this.kept.delete(digest);
      throw error;
    }
  }

  /** Forget a file; an image that shows it goes on doing so. @param {string} digest */
  async drop(digest) {
    const address = this.kept.get(digest);
    this.kept.delete(digest);
    URL.revokeObjectURL((await address?.catch(() => "")) ?? "");
  }
}
