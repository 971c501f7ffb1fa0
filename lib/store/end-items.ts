import { escapeLiteral, type PoolClient } from 'pg';
import { brandAs, type PendingId, type ProjectId, type RunId } from '@/lib/base/ids';
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

/** An item that has ended just now. */
export interface EndedItem {
  readonly id: PendingId;
  readonly runId: RunId;
  readonly projectId: ProjectId;
  readonly kind: string;
  readonly tool: string | null;
  readonly answeredAt: Date;
}

type Connection = Pick<PoolClient, 'query'>;

/**
 * Statements that lock the runs of the items until the transaction ends, always in the same order. Their projects come first, so that
 * a deletion, which locks a project before its runs, waits: a remembered approval needs its project. They have no parameters, so
 * that they can be sent with the beginning of the transaction.
 */
export function lockRunsSql(items: readonly PendingId[]): string {
  const ids = items.map((item) => escapeLiteral(item)).join(', ') || 'NULL';
  const lock = (table: string, column: string, strength: string) =>
    `SELECT 1 FROM "${table}" WHERE id IN (SELECT "${column}" FROM "PendingItem" WHERE id IN (${ids})) ORDER BY id FOR ${strength}`;
  return `${lock('Project', 'projectId', 'KEY SHARE')}; ${lock('Run', 'runId', 'NO KEY UPDATE')}`;
}

/** Ends items. The statement has parameters from `$1` on, and returns the rows of `EndedItem`. */
export interface EndStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const endedColumns = 'item.id, item."runId", item."projectId", item.kind, item.tool, item."answeredAt"';

/** Stores the answers of those items that are open and within their limit. */
export function storeAnswers(answers: readonly GivenAnswer[]): EndStatement {
  return {
    name: 'answer-items',
    text: `UPDATE "PendingItem" item SET status = 'answered', answer = given.answer, "answeredBy" = given.by, via = given.via,
       "answeredAt" = now()
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) given(id, answer, by, via)
     WHERE item.id = given.id AND item.status = 'open' AND (item."limitAt" IS NULL OR item."limitAt" > now())
     RETURNING ${endedColumns}`,
    values: [
      answers.map(({ item }) => item),
      answers.map(({ answer }) => JSON.stringify(answer)),
      answers.map(({ answer }) => toPlainText(answer.by)),
      answers.map(({ answer }) => answer.via),
    ],
  };
}

/** Withdraws the open items of a run. */
export function withdrawItems(runId: RunId): EndStatement {
  return {
    name: 'withdraw-items',
    text: `UPDATE "PendingItem" item SET status = 'withdrawn', "answeredAt" = now()
      WHERE item."runId" = $1 AND item.status = 'open' RETURNING ${endedColumns}`,
    values: [runId],
  };
}

/** Returns open items whose limit is over, at most 100. */
export async function findExpired(store: Store): Promise<readonly PendingId[]> {
  const { rows } = await store.pool.query<{ id: PendingId }>(
    `SELECT id FROM "PendingItem" WHERE status = 'open' AND "limitAt" IS NOT NULL AND "limitAt" <= now()
     ORDER BY "limitAt" LIMIT 100`,
  );
  return rows.map(({ id }) => id);
}

/** Ends those of the items that are still open, and whose limit is over, as expired. */
export function expireItems(items: readonly PendingId[]): EndStatement {
  return {
    name: 'expire-items',
    text: `UPDATE "PendingItem" item SET status = 'expired', "answeredAt" = now()
     WHERE item.id = ANY($1) AND item.status = 'open' AND item."limitAt" <= now() RETURNING ${endedColumns}`,
    values: [items],
  };
}

/** Tells workers and lists that items of the runs have ended, when the transaction commits. `runs` is a table with "id". */
export function tellRunsSql(runs: string): string {
  return `SELECT pg_notify('${peopleChannel}', '${peopleKey(brandAs<RunId>(''))}' || id || ':'),
      pg_notify('${runEventsChannel}', '${pendingKey}:' || "projectId" || ':' || id)
    FROM "Run" WHERE id IN (SELECT id FROM ${runs})`;
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
