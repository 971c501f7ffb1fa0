import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import type { AuditAction, NewAuditEntry } from '@/lib/base/audit';
import type { RunId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { BinInfo } from '@/lib/client/run-bin';
import { appendAudits } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import {
  activeAmong,
  amountOf,
  type DeletedRun,
  type RunAmount,
  type RunChoice,
  someEnded,
} from '@/lib/store/delete-runs';
import { type BinChoice, binSomeRuns, deleteSomeBinned, readBin, restoreSomeRuns } from '@/lib/store/run-bin';
import { type RemovedRuns, removeSome, untilNone } from './remove-runs';
import { withScope, withScopeOnce, withStore } from './services';

/** Tells how many runs are chosen, and what they take. */
export async function countRuns(actor: Actor, choice: RunChoice): Promise<RunAmount> {
  return await withScope(actor, 'run.delete', (store, scope) => amountOf(store, { ...choice, scope }));
}

/** What a deletion of a filter would delete: runs that have ended. */
export interface RemovalPreview {
  readonly wouldDelete: number;
  /** Ids of some of them, oldest first. */
  readonly some: readonly RunId[];
  /** Runs of the filter that have not ended, which a deletion keeps. */
  readonly active: number;
}

export async function previewRemoval(actor: Actor, choice: RunChoice): Promise<RemovalPreview> {
  return await withScope(actor, 'run.delete', async (store, scope) => {
    const [amount, some] = await Promise.all([
      amountOf(store, { ...choice, scope }),
      someEnded(store, { ...choice, scope }, 5),
    ]);
    return { wouldDelete: amount.runs - amount.active, some, active: amount.active };
  });
}

const mostStops = 100;

export interface BinnedRuns extends RemovedRuns {
  /** What a restore of these runs names; null if none was deleted. */
  readonly deletion: string | null;
}

/**
 * Asks active runs among the chosen ones to stop, and puts chosen runs that have ended into the bin, for three seconds at most. The
 * caller repeats the request until nothing is left.
 */
export async function removeRuns(actor: Actor, choice: RunChoice, active: 'stop' | 'keep'): Promise<BinnedRuns> {
  return await withScopeOnce(actor, 'run.delete', async ({ store, queue }, scope) => {
    const scopedChoice = { ...choice, scope };
    const deletion = { id: randomUUID(), by: actor.by };
    const gone: DeletedRun[] = [];
    const removed = await removeSome({
      stopActive: async () => {
        const ids = active === 'keep' ? [] : await activeAmong(store, scopedChoice, mostStops);
        for (const id of ids) await queue.cancelRun(id);
        return ids.length;
      },
      deleteEnded: async () => {
        const some = await binSomeRuns(store, scopedChoice, deletion);
        gone.push(...some);
        return some.length;
      },
      now: () => performance.now(),
    });
    const entries = entriesOf(actor, 'runs.binned', gone, (runs) => ({
      deleted: runs.length,
      ...('ids' in choice ? idsOf(runs) : { filter: JSON.stringify(choice.where) }),
    }));
    await appendAudits(store.pool, entries);
    return { ...removed, deletion: gone.length === 0 ? null : deletion.id };
  });
}

/** Puts one run that has ended into the bin. Returns false if it is still active. */
export async function removeRun(actor: Actor, id: RunId): Promise<boolean> {
  const { active } = await withStore(actor, 'run.delete', { run: id }, (store) =>
    amountOf(store, { ids: [id], scope: 'all' }),
  );
  if (active > 0) return false;
  await removeRuns(actor, { ids: [id] }, 'keep');
  return true;
}

/** Runs of the bin: by their ids, or by the deletions that put them there. */
export type Binned = { readonly runs: readonly string[] } | { readonly deletions: readonly string[] };

/** Reads the bin, as far as the actor may delete runs. */
export async function listBin(actor: Actor): Promise<BinInfo> {
  const { runs, deletions } = await withScope(actor, 'run.delete', readBin);
  return {
    runs,
    deletions: deletions.map(({ at, until, some, ...deletion }) => ({
      ...deletion,
      at: at.getTime(),
      until: until.getTime(),
      some: some.map(({ createdAt, ...run }) => ({ ...run, createdAt: createdAt.getTime() })),
    })),
  };
}

/** Takes runs out of the bin, for three seconds at most. Those that are not there are left out. */
export async function restoreRuns(
  actor: Actor,
  binned: Binned,
): Promise<{ readonly restored: number; readonly more: boolean }> {
  const { done, more } = await takeOut(actor, binned, { word: 'restored', step: restoreSomeRuns });
  return { restored: done, more };
}

/** Deletes runs of the bin for good, for three seconds at most. */
export async function deleteNow(
  actor: Actor,
  binned: Binned,
): Promise<{ readonly deleted: number; readonly more: boolean }> {
  const { done, more } = await takeOut(actor, binned, { word: 'deleted', step: deleteSomeBinned });
  return { deleted: done, more };
}

interface WayOut {
  readonly word: 'restored' | 'deleted';
  readonly step: (store: Store, choice: BinChoice) => Promise<readonly DeletedRun[]>;
}

async function takeOut(actor: Actor, binned: Binned, { word, step }: WayOut) {
  return await withScopeOnce(actor, 'run.delete', async ({ store }, scope) => {
    const out: DeletedRun[] = [];
    const took = await untilNone(
      async () => {
        const some = await step(store, { ...binned, scope });
        out.push(...some);
        return some.length;
      },
      () => performance.now(),
    );
    await appendAudits(
      store.pool,
      entriesOf(actor, `runs.${word}`, out, (runs) => ({ [word]: runs.length, ...idsOf(runs) })),
    );
    return took;
  });
}

const idsOf = (runs: readonly DeletedRun[]): JsonObject => ({ runs: runs.slice(0, 100).map(({ id }) => id) });

/** Returns an entry for each project of the runs, so that whoever may see only that project finds it there. */
function entriesOf(
  actor: Actor,
  action: AuditAction,
  all: readonly DeletedRun[],
  bodyOf: (runs: readonly DeletedRun[]) => JsonObject,
): readonly NewAuditEntry[] {
  return [...new Set(all.map(({ projectId }) => projectId))].map((project) => {
    const body = bodyOf(all.filter(({ projectId }) => projectId === project));
    return { actor, action, object: 'runs', project, body };
  });
}
