import { mkdirSync, writeFileSync } from 'node:fs';
import type { BrowserContextOptions } from '@playwright/test';
import { cookieName, cookieValue } from '../lib/server/access';
import { accessTokenFile } from '../lib/server/access-token';

/** The token of every Callboard that the browser tests start. It is fixed, so that any test may sign in. */
export const testToken = 'browser-tests-know-this-token';

/** Headers that sign in scripts and `fetch`. */
export const signedIn = { authorization: `Bearer ${testToken}` } as const;

/** Writes the token. Call it before Callboard starts on that folder. */
export function writeTestToken(dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(accessTokenFile(dataFolder), testToken, { mode: 0o600 });
}

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** The tour was offered before, so that its offer is not above every page of the tests. */
const knowsTour = (port: number): StorageState['origins'][number] => ({
  origin: `http://127.0.0.1:${port}`,
  localStorage: [{ name: 'callboard.tour', value: 'declined' }],
});

/**
 * Returns the state of a browser that is signed in to the Callboard on `port`. `newContext({ storageState: signedOut })`
 * makes one that is not.
 */
export function signedInBrowser(port: number): StorageState {
  const cookie = { name: cookieName(port), value: cookieValue(testToken, port), domain: '127.0.0.1', path: '/' };
  return {
    cookies: [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' }],
    origins: [knowsTour(port)],
  };
}

export const signedOut: StorageState = { cookies: [], origins: [] };
