import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '@/lib/base/json';
import { writeFileSafely } from '@/lib/server/write-file-safely';

/*
 * The tokens that `callboard login` got, one for each address, in a file that only its owner can read:
 * $XDG_CONFIG_HOME/callboard/logins.json, or ~/.config/callboard/logins.json.
 */

export interface StoredLogin {
  readonly token: string;
  /** The mail address of the person. Unknown for a token that was typed. */
  readonly person?: string | undefined;
}

interface Logins {
  /** The address of the latest login. */
  readonly latest?: string | undefined;
  readonly logins: Readonly<Record<string, StoredLogin>>;
}

const shape = z.object({
  latest: z.string().optional(),
  logins: z.record(z.string(), z.object({ token: z.string(), person: z.string().optional() })),
});

type Variables = Readonly<Record<string, string | undefined>>;

export function loginsFile({ XDG_CONFIG_HOME }: Variables): string {
  // The XDG specification ignores relative paths.
  const isGiven = XDG_CONFIG_HOME !== undefined && path.isAbsolute(XDG_CONFIG_HOME);
  return path.join(isGiven ? XDG_CONFIG_HOME : path.join(homedir(), '.config'), 'callboard', 'logins.json');
}

/** Returns the address of an app as logins are kept: without a path. Throws an Error for users. */
export function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Error(`'${text}' is no address of Callboard. Give one such as https://callboard.example.org.`);
  }
  return url.origin;
}

/** Returns the login of an address, or `undefined`. */
export function readLogin(variables: Variables, address: string): StoredLogin | undefined {
  return new Map(Object.entries(readAll(variables).logins)).get(address);
}

/** Returns the address of the latest login, or `undefined`. */
export function latestAddress(variables: Variables): string | undefined {
  return readAll(variables).latest;
}

export function keepLogin(variables: Variables, address: string, login: StoredLogin): void {
  const { logins } = readAll(variables);
  write(variables, { latest: address, logins: { ...logins, [address]: login } });
}

/** Removes the login of an address. Returns false if there was none. */
export function forgetLogin(variables: Variables, address: string): boolean {
  const { latest, logins } = readAll(variables);
  const rest = Object.fromEntries(Object.entries(logins).filter(([each]) => each !== address));
  if (readLogin(variables, address) === undefined) return false;
  write(variables, { latest: latest === address ? Object.keys(rest).at(-1) : latest, logins: rest });
  return true;
}

function write(variables: Variables, logins: Logins): void {
  const file = loginsFile(variables);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSafely(file, `${JSON.stringify(logins, null, 2)}\n`);
}

/** A damaged file counts as none, so that the next login repairs it. */
function readAll(variables: Variables): Logins {
  try {
    const parsed = shape.safeParse(parseJson(readFileSync(loginsFile(variables), 'utf8')));
    return parsed.success ? parsed.data : { logins: {} };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { logins: {} };
    throw error;
  }
}
