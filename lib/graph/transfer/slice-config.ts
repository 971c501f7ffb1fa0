import { mayLackItsFile } from '@/lib/cards/dialects/find-dialect';
import { dialects } from '@/lib/cards/dialects/list';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';

/** The config of a slice. A project may have it under another name. */
export const sliceConfig = 'fast-agent.yaml';

/** Returns the file of servers in a folder of agents of this format. */
export function serversFileOf(dialect: string | undefined): string {
  return dialects.find(({ id }) => id === dialect)?.configFile ?? sliceConfig;
}

/**
 * Reads a slice. The main agent of another program, which each of its folders has, does not come along: the project has its own.
 */
export function readSlice(folder: Folder): ParsedFolder {
  const parsed = readFolder(folder);
  return { ...parsed, cards: parsed.cards.filter(({ file }) => !mayLackItsFile(file)) };
}
