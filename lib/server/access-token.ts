import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Matches the access token of an installation: 256 random bits as 50 letters and digits, in a file of the data folder that
 * only its owner can read. The token stays the same until the file is removed or `replaceAccessToken` is called.
 */

const shape = /^[\w.~-]{20,200}$/;

export function accessTokenFile(dataFolder: string): string {
  return path.join(dataFolder, 'access-token');
}

/**
 * Returns the token of a data folder, or `undefined` when there is no file, or no token in it. Throws when the file cannot
 * be read.
 */
export function readAccessToken(dataFolder: string): string | undefined {
  try {
    const text = readFileSync(accessTokenFile(dataFolder), 'utf8').trim();
    return shape.test(text) ? text : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the token of an existing data folder. It is made on first use, and two calls at once return the same token. */
export function ensureAccessToken(dataFolder: string): string {
  const file = accessTokenFile(dataFolder);
  const known = readAccessToken(dataFolder);
  if (known !== undefined) {
    makePrivate(file);
    return known;
  }
  // A file without a token is left from an interrupted write.
  rmSync(file, { force: true });
  const draft = writeDraft(dataFolder);
  try {
    linkSync(draft, file);
  } catch (error) {
    // Some file systems have no hard links.
    if (codeOf(error) !== 'EEXIST') renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  const made = readAccessToken(dataFolder);
  if (made === undefined)
    throw new Error(`The access token could not be written to ${file}. Check the permissions of its folder.`);
  return made;
}

/** Makes a new token. Browsers and scripts that use the old one are signed out. */
export function replaceAccessToken(dataFolder: string): string {
  renameSync(writeDraft(dataFolder), accessTokenFile(dataFolder));
  return ensureAccessToken(dataFolder);
}

/**
 * Makes a token in base 36, which has only letters and digits: a double click selects the whole token, and terminals show
 * links complete.
 */
function newToken(): string {
  return BigInt(`0x${randomBytes(32).toString('hex')}`)
    .toString(36)
    .padStart(50, '0');
}

function writeDraft(dataFolder: string): string {
  const draft = path.join(dataFolder, `.access-token-${randomUUID()}`);
  writeFileSync(draft, `${newToken()}\n`, { mode: 0o600, flag: 'wx' });
  return draft;
}

function makePrivate(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return;
  chmodSync(file, 0o600);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
