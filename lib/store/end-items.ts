import type { PoolClient } from 'pg';
import type { PendingId, ProjectId, RunId } from '@/lib/base/ids';
import type { Grant, PersonAnswer } from '@/lib/base/pending';
import type { Store } from './database';
import { runEventsChannel } from './events';
import { toPlainText } from './json-text';
import { grantsKey, pendingKey, peopleChannel, peopleKey } from './pending-messages';

/*
 * Ends of items. Whoever ends an item locks its run first, so an answer, a limit and a stop that come together happen one after
 * another: the first finds the item open. The event writer of the run locks the run in the same order.
 */

export interface GivenAnswer {
  readonly item: PendingId;
  readonly answer: PersonAnswer;
}

export interface NewGrant extends Omit<Grant, 'at'> {
  readonly projectId: ProjectId;
  readonly runId: RunId;
}

/** An item that was answered just now. */
export interface AnsweredItem extends EndedItem {
  readonly projectId: ProjectId;
  readonly kind: string;
  readonly tool: string | null;
}

/** An item that has ended just now. */
export interface EndedItem {
  readonly id: PendingId;
  readonly runId: RunId;
}

type Connection = Pick<PoolClient, 'query'>;

/** Locks the runs of the items until the transaction ends, always in the same order. */
export async function lockRunsOf(connection: Connection, items: readonly PendingId[]): Promise<void> {
  await connection.query(
    `SELECT id FROM "Run" WHERE id IN (SELECT "runId" FROM "PendingItem" WHERE id = ANY($1)) ORDER BY id FOR NO KEY UPDATE`,
    [items],
  );
}

/** Stores the answers of those items that are open and within their limit. Returns them. */
export async function storeAnswers(
  connection: Connection,
  answers: readonly GivenAnswer[],
): Promise<readonly AnsweredItem[]> {
  const { rows } = await connection.query<AnsweredItem>(
    `UPDATE "PendingItem" item SET status = 'answered', answer = given.answer, "answeredBy" = given.by, via = given.via,
       "answeredAt" = now()
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) given(id, answer, by, via)
     WHERE item.id = given.id AND item.status = 'open' AND (item."limitAt" IS NULL OR item."limitAt" > now())
     RETURNING item.id, item."runId", item."projectId", item.kind, item.tool`,
    [
      answers.map(({ item }) => item),
      answers.map(({ answer }) => JSON.stringify(answer)),
      answers.map(({ answer }) => toPlainText(answer.by)),
      answers.map(({ answer }) => answer.via),
    ],
  );
  return rows;
}

/** Withdraws the open items of a run. */
export async function withdrawItems(connection: Connection, runId: RunId): Promise<void> {
  await connection.query(
    `UPDATE "PendingItem" SET status = 'withdrawn', "answeredAt" = now() WHERE "runId" = $1 AND status = 'open'`,
    [runId],
  );
}

/** Returns open items whose limit is over, at most 100. */
export async function findExpired(store: Store): Promise<readonly PendingId[]> {
  const { rows } = await store.pool.query<{ id: PendingId }>(
    `SELECT id FROM "PendingItem" WHERE status = 'open' AND "limitAt" IS NOT NULL AND "limitAt" <= now()
     ORDER BY "limitAt" LIMIT 100`,
  );
  return rows.map(({ id }) => id);
}

/** Ends those of the items that are still open, and whose limit is over, as expired. Returns them. */
export async function expireItems(connection: Connection, items: readonly PendingId[]): Promise<readonly EndedItem[]> {
  const { rows } = await connection.query<EndedItem>(
    `UPDATE "PendingItem" SET status = 'expired', "answeredAt" = now()
     WHERE id = ANY($1) AND status = 'open' AND "limitAt" <= now() RETURNING id, "runId"`,
    [items],
  );
  return rows;
}

/** Tells workers and lists that items of the runs have ended, when the transaction commits. */
export async function tellRuns(connection: Connection, runs: readonly RunId[]): Promise<void> {
  await connection.query(
    `SELECT pg_notify('${peopleChannel}', key || ':') FROM unnest($1::text[]) key
     UNION ALL
     SELECT pg_notify('${runEventsChannel}', '${pendingKey}:' || "projectId" || ':' || id) FROM "Run" WHERE id = ANY($2)`,
    [runs.map(peopleKey), runs],
  );
}

export async function insertGrants(connection: Connection, grants: readonly NewGrant[]): Promise<void> {
  for (const grant of grants) {
    await connection.query(
      `INSERT INTO "Grant" (id, "projectId", scope, "runId", "correlationId", tool, "serverName", agent, "schemaHash", "cardHash",
         "argumentsHash", patterns, by, "expiresAt")
       SELECT $1, $2, $3, $4, "correlationId", $5, $6, $7, $8, $9, $10, $11, $12, to_timestamp($13::float8 / 1000)
       FROM "Run" WHERE id = $4`,
      [
        grant.id,
        grant.projectId,
        grant.scope,
        grant.runId,
        toPlainText(grant.tool),
        grant.serverName === undefined ? null : toPlainText(grant.serverName),
        grant.agent === undefined ? null : toPlainText(grant.agent),
        grant.schemaHash,
        grant.cardHash ?? null,
        grant.argumentsHash ?? null,
        grant.patterns === undefined ? null : JSON.stringify(grant.patterns),
        toPlainText(grant.by),
        grant.expiresAt ?? null,
      ],
    );
    await tellGrants(connection, grant.projectId);
  }
}

/** Tells workers that hold runs of the project that its grants have changed. */
export async function tellGrants(connection: Connection, projectId: ProjectId): Promise<void> {
  await connection.query('SELECT pg_notify($1, $2)', [peopleChannel, `${grantsKey(projectId)}:`]);
}
