import type { PoolClient } from 'pg';
import type { NewAuditEntry } from '@/lib/base/audit';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { appendAudits } from './audit';
import type { Store } from './database';
import { toPlainText } from './json-text';
import { transaction } from './transaction';

/*
 * What fired a trigger, and what came of it:
 *
 *   claimFiring     in the transaction that stores the run: the key of the firing is unique, so a due time or a message starts one run
 *   noteRefusal     no run was started. The same firing may be tried again, and its refusal counts once
 *   countEnds       the ends of runs count for or against their triggers, each once
 *
 * Failures in a row switch a trigger off, and the audit log says so. People are told of that entry (lib/jobs/notify/tell.ts).
 */

type Connection = Pick<PoolClient, 'query'>;

export interface Firing {
  readonly triggerId: string;
  /** `due TIME`, `message ID` or `person ID`. */
  readonly key: string;
  /** Due times before this one that start nothing. */
  readonly missed: number;
  /** For a schedule: the due time that it waits for, and the next one. */
  readonly moves?: { readonly from: Date; readonly to: Date | undefined } | undefined;
  /** False if its end counts neither for nor against the trigger. */
  readonly counts: boolean;
}

/** Somebody else has started the run of this firing. */
export class FiringTaken extends Error {
  /** The run, if one is known. */
  readonly runId: RunId | undefined;

  constructor(runId?: string) {
    super('The firing was taken.');
    this.runId = runId === undefined ? undefined : brandAs<RunId>(runId);
  }
}

/** Stores that a firing starts a run. Throws `FiringTaken` if it has started one already. */
export async function claimFiring(connection: Connection, firing: Firing, runId: RunId): Promise<void> {
  const { triggerId, key, missed, counts } = firing;
  if (!(await moveOn(connection, firing))) throw new FiringTaken();
  const { rowCount } = await connection.query(
    `INSERT INTO "TriggerFiring" ("triggerId", key, "runId", missed, counted)
     SELECT id, $2, $3, $4, NOT $5::bool FROM "Trigger" WHERE id = $1 AND (enabled OR NOT $5::bool)
     ON CONFLICT ("triggerId", key) DO UPDATE SET "runId" = EXCLUDED."runId", code = NULL, error = NULL, at = now(), counted = false
       WHERE "TriggerFiring"."runId" IS NULL`,
    [triggerId, key, runId, missed, counts],
  );
  if (rowCount === 1) return;
  throw new FiringTaken(await findRunOfFiring(connection, triggerId, key));
}

/** Returns the run that a firing has started. */
export async function findRunOfFiring(
  connection: Connection,
  triggerId: string,
  key: string,
): Promise<string | undefined> {
  const { rows } = await connection.query<{ runId: string | null }>(
    'SELECT "runId" FROM "TriggerFiring" WHERE "triggerId" = $1 AND key = $2',
    [triggerId, key],
  );
  return rows[0]?.runId ?? undefined;
}

