import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type CapabilityList, type ConfirmedItem, capabilityKinds } from '@/lib/cards/trust/capability';
import { writeFileSafely } from '@/lib/server/write-file-safely';

/**
 * Stores the confirmations given in a terminal in `trust.json` of the data folder (mode 0600): the confirmed lists by the
 * real path of each folder, newest first.
 */
export interface TrustFile {
  /** Returns the confirmed lists of a folder. An unreadable file counts as empty. */
  listsOf(folder: string): readonly (readonly ConfirmedItem[])[];
  /** Stores a confirmed list. Throws the errors of the file system. */
  remember(folder: string, list: CapabilityList, now: Date): void;
}

const confirmedItem = z.object({ kind: z.enum(capabilityKinds), name: z.string(), hash: z.string() });
const confirmedList = z.object({
  folder: z.string(),
  hash: z.string(),
  confirmedAt: z.string(),
  items: z.array(confirmedItem),
});
const content = z.object({ version: z.literal(1), lists: z.array(confirmedList) });

/** The file holds at most this many lists. The oldest are removed first. */
const keptLists = 500;

export function openTrustFile(dataFolder: string): TrustFile {
  const file = path.join(dataFolder, 'trust.json');
  return {
    listsOf(folder) {
      const real = realpathSync(folder);
      return readLists(file)
        .filter((list) => list.folder === real)
        .map(({ items }) => items);
    },
    remember(folder, { hash, items }, now) {
      const real = realpathSync(folder);
      const kept = items.map(({ kind, name, hash: itemHash }) => ({ kind, name, hash: itemHash }));
      const others = readLists(file).filter((list) => list.folder !== real || list.hash !== hash);
      const lists = [{ folder: real, hash, confirmedAt: now.toISOString(), items: kept }, ...others];
      mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
      writeFileSafely(file, `${JSON.stringify({ version: 1, lists: lists.slice(0, keptLists) })}\n`);
    },
  };
}

function readLists(file: string): readonly z.infer<typeof confirmedList>[] {
  try {
    return content.parse(JSON.parse(readFileSync(file, 'utf8'))).lists;
  } catch {
    return [];
  }
}
