import { randomBytes, randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, RunId } from '@/lib/base/ids';
import { problemOfMessage } from '@/lib/base/trigger-message';
import {
  type FiringInfo,
  longestTriggerMessage,
  mostTriggers,
  type Schedule,
  type TriggerInfo,
  type TriggerKind,
  type TriggerSettings,
} from '@/lib/base/triggers';
import { dueAfter, problemOfSchedule } from '@/lib/jobs/triggers/due-times';
import { fireTrigger } from '@/lib/jobs/triggers/fire';
import type { Store } from '@/lib/store/database';
import { sealHookSecret } from '@/lib/store/hook-secret';
import { findRevision } from '@/lib/store/revisions';
import { type ListedFiring, listFirings } from '@/lib/store/trigger-firings';
import {
  changeTrigger,
  deleteTrigger,
  findTrigger,
  insertTrigger,
  listTriggers,
  type StoredTrigger,
  type TriggerChange,
} from '@/lib/store/triggers';
import { admissionOf } from './run-limits';
import { withStore, withStoreOnce } from './services';
import { hookKeys } from './settings/process-env';
import { startRules } from './trust';

const shownFirings = 10;
const shownDues = 3;

/** A new trigger. A schedule has a schedule, and a webhook has none. */
export interface TriggerInput extends TriggerSettings {
  readonly kind: TriggerKind;
}

/** What is changed of a trigger; the rest stays. */
export type TriggerEdit = Partial<TriggerSettings> & { readonly enabled?: boolean | undefined };

/** Lists the triggers of a project with their latest firings. Throws AppError `not_found`. */
export async function readTriggers(actor: Actor, project: ProjectId): Promise<readonly TriggerInfo[]> {
  return await withStore(actor, 'project.read', { project }, async (store) => {
    const triggers = await listTriggers(store, project);
    const firings = await listFirings(
      store,
      triggers.map(({ id }) => id),
      shownFirings,
    );
    const now = Date.now();
    return triggers.map((trigger) =>
      infoOf(
        trigger,
        firings.filter(({ triggerId }) => triggerId === trigger.id),
        now,
      ),
    );
  });
}

/**
 * Makes a trigger. A webhook gets a secret, which is returned this once. Throws AppError `bad_request`, `conflict` if the name is taken, and
 * `not_found`.
 */
export async function addTrigger(
  actor: Actor,
  project: ProjectId,
  input: TriggerInput,
): Promise<{ readonly id: string; readonly secret?: string; readonly hook?: string }> {
  const { kind, schedule, name, target, message, stopAfter } = input;
  if ((kind === 'schedule') !== (schedule !== undefined)) {
    throw new AppError('bad_request', 'schedule: a schedule needs one, and a webhook has none.');
  }
  refuseSettings(kind, input);
  return await withStoreOnce(actor, 'trigger.set', { project }, async ({ store }) => {
    await refuseTarget(store, project, input);
    const id = randomUUID();
    const secret = kind === 'webhook' ? newSecret() : undefined;
    const trigger = {
      ...{ id, projectId: project, kind, name, target, message, schedule, stopAfter, by: actor.by },
      nextAt: schedule && nextOf(schedule),
      secret: secret === undefined ? undefined : sealed(id, secret),
    };
    await insertTrigger(store, trigger, actor, mostTriggers);
    return { id, ...(secret !== undefined && { secret, hook: hookPath(id) }) };
  });
}

/** Changes a trigger, or switches it on or off. Switching it on forgets its failures. Throws as `addTrigger`. */
export async function editTrigger(actor: Actor, project: ProjectId, id: string, edit: TriggerEdit): Promise<void> {
  await withStoreOnce(actor, 'trigger.set', { project }, async ({ store }) => {
    const known = await findTrigger(store, project, id);
    if (known.kind === 'webhook' && edit.schedule !== undefined) {
      throw new AppError('bad_request', 'schedule: a webhook has none.');
    }
    refuseSettings(known.kind, edit);
    await refuseTarget(store, project, edit);
    const { name, target, message, stopAfter, enabled } = edit;
    const schedule = edit.schedule ?? known.schedule;
    const isOn = enabled ?? known.enabled;
    const moves = schedule !== undefined && (edit.schedule !== undefined || enabled !== undefined);
    const change: TriggerChange = {
      ...(name !== undefined && { name }),
      ...(target !== undefined && { target }),
      ...(message !== undefined && { message }),
      ...(stopAfter !== undefined && { stopAfter }),
      ...(edit.schedule !== undefined && { schedule: edit.schedule }),
      ...(enabled !== undefined && { enabled }),
      ...(moves && { nextAt: isOn ? (nextOf(schedule) ?? null) : null }),
    };
    await changeTrigger(store, { id, projectId: project }, change, actor);
  });
}

/** Gives a webhook another secret and returns it. The old one signs nothing from then on. Throws AppError `not_found`. */
export async function renewTriggerSecret(
  actor: Actor,
  project: ProjectId,
  id: string,
): Promise<{ readonly secret: string }> {
  return await withStoreOnce(actor, 'trigger.set', { project }, async ({ store }) => {
    const { kind } = await findTrigger(store, project, id);
    if (kind !== 'webhook') throw new AppError('bad_request', 'Only a webhook has a secret.');
    const secret = newSecret();
    await changeTrigger(store, { id, projectId: project }, { secret: sealed(id, secret) }, actor);
    return { secret };
  });
}

