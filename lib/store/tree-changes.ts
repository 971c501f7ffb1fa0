import type { TreeHash } from '@/lib/base/ids';
import { decodeFile } from '@/lib/cards/files';
import type { Store } from './database';
import { readEntries, type TreeEntries } from './trees';

/** A file that two folders do not have alike. */
export interface TreeChange {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** The texts. `undefined` for a file that one folder lacks, that is no text, or that is too large to be shown. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Why a changed file has no texts. */
  readonly hidden: 'binary' | 'large' | undefined;
}

/** A file larger than this is not read, and of more than `mostRead` bytes together none is. */
const mostBytes = 256 * 1024;
const mostRead = 4 * 1024 * 1024;

/** Lists how the files of a tree differ from those of another, or of none, by path. Reads only files that differ. */
export async function findTreeChanges(
  store: Store,
  before: TreeHash | undefined,
  after: TreeHash,
): Promise<readonly TreeChange[]> {
  if (before === after) return [];
  const [old, now] = [
    blobsByPath(before === undefined ? [] : await readEntries(store.prisma, before)),
    blobsByPath(await readEntries(store.prisma, after)),
  ];
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path)).sort();
  const blobs = await readBlobs(
    store,
    paths.flatMap((path) => [old.get(path), now.get(path)].filter((hash) => hash !== undefined)),
  );
  return paths.map((path) => {
    const [oldHash, newHash] = [old.get(path), now.get(path)];
    const files = [oldHash, newHash].map((hash) => (hash === undefined ? '' : blobs.get(hash)));
    const hidden = files.some((file) => file === undefined) ? 'large' : files.includes(binary) ? 'binary' : undefined;
    const textOf = (hash: string | undefined, at: number) =>
      hash === undefined || hidden !== undefined ? undefined : String(files[at]);
    return {
      path,
      change: oldHash === undefined ? 'added' : newHash === undefined ? 'removed' : 'changed',
      before: textOf(oldHash, 0),
      after: textOf(newHash, 1),
      hidden,
    };
  });
}

function blobsByPath(entries: TreeEntries): ReadonlyMap<string, string> {
  return new Map(entries.map(([path, blob]) => [path, blob]));
}

const binary = Symbol('a file that is no text');

/** Reads texts by hash, in the given order until they are too much. Those that are too large are left out. */
async function readBlobs(store: Store, hashes: readonly string[]): Promise<ReadonlyMap<string, string | symbol>> {
  const { rows } = await store.pool.query<{ hash: string; bytes: Buffer }>(
    `SELECT hash, bytes FROM (
       SELECT b.hash, b.bytes, sum(octet_length(b.bytes)) OVER (ORDER BY w.place) AS read
       FROM (SELECT hash, min(place) AS place FROM unnest($1::text[]) WITH ORDINALITY AS one (hash, place) GROUP BY hash) w
       JOIN "Blob" b ON b.hash = w.hash
       WHERE octet_length(b.bytes) <= $2
     ) sized WHERE read <= $3`,
    [hashes, mostBytes, mostRead],
  );
  return new Map(
    rows.map(({ hash, bytes }) => {
      const file = decodeFile(bytes);
      return [hash, file.kind === 'text' ? file.text : binary];
    }),
  );
}
