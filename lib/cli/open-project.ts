import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Folder } from '@/lib/cards/folder';
import { partOfProject } from '@/lib/cards/part-of-project';
import { levelsToRoot } from '@/lib/cards/project-root';
import { readDiskFolder } from './read-disk-folder';

/** A project on disk, as every command reads it. */
export interface DiskProject {
  /** The top of the project, absolute: where servers and settings are. */
  readonly root: string;
  /** Everything in it; of its cards those that were named, and the agents that they use. */
  readonly folder: Folder;
  /** The folder that was named, with a slash at its end; empty for the whole project. */
  readonly prefix: string;
  /** False: a single file was named. */
  readonly isFolder: boolean;
  /** Whether a file is what was named, or lies in it. */
  isNamed(file: string): boolean;
}

/**
 * Reads the project of a folder or of a single file: `lib/cards/project-root.ts` says where it begins. Throws with a sentence
 * when something cannot be read.
 */
export async function openProject(given: string): Promise<DiskProject> {
  const isFolder = (await stat(given)).isDirectory();
  const here = path.resolve(isFolder ? given : path.dirname(given));
  const root = await rootOf(here);
  const whole = await readDiskFolder(root);
  const inside = path.relative(root, here).split(path.sep).join('/');
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
