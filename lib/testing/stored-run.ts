import { randomUUID } from 'node:crypto';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import type { EventBody } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import type { Store } from '@/lib/store/database';
import { findProject, insertProject } from '@/lib/store/projects';
import { insertRunsSql, runValues } from '@/lib/store/runs';
import { type TakenRun, takeRun } from '@/lib/store/take-run';

/** Stores a run that has not started, in a new project. */
export async function storedRun(
  store: Store,
  folder: Folder = folderOf({ 'a.md': 'a' }),
  message = 'Go',
): Promise<RunId> {
  const projectId = await insertProject(store, 'Test', folder, { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  const run = { id, projectId, treeHash, correlationId, agent: undefined, message, model: undefined };
  await store.pool.query(insertRunsSql, [...runValues([run])]);
  return id;
}

export async function taken(store: Store, id: RunId, worker: string): Promise<TakenRun> {
  const run = await takeRun(store, id, worker);
  if (run === undefined) throw new Error('The run has ended');
  return run;
}

export function logged(message: string): EventBody {
  return { kind: 'log', level: 'info', code: 'test', message };
}

export const finished: EventBody = { kind: 'run.finished', status: 'completed', answer: 'Done', usage: noUsage };
