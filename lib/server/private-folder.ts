import { chmodSync, existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * What Callboard writes is for its own user alone. Windows has no such modes and keeps a profile's folders private by itself.
 */
export const privateUmask = 0o077;

/** Folders of ours that may have been made with wider rights: by an earlier version, or before the app was built. */
const ownFolders = ['lock', 'logs', 'postgres', 'work'];

/**
 * Takes the rights of group and others from a data folder and from what earlier versions made in it. A folder that holds
 * more than our data keeps its rights (a shared temporary folder, somebody else's, one with the home or the app in it):
 * there only our own folders become private. Returns whether the data folder itself is private now.
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
  // Only its owner may change it; root may, but should not where it is another user's.
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
