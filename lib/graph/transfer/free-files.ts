import type { Issue } from '@/lib/base/issue';
import { ok, type Result } from '@/lib/base/result';
import { importedFiles } from '@/lib/cards/code/imported-files';
import { renameFiles } from '@/lib/cards/edit/rename-file';
import { parentOf, settingsName } from '@/lib/cards/file-role';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { sameFile } from '@/lib/cards/same-file';
import { sliceConfig } from './slice-project';

export interface FreeFiles {
  readonly folder: Folder;
  /** Sentences about imports that could not follow. */
  readonly notes: readonly string[];
}

/** Returns a test for files that come as they are: no cards, config or settings, of which only parts come. */
export function plainFiles(slice: Folder): (path: string) => boolean {
  const cards = new Set(readFolder(slice).cards.map(({ file }) => file));
  return (path) => path !== sliceConfig && path !== settingsName && !cards.has(path);
}

/**
 * Gives files of a slice that differ from those of a project a free path, and what names them follows. A file that names one of them
 * is another one by that, and moves too. The files of a skill move together. `isReplaced` is true for files for which the project's
 * own ones are used.
 */
export function withFreeFiles(
  here: Folder,
  slice: Folder,
  isReplaced: (path: string) => boolean,
): Result<FreeFiles, Issue> {
  const isPlain = plainFiles(slice);
  const moves = new Map<string, string>();
  for (;;) {
    const moved = renameFiles(slice, moves);
    if (!moved.ok) return moved;
    const next = withFiles(slice, moved.value);
    const clashing = [...next].filter(([path, file]) => {
      const own = here.get(path);
      return isPlain(path) && own !== undefined && !sameFile(own, file) && !isReplaced(path);
    });
    if (clashing.length === 0) return ok({ folder: next, notes: importNotes(slice, next, moves) });
    for (const [path] of clashing) for (const [from, to] of movesOf(path, here, slice, moves)) moves.set(from, to);
  }
}

/** Returns the first of `make(from)`, `make(from + 1)`, … that is free. */
export function firstFree(make: (n: number) => string, isTaken: (one: string) => boolean, from = 2): string {
  for (let n = from; ; n++) {
    const one = make(n);
    if (!isTaken(one)) return one;
  }
}

function movesOf(path: string, here: Folder, slice: Folder, moves: ReadonlyMap<string, string>): [string, string][] {
  const taken = [...here.keys(), ...slice.keys(), ...moves.values()].map((one) => one.toLowerCase());
  const skill = skillFolder(path, slice);
  if (skill !== undefined) {
    const isTaken = (folder: string) => taken.some((one) => one.startsWith(`${folder.toLowerCase()}/`));
    const free = firstFree((n) => `${skill}-${n}`, isTaken);
    const files = [...slice.keys()].filter((one) => one.startsWith(`${skill}/`));
    return files.map((one) => [one, free + one.slice(skill.length)]);
  }
  const dot = path.lastIndexOf('.') > path.lastIndexOf('/') + 1 ? path.lastIndexOf('.') : path.length;
  // The name of a Python module has no hyphen.
  const mark = path.endsWith('.py') ? '_' : '-';
  const free = (n: number) => `${path.slice(0, dot)}${mark}${n}${path.slice(dot)}`;
  return [[path, firstFree(free, (one) => taken.includes(one.toLowerCase()))]];
}

/** The folder of the skill that a file belongs to. */
function skillFolder(path: string, slice: Folder): string | undefined {
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    if (slice.has(`${folder}/SKILL.md`)) return folder;
  }
  return undefined;
}

/** Python has ways to import that are not followed. */
function importNotes(slice: Folder, next: Folder, moves: ReadonlyMap<string, string>): string[] {
  return [...slice].flatMap(([path, file]) => {
    const to = moves.get(path) ?? path;
    const now = next.get(to);
    if (!path.endsWith('.py') || now === undefined || !sameFile(file, now)) return [];
    const gone = importedFiles(slice, path).filter((one) => one !== path && moves.has(one));
    return gone.map(
      (one) => `Check the imports of '${to}': '${one}' is another file here, and came as '${moves.get(one)}'.`,
    );
  });
}

function withFiles(folder: Folder, changes: ReadonlyMap<string, FolderFile | undefined>): Folder {
  const next = new Map(folder);
  for (const [path, file] of changes) {
    if (file === undefined) next.delete(path);
    else next.set(path, file);
  }
  return next;
}
