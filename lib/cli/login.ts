import { hostname, userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Scope, scopes } from '@/lib/base/rights';
import { isTokenText } from '@/lib/server/accounts/token-text';
import { environment } from '@/lib/server/settings/process-env';
import { type AppClient, addressOfApp, openAppClient } from './app-client';
import { faultOf } from './fault-of';
import { addressOf, keepLogin, loginsFile } from './logins-file';
import { printNote, printResult } from './print';

const usage = 'callboard login [URL] [--scopes read,run,answer] [--token]';

const begun = z.object({
  secret: z.string(),
  code: z.string(),
  link: z.string(),
  seconds: z.number(),
  pollSeconds: z.number(),
});
const fetched = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['waiting', 'denied']) }),
  z.object({ state: z.literal('allowed'), token: z.string(), person: z.string() }),
]);

/**
 * `login [URL] [--scopes LIST] [--token]`: gets a personal token for the app at an address, by default the one that runs here, and keeps it
 * in a file of the user. It prints a link and a code; a person opens the link, compares the code and allows it. With `--token` it reads a
 * token from stdin. Exit code 0: signed in, 1: refused, or nobody allowed it in time, 2: wrong arguments, or the app does not answer.
 */
export async function login(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { scopes: { type: 'string', default: 'read,run,answer' }, token: { type: 'boolean', default: false } },
    });
    if (positionals.length > 1) throw new Error(`Give one address. Usage: ${usage}`);
    const [given] = positionals;
    const address = given === undefined ? addressOfApp() : addressOf(given);
    if (values.token) return await keepTyped(address, (await text(process.stdin)).trim());
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    return await askInBrowser(address, readScopes(values.scopes), stop.signal);
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
}

function readScopes(list: string): readonly Scope[] {
  const names = list.split(',').map((each) => each.trim());
  return names.map((name) => {
    const known = scopes.find((scope) => scope === name);
    if (known === undefined) throw new Error(`'${name}' is no scope. Choose of ${scopes.join(', ')}.`);
    return known;
  });
}

async function keepTyped(address: string, token: string): Promise<number> {
  if (!isTokenText(token)) throw new Error('This is no token of Callboard, or not all of it. Copy it again.');
  await openAppClient(address, token).send('/api/v1/tokens');
  keep(address, { token });
  return 0;
}

/** Asks for a token, and waits until a person has decided. */
export async function askInBrowser(
  address: string,
  wanted: readonly Scope[],
  signal: AbortSignal,
  wait: (ms: number, signal: AbortSignal) => Promise<unknown> = (ms, aborted) =>
    sleep(ms, undefined, { signal: aborted }),
): Promise<number> {
  const client = openAppClient(address, undefined);
  const body = { machine: machineName(), scopes: wanted };
  const { secret, code, link, seconds, pollSeconds } = begun.parse(
    await (await client.send('/api/v1/logins', { body, signal })).json(),
  );
  printNote(`Open ${link}\nCompare the code there with this one: ${code}\nWaiting for ${seconds / 60} minutes …\n`);
  try {
    for (;;) {
      await wait(pollSeconds * 1_000, signal);
      const answer = await fetchToken(client, secret, signal);
      if (answer?.state === 'denied') {
        printNote('The login was refused in the browser.\n');
        return 1;
      }
      if (answer?.state === 'allowed') {
        keep(address, answer);
        return 0;
      }
    }
  } catch (error) {
    printNote(signal.aborted ? 'Stopped.\n' : `${faultOf(error)}\n`);
    return 1;
  }
}

async function fetchToken(client: AppClient, secret: string, signal: AbortSignal) {
  return fetched.parse(await (await client.send('/api/v1/logins/token', { body: { secret }, signal })).json());
}

function keep(address: string, { token, person }: { readonly token: string; readonly person?: string }): void {
  const variables = environment();
  keepLogin(variables, address, { token, person });
  const who = person === undefined ? '' : ` as ${person}`;
  printResult(`Signed in at ${address}${who}. The token is in ${loginsFile(variables)}\n`);
  printNote(`Git takes it as the password: git clone ${address}/git/PROJECT.git\n`);
}

/** A person reads it to judge who asks. */
function machineName(): string {
  const name = `${userName()}${hostname()}`.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, 100);
  return name === '' ? 'a machine without a name' : name;
}

/** A process may run as a user without a name. */
function userName(): string {
  try {
    return `${userInfo().username}@`;
  } catch {
    return '';
  }
}
