/** The fractional parts of the cube roots of the first 64 primes: the standard's constants. */
const k = new Uint32Array(64);
/** And of the square roots of the first eight. */
const initial = new Uint32Array(8);
for (let candidate = 2, found = 0; found < 64; candidate++) {
  let isPrime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) isPrime = false;
  if (!isPrime) continue;
  if (found < 8) initial[found] = fraction(Math.sqrt(candidate));
  k[found] = fraction(Math.cbrt(candidate));
  found += 1;
}

/**
 * SHA-256 as lower-case hex, at once: the platform's own answers only later, and pure code may have to name content in the
 * middle of a step. For small content; files are hashed by the store.
 */
export function sha256(bytes: Uint8Array): string {
  const hash = initial.slice();
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  const w = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < 64; i++) {
      const [w15, w2] = [at(w, i - 15), at(w, i - 2)];
      const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
      const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
      w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
    }
    mix(hash, w);
  }
  return [...hash].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function mix(hash: Uint32Array, w: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(k, i) + at(w, i)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = at(hash, i) + word;
}

/** A one bit, zeros, and the length in bits, to a multiple of 64 bytes. */
function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, bytes.length << 3);
  return padded;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 0x100000000);
}
