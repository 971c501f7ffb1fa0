import type { PoolClient } from 'pg';
import type { ProjectId } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';
import { type AlertCount, type AlertRule, type AlertSpan, spansOfAlert } from '@/lib/trace/alerts';
import { figuresByKey, noDashboardFigures, type TallyRow } from '@/lib/trace/dashboard';
import type { Store } from './database';
import { toPlainText } from './json-text';
import { idsOf } from './scope';
import { transaction } from './transaction';

/** An alert with what the last check found. */
export interface StoredAlert extends AlertRule {
  readonly id: string;
  /** Null: of the runs of every project. */
  readonly projectId: ProjectId | null;
  readonly projectName: string | null;
  /** Who made it. */
  readonly by: string;
  readonly enabled: boolean;
  /** Null while the figure is fine. */
  readonly raisedAt: Date | null;
  /** How often it was raised. */
  readonly raises: number;
  /** Null without runs, and before the first check. */
  readonly value: number | null;
  readonly calls: number;
  /** Null before the first check. */
  readonly checkedAt: Date | null;
}

const columns = `a.id, a.by, a."projectId", p.name AS "projectName", a.figure, a.kind, a.name, a.threshold, a.hours, a.least, a.enabled,
  a."raisedAt", a.raises, a.value, a.calls, a."checkedAt"`;
const fromAlerts = `FROM "Alert" a LEFT JOIN "Project" p ON p.id = a."projectId"`;

const isIn = `($1::text[] IS NULL OR a."projectId" = ANY($1)) AND ($2::text IS NULL OR a."projectId" IS NULL OR a."projectId" = $2)`;

/** Which alerts are listed: of the projects of `scope`, with `all` also those of every project. */
interface AlertChoice {
  readonly scope: ProjectScope;
  /** Only those of this project and of every project. */
  readonly project: ProjectId | undefined;
  readonly limit: number;
}

/** Lists alerts, the raised ones first, each part oldest first. */
export async function listAlerts(
  store: Store,
  { scope, project, limit }: AlertChoice,
): Promise<readonly StoredAlert[]> {
  const { rows } = await store.pool.query<StoredAlert>(
    `SELECT ${columns} ${fromAlerts} WHERE ${isIn} ORDER BY a."raisedAt" IS NULL, a."createdAt", a.id LIMIT $3`,
    [idsOf(scope), project ?? null, limit],
  );
  return rows;
}

/** The last alert of a page, after which the next page begins. */
export interface AlertCursor {
  readonly time: Date;
  readonly id: string;
}

/** Lists alerts after a place, oldest first. */
export async function listAlertsAfter(
  store: Store,
  { scope, project, limit }: AlertChoice,
  after: AlertCursor | undefined,
): Promise<readonly (StoredAlert & { readonly createdAt: Date })[]> {
  const { rows } = await store.pool.query<StoredAlert & { createdAt: Date }>(
    `SELECT ${columns}, a."createdAt" ${fromAlerts}
     WHERE ${isIn} AND ($4::timestamptz IS NULL OR (a."createdAt", a.id) > ($4, $5)) ORDER BY a."createdAt", a.id LIMIT $3`,
    [idsOf(scope), project ?? null, limit, after?.time ?? null, after?.id ?? ''],
  );
  return rows;
}

/** A project, or the installation, has at most so many alerts. */
export const mostAlerts = 20;

export interface NewAlert extends AlertRule {
  readonly id: string;
  /** `undefined`: of the runs of every project. */
  readonly project: ProjectId | undefined;
  readonly by: string;
}

/** Stores an alert. Returns false if there are too many, or the project is gone. */
export async function insertAlert(store: Store, alert: NewAlert): Promise<boolean> {
  const { id, project, by, ...rule } = alert;
  return await transaction(store, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 72))', [`alerts ${project ?? ''}`]);
    const { rowCount } = await client.query(
      `INSERT INTO "Alert" (id, "projectId", by, figure, kind, name, threshold, hours, least)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
       WHERE ($2::text IS NULL OR EXISTS (SELECT 1 FROM "Project" WHERE id = $2))
         AND (SELECT count(*) FROM "Alert" WHERE "projectId" IS NOT DISTINCT FROM $2) < ${mostAlerts}`,
      [id, project ?? null, by, ...valuesOf(rule)],
    );
    return rowCount === 1;
  });
}

/** Returns an alert, locked until the transaction ends, or `undefined` if there is none. */
export async function lockAlert(client: Pick<PoolClient, 'query'>, id: string): Promise<StoredAlert | undefined> {
  const { rows } = await client.query<StoredAlert>(`SELECT ${columns} ${fromAlerts} WHERE a.id = $1 FOR UPDATE OF a`, [
    id,
  ]);
  return rows[0];
}

