import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type TaskId } from '@/lib/base/ids';
import type { TaskAnswer } from '@/lib/base/task';
import {
  findAttemptOf,
  leaveForSignIn,
  listSignIns,
  removeSignIn,
  type SignInRow,
  takeState,
} from '@/lib/store/mcp-sign-ins';
import { sealNamed, typedLabel } from '@/lib/store/sealing';
import { insertPlainTask } from '@/lib/store/tasks';
import { ownSealingKey } from './sealing-key';
import { withStore, withStoreOnce } from './services';
import { startTask, waitForTask } from './tasks';

/*
 * Sign-in of people at MCP servers. This process moves the browser and passes the code on, sealed. It never has a token.
 *
 *   beginSignIn ──worker──▶ attempt ──leave: state, cookie──▶ browser at the provider ──comeBack: state taken once──▶ worker ──▶ tokens
 */

/** Lists the sign-ins of a project, without their tokens. */
export async function readSignIns(actor: Actor, project: ProjectId): Promise<readonly SignInRow[]> {
  return await withStore(actor, 'secrets.set', { project }, (store) => listSignIns(store, project));
}

/** Asks a worker where people sign in at a server of the saved files. Returns the id of the task. Throws as `startTask`. */
export async function beginSignIn(
  actor: Actor,
  project: ProjectId,
  { server, origin }: { readonly server: string; readonly origin: string },
): Promise<TaskId> {
  await withStore(actor, 'secrets.set', { project }, () => Promise.resolve());
  const redirectUrl = `${origin}/oauth/mcp/callback`;
  return await startTask(actor, project, {
    request: { kind: 'sign-in', server, redirectUrl, by: actor.by },
    changes: [],
  });
}

/** Where the browser goes, and the cookie by which it is known when it is back. */
export interface Departure {
  readonly url: URL;
  readonly cookie: { readonly name: string; readonly value: string };
}

/** Binds an attempt to the browser that asks. Throws AppError `not_found` for one that is gone, used, or of another person. */
export async function leave(actor: Actor, attempt: string): Promise<Departure> {
  const state = randomBytes(32).toString('base64url');
  const value = randomBytes(32).toString('base64url');
  const marks = { state: hashOf(state), browser: hashOf(value), by: actor.by };
  const address = await withStoreOnce(actor, 'installation.use', 'installation', ({ store }) =>
    leaveForSignIn(store, attempt, marks),
  );
  if (address === undefined) throw noAttempt();
  const url = new URL(address);
  url.searchParams.set('state', state);
  return { url, cookie: { name: cookieOf(attempt), value } };
}

export interface Arrival {
  readonly state: string;
  readonly code: string | undefined;
  /** The error code of the provider, in place of a code. */
  readonly error: string | undefined;
  /** RFC 9207. */
  readonly issuer: string | undefined;
  /** Returns the value of a cookie of the request. */
  cookie(name: string): string | undefined;
}

/**
 * Takes the state of a browser that is back, and has a worker exchange its code. Throws AppError `not_found` if the state is not that of
 * this browser and person, was used, or is over, and `not_allowed` if the provider or the worker refuses.
 */
export async function comeBack(
  actor: Actor,
  { state, code, error, issuer, cookie }: Arrival,
  signal: AbortSignal,
): Promise<Extract<TaskAnswer, { kind: 'signed-in' }>> {
  const id = brandAs<TaskId>(randomUUID());
  await withStoreOnce(actor, 'installation.use', 'installation', async ({ store, queue }) => {
    const found = await findAttemptOf(store, hashOf(state));
    const value = found && cookie(cookieOf(found.id));
    if (value === undefined) throw noAttempt();
    const taken = await takeState(store, { state: hashOf(state), browser: hashOf(value), by: actor.by });
    if (taken === undefined) throw noAttempt();
    if (code === undefined) {
      const why = error?.replace(/[^\w.-]/g, '').slice(0, 60) ?? 'no code';
      throw new AppError('not_allowed', `The provider did not sign you in (${why}). Begin again.`);
    }
    const sealed = sealNamed(JSON.stringify([code, issuer ?? null]), typedLabel(id), ownSealingKey());
    const request = { kind: 'sign-in-code' as const, attempt: taken.id, sealed };
    await withStore(actor, 'secrets.set', { project: taken.projectId }, () => Promise.resolve());
    await insertPlainTask(store, { id, projectId: taken.projectId, request });
    await queue.enqueueTask(id, undefined);
  });
  const task = await waitForTask(actor, id, signal);
  if (task.state !== 'ended')
    throw new AppError('unavailable', 'No worker has finished the sign-in yet. Look in Settings.');
  const answer: TaskAnswer = JSON.parse(task.answer);
  if (!answer.ok) throw new AppError('not_allowed', answer.message);
  if (answer.kind !== 'signed-in') throw new Error('Bug: the worker answered another question');
  return answer;
}

/** Removes a sign-in. A worker then tells the provider. Throws AppError `not_found`. */
export async function forgetSignIn(actor: Actor, project: ProjectId, signIn: string): Promise<void> {
  await withStoreOnce(actor, 'secrets.set', { project }, async ({ store, queue }) => {
    const sealed = await removeSignIn(store, { project, id: signIn }, actor);
    if (sealed === undefined) throw new AppError('not_found', 'This sign-in is gone already.');
    if (sealed === '') return;
    const id = brandAs<TaskId>(randomUUID());
    await insertPlainTask(store, { id, projectId: project, request: { kind: 'sign-out', signIn, sealed } });
    await queue.enqueueTask(id, undefined);
  });
}

/** Each attempt has a cookie of its own, so that two sign-ins at once do not meet. */
function cookieOf(attempt: string): string {
  return `callboard_oauth_${createHash('sha256').update(attempt).digest('hex').slice(0, 16)}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function noAttempt(): AppError {
  return new AppError('not_found', 'This sign-in was not begun in this browser, was used, or is over. Begin again.');
}
