import type { PoolClient } from 'pg';
import type { NewAuditEntry } from '@/lib/base/audit';
import type { PendingId, RunId } from '@/lib/base/ids';
import { appendAudits } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import {
  type EndedItem,
  type EndStatement,
  expireItems,
  findExpired,
  type GivenAnswer,
  insertGrants,
  lockRunsSql,
  type NewGrant,
  storeAnswers,
  tellRunsSql,
  withdrawItems,
} from '@/lib/store/end-items';
import { transaction } from '@/lib/store/transaction';
import { stopRunChannel } from './queue';
import { nextStint, queueResumedSql, queueValues } from './resume-runs';

/** An answer, and what is remembered of it. */
export interface AnswerToStore extends GivenAnswer {
  readonly grant?: NewGrant | undefined;
}

/**
 * Stores answers, with what is remembered of them, and puts their runs back into the queue where they are suspended, in one
 * transaction. Returns the items that were open until now, with the times of their answers: the answers of the others were not
 * stored. Of several answers to one item the first counts. Runs that wait in a worker hear of it.
 */
export async function answerItems(
  store: Store,
  answers: readonly AnswerToStore[],
): Promise<ReadonlyMap<PendingId, Date>> {
  const items = [...new Set(answers.map(({ item }) => item))];
  if (items.length === 0) return new Map();
  const firsts = items.flatMap((item) => answers.find((answer) => answer.item === item) ?? []);
  return await transaction(
    store,
    async (connection) => {
      const ended = await endAndGoOn(connection, storeAnswers(firsts));
      const stored = new Map(ended.map(({ id, answeredAt }) => [id, answeredAt]));
      await insertGrants(
        connection,
        firsts.flatMap(({ item, grant }) => (grant !== undefined && stored.has(item) ? [grant] : [])),
      );
      if (ended.length < firsts.length) await endAndGoOn(connection, expireItems(items));
      await appendAudits(connection, entriesOf(firsts, ended));
      return stored;
    },
    lockRunsSql(items),
  );
}

/** What the audit log says of stored answers. It never has their arguments, contents and notes, which are in the log of the run. */
function entriesOf(answers: readonly AnswerToStore[], ended: readonly EndedItem[]): readonly NewAuditEntry[] {
  return ended.flatMap(({ id, runId, projectId: project, kind, tool }) => {
    const given = answers.find(({ item }) => item === id);
    if (given === undefined) return [];
    const { answer: actor, grant } = given;
    const about = { run: runId, ...(tool !== null && { tool }) };
    const body = { ...about, kind, decision: actor.decision };
    const answered: NewAuditEntry = { actor, action: 'item.answered', object: id, project, body };
    if (grant === undefined) return [answered];
    const scope = { ...about, scope: grant.scope };
    return [answered, { actor, action: 'grant.given', object: grant.id, project, body: scope }];
  });
}

/** Ends items whose limit is over, and lets their runs go on. Returns true if there may be more. */
export async function expireOverdue(store: Store): Promise<boolean> {
  const items = await findExpired(store);
  if (items.length === 0) return false;
  await transaction(store, (connection) => endAndGoOn(connection, expireItems(items)), lockRunsSql(items));
  return true;
}

/**
 * Notes that the run shall stop, and withdraws its open items. Its worker is told. A run that no worker has goes back into the
 * queue, so that a worker ends all that is open in it. Does nothing for a run that has ended.
 */
export async function requestStop(store: Store, runId: RunId): Promise<void> {
  await transaction(store, async (connection) => {
    const { rowCount } = await connection.query(
      `UPDATE "Run" SET "cancelRequestedAt" = COALESCE("cancelRequestedAt", now())
       WHERE id = $1 AND status IN ('queued', 'running', 'suspended')`,
      [runId],
    );
    if (rowCount === 0) return;
    await connection.query('SELECT pg_notify($1, $2)', [stopRunChannel, runId]);
    await endAndGoOn(connection, withdrawItems(runId), [runId]);
  });
}

/**
 * Ends items, puts their runs and those of `more` back into the queue where they are suspended, and tells workers and lists. One
 * statement does all of it, because each costs a round trip to the database while a person waits. Returns the ended items. The runs
 * must be locked.
 */
async function endAndGoOn(
  connection: PoolClient,
  { name, text, values }: EndStatement,
  more: readonly RunId[] = [],
): Promise<readonly EndedItem[]> {
  const next = values.length + 1;
  const { rows } = await connection.query<EndedItem>({
    name,
    text: `WITH ended AS (${text}), runs AS (
        SELECT "runId" AS id FROM ended UNION SELECT unnest($${next}::text[])
      ), resumed AS (
        UPDATE "Run" SET ${nextStint} WHERE id IN (SELECT id FROM runs) AND status = 'suspended' RETURNING id, "workflowId"
      ), queued AS (${queueResumedSql('resumed', next + 1)}), told AS (${tellRunsSql('runs')})
      SELECT ended.*, done.*
      FROM (SELECT (SELECT count(*) FROM queued) AS queued, (SELECT count(*) FROM told) AS told) done
      LEFT JOIN ended ON true`,
    values: [...values, more, ...queueValues],
  });
  // Postgres evaluates what is read alone, so the counts are read too, in a row without an item where nothing has ended.
  return rows.filter(({ id }) => id !== null);
}
