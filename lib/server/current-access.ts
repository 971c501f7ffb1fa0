import { statSync } from 'node:fs';
import path from 'node:path';
import { type Access, createAccess } from './access';
import { accessTokenFile, readAccessToken } from './access-token';
import { appFolder } from './app-folder';

interface Known {
  readonly stamp: string;
  readonly access: Access | undefined;
}

const known = new Map<string, Known>();

/**
 * The access of this web process, read from its data folder again whenever the file has changed. `open`: CALLBOARD_OPEN
 * switches sign-in off. `undefined`: there is no token, so nobody can be signed in.
 */
export function currentAccess(): Access | 'open' | undefined {
  if (process.env.CALLBOARD_OPEN === '1') return 'open';
  const port = Number(process.env.PORT) || 3000;
  const dataFolder = path.resolve(appFolder, process.env.CALLBOARD_DATA || '.callboard');
  const key = `${port} ${dataFolder}`;
  const before = known.get(key);
  const stamp = stampOf(accessTokenFile(dataFolder));
  if (before !== undefined && (before.stamp === stamp || stamp === unreadable)) return before.access;
  try {
    const token = readAccessToken(dataFolder);
    const access = token === undefined ? undefined : createAccess(token, port);
    known.set(key, { stamp, access });
    return access;
  } catch {
    // Too many open files, say: whoever was signed in stays so, and the next request tries again.
    return before?.access;
  }
}

const unreadable = 'unreadable';

/** Changes when the file does. A file that is gone has a stamp of its own: its token counts no longer. */
function stampOf(file: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'gone' : unreadable;
  }
}
