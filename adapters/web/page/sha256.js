// SHA-256 (FIPS 180-4) of a text, in plain JavaScript: the browser's own is closed to pages without https.

const BLOCK = 64; // bytes
const FIRST_PRIMES = primes(64);
const START = FIRST_PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = FIRST_PRIMES.map((prime) => fraction(Math.cbrt(prime)));

/** Give the SHA-256 of the UTF-8 of a text as 64 hexadecimal digits. */
export function sha256(text) {
  const bytes = padded(new TextEncoder().encode(text));
  const hash = Uint32Array.from(START);
  for (let at = 0; at < bytes.byteLength; at += BLOCK) compress(hash, new DataView(bytes.buffer, at, BLOCK));
  return [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function compress(hash, block) {
  const words = new Uint32Array(64);
  for (let n = 0; n < 16; n++) words[n] = block.getUint32(4 * n);
  for (let n = 16; n < 64; n++) {
    const [near, far] = [words[n - 2], words[n - 15]];
    const low = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    const high = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    words[n] = words[n - 16] + low + words[n - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let n = 0; n < 64; n++) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUNDS[n] + words[n]) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, n) => (hash[n] += word));
}

function padded(bytes) {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const end = new DataView(whole.buffer, whole.length - 8);
  end.setUint32(0, Math.floor((bytes.length * 8) / 2 ** 32));
  end.setUint32(4, bytes.length * 8);
  return whole;
}

function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

function fraction(number) {
  return ((number % 1) * 2 ** 32) | 0;
}

function primes(many) {
  const found = [];
  for (let n = 2; found.length < many; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}
