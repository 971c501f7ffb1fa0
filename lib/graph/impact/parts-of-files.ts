import type { UsedPart } from '@/lib/base/uses';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { fieldOf, readDocument } from '@/lib/cards/read/read-field';
import type { Graph } from '@/lib/graph/graph';
import { type NamedPart, namedParts } from './named-parts';

type Part = Pick<UsedPart, 'kind' | 'name'>;

/** Lists the parts that are gone when files are deleted: agents of cards, code, skills, servers and hooks of settings. */
export function partsIn(folder: Folder, parsed: ParsedFolder, graph: Graph, paths: Iterable<string>): readonly Part[] {
  const gone = [...paths].filter((path) => folder.has(path));
  return partsWhere(folder, parsed, graph, ({ kind, file }) =>
    gone.some((path) => path === file || (kind === 'skill' && path.startsWith(directoryOf(file)))),
  );
}

/**
 * Lists the parts that get another name when files move. Code is named by its path. Agents and skills are named by their file or directory if their
 * text gives no name.
 */
export function partsRenamedBy(
  folder: Folder,
  parsed: ParsedFolder,
  graph: Graph,
  moves: ReadonlyMap<string, string>,
): readonly Part[] {
  return partsWhere(folder, parsed, graph, ({ kind, name, file }) => {
    const to = moves.get(file);
    if (to === undefined || to === file || !folder.has(file)) return false;
    switch (kind) {
      case 'hook':
      case 'tool':
        return name.startsWith(`${file}:`);
      case 'agent':
        return baseOf(file) !== baseOf(to) && !saysName(folder, file);
      case 'skill':
        return directoryName(file) !== directoryName(to) && !saysName(folder, file);
      case 'server':
        return false;
    }
  });
}

function partsWhere(
  folder: Folder,
  parsed: ParsedFolder,
  graph: Graph,
  isMeant: (part: NamedPart) => boolean,
): readonly Part[] {
  const parts = namedParts(folder, parsed, parsed.config, graph);
  return parts.filter(isMeant).map(({ kind, name }) => ({ kind, name }));
}

function saysName(folder: Folder, path: string): boolean {
  const file = folder.get(path);
  return file?.kind === 'text' && typeof fieldOf(readDocument(file.text, path), ['name']) === 'string';
}

/** Ends with a slash. A `SKILL.md` at the top has no directory of its own, so the result is the file. */
function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) || path;
}

function directoryName(path: string): string | undefined {
  return path.split('/').at(-2);
}

function baseOf(path: string): string | undefined {
  return path.split('/').at(-1);
}