/** Deletes a trigger. Its runs stay. Throws AppError `not_found`. */
export async function removeTrigger(actor: Actor, project: ProjectId, id: string): Promise<void> {
  await withStoreOnce(actor, 'trigger.set', { project }, async ({ store }) => {
    await deleteTrigger(store, { id, projectId: project }, actor);
  });
}

/**
 * Starts a run as the trigger would now, also while it is switched off. A webhook gets the body `{}`. The run is one of the actor, and its end
 * says nothing about the trigger. Throws AppError `not_found` and what refuses the run.
 */
export async function runTriggerNow(
  actor: Actor,
  project: ProjectId,
  id: string,
): Promise<{ readonly run: RunId; readonly revision: number }> {
  return await withStoreOnce(actor, 'run.start', { project }, async ({ store, queue }) => {
    const trigger = await findTrigger(store, project, id);
    const values =
      trigger.kind === 'webhook'
        ? ({ kind: 'webhook', trigger: trigger.name, body: '{}' } as const)
        : ({ kind: 'schedule', trigger: trigger.name, due: new Date().toISOString() } as const);
    const firing = { key: `person ${randomUUID()}`, missed: 0, counts: false, values };
    const person = { by: actor.by, admit: await admissionOf(store, actor, project) };
    const fired = await fireTrigger({ ...startRules(store), queue }, trigger, firing, person);
    if (fired.kind === 'refused') throw fired.error;
    if (fired.kind === 'taken') throw new AppError('conflict', 'The trigger was deleted meanwhile.');
    return { run: fired.runId, revision: fired.revision };
  });
}

/** Returns the next due times of a schedule that somebody writes. Throws AppError `bad_request` with what is wrong. */
export async function readDueTimes(actor: Actor, project: ProjectId, schedule: Schedule): Promise<readonly number[]> {
  return await withStore(actor, 'project.read', { project }, async () => {
    const now = Date.now();
    const problem = problemOfSchedule(schedule, now);
    if (problem !== undefined) throw new AppError('bad_request', problem);
    return duesOf(schedule, now);
  });
}

function refuseSettings(kind: TriggerKind, { schedule, message }: Partial<TriggerSettings>): void {
  const problem = schedule && problemOfSchedule(schedule, Date.now());
  if (problem !== undefined) throw new AppError('bad_request', problem);
  if (message === undefined) return;
  if (message.length > longestTriggerMessage) {
    throw new AppError('bad_request', `message: at most ${longestTriggerMessage} characters.`);
  }
  const fault = problemOfMessage(message, kind);
  if (fault !== undefined) throw new AppError('bad_request', `message: ${fault}`);
}

/** A label may come later; a revision that does not exist never does under this number by chance. */
async function refuseTarget(
  store: Store,
  project: ProjectId,
  { target }: Pick<Partial<TriggerSettings>, 'target'>,
): Promise<void> {
  if (target?.revision !== undefined) await findRevision(store, project, target.revision);
}

function infoOf(trigger: StoredTrigger, firings: readonly ListedFiring[], now: number): TriggerInfo {
  const { id, kind, name, target, message, schedule, stopAfter } = trigger;
  const { enabled, stoppedBecause, failures, by, createdAt } = trigger;
  return {
    ...{ id, kind, name, target, message, stopAfter, enabled, failures, by, createdAt: createdAt.getTime() },
    ...(schedule && { schedule }),
    ...(stoppedBecause !== undefined && { stoppedBecause }),
    ...(kind === 'webhook' && { hook: hookPath(id) }),
    next: schedule !== undefined && enabled ? duesOf(schedule, now) : [],
    firings: firings.map(firingOf),
  };
}

function firingOf({ key, at, runId, status, code, error, missed }: ListedFiring): FiringInfo {
  const [cause] = key.split(' ');
  return {
    cause: cause === 'due' || cause === 'message' ? cause : 'person',
    at: at.getTime(),
    ...(runId !== null && status !== null && { run: { id: runId, status } }),
    ...(code !== null && error !== null && { error: { code, message: error } }),
    missed,
  };
}

function duesOf(schedule: Schedule, now: number): readonly number[] {
  const found: number[] = [];
  let last: number | undefined = now;
  while (found.length < shownDues) {
    last = dueAfter(schedule, last);
    if (last === undefined) break;
    found.push(last);
  }
  return found;
}

function nextOf(schedule: Schedule): Date | undefined {
  const next = dueAfter(schedule, Date.now());
  return next === undefined ? undefined : new Date(next);
}

function hookPath(id: string): string {
  return `/api/v1/hooks/${id}`;
}

/** As Standard Webhooks writes it. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function sealed(id: string, secret: string): string {
  const [key] = hookKeys();
  if (key === undefined) {
    throw new AppError('unavailable', 'This process has no key for webhooks. Start Callboard with npm start.');
  }
  return sealHookSecret(secret, id, key);
}
