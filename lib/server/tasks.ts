import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type TaskId } from '@/lib/base/ids';
import type { FilesRequest } from '@/lib/base/task';
import { systemClock } from '@/lib/jobs/system-clock';
import { findProject } from '@/lib/store/projects';
import { findTask, insertTask, removeTask, type TaskState } from '@/lib/store/tasks';
import { folderLimits } from './folders/folder-limits';
import { checkedChanges, type SavedFile } from './projects';
import { services, withStore, withStoreOnce } from './services';
import { mayStart } from './trust';

/** One request waits this long for the end of a task. */
const waitMs = 20_000;
/** Notifications can be lost while a connection is broken. */
const pollMs = 2_000;
const maxRequestChars = 4 * 1024 * 1024;

/**
 * Asks a worker for a task on the project's files with `changes`, and returns its id without waiting for it. Nothing is saved.
 * Throws AppError `not_found`, `bad_request`, `too_large`, `unavailable`, and `not_trusted` when a user first has to confirm
 * what a run of these files would start or call.
 */
export async function startTask(
  actor: Actor,
  projectId: ProjectId,
  input: {
    readonly request: FilesRequest;
    readonly changes: readonly SavedFile[];
    /** The draft that the changes are made to. */
    readonly draft?: string | undefined;
  },
): Promise<TaskId> {
  const { request } = input;
  if (JSON.stringify(request).length > maxRequestChars) {
    throw new AppError('too_large', 'The arguments and the result have more than 4 million characters. Shorten them.');
  }
  const changes = checkedChanges(input.changes);
  return await withStoreOnce(actor, 'run.start', { project: projectId }, async ({ store, queue }) => {
    const project = await findProject(store, projectId, input.draft);
    const id = brandAs<TaskId>(randomUUID());
    const draftHash = project.treeHash;
    const treeHash = await insertTask(store, { id, projectId, draftHash, changes, limits: folderLimits, request });
    try {
      await queue.enqueueTask(id, await mayStart(store, { ...project, treeHash }));
    } catch (error) {
      await removeTask(store, id).catch(() => undefined);
      throw error;
    }
    return id;
  });
}

/** Requests a stop. The task ends as `cancelled` soon. Does nothing for a task that has ended or is gone. */
export async function stopTask(actor: Actor, id: TaskId): Promise<void> {
  await withStoreOnce(actor, 'run.start', { task: id }, async ({ queue }) => await queue.cancelTask(id));
}

/**
 * Returns the task when it has ended, or as it is after `waitMs`, or when the signal aborts. Throws AppError `not_found`, also
 * for one that ended some minutes ago.
 */
export async function waitForTask(actor: Actor, id: TaskId, signal: AbortSignal): Promise<TaskState> {
  const { runEvents } = await services();
  const until = systemClock.now() + waitMs;
  let news = new AbortController();
  const wake = () => news.abort();
  const unsubscribe = runEvents.subscribe(id, wake);
  signal.addEventListener('abort', wake);
  try {
    for (;;) {
      // Made before the read, so that a notification during the read is not lost.
      news = new AbortController();
      const task = await withStore(actor, 'project.read', { task: id }, (store) => findTask(store, id));
      const left = until - systemClock.now();
      if (task.state === 'ended' || left <= 0 || signal.aborted) return task;
      await systemClock.sleep(Math.min(left, pollMs), news.signal);
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', wake);
  }
}
