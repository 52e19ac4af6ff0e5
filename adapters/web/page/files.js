// Pictures and documents. They are fetched with the guest's secret, which no address holds.

const MOST_KEPT = 24;

export class Files {
  constructor(api) {
    this.api = api;
    this.kept = new Map(); // from the digest of a file to the promise of an address within this page
  }

  /** Give an address for a file of a message; the one who reads the message may have it. */
  address(message, { digest }) {
    const known = this.kept.get(digest);
    const address = known ?? this.fetched(message, digest);
    this.kept.delete(digest);
    this.kept.set(digest, address); // the newest stand last
    if (this.kept.size > MOST_KEPT) this.drop(this.kept.keys().next().value);
    return address;
  }

  async fetched(message, digest) {
    try {
      return URL.createObjectURL(await this.api.file(message, digest));
    } catch (error) {
      this.kept.delete(digest);
      throw error;
    }
  }

  /** Let go of a file; an image that shows it goes on doing so. */
  async drop(digest) {
    const address = this.kept.get(digest);
    this.kept.delete(digest);
    URL.revokeObjectURL(await address.catch(() => ""));
  }
}
