import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type TaskId, type TreeHash } from '@/lib/base/ids';
import type { FilesRequest, TaskAnswer, TaskRequest } from '@/lib/base/task';
import type { Store } from './database';
import { runEventsChannel } from './events';
import { noTask } from './not-found';
import { type DraftLimits, type FileChange, putChangedTree } from './projects';
import { type ProjectOrigin, readOrigin } from './trust';
import { writing } from './writing';

/*
 * Short tasks for workers:
 *
 *   insertTask ──▶ (queued by lib/jobs) ──takeTask──▶ running ──endTask──▶ ended ──keptForSeconds──▶ deleted
 */

/** A worker takes a task only within this time after it was made. */
const takenWithinSeconds = 60;
/** A task runs at most this long. */
export const taskMs = 60_000;
/** A running task without an answer after this time has lost its worker. */
const lostAfterSeconds = takenWithinSeconds + taskMs / 1000 + 15;
const keptForSeconds = 600;
/** A project has at most this many tasks without an answer. */
const mostOpen = 20;

export interface NewTask {
  readonly id: TaskId;
  readonly projectId: ProjectId;
  /** The saved tree of the project. */
  readonly draftHash: TreeHash;
  /** Changes that are not saved. */
  readonly changes: readonly FileChange[];
  readonly limits: DraftLimits;
  readonly request: FilesRequest;
}

/**
 * Stores a task and the tree that it is about, and returns that tree. Throws AppError `unavailable` when too many tasks of the
 * project are open, and `bad_request` or `too_large` for changes that cannot be stored.
 */
export async function insertTask(store: Store, task: NewTask): Promise<TreeHash> {
  const { id, projectId, draftHash, changes, limits } = task;
  return await store.prisma.$transaction(async (db) => {
    const treeHash =
      changes.length === 0 ? draftHash : await putChangedTree(db, projectId, draftHash, { changes, limits });
    // Others wait while tasks are counted, so the files are stored before.
    await refuseTooMany(db, projectId);
    await db.task.create({ data: { id, projectId, treeHash, request: JSON.stringify(task.request) } });
    return treeHash;
  }, writing);
}

/** A task that is about no files. */
export interface NewPlainTask {
  readonly id: TaskId;
  /** Null if it is about the installation. */
  readonly projectId: ProjectId | null;
  readonly request: Exclude<TaskRequest, FilesRequest>;
}

/** Stores a task. Throws AppError `unavailable` when too many of the same place are open. */
export async function insertPlainTask(store: Store, { id, projectId, request }: NewPlainTask): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    await refuseTooMany(db, projectId);
    await db.task.create({ data: { id, projectId, request: JSON.stringify(request) } });
  }, writing);
}

