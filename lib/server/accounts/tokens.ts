import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { PersonReach, Scope } from '@/lib/base/rights';
import { longestTokenDays, mostTokens, type TokenRequest } from '@/lib/base/token-request';
import { authorize } from '@/lib/server/authorize';
import { withStore, withStoreOnce } from '@/lib/server/services';
import {
  countTokens,
  insertToken,
  listTokens,
  lockTokens,
  revokeTokenRow,
  type TokenRow,
} from '@/lib/store/api-tokens';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { transaction } from '@/lib/store/transaction';
import { hashOfSecret, newToken, shownPart } from './token-text';

/**
 * Lists the tokens of the person who asks. A token sees only itself: it may be in the hands of a program that has no business with the
 * others.
 */
export async function listOwnTokens(actor: Actor): Promise<readonly TokenRow[]> {
  const { userId, token } = personOf(actor);
  return await withStore(actor, 'installation.use', 'installation', (store) =>
    listTokens(store, { user: userId, only: token?.id }),
  );
}

/** Lists the tokens of everybody, for administrators. */
export async function listAllTokens(actor: Actor): Promise<readonly TokenRow[]> {
  return await withStore(actor, 'installation.people', 'installation', (store) => listTokens(store, 'everybody'));
}

/**
 * Makes a token for a person in a browser; a token makes none. Returns its text, which is stored nowhere. Throws AppError `not_allowed` for
 * a token that asks, `not_found` for a project that the person may not see, `bad_request`, and `conflict` beyond 100 tokens.
 */
export async function makeToken(
  actor: Actor,
  request: TokenRequest,
): Promise<{ readonly token: string; readonly tokens: readonly TokenRow[] }> {
  const { userId } = personOf(actor);
  return await withStoreOnce(actor, 'account.self', 'installation', async ({ store }) => {
    await checkRequest(store, actor, request);
    const maker = { by: actor.by, via: actor.via, userId };
    const token = await transaction(store, (connection) => storeToken(connection, maker, request));
    return { token, tokens: await listTokens(store, { user: userId }) };
  });
}

/** Throws an AppError for what a token cannot be, or for a project that the person may not see. */
export async function checkRequest(
  store: Store,
  actor: Actor,
  { scopes, project, days }: Omit<TokenRequest, 'name'>,
): Promise<void> {
  const whole = scopes.find((scope) => ofInstallation.includes(scope));
  if (project !== null && whole !== undefined) {
    throw new AppError(
      'bad_request',
      `A token of one project cannot have '${whole}'. Choose every project, or leave it out.`,
    );
  }
  if (scopes.length === 0) throw new AppError('bad_request', 'Choose what the token may do.');
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= longestTokenDays)) {
    throw new AppError('bad_request', `A token is valid for 1 to ${longestTokenDays} days, or without an end.`);
  }
  if (project !== null) await authorize(store, actor, 'project.read', { project });
}

const ofInstallation: readonly Scope[] = ['create', 'administer'];

interface Maker {
  readonly by: string;
  readonly via: Actor['via'];
  readonly userId: string;
}

/** Stores a new token of a person at the end of a transaction, with its entry in the audit log. Returns the text of the token. */
export async function storeToken(
  connection: PoolClient,
  { by, via, userId }: Maker,
  { name, scopes, project, days }: TokenRequest,
): Promise<string> {
  const token = newToken();
  const id = randomUUID();
  const prefix = shownPart(token);
  await lockTokens(connection, userId);
  if ((await countTokens(connection, userId)) >= mostTokens) {
    throw new AppError('conflict', `You have ${mostTokens} tokens. Revoke one that you do not need any more.`);
  }
  await insertToken(connection, { id, userId, name, prefix, tokenHash: hashOfSecret(token), scopes, project, days });
  const body = { name, prefix, scopes, days };
  const entry = { action: 'token.created' as const, object: id, project: project ?? undefined, body };
  await appendAudit(connection, { ...entry, actor: { by, via } });
  return token;
}

/**
 * Revokes a token of the person who asks: the next request with it is refused. `current` is the token that asks. A token revokes only itself.
 * Throws AppError `not_found`.
 */
export async function revokeOwnToken(actor: Actor, id: string): Promise<void> {
  const { userId, token } = personOf(actor);
  const wanted = id === 'current' ? token?.id : id;
  if (wanted === undefined || (token !== undefined && token.id !== wanted)) throw noToken();
  await withStoreOnce(actor, 'installation.use', 'installation', ({ store }) => revoke(store, actor, userId, wanted));
}

/** Revokes a token of anybody, for administrators. Throws AppError `not_found`. */
export async function revokeAnyToken(actor: Actor, id: string): Promise<void> {
  await withStoreOnce(actor, 'installation.people', 'installation', ({ store }) => revoke(store, actor, null, id));
}

async function revoke(store: Store, actor: Actor, user: string | null, id: string): Promise<void> {
  await transaction(store, async (connection) => {
    const gone = await revokeTokenRow(connection, user, id);
    if (gone === undefined) throw noToken();
    const body = { name: gone.name, prefix: gone.prefix, owner: gone.owner };
    await appendAudit(connection, { actor, action: 'token.revoked', object: id, body });
  });
}

function noToken(): AppError {
  return new AppError('not_found', 'There is no such token. It may have been revoked already.');
}

/** Returns the person who asks. Throws AppError `not_found` where people have no accounts. */
export function personOf({ reach }: Actor): PersonReach {
  if (reach !== 'all' && reach.kind === 'person') return reach;
  throw new AppError(
    'not_found',
    'Personal tokens are for people with accounts. Without accounts, callboard token prints the token.',
  );
}
