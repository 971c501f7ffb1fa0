import { statSync } from 'node:fs';
import { type Access, createAccess } from './access';
import { accessTokenFile, readAccessToken } from './access-token';
import { currentDataFolder } from './settings/data-folder';
import { appPort, isOpen } from './settings/process-env';

interface Known {
  readonly stamp: string;
  readonly access: Access | undefined;
}

const known = new Map<string, Known>();

/**
 * Returns the access of this web process, read again from the data folder whenever the file has changed. `open` means that
 * CALLBOARD_OPEN switches sign-in off. `undefined` means that there is no token, so nobody can sign in.
 */
export function currentAccess(): Access | 'open' | undefined {
  if (isOpen()) return 'open';
  const port = appPort();
  const dataFolder = currentDataFolder();
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
    // The cause may be too many open files, for example. Users stay signed in, and the next request tries again.
    return before?.access;
  }
}

const unreadable = 'unreadable';

/** Returns a text that changes with the file. A missing file has its own text, because its token is no longer valid. */
function stampOf(file: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'gone' : unreadable;
  }
}
