/*
 * QR codes (ISO/IEC 18004) of short texts: bytes, error correction level M, versions 1 to 10, mask 0.
 *
 *   text ──▶ bits ──▶ blocks with Reed-Solomon bytes, interleaved ──▶ placed in columns of two, from the lower right
 *
 *   ┌───┐ timing ┌───┐     Fixed parts (finders, timing, alignment, format, version) are placed first.
 *   │ F │· · · · │ F │     Data goes around them.
 *   └───┘        └───┘
 *   ·       ┌─┐            Any mask may be read. Mask 0 does for the random texts here, so no penalty is computed.
 *   ┌───┐   └A┘
 *   │ F │
 *   └───┘
 */

/** By version from 1: error correction bytes of a block, the count of blocks, and all bytes of data and correction. */
const sizes = [
  [10, 1, 26],
  [16, 1, 44],
  [26, 1, 70],
  [18, 2, 100],
  [24, 2, 134],
  [16, 4, 172],
  [18, 4, 196],
  [22, 4, 242],
  [22, 5, 292],
  [26, 5, 346],
] as const;

/**
 * Returns the rows of a QR code: `true` is a dark module. The border of four light modules is not part of it. Throws a RangeError for more
 * than 213 bytes.
 */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  const data = new TextEncoder().encode(text);
  const version = versionFor(data.length);
  const modules = fixedModules(version);
  placeData(modules, interleaved(version, encodedBytes(version, data)));
  return modules.map((row) => row.map((module) => module === true));
}

/** `undefined` is a place for data. */
type Modules = (boolean | undefined)[][];

function sizeOf(version: number): { readonly correction: number; readonly blocks: number; readonly bytes: number } {
  const size = sizes[version - 1];
  if (size === undefined) throw new RangeError('The text is too long for a QR code.');
  return { correction: size[0], blocks: size[1], bytes: size[2] };
}

function capacityOf(version: number): number {
  const { correction, blocks, bytes } = sizeOf(version);
  return bytes - correction * blocks;
}

function countBits(version: number): number {
  return version < 10 ? 8 : 16;
}

function versionFor(length: number): number {
  for (let version = 1; ; version++) {
    if (4 + countBits(version) + length * 8 <= capacityOf(version) * 8) return version;
  }
}

/** Mode, length, data, end, and alternating bytes until the version is full. */
function encodedBytes(version: number, data: Uint8Array): readonly number[] {
  const capacity = capacityOf(version);
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let at = count - 1; at >= 0; at--) bits.push((value >>> at) & 1);
  };
  put(4, 4);
  put(data.length, countBits(version));
  for (const byte of data) put(byte, 8);
  put(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xec ^ 0x11) put(pad, 8);
  return Array.from({ length: capacity }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  );
}

/** Splits the data into blocks, of which the last ones are one byte longer, and takes their bytes in turn. */
function interleaved(version: number, data: readonly number[]): readonly number[] {
  const { correction, blocks } = sizeOf(version);
  const short = Math.floor(data.length / blocks);
  const shortBlocks = blocks - (data.length % blocks);
  const parts: (readonly number[])[] = [];
  for (let at = 0, block = 0; block < blocks; block++) {
    const length = short + (block < shortBlocks ? 0 : 1);
    parts.push(data.slice(at, at + length));
    at += length;
  }
  const divisor = divisorOf(correction);
  const corrections = parts.map((part) => remainderOf(part, divisor));
  return [...inTurn(parts), ...inTurn(corrections)];
}

function inTurn(parts: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(...parts.map((part) => part.length));
  return Array.from({ length: longest }, (_, at) => parts.flatMap((part) => part.slice(at, at + 1))).flat();
}

/** Multiplies in the field GF(2^8) with the polynomial 0x11d. */
function product(a: number, b: number): number {
  let result = 0;
  for (let bit = 7; bit >= 0; bit--) {
    result = (result << 1) ^ ((result >>> 7) * 0x11d);
    result ^= ((b >>> bit) & 1) * a;
  }
  return result;
}

function divisorOf(degree: number): readonly number[] {
  let divisor = [...Array<number>(degree - 1).fill(0), 1];
  for (let root = 1, count = 0; count < degree; count++, root = product(root, 2)) {
    divisor = divisor.map((each, at) => product(each, root) ^ (divisor[at + 1] ?? 0));
  }
  return divisor;
}

function remainderOf(data: readonly number[], divisor: readonly number[]): readonly number[] {
  let remainder: number[] = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (remainder[0] ?? 0);
    remainder = divisor.map((each, at) => (remainder[at + 1] ?? 0) ^ product(each, factor));
  }
  return remainder;
}

function fixedModules(version: number): Modules {
  const size = version * 4 + 17;
  const modules: Modules = Array.from({ length: size }, () => Array<boolean | undefined>(size).fill(undefined));
  const set = (x: number, y: number, dark: boolean) => {
    const row = modules[y];
    if (row !== undefined && x >= 0 && x < size) row[x] = dark;
  };
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  /** Squares inside each other, around a middle. `light` are the rings that are light. */
  const squares = (x: number, y: number, reach: number, light: readonly number[]) => {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  };
  for (const [x, y] of alignments(version)) squares(x, y, 2, [1]);
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    squares(x, y, 4, [2, 4]);
  }
  setFormat(set, size);
  if (version >= 7) setVersion(set, size, version);
  return modules;
}

/** The middles of the alignment squares. None is where a finder is. */
function alignments(version: number): readonly (readonly [number, number])[] {
  const last = version * 4 + 10;
  const places = version === 1 ? [] : version < 7 ? [6, last] : [6, version * 2 + 8, last];
  const isFinder = (x: number, y: number) => (x === 6 && (y === 6 || y === last)) || (x === last && y === 6);
  return places.flatMap((x) => places.filter((y) => !isFinder(x, y)).map((y) => [x, y] as const));
}

type SetModule = (x: number, y: number, dark: boolean) => void;

/** Level M and mask 0, with their BCH code, in both places. */
function setFormat(set: SetModule, size: number): void {
  const bits = 0b101010000010010;
  const bit = (at: number) => ((bits >>> at) & 1) === 1;
  for (let at = 0; at < 6; at++) set(8, at, bit(at));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let at = 9; at < 15; at++) set(14 - at, 8, bit(at));
  for (let at = 0; at < 8; at++) set(size - 1 - at, 8, bit(at));
  for (let at = 8; at < 15; at++) set(8, size - 15 + at, bit(at));
  set(8, size - 8, true);
}

/** The version with its Golay code, in both places. */
function setVersion(set: SetModule, size: number, version: number): void {
  let remainder = version;
  for (let step = 0; step < 12; step++) remainder = (remainder << 1) ^ ((remainder >>> 11) * 0x1f25);
  const bits = (version << 12) | remainder;
  for (let at = 0; at < 18; at++) {
    const dark = ((bits >>> at) & 1) === 1;
    const [across, down] = [size - 11 + (at % 3), Math.floor(at / 3)];
    set(across, down, dark);
    set(down, across, dark);
  }
}

/** Columns of two from the right, up and down in turn, without the column of the timing. Mask 0 turns every second module. */
function placeData(modules: Modules, bytes: readonly number[]): void {
  const size = modules.length;
  let next = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = modules[y];
        if (row === undefined || row[x] !== undefined) continue;
        const bit = ((bytes[next >>> 3] ?? 0) >>> (7 - (next & 7))) & 1;
        row[x] = (bit === 1) !== ((x + y) % 2 === 0);
        next++;
      }
    }
  }
}
