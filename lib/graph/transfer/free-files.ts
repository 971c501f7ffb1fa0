import type { Issue } from '@/lib/base/issue';
import { ok, type Result } from '@/lib/base/result';
import { importedFiles } from '@/lib/cards/code/imported-files';
import { renameFiles } from '@/lib/cards/edit/rename-file';
import { parentOf, settingsName } from '@/lib/cards/file-role';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { sameFile } from '@/lib/cards/same-file';
import { sameOnDisk } from '@/lib/cards/same-on-disk';
import { sliceConfig } from './slice-config';

export interface FreeFiles {
  readonly folder: Folder;
  /** Sentences about imports that could not follow. */
  readonly notes: readonly string[];
}

/** Returns a test for files that come as they are: no cards, config or settings, of which only parts come. */
export function plainFiles(slice: Folder): (path: string) => boolean {
  const parsed = readFolder(slice);
  const cards = new Set(parsed.cards.map(({ file }) => file));
  const isConfig = (path: string) => path === sliceConfig || path === parsed.config.file;
  return (path) => !isConfig(path) && path !== settingsName && !cards.has(path);
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
  const twin = twinsIn(here);
  const moves = sharedMoves(here, slice, (path) => isPlain(path) && isReplaced(path));
  for (;;) {
    const moved = renameFiles(slice, moves);
    if (!moved.ok) return moved;
    const next = withFiles(slice, moved.value);
    const clashing = [...next].filter(([path, file]) => {
      const own = twin(path);
      if (own === undefined || !isPlain(path)) return false;
      const from = origin(path, moves);
      return own !== path || (!sameFile(here.get(own), file) && !isReplaced(from));
    });
    if (clashing.length === 0) return ok({ folder: next, notes: importNotes(slice, next, moves) });
    for (const [path] of clashing)
      for (const [from, to] of movesOf(origin(path, moves), here, slice, moves)) moves.set(from, to);
  }
}

/** Returns the path that a file had before it was moved. */
function origin(path: string, moves: ReadonlyMap<string, string>): string {
  return [...moves].find(([, to]) => to === path)?.[0] ?? path;
}

/**
 * Returns moves to the paths of this project, for files that it has in another case or another form of Unicode. A skill is moved only
 * if all of it is here.
 */
function sharedMoves(here: Folder, slice: Folder, isReplaced: (path: string) => boolean): Map<string, string> {
  const twin = twinsIn(here);
  const isShared = (path: string) => {
    const own = twin(path);
    return own !== undefined && (isReplaced(path) || sameFile(here.get(own), slice.get(path)));
  };
  const isPlain = plainFiles(slice);
  const moves = new Map<string, string>();
  for (const path of slice.keys()) {
    const own = twin(path);
    if (own === undefined || own === path || slice.has(own) || !isPlain(path)) continue;
    const skill = skillFolder(path, slice);
    const together = skill === undefined ? [path] : [...slice.keys()].filter((one) => one.startsWith(`${skill}/`));
    if (together.every(isShared)) moves.set(path, own);
  }
  return moves;
}

/** Returns the path of a project for one that is the same file on some disks: it may differ in case or the form of Unicode. */
export function twinsIn(here: Folder): (path: string) => string | undefined {
  const paths = new Map([...here.keys()].map((path) => [sameOnDisk(path), path]));
  return (path) => (here.has(path) ? path : paths.get(sameOnDisk(path)));
}

/** Returns the first of `make(from)`, `make(from + 1)`, … that is free. */
export function firstFree(make: (n: number) => string, isTaken: (one: string) => boolean, from = 2): string {
  for (let n = from; ; n++) {
    const one = make(n);
    if (!isTaken(one)) return one;
  }
}

function movesOf(path: string, here: Folder, slice: Folder, moves: ReadonlyMap<string, string>): [string, string][] {
  const taken = [...here.keys(), ...slice.keys(), ...moves.values()].map(sameOnDisk);
  const skill = skillFolder(path, slice);
  if (skill !== undefined) {
    const isTaken = (folder: string) => taken.some((one) => one.startsWith(`${sameOnDisk(folder)}/`));
    const free = firstFree((n) => `${skill}-${n}`, isTaken);
    const files = [...slice.keys()].filter((one) => one.startsWith(`${skill}/`));
    return files.map((one) => [one, free + one.slice(skill.length)]);
  }
  const dot = path.lastIndexOf('.') > path.lastIndexOf('/') + 1 ? path.lastIndexOf('.') : path.length;
  // The name of a Python module has no hyphen.
  const mark = path.endsWith('.py') ? '_' : '-';
  const free = (n: number) => `${path.slice(0, dot)}${mark}${n}${path.slice(dot)}`;
  return [[path, firstFree(free, (one) => taken.includes(sameOnDisk(one)))]];
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
