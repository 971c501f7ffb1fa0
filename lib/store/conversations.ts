import type { PoolClient } from 'pg';
import { AppError } from '@/lib/base/app-error';
import type { AttachmentInfo } from '@/lib/base/conversation';
import type { ProjectId } from '@/lib/base/ids';
import type { RunError } from '@/lib/runtime/record/events';
import { activeStates, type RunState } from '@/lib/trace/run-state';
import type { Store } from './database';
import { fromJsonTextStart, toPlainText } from './json-text';
import { readFileInfo } from './message-files';
import type { NewRun } from './runs';

type Connection = Pick<PoolClient, 'query'>;

/** The conversation of a new turn. One that is not there yet begins with the turn. */
export type TurnOf =
  | { readonly id: string; readonly isNew: false }
  | { readonly id: string; readonly isNew: true; readonly agent: string; readonly title: string };

/** More messages are refused until some of those that wait have been answered. */
export const mostInLine = 100;

const active = activeStates.map((state) => `'${state}'`).join(', ');
const isActive = (run: string) => `${run}.status IN (${active})`;
const waits = (run: string) => `(${run}."inLine" AND ${run}.status = 'queued')`;

/**
 * Locks the conversation until the transaction ends, and counts a turn. Throws AppError `not_found` for a conversation that is gone,
 * and `conflict` when too many turns wait.
 */
export async function nextTurn(
  connection: Connection,
  projectId: ProjectId,
  conversation: TurnOf,
): Promise<NonNullable<NewRun['turn']>> {
  const { id: conversationId } = conversation;
  if (conversation.isNew) {
    const { agent, title } = conversation;
    await connection.query(
      `INSERT INTO "Conversation" (id, "projectId", agent, title, turns) VALUES ($1, $2, $3, $4, 1)`,
      [conversationId, projectId, agent, title],
    );
    return { conversationId, number: 1, isInLine: false };
  }
  const { rows } = await connection.query<{ turns: number }>(
    `UPDATE "Conversation" SET turns = turns + 1, "updatedAt" = now() WHERE id = $1 AND "projectId" = $2 RETURNING turns`,
    [conversationId, projectId],
  );
  const [counted] = rows;
  if (counted === undefined) throw noConversation(conversationId);
  // A statement of its own sees what was stored until the lock was there.
  const { rows: before } = await connection.query<{ active: number; waiting: number }>(
    `SELECT count(*)::int AS active, count(*) FILTER (WHERE ${waits('r')})::int AS waiting
     FROM "Run" r WHERE r."conversationId" = $1 AND ${isActive('r')}`,
    [conversationId],
  );
  const [{ active: unfinished, waiting } = { active: 0, waiting: 0 }] = before;
  if (waiting >= mostInLine) {
    const message = `${waiting} messages of this conversation wait for their turn. Send the next one when some have been answered.`;
    throw new AppError('conflict', message);
  }
  return { conversationId, number: counted.turns, isInLine: unfinished > 0 };
}

export function noConversation(id: string): AppError {
  return new AppError('not_found', `This project has no conversation ${id.slice(0, 100)}. Begin a new one.`);
}

export async function lockConversation(connection: Connection, id: string): Promise<void> {
  await connection.query('SELECT 1 FROM "Conversation" WHERE id = $1 FOR NO KEY UPDATE', [id]);
}

/**
 * Takes the first turn of conversation $1 out of the line, unless another turn is active, as the row `begun`. The conversation is
 * locked.
 */
export const takeFromLineSql = `
  WITH next AS (
    SELECT r.id FROM "Run" r WHERE r."conversationId" = $1 AND ${waits('r')}
      AND NOT EXISTS (SELECT 1 FROM "Run" o WHERE o."conversationId" = $1 AND ${isActive('o')} AND NOT ${waits('o')})
    ORDER BY r.turn LIMIT 1
  ), begun AS (
    UPDATE "Run" r SET "inLine" = false FROM next WHERE r.id = next.id AND ${waits('r')}
    RETURNING r.id, COALESCE(r."workflowId", r.id) AS "workflowId"
  )`;

