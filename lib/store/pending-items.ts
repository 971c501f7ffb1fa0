import { z } from 'zod';
import type { InstancePath, PendingId, ProjectId, RunId } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import {
  decisions,
  type ItemEnd,
  type PendingKind,
  type PendingQuestion,
  type PendingStatus,
  type PersonAnswer,
  pendingKinds,
  pendingStatuses,
} from '@/lib/base/pending';
import type { ProjectScope } from '@/lib/base/rights';
import type { Store } from './database';
import { fromJsonText, toPlainText } from './json-text';
import { idsOf } from './scope';

/** An item without its question. */
export interface ListedItem {
  readonly id: PendingId;
  readonly kind: PendingKind;
  readonly status: PendingStatus;
  readonly runId: RunId;
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly path: InstancePath;
  readonly step: string;
  readonly tool: string | undefined;
  readonly sentence: string;
  readonly createdAt: Date;
  readonly limitAt: Date | undefined;
  /** When it ended in any way. */
  readonly endedAt: Date | undefined;
  readonly answer: PersonAnswer | undefined;
}

export interface StoredItem extends ListedItem {
  readonly question: PendingQuestion;
}

/** The items of which runs, and in which state. */
export interface ItemFilter {
  readonly run?: RunId | undefined;
  readonly project?: ProjectId | undefined;
  readonly tool?: string | undefined;
  /** Every state by default. */
  readonly status?: PendingStatus | undefined;
  /** The projects whose items are meant. */
  readonly scope: ProjectScope;
}

/** An item of a page, after which the next page begins. */
export interface ItemPlace {
  readonly createdAt: Date;
  readonly id: PendingId;
}

const json: z.ZodType<Json> = z.json();
const answerShape: z.ZodType<PersonAnswer> = z.object({
  decision: z.enum(decisions),
  arguments: z.record(z.string(), json).optional(),
  content: json.optional(),
  note: z.string().optional(),
  grant: z.string().optional(),
  by: z.string(),
  via: z.string(),
});

interface Row {
  readonly id: PendingId;
  readonly kind: string;
  readonly status: string;
  readonly runId: RunId;
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly path: InstancePath;
  readonly step: string;
  readonly tool: string | null;
  readonly sentence: string;
  readonly createdAt: Date;
  readonly limitAt: Date | null;
  readonly answeredAt: Date | null;
  readonly answer: string | null;
}

const columns = `item.id, item.kind, item.status, item."runId", item."projectId", item.path, item.step, item.tool, item.sentence,
  item."createdAt", item."limitAt", item."answeredAt", item.answer,
  (SELECT name FROM "Project" project WHERE project.id = item."projectId") AS "projectName"`;

/** Leaves out the items of runs in the bin. Postgres reads those runs by an index of the bin alone. */
const notBinned =
  'NOT EXISTS (SELECT FROM "StoredRun" run WHERE run.id = item."runId" AND run."deletionId" IS NOT NULL)';

/** Returns a page of items: open ones that wait longest first, all others newest first. */
export async function findItems(
  store: Store,
  filter: ItemFilter,
  page: { readonly after: ItemPlace | undefined; readonly limit: number },
): Promise<readonly ListedItem[]> {
  const { where, values } = conditionsOf(filter);
  const isOldestFirst = filter.status === 'open';
  if (page.after !== undefined) {
    values.push(page.after.createdAt, page.after.id);
    where.push(`(item."createdAt", item.id) ${isOldestFirst ? '>' : '<'} ($${values.length - 1}, $${values.length})`);
  }
  values.push(page.limit);
  const direction = isOldestFirst ? '' : ' DESC';
  const { rows } = await store.pool.query<Row>(
    `SELECT ${columns} FROM "PendingItem" item WHERE ${where.join(' AND ')}
     ORDER BY item."createdAt"${direction}, item.id${direction} LIMIT $${values.length}`,
    values,
  );
  return rows.map(toListed);
}

