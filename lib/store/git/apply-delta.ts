/**
 * Applies a delta of a pack (gitformat-pack: deltified representation): the sizes of both, then instructions that copy from the base or
 * insert bytes. `take` is told the size before it is made, and may throw. Returns `undefined` for a delta that is damaged.
 */
export function applyDelta(
  base: Uint8Array,
  delta: Uint8Array,
  take: (size: number) => number,
): Uint8Array | undefined {
  let at = 0;
  const readSize = (): number => {
    let size = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[at];
      if (byte === undefined || scale > 2 ** 42) return -1;
      at += 1;
      size += (byte & 0x7f) * scale;
      if ((byte & 0x80) === 0) return size;
    }
  };
  if (readSize() !== base.length) return undefined;
  const size = readSize();
  if (size < 0) return undefined;
  const result = new Uint8Array(take(size));
  let filled = 0;
  while (at < delta.length) {
    const command = delta[at] ?? 0;
    at += 1;
    if ((command & 0x80) === 0) {
      if (command === 0 || at + command > delta.length || filled + command > size) return undefined;
      result.set(delta.subarray(at, at + command), filled);
      at += command;
      filled += command;
      continue;
    }
    const numbers = [0, 1, 2, 3, 4, 5, 6].map((bit) => {
      if ((command & (1 << bit)) === 0) return 0;
      at += 1;
      return delta[at - 1] ?? 0;
    });
    if (at > delta.length) return undefined;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = numbers;
    const from = a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24;
    const count = e + f * 2 ** 8 + g * 2 ** 16 || 0x10000;
    if (from + count > base.length || filled + count > size) return undefined;
    result.set(base.subarray(from, from + count), filled);
    filled += count;
  }
  return filled === size ? result : undefined;
}