/** Gives an alert another line, or switches it on or off. Its state begins anew, so that it is told again if the figure is above. */
export async function updateAlert(
  client: Pick<PoolClient, 'query'>,
  id: string,
  { enabled, ...rule }: AlertRule & { readonly enabled: boolean },
): Promise<void> {
  await client.query(
    `UPDATE "Alert" SET figure = $3, kind = $4, name = $5, threshold = $6, hours = $7, least = $8, enabled = $2,
       "raisedAt" = NULL, value = NULL, calls = 0, "checkedAt" = NULL WHERE id = $1`,
    [id, enabled, ...valuesOf(rule)],
  );
}

function valuesOf({ figure, kind, name, threshold, hours, least }: AlertRule): readonly unknown[] {
  return [figure, kind, toPlainText(name), threshold, hours, least];
}

/** Deletes an alert. Returns its project, null for every project, or `undefined` if there is no such alert. */
export async function deleteAlert(store: Store, id: string): Promise<ProjectId | null | undefined> {
  const { rows } = await store.pool.query<{ projectId: ProjectId | null }>(
    `DELETE FROM "Alert" WHERE id = $1 RETURNING "projectId"`,
    [id],
  );
  return rows[0]?.projectId;
}

/** So many alerts are checked in one transaction. */
export const alertsAtOnce = 10;
/** How often an alert is checked. */
export const alertCheckSeconds = 60;

/** Takes the alerts that are due for a check. No other worker gets them until the transaction of the caller ends. */
export async function lockDueAlerts(client: Pick<PoolClient, 'query'>): Promise<readonly StoredAlert[]> {
  const { rows } = await client.query<StoredAlert>(
    `SELECT ${columns} ${fromAlerts}
     WHERE a.enabled AND (a."checkedAt" IS NULL OR a."checkedAt" <= now() - interval '${alertCheckSeconds} seconds')
     ORDER BY a."checkedAt" NULLS FIRST, a.id LIMIT ${alertsAtOnce} FOR UPDATE OF a SKIP LOCKED`,
  );
  return rows;
}

/** Stores what a check found. `raisedAt` is null while the figure is fine. */
export async function storeCheck(
  client: Pick<PoolClient, 'query'>,
  { id, value, calls, raisedAt, raises }: Pick<StoredAlert, 'id' | 'value' | 'calls' | 'raisedAt' | 'raises'>,
): Promise<void> {
  await client.query(
    `UPDATE "Alert" SET value = $2, calls = $3, "raisedAt" = $4, raises = $5, "checkedAt" = now() WHERE id = $1`,
    [id, value, calls, raisedAt, raises],
  );
}

type Counted = Pick<StoredAlert, 'id' | 'projectId' | 'figure' | 'kind' | 'name' | 'hours'>;

const isCounted = `kind = a.kind AND at >= to_timestamp(a."from" / 1000) AND at < COALESCE(to_timestamp(a."until" / 1000), 'infinity')
           AND (a.kind = 'run' OR name = a.name)`;

/** Returns what each alert counts at `now`, from the sums that the database keeps. Alerts on the same runs share one sum. */
export async function countsOfAlerts(
  client: Pick<PoolClient, 'query'>,
  alerts: readonly Counted[],
  now: number,
): Promise<ReadonlyMap<string, readonly AlertCount[]>> {
  const counted = alerts.flatMap((alert) => spansOfAlert(alert, now).map((span) => ({ alert, span })));
  const distinct = new Map(counted.map((each) => [countedKey(each), each]));
  const asked = [...distinct.values()];
  const { rows } = await client.query<TallyRow<string>>(
    `SELECT a.key, t.*
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::float8[]) AS a(key, project, kind, name, "from", "until")
     CROSS JOIN LATERAL (
       SELECT bucket, sum(calls)::int AS calls, sum(failed)::int AS failed, sum(tokens) AS tokens, sum("costUsd") AS "costUsd",
         sum("peopleMs") AS "peopleMs"
       FROM (
         SELECT * FROM "RunTally" WHERE "projectId" = a.project AND ${isCounted}
         UNION ALL
         SELECT * FROM "RunTally" WHERE a.project IS NULL AND ${isCounted}
       ) counted GROUP BY bucket
     ) t`,
    [
      [...distinct.keys()],
      asked.map(({ alert }) => alert.projectId),
      asked.map(({ alert }) => alert.kind),
      asked.map(({ alert }) => alert.name),
      asked.map(({ span }) => span.from),
      asked.map(({ span }) => span.until ?? null),
    ],
  );
  const figures = figuresByKey(rows);
  const countOf = (alert: Counted, span: AlertSpan): AlertCount => ({
    span,
    figures: figures.get(countedKey({ alert, span })) ?? noDashboardFigures,
  });
  return new Map(alerts.map((alert) => [alert.id, spansOfAlert(alert, now).map((span) => countOf(alert, span))]));
}

interface CountedSpan {
  readonly alert: Counted;
  readonly span: AlertSpan;
}

function countedKey({ alert: { projectId, kind, name }, span: { from, until } }: CountedSpan): string {
  return JSON.stringify([projectId, kind, name, from, until]);
}