export async function countItems(store: Store, filter: ItemFilter): Promise<number> {
  const { where, values } = conditionsOf(filter);
  const { rows } = await store.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "PendingItem" item WHERE ${where.join(' AND ')}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/** Returns those of the items that exist in the projects, in no order. */
export async function readItems(
  store: Store,
  ids: readonly PendingId[],
  scope: ProjectScope,
): Promise<readonly StoredItem[]> {
  const { rows } = await store.pool.query<Row & { readonly question: string }>(
    `SELECT ${columns}, item.question FROM "PendingItem" item
     WHERE item.id = ANY($1) AND ${notBinned} AND ($2::text[] IS NULL OR item."projectId" = ANY($2))`,
    [ids, idsOf(scope)],
  );
  // The event writer stored it.
  return rows.map((row) => ({ ...toListed(row), question: JSON.parse(row.question) as PendingQuestion }));
}

function conditionsOf({ run, project, tool, status, scope }: ItemFilter): {
  readonly where: string[];
  readonly values: unknown[];
} {
  const where = [notBinned];
  const values: unknown[] = [];
  const add = (column: string, value: string | undefined) => {
    if (value === undefined) return;
    values.push(value);
    where.push(`item.${column} = $${values.length}`);
  };
  add('"runId"', run);
  add('"projectId"', project);
  add('tool', tool === undefined ? undefined : toPlainText(tool));
  add('status', status);
  if (scope !== 'all') {
    values.push(scope);
    where.push(`item."projectId" = ANY($${values.length})`);
  }
  return { where, values };
}

function toListed(row: Row): ListedItem {
  return {
    id: row.id,
    kind: z.enum(pendingKinds).parse(row.kind),
    status: z.enum(pendingStatuses).parse(row.status),
    runId: row.runId,
    projectId: row.projectId,
    projectName: row.projectName,
    path: row.path,
    step: row.step,
    tool: row.tool ?? undefined,
    sentence: fromJsonText(row.sentence),
    createdAt: row.createdAt,
    limitAt: row.limitAt ?? undefined,
    endedAt: row.answeredAt ?? undefined,
    answer: row.answer === null ? undefined : readAnswer(row.answer),
  };
}

function readAnswer(text: string): PersonAnswer {
  return answerShape.parse(JSON.parse(text));
}

/** How items of a run have ended, and whether the run was asked to stop. */
export interface ItemEnds {
  readonly ends: readonly { readonly id: PendingId; readonly end: ItemEnd }[];
  readonly isStopped: boolean;
}

/** Returns how those of the items that are not open have ended. */
export async function findEnds(store: Store, runId: RunId, ids: readonly PendingId[]): Promise<ItemEnds> {
  return await readEnds(store, { name: 'find-item-ends', where: 'item.id = ANY($2)', values: [runId, ids] });
}

/** Returns how those items have ended whose end is not in the log of the run. */
export async function findUnrecordedEnds(store: Store, runId: RunId): Promise<ItemEnds> {
  return await readEnds(store, { name: 'find-unrecorded-ends', where: 'NOT item.recorded', values: [runId] });
}

async function readEnds(
  store: Store,
  { name, where, values }: { readonly name: string; readonly where: string; readonly values: unknown[] },
): Promise<ItemEnds> {
  const { rows } = await store.pool.query<{
    readonly id: PendingId | null;
    readonly status: string;
    readonly answer: string | null;
    readonly isStopped: boolean;
  }>({
    name,
    text: `SELECT item.id, item.status, item.answer, run."cancelRequestedAt" IS NOT NULL AS "isStopped"
      FROM "Run" run LEFT JOIN "PendingItem" item ON item."runId" = run.id AND item.status <> 'open' AND ${where}
      WHERE run.id = $1`,
    values,
  });
  const ends = rows.flatMap(({ id, status, answer }) => (id === null ? [] : [{ id, end: endOf(status, answer) }]));
  return { ends, isStopped: rows[0]?.isStopped ?? false };
}

function endOf(status: string, answer: string | null): ItemEnd {
  if (status === 'answered' && answer !== null) return { outcome: 'answered', answer: readAnswer(answer) };
  return { outcome: status === 'expired' ? 'expired' : 'withdrawn' };
}
