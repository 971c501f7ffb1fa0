import type { PoolClient } from 'pg';
import type { NewAuditEntry } from '@/lib/base/audit';
import type { PendingId, RunId } from '@/lib/base/ids';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import {
  type AnsweredItem,
  type EndedItem,
  expireItems,
  findExpired,
  type GivenAnswer,
  insertGrants,
  lockRunsOf,
  type NewGrant,
  storeAnswers,
  tellRuns,
  withdrawItems,
} from '@/lib/store/end-items';
import { transaction } from '@/lib/store/transaction';
import { stopRunChannel } from './queue';
import { resumeRuns } from './resume-runs';

/** An answer, and what is remembered of it. */
export interface AnswerToStore extends GivenAnswer {
  readonly grant?: NewGrant | undefined;
}

/**
 * Stores answers, with what is remembered of them, and puts their runs back into the queue where they are suspended, in one
 * transaction. Returns the items that were open until now: the answers of the others were not stored. Of several answers to one
 * item the first counts. Runs that wait in a worker hear of it.
 */
export async function answerItems(store: Store, answers: readonly AnswerToStore[]): Promise<ReadonlySet<PendingId>> {
  const items = [...new Set(answers.map(({ item }) => item))];
  const firsts = items.flatMap((item) => answers.find((answer) => answer.item === item) ?? []);
  return await transaction(store, async (connection) => {
    await lockRunsOf(connection, items);
    const ended = await storeAnswers(connection, firsts);
    const stored = new Set(ended.map(({ id }) => id));
    await insertGrants(
      connection,
      firsts.flatMap(({ item, grant }) => (grant !== undefined && stored.has(item) ? [grant] : [])),
    );
    const overdue = ended.length === firsts.length ? [] : await expireItems(connection, items);
    await goOn(connection, [...ended, ...overdue]);
    for (const entry of entriesOf(firsts, ended)) await appendAudit(connection, entry);
    return stored;
  });
}

/** What the audit log says of stored answers. It never has their arguments, contents and notes, which are in the log of the run. */
function entriesOf(answers: readonly AnswerToStore[], ended: readonly AnsweredItem[]): readonly NewAuditEntry[] {
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
  await transaction(store, async (connection) => {
    await lockRunsOf(connection, items);
    await goOn(connection, await expireItems(connection, items));
  });
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
    await withdrawItems(connection, runId);
    await goOn(connection, [{ runId }]);
  });
}

async function goOn(connection: PoolClient, ended: readonly Pick<EndedItem, 'runId'>[]): Promise<void> {
  if (ended.length === 0) return;
  const runs = [...new Set(ended.map(({ runId }) => runId))];
  await resumeRuns(connection, runs);
  await tellRuns(connection, runs);
}
