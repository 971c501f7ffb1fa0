import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { limitsOfPeople, noLimits } from '@/lib/base/limits';
import { asksForReview } from '@/lib/base/review-policy';
import { fillMessage, type TriggerValues } from '@/lib/base/trigger-message';
import type { TriggerTarget } from '@/lib/base/triggers';
import { confirmedForRun, type StartRules } from '@/lib/jobs/start/confirmed-for-run';
import { admitRun, isLimited } from '@/lib/store/admission';
import { wasLive } from '@/lib/store/contributors';
import { readLimitRules } from '@/lib/store/limit-rules';
import { refuseFullDisk } from '@/lib/store/project-disk';
import { findProject } from '@/lib/store/projects';
import { findLabelled, liveLabel } from '@/lib/store/releases';
import { readReviewPolicy } from '@/lib/store/review-policy';
import { findRevision, type Revision } from '@/lib/store/revisions';
import type { NewRun } from '@/lib/store/runs';
import { claimFiring, type Firing, FiringTaken, noteRefusal } from '@/lib/store/trigger-firings';
import type { StoredTrigger } from '@/lib/store/triggers';

/** Refuses a run in the transaction that stores it, by throwing. */
type Admit = (connection: Pick<PoolClient, 'query'>) => Promise<void>;

/** What starts runs of triggers: workers for schedules, the web process for webhooks and people. */
export interface TriggerPorts extends StartRules {
  readonly queue: { enqueueRun(run: NewRun, admit: Admit): Promise<void> };
}

/** Who fires a trigger, if a person does. */
export interface FiredBy {
  readonly by: string;
  readonly admit: Admit | undefined;
}

export type Fired =
  | { readonly kind: 'started'; readonly runId: RunId; readonly revision: number }
  /** The firing has started a run before, or another worker starts it. */
  | { readonly kind: 'taken'; readonly runId: RunId | undefined }
  | { readonly kind: 'refused'; readonly error: AppError };

/**
 * Starts the run of a firing, once: the firing and its run are stored together. A reason that a person can correct is stored with the
 * firing and counts as a failure. Throws what may pass by itself, such as an outage of the database, and then nothing is stored.
 */
export async function fireTrigger(
  ports: TriggerPorts,
  trigger: StoredTrigger,
  firing: Omit<Firing, 'triggerId'> & { readonly values: TriggerValues },
  person?: FiredBy,
): Promise<Fired> {
  const { values, ...rest } = firing;
  const claim: Firing = { ...rest, triggerId: trigger.id };
  try {
    const { run, revision } = await runOf(ports, trigger, values, person);
    const admit = person === undefined ? await admissionOf(ports, run) : person.admit;
    await ports.queue.enqueueRun(run, async (connection) => {
      await claimFiring(connection, claim, run.id);
      await admit?.(connection);
    });
    return { kind: 'started', runId: run.id, revision };
  } catch (error) {
    if (error instanceof FiringTaken) return { kind: 'taken', runId: error.runId };
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    if (claim.counts) await noteRefusal(ports.store, claim, error);
    return { kind: 'refused', error };
  }
}

async function runOf(
  ports: TriggerPorts,
  { id, projectId, name, target, message }: StoredTrigger,
  values: TriggerValues,
  person: FiredBy | undefined,
): Promise<{ readonly run: NewRun; readonly revision: number }> {
  const filled = fillMessage(message, values);
  if (!filled.ok) throw new AppError('bad_request', filled.error);
  const project = await findProject(ports.store, projectId);
  const { id: revisionId, number, treeHash } = await findTarget(ports, project.id, target);
  await refuseUnpublished(ports, project.id, { id: revisionId, number });
  const confirmedHash = await confirmedForRun(ports, { ...project, treeHash });
  const run: NewRun = {
    id: brandAs<RunId>(randomUUID()),
    ...{ projectId, treeHash, revisionId, label: target.label, confirmedHash },
    correlationId: brandAs<CorrelationId>(randomUUID()),
    agent: undefined,
    message: filled.value,
    model: undefined,
    startedBy: person?.by ?? `trigger:${name.toLowerCase()}`,
    trigger: id,
  };
  return { run, revision: number };
}

async function findTarget(
  { store }: TriggerPorts,
  projectId: StoredTrigger['projectId'],
  { label, revision }: TriggerTarget,
): Promise<Revision> {
  try {
    return await (revision === undefined
      ? findLabelled(store, projectId, label)
      : findRevision(store, projectId, revision));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    const missing =
      revision !== undefined
        ? `The project has no revision ${revision}.`
        : label === liveLabel
          ? 'Nothing of this project is published, so the trigger has nothing to run. Publish a revision.'
          : `No revision of this project has the label '${label}', so the trigger has nothing to run.`;
    throw new AppError('conflict', missing);
  }
}

/** Where a project asks for approvals, a trigger runs nothing that never went live: a label or a number is no way past a review. */
async function refuseUnpublished(
  { store }: TriggerPorts,
  projectId: StoredTrigger['projectId'],
  { id, number }: Pick<Revision, 'id' | 'number'>,
): Promise<void> {
  if (!asksForReview(await readReviewPolicy(store.prisma, projectId)) || (await wasLive(store.prisma, id))) return;
  throw new AppError(
    'conflict',
    `Revision ${number} never went live, and this project asks for approvals before that. Publish it, or let the trigger run 'live'.`,
  );
}

/** Limits of a person do not hold for a trigger; those of its project and the budget do. */
async function admissionOf({ store, accounts }: TriggerPorts, run: NewRun): Promise<Admit | undefined> {
  const { projectId, startedBy = '' } = run;
  const rules = await readLimitRules(store.pool, projectId, accounts ? limitsOfPeople : noLimits);
  await refuseFullDisk(store, projectId, rules.diskBytes);
  const own = { ...rules, runs: { ...rules.runs, startsPerMinute: null, activePerPerson: null } };
  return isLimited(own) ? (connection) => admitRun(connection, { projectId, startedBy }, own) : undefined;
}