/** Returns conversations in which turns wait for none, at most 100. */
export async function findIdleLines(store: Store): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT DISTINCT w."conversationId" AS id FROM "Run" w WHERE ${waits('w')} AND NOT EXISTS (
       SELECT 1 FROM "Run" o WHERE o."conversationId" = w."conversationId" AND ${isActive('o')} AND NOT ${waits('o')}
     ) LIMIT 100`,
  );
  return rows.map(({ id }) => id);
}

export interface ListedConversation {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly updatedAt: Date;
  readonly runCount: number;
  /** The state of the newest run; null when none exists any more. */
  readonly status: RunState | null;
}

const columns = `c.id, c.agent, c.title, c."updatedAt",
  (SELECT count(*)::int FROM "Run" r WHERE r."conversationId" = c.id) AS "runCount",
  (SELECT r.status FROM "Run" r WHERE r."conversationId" = c.id ORDER BY r.turn DESC LIMIT 1) AS status`;

/** Lists the conversations of a project, the one with the newest message first. */
export async function findConversations(
  store: Store,
  projectId: ProjectId,
  {
    after,
    limit,
  }: { readonly after: { readonly updatedAt: Date; readonly id: string } | undefined; readonly limit: number },
): Promise<readonly ListedConversation[]> {
  const { rows } = await store.pool.query<ListedConversation>(
    `SELECT ${columns} FROM "Conversation" c
     WHERE c."projectId" = $1 AND ($2::timestamptz IS NULL OR (c."updatedAt", c.id) < ($2::timestamptz, $3))
     ORDER BY c."updatedAt" DESC, c.id DESC LIMIT $4`,
    [projectId, after?.updatedAt ?? null, after?.id ?? null, limit],
  );
  return rows;
}

/** True if the project has a conversation with this id. */
export async function isConversation(store: Store, projectId: ProjectId, id: string): Promise<boolean> {
  const { rowCount } = await store.pool.query('SELECT 1 FROM "Conversation" WHERE id = $1 AND "projectId" = $2', [
    toPlainText(id),
    projectId,
  ]);
  return rowCount === 1;
}

/** Reads a conversation. Throws AppError `not_found`. */
export async function findConversation(store: Store, projectId: ProjectId, id: string): Promise<ListedConversation> {
  const { rows } = await store.pool.query<ListedConversation>(
    `SELECT ${columns} FROM "Conversation" c WHERE c.id = $1 AND c."projectId" = $2`,
    [toPlainText(id), projectId],
  );
  const [found] = rows;
  if (found === undefined) throw noConversation(id);
  return found;
}

export interface StoredTurn {
  readonly runId: string;
  readonly turn: number;
  readonly message: string;
  readonly status: RunState;
  readonly isInLine: boolean;
  readonly answer: string | undefined;
  readonly error: RunError | undefined;
  readonly attachments: readonly AttachmentInfo[];
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
}

interface TurnRow extends Omit<StoredTurn, 'answer' | 'attachments' | 'error' | 'finishedAt'> {
  readonly attachmentInfo: string | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly finishedAt: Date | null;
}

/** Reads the newest turns of a conversation before turn `before`, newest first. Of texts it reads at least `textUnits` UTF-16 units. */
export async function findTurns(
  store: Store,
  conversationId: string,
  {
    before,
    limit,
    textUnits,
  }: { readonly before: number | undefined; readonly limit: number; readonly textUnits: number },
): Promise<readonly StoredTurn[]> {
  const { rows } = await store.pool.query<TurnRow>(
    `SELECT r.id AS "runId", r.turn, left(r.message, $4) AS message, r.status, ${waits('r')} AS "isInLine",
       left(r.answer, $4) AS answer, r.error, r."attachmentInfo", r."createdAt", r."finishedAt"
     FROM "Run" r WHERE r."conversationId" = $1 AND ($2::int IS NULL OR r.turn < $2) ORDER BY r.turn DESC LIMIT $3`,
    // JSON needs at most six characters for a unit. One more unit tells the caller that the text goes on.
    [conversationId, before ?? null, limit, 6 * (textUnits + 1) + 1],
  );
  return rows.map(({ attachmentInfo, ...row }) => ({
    ...row,
    attachments: readFileInfo(attachmentInfo),
    message: fromJsonTextStart(row.message),
    answer: row.answer === null ? undefined : fromJsonTextStart(row.answer),
    error: row.error === null ? undefined : JSON.parse(row.error),
    finishedAt: row.finishedAt ?? undefined,
  }));
}

/**
 * Deletes a conversation with what its agent remembers, and returns the agent. Its runs stay. Throws AppError `not_found`, and `conflict` while one of them
 * is active.
 */
export async function removeConversation(connection: Connection, projectId: ProjectId, id: string): Promise<string> {
  const { rows } = await connection.query<{ agent: string }>(
    'SELECT agent FROM "Conversation" WHERE id = $1 AND "projectId" = $2 FOR UPDATE',
    [toPlainText(id), projectId],
  );
  const [found] = rows;
  if (found === undefined) throw noConversation(id);
  const { rowCount: unfinished } = await connection.query(
    `SELECT 1 FROM "Run" r WHERE r."conversationId" = $1 AND ${isActive('r')} LIMIT 1`,
    [id],
  );
  if (unfinished !== 0) {
    throw new AppError('conflict', 'A message of this conversation is not answered yet. Stop it or wait for its end.');
  }
  await connection.query('DELETE FROM "Conversation" WHERE id = $1', [id]);
  // Sessions of children belong to it too: their ids begin with the id of their parent's session.
  await connection.query(`DELETE FROM "Session" WHERE "projectId" = $1 AND (id = $2 OR id LIKE $3)`, [
    projectId,
    id,
    `%reuse:${id}/%`,
  ]);
  return found.agent;
}
