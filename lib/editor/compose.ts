import type { Issue } from '@/lib/base/issue';
import { err, ok, type Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { Command } from '@/lib/graph/commands';
import type { Graph } from '@/lib/graph/graph';
import { projectGraph } from '@/lib/graph/project';
import { changesBetween, type FileChanges, textFile, withChanges } from './document';

/**
 * Makes a command for the folder that the earlier commands produced. Returns `undefined` when there is nothing left to do.
 */
export type Step = (folder: Folder, parsed: ParsedFolder, graph: Graph) => Command | undefined;

/** Combines several commands into one change. If one is refused, nothing changes and its reason is returned. */
export function compose(folder: Folder, steps: readonly Step[]): Result<FileChanges, Issue> {
  let now = folder;
  for (const step of steps) {
    const parsed = readFolder(now);
    const command = step(now, parsed, projectGraph(parsed));
    if (command === undefined) continue;
    if (!command.ok) return err(command.error);
    now = withChanges(now, fileChanges(command.value));
  }
  return ok(changesBetween(folder, now));
}

/** Converts texts by path (`null` removes a file) to the changes that the document takes. */
export function fileChanges(texts: ReadonlyMap<string, string | null>): FileChanges {
  return new Map([...texts].map(([path, text]) => [path, text === null ? undefined : textFile(text)]));
}
