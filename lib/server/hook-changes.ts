import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';
import { findHookChanges, type HookChangePlace, type HookChangeRow } from '@/lib/store/hook-changes';
import { findProject } from '@/lib/store/projects';
import { withStore } from './services';

export interface HookChangeList {
  readonly changes: readonly HookChangeRow[];
  /** The number of runs that were looked into for this page. */
  readonly runs: number;
  /** Give it as `after` for the next page; null at the end. A page may be empty and not the last. */
  readonly next: string | null;
}

/** Lists what a hook changed in the runs of a project. Throws AppError `not_found` and `bad_request`. */
export async function listHookChanges(
  actor: Actor,
  projectId: ProjectId,
  query: { readonly hook: string; readonly limit: number; readonly after: string | undefined },
): Promise<HookChangeList> {
  const after = query.after === undefined ? undefined : placeOf(query.after);
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    const { changes, runs, next } = await findHookChanges(store, projectId, { ...query, after });
    return { changes, runs, next: next === undefined ? null : cursorOf(next) };
  });
}

function cursorOf({ createdAt, runId, seq }: HookChangePlace): string {
  return Buffer.from(JSON.stringify([createdAt.getTime(), runId, seq])).toString('base64url');
}

function placeOf(cursor: string): HookChangePlace {
  const value = parseJson(Buffer.from(cursor, 'base64url').toString());
  const [ms, runId, seq]: readonly unknown[] = Array.isArray(value) ? value : [];
  const createdAt = new Date(typeof ms === 'number' ? ms : Number.NaN);
  const isPlace = typeof runId === 'string' && !runId.includes('\0') && Number.isSafeInteger(seq);
  if (!isPlace || typeof seq !== 'number' || Number.isNaN(createdAt.getTime())) {
    throw new AppError('bad_request', 'after: is not a page of this list. Give the "next" of the page before.');
  }
  return { createdAt, runId, seq: Math.min(Math.max(seq, 0), 2_147_483_647) };
}
