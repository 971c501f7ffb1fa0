import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { OwnAccount } from '@/lib/base/own-account';
import { type Services, withStoreOnce } from '@/lib/server/services';
import { appendAudit } from '@/lib/store/audit';
import { listSessions, removeSessions } from '@/lib/store/auth-sessions';
import type { Store } from '@/lib/store/database';
import { listPasskeys } from '@/lib/store/passkeys';
import { findPerson } from '@/lib/store/people';
import { transaction } from '@/lib/store/transaction';
import { deviceName } from './device-name';
import { addPasskey, newPasskeyOptions, passkeyPlace, removePasskey } from './passkeys';
import { changePassword, type OwnSession, proveSelf } from './passwords';
import { forgetIdentity } from './provider-people';
import {
  backupCodesLeft,
  beginSecondFactor,
  confirmWithCode,
  type NewSecondFactor,
  renewBackupCodes,
  switchOffSecondFactor,
} from './second-factor';
import { findSession } from './session';
import type { SignInRequest } from './sign-in';

/*
 * What a person does with the own account, in the browser alone: no token may (`account.enter`). Each function returns the account as it
 * is then.
 */

/** Reads how the person gets in. */
export async function readOwnAccount(actor: Actor, request: SignInRequest): Promise<OwnAccount> {
  return await asSelf(actor, request, () => Promise.resolve());
}

/** Changes the password. The other sessions end. Throws AppError `not_allowed` and `bad_request`. */
export async function changeOwnPassword(
  actor: Actor,
  request: SignInRequest,
  given: { readonly present: string; readonly next: string },
): Promise<OwnAccount> {
  return await asSelf(actor, request, (store, own) => changePassword(store, actor, own, given));
}

/** Ends a session of the person, or with `others` all but the one that asks. */
export async function endOwnSessions(actor: Actor, request: SignInRequest, which: string): Promise<OwnAccount> {
  return await asSelf(actor, request, async (store, { userId, sessionId }) => {
    await transaction(store, async (connection) => {
      const chosen = which === 'others' ? { but: sessionId } : { only: which };
      const count = (await removeSessions(connection, userId, chosen)).length;
      if (count === 0) return;
      const body = { email: actor.by, count };
      await appendAudit(connection, { actor, action: 'person.sessions_revoked', object: actor.by, body });
    });
  });
}

/**
 * Returns what the browser needs to make a passkey, as JSON. No other challenge makes one, so only who has proved to be the person adds
 * passkeys. Throws AppError `bad_request` where browsers make none, and those of `proveSelf`.
 */
export async function beginPasskey(actor: Actor, request: SignInRequest, password: string): Promise<string> {
  const { userId, name } = personOf(actor);
  return await withStoreOnce(actor, 'account.enter', 'installation', async ({ store }) => {
    await proveSelf(store, await ownSession(store, request, userId), password);
    return await newPasskeyOptions(store, request, { userId, name, email: actor.by }, Date.now());
  });
}

/** Keeps a passkey that the browser has made. Throws AppError `bad_request` and `conflict`. */
export async function keepPasskey(
  actor: Actor,
  request: SignInRequest,
  given: { readonly name: string; readonly credential: unknown },
): Promise<OwnAccount> {
  return await asSelf(actor, request, (store, { userId }) => addPasskey(store, request, actor, userId, given));
}

/** Removes a passkey. Throws AppError `not_found`. */
export async function forgetPasskey(actor: Actor, request: SignInRequest, id: string): Promise<OwnAccount> {
  return await asSelf(actor, request, (store, { userId }) => removePasskey(store, actor, userId, id));
}

/** Unlinks the identity at the provider, so that another one can be linked. Throws AppError `conflict` and those of `proveSelf`. */
export async function unlinkOwnProvider(actor: Actor, request: SignInRequest, password: string): Promise<OwnAccount> {
  return await asSelf(actor, request, async (store, own) => {
    await proveSelf(store, own, password);
    await forgetIdentity(store, actor, { userId: own.userId, email: actor.by });
  });
}

