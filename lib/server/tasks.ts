import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type TaskId } from '@/lib/base/ids';
import type { FilesRequest, ToolRequest } from '@/lib/base/task';
import { systemClock } from '@/lib/jobs/system-clock';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { findProject } from '@/lib/store/projects';
import { findTask, insertTask, removeTask, type TaskState } from '@/lib/store/tasks';
import { authorize } from './authorize';
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
 * what a run of these files would start or call. To try a tool goes past the hooks of the project, so it needs the right to edit them
 * too, and to approve its call the right to answer; AppError `not_allowed` without them. A call of a tool is in the audit log.
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
    const what = request.kind === 'tool' ? 'The arguments have' : 'The arguments and the result have';
    throw new AppError('too_large', `${what} more than 4 million characters. Shorten them.`);
  }
  const changes = checkedChanges(input.changes);
  return await withStoreOnce(actor, 'run.start', { project: projectId }, async ({ store, queue }) => {
    if (request.kind === 'tool') await mayTryTool(store, actor, projectId, request);
    const project = await findProject(store, projectId, input.draft);
    const id = brandAs<TaskId>(randomUUID());
    const draftHash = project.treeHash;
    const treeHash = await insertTask(store, { id, projectId, draftHash, changes, limits: folderLimits, request });
    try {
      const confirmedHash = await mayStart(store, { ...project, treeHash });
      if (request.kind === 'tool') await noteToolCall(store, actor, projectId, request);
      await queue.enqueueTask(id, confirmedHash);
    } catch (error) {
      await removeTask(store, id).catch(() => undefined);
      throw error;
    }
    return id;
  });
}

async function mayTryTool(store: Store, actor: Actor, project: ProjectId, { approve }: ToolRequest): Promise<void> {
  await authorize(store, actor, 'project.edit', { project });
  if (approve === true) await authorize(store, actor, 'item.answer', { project });
}

/** What a tool changes stays changed, so the log says who called it. Arguments may hold secrets and are left out. */
async function noteToolCall(
  store: Store,
  actor: Actor,
  project: ProjectId,
  { agent, tool, arguments: args, approve, unchecked }: ToolRequest,
): Promise<void> {
  if (args === undefined) return;
  const body = { agent, ...(approve && { approved: true }), ...(unchecked && { unchecked: true }) };
  await appendAudit(store.pool, { actor, action: 'tool.tried', object: tool, project, body });
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