/** Tasks of one place that come at the same time are counted one after another: each waits until the one before is stored. */
async function refuseTooMany(
  db: Pick<Store['prisma'], '$queryRaw' | '$executeRaw'>,
  projectId: ProjectId | null,
): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`tasks of ${projectId}`}, 7203016))`;
  const [found] = await db.$queryRaw<{ readonly open: number }[]>`
    SELECT count(*)::int AS open FROM "Task"
    WHERE "projectId" IS NOT DISTINCT FROM ${projectId} AND status <> 'ended'
      AND "createdAt" > now() - make_interval(secs => ${lostAfterSeconds}::float8)`;
  if ((found?.open ?? 0) < mostOpen) return;
  const whose = projectId === null ? '' : ' of this project';
  throw new AppError('unavailable', `${mostOpen} tests${whose} are under way. Wait for them, then try again.`);
}

export async function removeTask(store: Store, id: TaskId): Promise<void> {
  await store.prisma.task.deleteMany({ where: { id } });
}

export interface TakenTask {
  readonly id: TaskId;
  /** Null if it is about the installation. */
  readonly projectId: ProjectId | null;
  /** As JSON text. */
  readonly request: string;
  /** The files that it is about, if it is about files. */
  readonly files: TaskFiles | undefined;
}

export interface TaskFiles {
  readonly projectId: ProjectId;
  readonly treeHash: TreeHash;
  readonly origin: ProjectOrigin;
  readonly confirmedHash: string | undefined;
}

/** Makes the caller the only worker of the task. Returns `undefined` for one that was taken, has ended, is old or is gone. */
export async function takeTask(store: Store, id: TaskId): Promise<TakenTask | undefined> {
  const { rows } = await store.pool.query<{
    readonly treeHash: string | null;
    readonly request: string;
    readonly origin: string | null;
    readonly confirmedHash: string | null;
    readonly projectId: string | null;
  }>(
    `UPDATE "Task" t SET status = 'running', "startedAt" = now()
     WHERE id = $1 AND status = 'queued' AND "createdAt" > now() - make_interval(secs => $2)
     RETURNING "treeHash", request, "confirmedHash", "projectId",
       (SELECT p.origin FROM "Project" p WHERE p.id = t."projectId") AS origin`,
    [id, takenWithinSeconds],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { request, treeHash, origin } = row;
  const projectId = row.projectId === null ? null : brandAs<ProjectId>(row.projectId);
  if (projectId === null || treeHash === null || origin === null) return { id, projectId, request, files: undefined };
  const files = {
    projectId,
    treeHash: brandAs<TreeHash>(treeHash),
    origin: readOrigin(origin),
    confirmedHash: row.confirmedHash ?? undefined,
  };
  return { id, projectId, request, files };
}

/** Stores the answer and wakes those who wait for it. A task that has an answer keeps it. */
export async function endTask(store: Store, id: TaskId, answer: TaskAnswer): Promise<void> {
  await store.pool.query(
    `WITH ended AS (
       UPDATE "Task" SET status = 'ended', answer = $2 WHERE id = $1 AND status <> 'ended' RETURNING id
     )
     SELECT pg_notify('${runEventsChannel}', id) FROM ended`,
    [id, JSON.stringify(answer)],
  );
}

export type TaskState =
  | { readonly state: 'queued' | 'running' }
  /** `answer` is JSON text. */
  | { readonly state: 'ended'; readonly answer: string };

/** Reads a task. One that no worker took in time, or that lost its worker, has ended. Throws AppError `not_found`. */
export async function findTask(store: Store, id: TaskId): Promise<TaskState> {
  const { rows } = await store.pool.query<{
    readonly status: string;
    readonly answer: string | null;
    readonly age: number;
  }>(`SELECT status, answer, extract(epoch FROM now() - "createdAt")::float8 AS age FROM "Task" WHERE id = $1`, [id]);
  const [row] = rows;
  if (row === undefined) throw noTask();
  if (row.answer !== null) return { state: 'ended', answer: row.answer };
  if (row.status === 'queued') return row.age > takenWithinSeconds ? ended(noWorker) : { state: 'queued' };
  return row.age > lostAfterSeconds ? ended(lost) : { state: 'running' };
}

const noWorker: TaskAnswer = {
  ok: false,
  code: 'no_worker',
  message: 'No worker took this within a minute. The worker of Callboard may be starting again; try again in a moment.',
};
const lost: TaskAnswer = {
  ok: false,
  code: 'worker_lost',
  message: 'The worker ended while it worked on this, and nothing was kept. Try again.',
};

function ended(answer: TaskAnswer): TaskState {
  return { state: 'ended', answer: JSON.stringify(answer) };
}

/** Notes that the task shall stop. Returns false if no worker has taken it; it is then ended here. */
export async function requestTaskStop(store: Store, id: TaskId): Promise<boolean> {
  const { rows } = await store.pool.query<{ readonly status: string }>(
    `UPDATE "Task" SET "cancelRequestedAt" = COALESCE("cancelRequestedAt", now()) WHERE id = $1 RETURNING status`,
    [id],
  );
  if (rows[0]?.status !== 'queued') return true;
  await endTask(store, id, stoppedAnswer);
  return false;
}

export const stoppedAnswer: TaskAnswer = { ok: false, code: 'cancelled', message: 'It was stopped.' };

export async function isTaskStopped(store: Store, id: TaskId): Promise<boolean> {
  const { rows } = await store.pool.query('SELECT 1 FROM "Task" WHERE id = $1 AND "cancelRequestedAt" IS NOT NULL', [
    id,
  ]);
  return rows.length > 0;
}

/** Deletes old tasks, with their workflows in the tables of DBOS. */
export async function removeOldTasks(store: Store): Promise<void> {
  await store.pool.query(
    `WITH old AS (
       DELETE FROM "Task" WHERE "createdAt" < now() - make_interval(secs => $1) RETURNING id
     )
     DELETE FROM dbos.workflow_status WHERE workflow_uuid IN (SELECT id FROM old)`,
    [keptForSeconds],
  );
}
