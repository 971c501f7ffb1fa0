import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { Scope } from '@/lib/base/rights';
import type { TokenRequest } from '@/lib/base/token-request';
import { clientAddress } from '@/lib/server/client-address';
import { placeOf } from '@/lib/server/limits/sign-in';
import { countTry, refuseKnown } from '@/lib/server/limits/tries';
import { systemStore, systemStoreOnce, withStore, withStoreOnce } from '@/lib/server/services';
import { accountsAreOn, publicAddress } from '@/lib/server/settings/process-env';
import {
  type CliLoginRow,
  decideLogin,
  findLogin,
  insertLogin,
  loginMinutes,
  stateOfLogin,
  takeLogin,
} from '@/lib/store/cli-logins';
import { transaction } from '@/lib/store/transaction';
import { hashOfSecret } from './token-text';
import { checkRequest, personOf, storeToken } from './tokens';

/*
 * `callboard login`, after the device flow of OAuth (RFC 8628):
 *
 *   command   begins, gets a secret and a code, and prints the code with a link
 *   person    opens the link in a browser, compares the code, chooses scopes, and allows or refuses
 *   command   asks with the secret every few seconds, and gets a token once
 *
 * The token is made when the command fetches it, so that the database never has its text. Whoever sends a stranger such a link gets a
 * token of the stranger, if that person allows it: therefore the page says what asks from where, and that nobody should allow what they
 * did not begin.
 */

interface Asked {
  readonly headers: { get(name: string): string | null };
}

/** The letters of codes: none that are taken for others, and no vowels, so that no words come out. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** Seconds between two questions of the command. */
const pollSeconds = 2;

interface Begun {
  readonly machine: string;
  readonly scopes: readonly Scope[];
}

/**
 * Begins. The try counts before `read` reads what the command sent. Throws AppError `not_found` where people have no accounts, `too_many`,
 * and those of `read`.
 */
export async function beginLogin(request: Asked, read: () => Promise<Begun>) {
  const address = clientAddress(request);
  if (accountsAreOn()) {
    await systemStoreOnce(async ({ store }) => {
      refuseKnown(store, 'login', placeOf(address));
      await countTry(store, 'login', placeOf(address));
    });
  }
  const { machine, scopes } = await read();
  if (!accountsAreOn()) {
    throw new AppError('not_found', 'This Callboard has no accounts. Commands on its machine need no login.');
  }
  const secret = randomBytes(32).toString('base64url');
  const code = newCode();
  await systemStoreOnce(({ store }) =>
    insertLogin(store, { id: randomUUID(), code, secretHash: hashOfSecret(secret), machine, address, scopes }),
  );
  const origin = publicAddress()?.origin ?? `http://${request.headers.get('host')}`;
  return { secret, code, link: `${origin}/cli?code=${code}`, seconds: loginMinutes * 60, pollSeconds };
}

function newCode(): string {
  const four = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return `${four()}-${four()}`;
}

/** Returns what a command asks for, for the person in a browser. Throws AppError `not_found` and `conflict`. */
export async function readLogin(actor: Actor, code: string): Promise<CliLoginRow> {
  personOf(actor);
  return await withStore(actor, 'account.self', 'installation', async (store) => {
    const found = await findLogin(store, code.trim().toUpperCase());
    if (found === undefined) throw tooLate();
    if (found.state !== 'open') throw decided();
    const { state: _state, ...login } = found;
    return login;
  });
}

/** Allows a command to fetch a token of the person. Throws AppError `not_found`, `conflict` and those of `makeToken`. */
export async function allowLogin(actor: Actor, code: string, request: Omit<TokenRequest, 'name'>): Promise<void> {
  const { userId } = personOf(actor);
  await withStoreOnce(actor, 'account.self', 'installation', async ({ store }) => {
    await checkRequest(store, actor, request);
    const { scopes, project, days } = request;
    if (!(await decideLogin(store, code, { userId, scopes, project, days }))) throw decided();
  });
}

/** Refuses what a command asks for. Throws AppError `conflict`. */
export async function denyLogin(actor: Actor, code: string): Promise<void> {
  personOf(actor);
  await withStoreOnce(actor, 'account.self', 'installation', async ({ store }) => {
    if (!(await decideLogin(store, code, null))) throw decided();
  });
}

export type FetchedLogin =
  | { readonly state: 'waiting' | 'denied' }
  | { readonly state: 'allowed'; readonly token: string; readonly person: string };

/**
 * Returns a token to a command, once, as soon as a person has allowed it. Throws AppError `not_found` for a secret that is unknown, used or
 * too old, `too_many` after many of them, before `read` reads the secret, and those of `read`, which count like a wrong secret.
 */
export async function fetchLogin(request: Asked, read: () => Promise<string>): Promise<FetchedLogin> {
  const address = placeOf(clientAddress(request));
  await systemStore(async (store) => refuseKnown(store, 'wrong token', address));
  const hash = await read().then(hashOfSecret, async (error: unknown) => {
    await systemStore((store) => countTry(store, 'wrong token', address));
    throw error;
  });
  const state = await systemStore(async (store) => {
    const found = await stateOfLogin(store, hash);
    if (found === undefined) await countTry(store, 'wrong token', address);
    return found;
  });
  if (state === undefined) throw tooLate();
  if (state !== 'allowed') return { state: state === 'open' ? 'waiting' : 'denied' };
  return await systemStoreOnce(({ store }) =>
    transaction(store, async (connection) => {
      const taken = await takeLogin(connection, hash);
      if (taken === undefined) throw tooLate();
      const { machine, scopes, project, days, userId, email } = taken;
      const name = `callboard on ${machine}`.slice(0, 100);
      const token = await storeToken(connection, { by: email, via: 'web', userId }, { name, scopes, project, days });
      return { state: 'allowed' as const, token, person: email };
    }),
  );
}

function tooLate(): AppError {
  return new AppError(
    'not_found',
    'This login is unknown, was used already, or is too old. Run callboard login again.',
  );
}

function decided(): AppError {
  return new AppError(
    'conflict',
    'This login was allowed or refused already, or is too old. Run callboard login again.',
  );
}
