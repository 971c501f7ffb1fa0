import { chmodSync, existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * With this umask only the own user may read files that Callboard writes. Windows has no such modes; it protects the
 * folders of a profile itself.
 */
export const privateUmask = 0o077;

/** Folders of Callboard that an earlier version, or a start before the build, may have made readable for others. */
const ownFolders = ['lock', 'logs', 'postgres', 'work'];

/**
 * Removes the rights of group and others from a data folder and from Callboard's folders in it. A folder that holds more than
 * Callboard's data keeps its rights (a shared temporary folder, another user's folder, one that contains the home folder or the
 * app); there only Callboard's folders become private. Returns true if the data folder itself is private now.
 */
export function makeDataFolderPrivate(dataFolder: string, appFolder: string): boolean {
  for (const name of ownFolders) {
    const folder = path.join(dataFolder, name);
    if (existsSync(folder)) closeFolder(folder);
  }
  if (process.platform === 'win32') return true;
  return !holdsMore(dataFolder, appFolder) && closeFolder(dataFolder);
}

function closeFolder(folder: string): boolean {
  const { mode, uid } = statSync(folder);
  if ((mode & 0o077) === 0) return true;
  // Only the owner may change the mode. Root could, but should not change another user's folder.
  if (process.platform === 'win32' || uid !== process.getuid?.()) return false;
  chmodSync(folder, mode & 0o700);
  return true;
}

function holdsMore(dataFolder: string, appFolder: string): boolean {
  const folder = realpathSync(dataFolder);
  const isSticky = (statSync(folder).mode & 0o1000) !== 0;
  return isSticky || [homedir(), appFolder].some((inner) => isInside(inner, folder));
}

function isInside(inner: string, folder: string): boolean {
  if (!existsSync(inner)) return false;
  const between = path.relative(folder, realpathSync(inner));
  return between === '' || !(between.startsWith('..') || path.isAbsolute(between));
}
