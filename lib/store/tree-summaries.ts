import { z } from 'zod';
import type { TreeHash } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { Sketch } from '@/lib/graph/thumbnail';
import type { Store } from './database';

/** A folder as the list of projects shows it. */
export interface FolderSummary {
  readonly agentCount: number;
  readonly errorCount: number;
  readonly sketch: Sketch;
}

/**
 * The version of summaries. Raise it when the summary of an unchanged folder changes: old summaries are then made again on
 * demand.
 */
export const summaryFormat = 4;

/** A folder that could not be read is tried again after this time, because the machine may have been busy. */
export const retryAfterMinutes = 10;

export const storedSketch: z.ZodType<Sketch> = z.object({
  boxes: z.array(
    z.object({
      kind: z.enum(['agent', 'server', 'function', 'builtin']),
      x: z.number(),
      y: z.number(),
      width: z.number(),
      height: z.number(),
    }),
  ),
  lines: z.array(z.object({ x1: z.number(), y1: z.number(), x2: z.number(), y2: z.number() })),
  width: z.number(),
  height: z.number(),
});

export const storedIssue: z.ZodType<Issue> = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  stage: z.enum(['loader', 'validator', 'builder', 'callboard']),
  file: z.string(),
  line: z.number(),
  column: z.number(),
  message: z.string(),
});

const noSketch: Sketch = { boxes: [], lines: [], width: 0, height: 0 };

/** Stores the result of reading a tree. Does nothing if the tree has been removed meanwhile. */
export async function saveTreeSummary(
  store: Store,
  hash: TreeHash,
  read: { readonly ok: true; readonly value: FolderSummary } | { readonly ok: false; readonly error: Issue },
): Promise<void> {
  const { agentCount, errorCount, sketch } = read.ok ? read.value : { agentCount: 0, errorCount: 1, sketch: noSketch };
  const issue = read.ok ? null : JSON.stringify(read.error);
  await store.pool.query(
    `INSERT INTO "TreeSummary" ("treeHash", format, "agentCount", "errorCount", sketch, issue)
     SELECT hash, $2, $3, $4, $5, $6 FROM "Tree" WHERE hash = $1
     ON CONFLICT ("treeHash") DO UPDATE SET format = excluded.format, "agentCount" = excluded."agentCount",
       "errorCount" = excluded."errorCount", sketch = excluded.sketch, issue = excluded.issue, "madeAt" = now()`,
    [hash, summaryFormat, agentCount, errorCount, JSON.stringify(sketch), issue],
  );
}

/** True if the tree has been read, or if reading failed and it is too early to try again. */
export async function hasTreeSummary(store: Store, hash: TreeHash): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `SELECT 1 FROM "TreeSummary" WHERE "treeHash" = $1 AND format = $2
       AND (issue IS NULL OR "madeAt" > now() - make_interval(mins => $3))`,
    [hash, summaryFormat, retryAfterMinutes],
  );
  return rowCount === 1;
}

/**
 * Returns why the last attempt to read the tree failed. Returns `undefined` if it was not tried, succeeded, or may be tried
 * again.
 */
export async function findTreeIssue(store: Store, hash: TreeHash): Promise<Issue | undefined> {
  const { rows } = await store.pool.query<{ issue: unknown }>(
    `SELECT issue FROM "TreeSummary" WHERE "treeHash" = $1 AND format = $2 AND issue IS NOT NULL
       AND "madeAt" > now() - make_interval(mins => $3)`,
    [hash, summaryFormat, retryAfterMinutes],
  );
  return rows[0] === undefined ? undefined : storedIssue.parse(rows[0].issue);
}
