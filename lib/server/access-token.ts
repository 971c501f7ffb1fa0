import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The secret that opens an installation: 256 random bits as 50 letters and digits, in a file of the data folder that only
 * its owner can read. It stays the same until the file is removed or `replaceAccessToken` is called.
 */

const shape = /^[\w.~-]{20,200}$/;

export function accessTokenFile(dataFolder: string): string {
  return path.join(dataFolder, 'access-token');
}

/** The token of a data folder; undefined when there is no file, or no token in it. Throws when the file cannot be read. */
export function readAccessToken(dataFolder: string): string | undefined {
  try {
    const text = readFileSync(accessTokenFile(dataFolder), 'utf8').trim();
    return shape.test(text) ? text : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The token of a data folder that exists, made on first use. Two callers at once get the same one. */
export function ensureAccessToken(dataFolder: string): string {
  const file = accessTokenFile(dataFolder);
  const known = readAccessToken(dataFolder);
  if (known !== undefined) {
    makePrivate(file);
    return known;
  }
  // A file without a token in it: a write that was cut off.
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
  if (made === undefined) throw new Error(`${file} could not be written.`);
  return made;
}

/** Makes a new token; whoever signed in with the old one is signed out. */
export function replaceAccessToken(dataFolder: string): string {
  renameSync(writeDraft(dataFolder), accessTokenFile(dataFolder));
  return ensureAccessToken(dataFolder);
}

/** Base 36 has letters and digits alone: a double click selects all of it, and no terminal cuts a link short. */
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