/** Stores that a firing started no run, and counts it as a failure the first time. */
export async function noteRefusal(
  store: Store,
  firing: Firing,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> {
  const { triggerId, key, missed } = firing;
  await transaction(store, async (connection) => {
    if (!(await moveOn(connection, firing))) return;
    const said = toPlainText(message);
    const { rowCount } = await connection.query(
      `INSERT INTO "TriggerFiring" ("triggerId", key, code, error, missed, counted)
       SELECT id, $2, $3, $4, $5, true FROM "Trigger" WHERE id = $1 AND enabled ON CONFLICT DO NOTHING`,
      [triggerId, key, code, said, missed],
    );
    if (rowCount !== 1) return;
    await appendAudits(connection, await countFailure(connection, triggerId, said));
  });
}

/** Sets the next due time of a schedule. False: another worker has done it. */
async function moveOn(connection: Connection, { triggerId, moves }: Firing): Promise<boolean> {
  if (moves === undefined) return true;
  const { rowCount } = await connection.query(
    `UPDATE "Trigger" SET "nextAt" = $3 WHERE id = $1 AND enabled AND "nextAt" = $2`,
    [triggerId, moves.from, moves.to ?? null],
  );
  return rowCount === 1;
}

/** Adds a failure. If it is one too many, the trigger is switched off, and the entry for the audit log is returned. */
async function countFailure(
  connection: Connection,
  triggerId: string,
  reason: string,
): Promise<readonly NewAuditEntry[]> {
  const { rows } = await connection.query<{ projectId: string; name: string; failures: number; stops: boolean }>(
    `WITH old AS (SELECT id, enabled FROM "Trigger" WHERE id = $1 FOR UPDATE)
     UPDATE "Trigger" t SET failures = t.failures + 1, enabled = t.enabled AND t.failures + 1 < t."stopAfter",
       "nextAt" = CASE WHEN t.failures + 1 < t."stopAfter" THEN t."nextAt" END,
       "stoppedBecause" = CASE WHEN t.enabled AND t.failures + 1 >= t."stopAfter" THEN $2 ELSE t."stoppedBecause" END
     FROM old WHERE t.id = old.id RETURNING t."projectId", t.name, t.failures, old.enabled AND NOT t.enabled AS stops`,
    [triggerId, reason],
  );
  return rows
    .filter(({ stops }) => stops)
    .map(({ projectId, name, failures }) => ({
      actor: { by: 'callboard', via: 'worker' },
      action: 'trigger.stopped',
      object: triggerId,
      project: brandAs<ProjectId>(projectId),
      body: { name, failures },
    }));
}

const mostAtOnce = 200;

interface EndedFiring {
  readonly triggerId: string;
  readonly key: string;
  readonly status: string;
  readonly error: string | null;
}

/** Counts the ends of runs for or against their triggers, in the order in which they ended. One worker does it at a time. */
export async function countEnds(store: Store): Promise<number> {
  return await transaction(store, async (connection) => {
    const { rows: lock } = await connection.query<{ free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('trigger ends', 72)) AS free`,
    );
    if (lock[0]?.free !== true) return 0;
    const { rows } = await connection.query<EndedFiring>(
      `SELECT f."triggerId", f.key, r.status, r.error::json ->> 'message' AS error
       FROM "TriggerFiring" f JOIN "Run" r ON r.id = f."runId"
       WHERE NOT f.counted AND r."finishedAt" IS NOT NULL ORDER BY r."finishedAt", f.key LIMIT ${mostAtOnce}`,
    );
    const stopped: NewAuditEntry[] = [];
    for (const ended of rows) stopped.push(...(await countEnd(connection, ended)));
    await appendAudits(connection, stopped);
    return rows.length;
  });
}

/** A run that a person stopped says nothing about its trigger. */
async function countEnd(
  connection: Connection,
  { triggerId, key, status, error }: EndedFiring,
): Promise<readonly NewAuditEntry[]> {
  await connection.query('UPDATE "TriggerFiring" SET counted = true WHERE "triggerId" = $1 AND key = $2', [
    triggerId,
    key,
  ]);
  if (status === 'completed') await connection.query('UPDATE "Trigger" SET failures = 0 WHERE id = $1', [triggerId]);
  return status === 'failed' ? await countFailure(connection, triggerId, error ?? 'The run failed.') : [];
}

/** A firing as it is listed. */
export interface ListedFiring {
  readonly triggerId: string;
  readonly key: string;
  readonly at: Date;
  readonly runId: string | null;
  /** Null if no run was started, and for a run that was deleted. */
  readonly status: string | null;
  readonly code: string | null;
  readonly error: string | null;
  readonly missed: number;
}

/** Returns the newest firings of each trigger, at most `each`. */
export async function listFirings(
  store: Store,
  triggers: readonly string[],
  each: number,
): Promise<readonly ListedFiring[]> {
  const { rows } = await store.pool.query<ListedFiring>(
    `SELECT f."triggerId", f.key, f.at, r.id AS "runId", r.status, f.code, f.error, f.missed
     FROM unnest($1::text[]) t(id) CROSS JOIN LATERAL (
       SELECT * FROM "TriggerFiring" WHERE "triggerId" = t.id ORDER BY at DESC, key DESC LIMIT $2
     ) f LEFT JOIN "Run" r ON r.id = f."runId" ORDER BY f.at DESC, f.key DESC`,
    [triggers, each],
  );
  return rows;
}

/** Firings are kept for 30 days. A message of a webhook is refused by its time after minutes, so none starts a second run. */
export async function removeOldFirings(store: Store): Promise<void> {
  await store.pool.query(`DELETE FROM "TriggerFiring" WHERE at < now() - interval '30 days'`);
}
