import { randomUUID } from 'node:crypto';
import { brandAs, type ProjectId, type TaskId } from '@/lib/base/ids';
import type { FilesRequest, TaskAnswer } from '@/lib/base/task';
import { openRunQueue } from '@/lib/jobs/enqueue';
import type { Store } from '@/lib/store/database';
import { runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { type FileChange, findProject } from '@/lib/store/projects';
import { findTask, insertTask, type TaskState } from '@/lib/store/tasks';

const limits = { files: 100, totalBytes: 1_000_000 };

/** Asks workers for tasks about the files of projects, as the web process does, without asking who may. */
export function taskDesk(store: Store, databaseUrl: string) {
  const queue = openRunQueue(store);
  const news = openNotifications(databaseUrl, runEventsChannel);

  async function insert(projectId: ProjectId, request: FilesRequest, changes: readonly FileChange[] = []) {
    const { treeHash: draftHash } = await findProject(store, projectId);
    const id = brandAs<TaskId>(randomUUID());
    await insertTask(store, { id, projectId, draftHash, changes, limits, request });
    return id;
  }

  /** Waits until the task satisfies `isWanted`. */
  async function until(id: TaskId, isWanted: (task: TaskState) => boolean): Promise<TaskState> {
    for (;;) {
      let wake = () => {};
      const waked = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const unsubscribe = news.subscribe(id, wake);
      const task = await findTask(store, id);
      if (isWanted(task)) {
        unsubscribe();
        return task;
      }
      await Promise.race([waked, new Promise((resolve) => setTimeout(resolve, 100))]);
      unsubscribe();
    }
  }

  return {
    queue,
    /** Stores a task that no worker is told of. */
    insert,
    until,
    async begin(projectId: ProjectId, request: FilesRequest, changes: readonly FileChange[] = []): Promise<TaskId> {
      const id = await insert(projectId, request, changes);
      await queue.enqueueTask(id, undefined);
      return id;
    },
    async answerOf(id: TaskId): Promise<TaskAnswer> {
      const task = await until(id, ({ state }) => state === 'ended');
      return JSON.parse(task.state === 'ended' ? task.answer : '');
    },
    close: () => news.close(),
  };
}
