import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { isInProgramHome } from '@/lib/cards/dialects/homes';
import type { Folder } from '@/lib/cards/folder';
import { partOfProject } from '@/lib/cards/project/part-of-project';
import { levelsToRoot } from '@/lib/cards/project/project-root';
import { readDiskFolder } from './read-disk-folder';

/** A project on disk. */
export interface DiskProject {
  /** The absolute path of the top folder of the project, with servers and settings. */
  readonly root: string;
  /** The files of the project. Of its cards, it has only the named ones and those of the agents that they use. */
  readonly folder: Folder;
  /** The named folder, with a trailing slash. It is empty for the whole project. */
  readonly prefix: string;
  /** False if a single file was named. */
  readonly isFolder: boolean;
  /** True for the named file, or for a file in the named folder. */
  isNamed(file: string): boolean;
}

/**
 * Reads the project that contains a folder or a file. `lib/cards/project/project-root.ts` finds its top folder. Throws an Error with a
 * sentence when something cannot be read.
 */
export async function openProject(given: string): Promise<DiskProject> {
  const isFolder = (await stat(given)).isDirectory();
  const here = path.resolve(isFolder ? given : path.dirname(given));
  const root = await rootOf(here);
  const inside = path.relative(root, here).split(path.sep).join('/');
  // A home folder is no project: of `~/.claude/agents` only these files are read.
  const isPersonal = root === path.resolve(homedir()) && isInProgramHome(inside);
  const whole = await readDiskFolder(root, isPersonal ? inside : '');
  const prefix = inside === '' ? '' : `${inside}/`;
  const named = isFolder ? prefix : prefix + path.basename(given);
  const isNamed = (file: string) => (isFolder ? file.startsWith(prefix) : file === named);
  return { root, folder: named === '' ? whole : partOfProject(whole, isNamed), prefix, isFolder, isNamed };
}

async function rootOf(here: string): Promise<string> {
  const above = (levels: number) => path.resolve(here, ...Array.from({ length: levels }, () => '..'));
  const namesIn = async (levels: number) => await readdir(above(levels)).catch(() => []);
  return above(await levelsToRoot(here.split(path.sep).join('/'), namesIn));
}
