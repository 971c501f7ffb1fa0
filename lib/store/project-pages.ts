import { z } from 'zod';
import { brandAs, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { ProjectScope } from '@/lib/base/rights';
import { type RunState, runStates } from '@/lib/trace/run-state';
import type { Store } from './database';
import { containsPattern } from './like-pattern';
import type { ProjectRow } from './projects';
import { idsOf } from './scope';
import { type FolderSummary, retryAfterMinutes, storedIssue, storedSketch, summaryFormat } from './tree-summaries';

/** A project with what its card shows. */
export interface ListedProject extends Omit<ProjectRow, 'origin' | 'draft'> {
  readonly lastRun: { readonly id: RunId; readonly status: RunState; readonly startedAt: Date } | undefined;
  /** `undefined` until its files have been read. */
  readonly folder: FolderSummary | { readonly issue: Issue } | undefined;
  /** True if its files have not been read yet, or if reading failed and may be tried again. */
  readonly isUnread: boolean;
}

/** The last project of a page. The next page begins after it. */
export interface ProjectPlace {
  readonly updatedAt: Date;
  readonly id: ProjectId;
}

export interface ProjectQuery {
  /** A part of the name; upper and lower case are equal. */
  readonly text?: string | undefined;
  readonly after?: ProjectPlace | undefined;
  readonly limit: number;
  /** The projects that are listed. */
  readonly scope: ProjectScope;
}

interface PageRow {
  readonly id: string;
  readonly name: string;
  readonly updatedAt: Date;
  readonly version: number;
  readonly treeHash: string;
  readonly agentCount: number | null;
  readonly errorCount: number;
  readonly sketch: unknown;
  readonly issue: unknown;
  readonly isUnread: boolean;
  readonly runId: string | null;
  readonly runStatus: string;
  readonly runAt: Date;
}

/**
 * Selects projects in one statement, most recently changed first. The page is taken from the index on `updatedAt` before
 * anything is joined to its rows, so that its cost does not depend on the number of projects. The joins are lateral,
 * because otherwise the planner reads all summaries when there are few.
 */
const pageSql = `
  SELECT p.*, d.version, d."treeHash", s."agentCount", s."errorCount", s.sketch, s.issue,
    (s."treeHash" IS NULL OR (s.issue IS NOT NULL AND s."madeAt" < now() - make_interval(mins => $6))) AS "isUnread",
    r.id AS "runId", r.status AS "runStatus", COALESCE(r."startedAt", r."createdAt") AS "runAt"
  FROM (
    SELECT id, name, "updatedAt" FROM "Project"
    WHERE ($1::text IS NULL OR name ILIKE $1) AND ($2::timestamptz IS NULL OR ("updatedAt", id) < ($2, $3))
      AND ($7::text[] IS NULL OR id = ANY($7))
    ORDER BY "updatedAt" DESC, id DESC
    LIMIT $4
  ) p
  CROSS JOIN LATERAL (SELECT version, "treeHash" FROM "Draft" WHERE "projectId" = p.id AND name = 'main' LIMIT 1) d
  LEFT JOIN LATERAL (SELECT * FROM "TreeSummary" WHERE "treeHash" = d."treeHash" AND format = $5 LIMIT 1) s ON true
  LEFT JOIN LATERAL (
    SELECT id, status, "startedAt", "createdAt" FROM "Run"
    WHERE "projectId" = p.id AND fixture IS NULL ORDER BY "createdAt" DESC, id DESC LIMIT 1
  ) r ON true
  ORDER BY p."updatedAt" DESC, p.id DESC`;

/** Returns a page of projects. `next` is `undefined` on the last page. `total` counts all projects that match `text`. */
export async function findProjectPage(
  store: Store,
  { text, after, limit, scope }: ProjectQuery,
): Promise<{
  readonly projects: readonly ListedProject[];
  readonly next: ProjectPlace | undefined;
  readonly total: number;
}> {
  const pattern = text === undefined ? null : containsPattern(text);
  const place = [after?.updatedAt ?? null, after?.id ?? null];
  const values = [pattern, ...place, limit + 1, summaryFormat, retryAfterMinutes, idsOf(scope)];
  const [page, total] = await Promise.all([
    store.pool.query<PageRow>(pageSql, values),
    countNamed(store, pattern, scope),
  ]);
  const projects = page.rows.slice(0, limit).map(toListed);
  const last = projects.at(-1);
  const next = page.rows.length > limit && last !== undefined ? { updatedAt: last.updatedAt, id: last.id } : undefined;
  return { projects, next, total };
}

/** Returns only the names, most recently changed first. */
export async function findProjectNames(
  store: Store,
  { text, limit, scope }: Omit<ProjectQuery, 'after'>,
): Promise<{
  readonly projects: readonly { readonly id: ProjectId; readonly name: string }[];
  readonly total: number;
}> {
  const pattern = text === undefined ? null : containsPattern(text);
  const [found, total] = await Promise.all([
    store.pool.query<{ id: string; name: string }>(
      `SELECT id, name FROM "Project" WHERE ($1::text IS NULL OR name ILIKE $1) AND ($3::text[] IS NULL OR id = ANY($3))
       ORDER BY "updatedAt" DESC, id DESC LIMIT $2`,
      [pattern, limit, idsOf(scope)],
    ),
    countNamed(store, pattern, scope),
  ]);
  return { projects: found.rows.map(({ id, name }) => ({ id: brandAs<ProjectId>(id), name })), total };
}

async function countNamed(store: Store, pattern: string | null, scope: ProjectScope): Promise<number> {
  const { rows } = await store.pool.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM "Project"
     WHERE ($1::text IS NULL OR name ILIKE $1) AND ($2::text[] IS NULL OR id = ANY($2))`,
    [pattern, idsOf(scope)],
  );
  return rows[0]?.total ?? 0;
}

function toListed(row: PageRow): ListedProject {
  return {
    id: brandAs<ProjectId>(row.id),
    name: row.name,
    version: row.version,
    treeHash: brandAs<TreeHash>(row.treeHash),
    updatedAt: row.updatedAt,
    isUnread: row.isUnread,
    lastRun:
      row.runId === null
        ? undefined
        : { id: brandAs<RunId>(row.runId), status: z.enum(runStates).parse(row.runStatus), startedAt: row.runAt },
    folder: folderOf(row),
  };
}

function folderOf({ agentCount, errorCount, sketch, issue }: PageRow): ListedProject['folder'] {
  if (agentCount === null) return undefined;
  if (issue !== null) return { issue: storedIssue.parse(issue) };
  return { agentCount, errorCount, sketch: storedSketch.parse(sketch) };
}
