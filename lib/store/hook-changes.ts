import type { ProjectId } from '@/lib/base/ids';
import { readEventRecord } from '@/lib/runtime/record/event-format';
import { hookLine } from '@/lib/trace/hook-story';
import type { Store } from './database';

/** One execution of a hook that changed something. */
export interface HookChangeRow {
  readonly runId: string;
  /** Epoch milliseconds of its end. */
  readonly at: number;
  readonly path: string;
  /** The events that started and ended it. */
  readonly startSeq: number;
  readonly seq: number;
  /** What it changed, in one line. */
  readonly line: string;
}

/** The last row of a page: the run by its creation and id, and the event in it; 0 when the whole run was read. */
export interface HookChangePlace {
  readonly createdAt: Date;
  readonly runId: string;
  readonly seq: number;
}

export interface HookChangePage {
  readonly changes: readonly HookChangeRow[];
  /** The number of runs that the page looked into. */
  readonly runs: number;
  readonly next: HookChangePlace | undefined;
}

/** A page looks into at most this many runs, so that its cost has a bound when a hook changed nothing. */
export const mostRuns = 50;

interface FoundRow {
  readonly runId: string;
  readonly at: number;
  readonly path: string;
  readonly startSeq: number;
  readonly seq: number;
  readonly body: string;
  readonly format: number;
  readonly createdAt: Date;
}

/**
 * Lists what a hook changed in the runs of a project, newest run first, and in a run from its end backwards. `hook` is the name in
 * events, such as `hooks.ts:audit`. Calls that the hook let through unchanged are left out.
 */
export async function findHookChanges(
  store: Store,
  projectId: ProjectId,
  query: { readonly hook: string; readonly limit: number; readonly after: HookChangePlace | undefined },
): Promise<HookChangePage> {
  const { hook, limit, after } = query;
  const { rows: runs } = await store.pool.query<{ id: string; createdAt: Date }>(
    `SELECT id, "createdAt" FROM "Run"
     WHERE "projectId" = $1
       AND ($2::timestamptz IS NULL OR ("createdAt", id) < ($2, $3) OR ($4 > 0 AND id = $3))
     ORDER BY "createdAt" DESC, id DESC LIMIT $5`,
    [projectId, after?.createdAt ?? null, after?.runId ?? '', after?.seq ?? 0, mostRuns],
  );
  const { rows } = await store.pool.query<FoundRow>(
    `SELECT r.id AS "runId", r."createdAt", e.at, e.path, e.seq, e.body, e.format, s.seq AS "startSeq"
     FROM "Run" r
     JOIN "Event" e ON e."runId" = r.id AND e.kind = 'hook.ended'
     JOIN LATERAL (
       SELECT seq, body FROM "Event"
       WHERE "runId" = e."runId" AND step = e.step AND kind = 'hook.started' AND seq < e.seq
       ORDER BY seq DESC LIMIT 1
     ) s ON true
     WHERE r.id = ANY($1::text[])
       AND NOT (r.id = $3 AND $4 > 0 AND e.seq >= $4)
       AND s.body::json ->> 'hook' = $2
       AND json_array_length(e.body::json -> 'changes') > 0
     ORDER BY r."createdAt" DESC, r.id DESC, e.seq DESC LIMIT $5`,
    [runs.map(({ id }) => id), hook, after?.runId ?? '', after?.seq ?? 0, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const lastRun = runs.at(-1);
  return {
    changes: shown.map(changeOf),
    runs: runs.length,
    next:
      rows.length > limit && last !== undefined
        ? { createdAt: last.createdAt, runId: last.runId, seq: last.seq }
        : runs.length === mostRuns && lastRun !== undefined
          ? { createdAt: lastRun.createdAt, runId: lastRun.id, seq: 0 }
          : undefined,
  };
}

function changeOf({ runId, at, path, startSeq, seq, body, format }: FoundRow): HookChangeRow {
  const event = readEventRecord(format, body);
  return { runId, at, path, startSeq, seq, line: event.kind === 'hook.ended' ? hookLine(event) : '' };
}
