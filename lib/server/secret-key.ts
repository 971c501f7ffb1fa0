import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keyBytes, secretKeyBytes } from '@/lib/store/key-text';
import { type OpeningKey, openingKey } from '@/lib/store/sealing';

/*
 * The key that opens secrets: CALLBOARD_SECRET_KEY, or a file of the data folder that only its owner can read, which is made on the
 * first start. After a change of the key, workers open values of the old one (CALLBOARD_SECRET_KEY_OLD, or the file beside it) and
 * seal them anew.
 */

export interface KeySettings {
  readonly dataFolder: string;
  /** CALLBOARD_SECRET_KEY, if it is set. */
  readonly secretKey: string | undefined;
  /** CALLBOARD_SECRET_KEY_OLD, if it is set. */
  readonly oldSecretKey: string | undefined;
}

/** Returns the key, which is made on first use. Throws an Error for users when the file cannot be read or holds no key. */
export function ensureSecretKey({ dataFolder, secretKey }: KeySettings): OpeningKey {
  if (secretKey !== undefined) return openingKey(bytesOf(secretKey, 'CALLBOARD_SECRET_KEY'));
  const file = secretKeyFile(dataFolder);
  if (!existsSync(file)) {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    // Of two processes that start at once, one makes the file and both read it.
    try {
      writeFileSync(file, `${randomBytes(keyBytes).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  return readKeyFile(file);
}

/** Returns the keys of before, for values that are still sealed to them. */
export function oldSecretKeys({ dataFolder, oldSecretKey }: KeySettings): readonly OpeningKey[] {
  const file = `${secretKeyFile(dataFolder)}.old`;
  return [
    ...(oldSecretKey === undefined ? [] : [openingKey(bytesOf(oldSecretKey, 'CALLBOARD_SECRET_KEY_OLD'))]),
    ...(existsSync(file) ? [readKeyFile(file)] : []),
  ];
}

/** Returns the keys that are there, newest first, and makes none. */
export function knownSecretKeys(settings: KeySettings): readonly OpeningKey[] {
  const isThere = settings.secretKey !== undefined || existsSync(secretKeyFile(settings.dataFolder));
  return [...(isThere ? [ensureSecretKey(settings)] : []), ...oldSecretKeys(settings)];
}

/** Makes a new key in place of that of the data folder, which is kept beside it. Returns the file of the old one. */
export function replaceSecretKey(dataFolder: string): string {
  const file = secretKeyFile(dataFolder);
  const old = `${file}.old`;
  if (existsSync(old)) {
    throw new Error(
      `${old} is from an earlier change. Start Callboard once, so that it is not needed any more, and remove it.`,
    );
  }
  if (existsSync(file)) renameSync(file, old);
  ensureSecretKey({ dataFolder, secretKey: undefined, oldSecretKey: undefined });
  return old;
}

export function secretKeyFile(dataFolder: string): string {
  return path.join(dataFolder, 'secret-key');
}

function readKeyFile(file: string): OpeningKey {
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return openingKey(bytesOf(readFileSync(file, 'utf8'), file));
}

function bytesOf(text: string, where: string): Buffer {
  const bytes = secretKeyBytes(text);
  if (bytes.length < keyBytes) throw new Error(`${where} holds no key: 32 bytes or more, in base64 or hex.`);
  return bytes;
}
