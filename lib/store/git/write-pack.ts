import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import type { GitKind, GitObject } from '@/lib/interop/git/git-object';

export const kindNumber: Readonly<Record<GitKind, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

const deflateLater = promisify(deflate);
/** Smaller objects are compressed at once, because another thread would take longer to be asked. */
const largeBytes = 32 * 1024;
/** Parts of about this size are handed on. */
const partBytes = 64 * 1024;

/**
 * Writes a pack (gitformat-pack, version 2) of `count` objects, in parts. No object is written as a delta: projects are small, and
 * finding deltas costs more than their bytes.
 */
export async function* writePack(
  count: number,
  objects: AsyncIterable<GitObject> | Iterable<GitObject>,
): AsyncGenerator<Uint8Array> {
  const sum = createHash('sha1');
  const head = Buffer.alloc(12);
  head.write('PACK', 'latin1');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  let waiting: Uint8Array[] = [head];
  let size = head.length;
  let written = 0;
  for await (const { kind, body } of objects) {
    const packed = body.length < largeBytes ? deflateSync(body) : await deflateLater(body);
    waiting.push(entryHead(kindNumber[kind], body.length), packed);
    size += packed.length;
    written += 1;
    if (size < partBytes) continue;
    const part = Buffer.concat(waiting);
    sum.update(part);
    yield part;
    waiting = [];
    size = 0;
  }
  if (written !== count) throw new Error(`Bug: a pack of ${count} objects got ${written}`);
  const last = Buffer.concat(waiting);
  sum.update(last);
  yield Buffer.concat([last, sum.digest()]);
}

/** The type in three bits, and the size in groups of 4 and then 7 bits, lowest first. */
function entryHead(type: number, size: number): Uint8Array {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  bytes.push((type << 4) | (size % 16) | (rest > 0 ? 0x80 : 0));
  while (rest > 0) {
    const group = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(group | (rest > 0 ? 0x80 : 0));
  }
  return Uint8Array.from(bytes);
}
