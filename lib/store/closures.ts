import { z } from 'zod';
import type { KnownServers, ListedTools } from '@/lib/base/known-servers';
import { recordOf } from '@/lib/base/record-of';
import { sha256 } from '@/lib/base/sha256';
import { type Closure, type ClosurePart, type Covered, closureKinds, closureOf, withTests } from '@/lib/cards/closure';
import { isFixtureFile } from '@/lib/cards/fixture-files';
import type { Store } from './database';
import { type Db, readEntries } from './trees';

const storedParts = z.array(z.tuple([z.enum(closureKinds), z.string(), z.string()]));

/** Makes the closure of a tree. Without `covered`, when the folder cannot be read, every file is covered. */
export async function makeClosure(
  store: Store,
  treeHash: string,
  covered: Covered | undefined,
  known: KnownServers,
): Promise<Closure> {
  const blobs = new Map((await readEntries(store.prisma, treeHash)).map(([path, blob]) => [path, blob]));
  const files = [...blobs.keys()].map((path) => [isFixtureFile(path) ? 'test' : 'file', path] as const);
  const all = { files, servers: Object.keys(known) };
  return closureOf(covered ?? all, blobs, offersOf(known));
}

/** Hashes what each server listed last. The order in which it listed things does not count. */
function offersOf(known: KnownServers): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(known).map(([server, { prints }]) => {
      const sorted = Object.entries(prints)
        .map(([kind, names]) => [kind, Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1))] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      return [server, sha256(new TextEncoder().encode(JSON.stringify(sorted)))];
    }),
  );
}

/** Returns the tools that the servers of a closure listed. */
export function listedIn({ parts }: Closure, known: KnownServers): ListedTools {
  return Object.fromEntries(
    parts.flatMap(([kind, server]) => {
      const tools = kind === 'server' && Object.hasOwn(known, server) ? known[server]?.prints.tools : undefined;
      return tools === undefined ? [] : [[server, tools] as const];
    }),
  );
}

const storedLists = recordOf(recordOf(z.string()));

export function readListedText(text: string): ListedTools {
  return storedLists.parse(JSON.parse(text));
}

export function closureText({ parts }: Closure): string {
  return JSON.stringify(parts);
}

/** Reads the closure of a revision. One that was stored before tests were covered gets the tests of its tree. */
export async function closureOfStored(
  db: Db,
  { closure, treeHash }: { readonly closure: string; readonly treeHash: string },
): Promise<Closure> {
  return withTests(
    readClosureText(closure),
    new Map((await readEntries(db, treeHash)).map(([path, blob]) => [path, blob])),
  );
}

export function readClosureText(text: string): readonly ClosurePart[] {
  return storedParts.parse(JSON.parse(text));
}
