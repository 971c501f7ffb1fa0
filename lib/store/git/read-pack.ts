import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { AppError } from '@/lib/base/app-error';
import { type GitHash, type GitKind, type GitObject, hashOfBytes } from '@/lib/interop/git/git-object';
import { applyDelta } from './apply-delta';
import { hashObject } from './hash-object';

/*
 * Reads a pack of a stranger (gitformat-pack, version 2):
 *
 *   PACK 2 count | entry … | SHA-1 of all before
 *   entry        type and size | base, if it is a delta | zlib stream
 *
 * An entry declares its size, so inflating stops there: a small pack cannot become a large one. Deltas need a base in the same pack,
 * because the server asks for packs that stand alone (`no-thin`). Nothing of a pack is stored here.
 */

export interface PackLimits {
  readonly objects: number;
  /** The most bytes of one object, and of all together, after inflating and after deltas. */
  readonly objectBytes: number;
  readonly totalBytes: number;
}

interface Entry {
  readonly type: number;
  readonly bytes: Uint8Array;
  /** Of a delta: where its base begins, or which object it is. */
  readonly base: number | GitHash | undefined;
}

const kinds: Readonly<Record<number, GitKind>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const [offsetDelta, hashDelta] = [6, 7];
/** git itself writes chains of at most 50 deltas, unless it is told otherwise. */
const longestChain = 4_096;

/** Returns the objects of a pack by hash. Throws AppError `bad_request` and `too_large`. */
export function readPack(bytes: Uint8Array, limits: PackLimits): ReadonlyMap<GitHash, GitObject> {
  const pack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (pack.length < 32 || pack.toString('latin1', 0, 4) !== 'PACK') throw damaged();
  const version = pack.readUInt32BE(4);
  if (version !== 2 && version !== 3) throw damaged();
  const count = pack.readUInt32BE(8);
  if (count > limits.objects) {
    throw new AppError('too_large', `The push has ${count} objects; at most ${limits.objects} are taken at once.`);
  }
  const end = pack.length - 20;
  if (!createHash('sha1').update(pack.subarray(0, end)).digest().equals(pack.subarray(end))) throw damaged();
  const budget = new Budget(limits);
  const entries = new Map<number, Entry>();
  let at = 12;
  for (let index = 0; index < count; index += 1) {
    const start = at;
    const read = readEntry(pack, start, end, budget);
    entries.set(start, read.entry);
    at = read.next;
  }
  if (at !== end) throw damaged();
  return resolve(entries, budget);
}

/** Counts bytes, and refuses what is too much before it is made. */
class Budget {
  private total = 0;

  constructor(private readonly limits: PackLimits) {}

  take(bytes: number): number {
    const { objectBytes, totalBytes } = this.limits;
    if (bytes > objectBytes) {
      throw new AppError('too_large', `A file of the push is larger than ${megabytes(objectBytes)}. Leave it out.`);
    }
    this.total += bytes;
    if (this.total > totalBytes) {
      throw new AppError(
        'too_large',
        `The push has more than ${megabytes(totalBytes)} once it is unpacked. Push fewer commits at once.`,
      );
    }
    return bytes;
  }
}

function readEntry(pack: Buffer, start: number, end: number, budget: Budget): { entry: Entry; next: number } {
  const reader = new Reader(pack, start, end);
  let byte = reader.next();
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; byte & 0x80; scale *= 128) {
    byte = reader.next();
    size += (byte & 0x7f) * scale;
    if (size > Number.MAX_SAFE_INTEGER) throw damaged();
  }
  let base: Entry['base'];
  if (type === offsetDelta) base = start - reader.offset();
  else if (type === hashDelta) base = hashOfBytes(reader.take(20));
  else if (kinds[type] === undefined) throw damaged();
  budget.take(size);
  const inflated = inflate(pack.subarray(reader.at, end), size);
  return { entry: { type, bytes: inflated.bytes, base }, next: reader.at + inflated.used };
}

class Reader {
  constructor(
    private readonly pack: Buffer,
    public at: number,
    private readonly end: number,
  ) {}

  next(): number {
    const byte = this.pack[this.at];
    if (byte === undefined || this.at >= this.end) throw damaged();
    this.at += 1;
    return byte;
  }

  take(count: number): Uint8Array {
    if (this.at + count > this.end) throw damaged();
    this.at += count;
    return this.pack.subarray(this.at - count, this.at);
  }

  /** The distance to the base of a delta: groups of 7 bits, highest first, each but the last plus one. */
  offset(): number {
    let byte = this.next();
    let value = byte & 0x7f;
    while (byte & 0x80) {
      byte = this.next();
      value = (value + 1) * 128 + (byte & 0x7f);
      if (value > Number.MAX_SAFE_INTEGER / 256) throw damaged();
    }
    return value;
  }
}

/** What `inflateSync` returns with `info`, which its types lack. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function inflate(from: Buffer, size: number): { readonly bytes: Uint8Array; readonly used: number } {
  try {
    // One byte more than declared: a stream that goes on is an error, and is not inflated further.
    const options = { info: true, maxOutputLength: size + 1 };
    const { buffer, engine } = inflateSync(from, options) as unknown as Inflated;
    if (buffer.length !== size) throw damaged();
    // A copy, because the buffer has room for more, which would be handed to another thread with it.
    return { bytes: new Uint8Array(buffer), used: engine.bytesWritten };
  } catch (error) {
    throw error instanceof AppError ? error : damaged();
  }
}

/** Makes the objects of all entries. Bases come first, without recursion, because a chain may be long. */
function resolve(entries: ReadonlyMap<number, Entry>, budget: Budget): ReadonlyMap<GitHash, GitObject> {
  const objects = new Map<GitHash, GitObject>();
  const made = new Map<number, { readonly object: GitObject; readonly depth: number }>();
  const placeOf = new Map<GitHash, number>();
  const keep = (place: number, object: GitObject, depth: number) => {
    if (depth > longestChain) throw damaged();
    const hash = hashObject(object.kind, object.body);
    made.set(place, { object, depth });
    placeOf.set(hash, place);
    objects.set(hash, object);
  };
  let open: number[] = [];
  for (const [place, { type, bytes }] of entries) {
    const kind = kinds[type];
    if (kind === undefined) open.push(place);
    else keep(place, { kind, body: bytes }, 0);
  }
  while (open.length > 0) {
    const left: number[] = [];
    for (const place of open) {
      const entry = entries.get(place);
      const from = typeof entry?.base === 'string' ? placeOf.get(entry.base) : entry?.base;
      const base = from === undefined ? undefined : made.get(from);
      if (entry === undefined || base === undefined) {
        left.push(place);
        continue;
      }
      const body = applyDelta(base.object.body, entry.bytes, (size) => budget.take(size));
      if (body === undefined) throw damaged();
      keep(place, { kind: base.object.kind, body }, base.depth + 1);
    }
    // Each round makes at least one, or the rest has no base in the pack.
    if (left.length === open.length) throw noBase();
    open = left;
  }
  return objects;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

function damaged(): AppError {
  return new AppError('bad_request', 'The pack of the push is damaged. Push again.');
}

function noBase(): AppError {
  return new AppError('bad_request', 'The pack of the push lacks objects that it builds on. Fetch, then push again.');
}