/** Begins a second factor. It counts when `confirmOwnFactor` got a code of it. Throws AppError `not_allowed` and `conflict`. */
export async function beginOwnFactor(actor: Actor, request: SignInRequest, password: string): Promise<NewSecondFactor> {
  const { userId } = personOf(actor);
  return await withStoreOnce(actor, 'account.enter', 'installation', ({ store }) =>
    beginSecondFactor({ store, request }, { userId, email: actor.by }, password),
  );
}

/** The account with new backup codes, which are shown once. */
export interface WithBackupCodes {
  readonly account: OwnAccount;
  readonly codes: readonly string[];
}

/** Switches the second factor on with a code. Throws AppError `not_allowed`, `conflict` and `too_many`. */
export async function confirmOwnFactor(actor: Actor, request: SignInRequest, code: string): Promise<WithBackupCodes> {
  return await withCodes(actor, request, (store, person) => confirmWithCode({ store, request }, actor, person, code));
}

/** Makes new backup codes in place of the old ones. Throws AppError `not_allowed`, `conflict` and `too_many`. */
export async function renewOwnCodes(actor: Actor, request: SignInRequest, password: string): Promise<WithBackupCodes> {
  return await withCodes(actor, request, (store, person) =>
    renewBackupCodes({ store, request }, actor, person, password),
  );
}

/** Switches the second factor off. Throws AppError `not_allowed`, `conflict` and `too_many`. */
export async function dropOwnFactor(actor: Actor, request: SignInRequest, password: string): Promise<OwnAccount> {
  return await asSelf(actor, request, (store, { userId }) =>
    switchOffSecondFactor(store, actor, { userId, email: actor.by }, password),
  );
}

async function withCodes(
  actor: Actor,
  request: SignInRequest,
  work: (store: Store, person: { readonly userId: string; readonly email: string }) => Promise<readonly string[]>,
): Promise<WithBackupCodes> {
  let codes: readonly string[] = [];
  const account = await asSelf(actor, request, async (store, { userId }) => {
    codes = await work(store, { userId, email: actor.by });
  });
  return { account, codes };
}

async function ownSession(store: Store, request: SignInRequest, userId: string): Promise<OwnSession> {
  const session = await findSession(store, request.headers);
  if (session?.userId !== userId) throw new AppError('not_found', 'Your session has ended. Sign in again.');
  return { userId, sessionId: session.sessionId };
}

async function asSelf(
  actor: Actor,
  request: SignInRequest,
  work: (store: Store, own: OwnSession) => Promise<void>,
): Promise<OwnAccount> {
  const { userId } = personOf(actor);
  return await withStoreOnce(actor, 'account.enter', 'installation', async ({ store }: Services) => {
    const own = await ownSession(store, request, userId);
    await work(store, own);
    const [person, sessions, passkeys, left, after] = await Promise.all([
      findPerson(store, { id: userId }),
      listSessions(store, userId),
      listPasskeys(store, userId),
      backupCodesLeft({ store, request }, userId),
      findSession(store, request.headers),
    ]);
    return {
      hasPassword: person?.hasPassword ?? false,
      hasProvider: person?.hasProvider ?? false,
      sessions: sessions.map(({ id, userAgent, address, createdAt, seenAt }) => ({
        ...{ id, address, createdAt, seenAt },
        device: deviceName(userAgent),
        isThis: id === own.sessionId,
      })),
      passkeys,
      backupCodesLeft: left ?? null,
      mustAddSecondFactor: after?.lacksSecondFactor === true,
      canHavePasskeys: passkeyPlace(request) !== undefined,
    };
  });
}

function personOf({ reach }: Actor): { readonly userId: string; readonly name: string } {
  if (reach === 'all' || reach.kind !== 'person') {
    throw new AppError('not_found', 'This installation has no accounts.');
  }
  return reach;
}
