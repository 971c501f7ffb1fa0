import { LRUCache } from 'lru-cache';
import type { Actor } from '@/lib/base/actor';
import type { AgainRequest } from '@/lib/base/again';
import type { RunId } from '@/lib/base/ids';
import { mainDraft } from '@/lib/store/draft-lock';
import { readEvents } from '@/lib/store/events';
import { findRun, findTreeOfRun } from '@/lib/store/runs';
import { findTreeChanges, type TreeChange } from '@/lib/store/tree-changes';
import { RunDigests } from '@/lib/trace/compare/run-digests';
import { ownSource } from '@/lib/trace/run-source';
import { authorize } from './authorize';
import { oneAtATime } from './one-at-a-time';
import { startRun } from './runs';
import { withStore } from './services';

/** Lists how the files of the run `after` differ from those of the run `before`. Throws AppError `not_found`. */
export async function readRunChanges(actor: Actor, before: RunId, after: RunId): Promise<readonly TreeChange[]> {
  return await withStore(actor, 'run.texts', { run: before }, async (store) => {
    await authorize(store, actor, 'run.texts', { run: after });
    const [old, now] = [await findTreeOfRun(store, before), await findTreeOfRun(store, after)];
    return await findTreeChanges(store, old, now);
  });
}

const pageSize = 5_000;
/** One answer reads about this many events, so that no request takes long. */
const eventsAtOnce = 50_000;

/**
 * Returns the digests of the events after `after` (`RunDigests.bytesAfter`), of some of them if there are many, and nothing if
 * there are no more. Throws AppError `not_found`.
 */
export async function readRunDigests(actor: Actor, runId: RunId, after: number): Promise<Uint8Array> {
  return await withStore(actor, 'run.texts', { run: runId }, async (store) => {
    await findTreeOfRun(store, runId);
    const digests = digestCache().get(runId) ?? new RunDigests();
    // They are kept before the first await, so that a reader that starts meanwhile continues with the same.
    digestCache().set(runId, digests);
    const enough = Math.max(after, digests.lastSeq) + eventsAtOnce;
    while (digests.lastSeq < enough) {
      const range = { after: digests.lastSeq, limit: pageSize };
      const page = await oneAtATime(() => readEvents(store, runId, range));
      if (page.length === 0) break;
      for (const event of page) digests.add(event);
    }
    // A larger size counts only when it is set again.
    digestCache().delete(runId);
    digestCache().set(runId, digests);
    return digests.bytesAfter(after);
  });
}

const mostCachedBytes = 16 * 1024 * 1024;

/** The cache is kept on `globalThis`, because Next evaluates modules more than once, and there must be one per process. */
const holder: { callboardDigests?: LRUCache<RunId, RunDigests> } = globalThis as never;

function digestCache(): LRUCache<RunId, RunDigests> {
  holder.callboardDigests ??= new LRUCache({
    maxSize: mostCachedBytes,
    // The columns grow by doubling.
    sizeCalculation: ({ lastSeq }) => 1_000 + lastSeq * 8,
  });
  return holder.callboardDigests;
}

/**
 * Queues a run with the input of another run and other files: those of the project now (`draft`), or those that a third run was
 * started with. Throws what `startRun` throws.
 */
export async function startOnSameInput(
  actor: Actor,
  of: RunId,
  files: 'draft' | RunId,
): Promise<{ readonly runId: RunId }> {
  const run = await withStore(actor, 'run.start', { run: of }, async (store) => {
    await authorize(store, actor, 'run.texts', { run: of });
    return await findRun(store, of);
  });
  const { projectId, message, correlationId } = run;
  const isOwn = run.source === ownSource;
  // Another framework may name the same agent differently, and its model is none of this folder.
  const input = {
    message,
    correlationId,
    ...(isOwn && { agent: run.entryAgent, model: run.model, leftOut: run.leftOut }),
  };
  if (files !== 'draft') return await startRun(actor, projectId, { ...input, again: recorded(files) });
  return await startRun(actor, projectId, {
    ...input,
    ...(isOwn ? { again: { run: of, kind: 'again', files: 'draft' } } : { target: { draft: mainDraft } }),
  });
}

function recorded(run: RunId): AgainRequest {
  return { run, kind: 'again', files: 'recorded' };
}
