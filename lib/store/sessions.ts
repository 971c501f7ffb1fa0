import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { exactJson, parseExactJson } from '@/lib/base/exact-json';
import type { ProjectId, RunId } from '@/lib/base/ids';
import type { SessionPort } from '@/lib/runtime/ports';
import type { SessionContent } from '@/lib/runtime/record/events';
import { readSessionRecord, sessionRecord } from '@/lib/runtime/record/session-format';
import type { Store } from './database';
import { toPlainText } from './json-text';

const row = z.object({ version: z.number(), content: z.string() });

/**
 * Stores the sessions of the project that a run belongs to. Both methods reject when the database is unreachable. With `epoch`,
 * `save` rejects if another worker has taken the run.
 */
export function projectSessions(store: Store, runId: RunId, epoch?: number): SessionPort {
  return {
    async read({ id, owner }) {
      const { rows } = await store.pool.query(
        `SELECT s.version, s.content FROM "Session" s JOIN "Run" r ON r."projectId" = s."projectId"
         WHERE r.id = $1 AND s.id = $2 AND s.owner = $3`,
        [runId, toPlainText(id), toPlainText(owner)],
      );
      if (rows.length === 0) return undefined;
      const found = row.parse(rows[0]);
      return { version: found.version, ...readSessionRecord(parseExactJson(found.content)) };
    },
    async save({ id, owner }, { version, history, state, activeGroups }, writer) {
      const { rowCount } = await store.pool.query(
        `INSERT INTO "Session" ("projectId", id, owner, version, writer, content)
         SELECT r."projectId", $2, $3, $4, $5, $6 FROM "Run" r
         WHERE r.id = $1 AND r.epoch = COALESCE($7, r.epoch)
           AND ($4 = 1 OR EXISTS (SELECT 1 FROM "Session" s WHERE s."projectId" = r."projectId" AND s.id = $2))
         ON CONFLICT ("projectId", id) DO UPDATE
           SET version = EXCLUDED.version, writer = EXCLUDED.writer, content = EXCLUDED.content, "updatedAt" = now()
           WHERE "Session".owner = EXCLUDED.owner
             AND ("Session".version = EXCLUDED.version - 1
               OR ("Session".version = EXCLUDED.version AND "Session".writer = EXCLUDED.writer))`,
        [
          runId,
          toPlainText(id),
          toPlainText(owner),
          version,
          toPlainText(writer),
          exactJson(sessionRecord({ history, state, activeGroups })),
          epoch ?? null,
        ],
      );
      if (rowCount === 1) return 'saved';
      if (epoch !== undefined && !(await isTakenAt(store, runId, epoch))) {
        throw new Error('Another worker has taken the run.');
      }
      return 'conflict';
    },
  };
}

async function isTakenAt(store: Store, runId: RunId, epoch: number): Promise<boolean> {
  const { rowCount } = await store.pool.query('SELECT 1 FROM "Run" WHERE id = $1 AND epoch = $2', [runId, epoch]);
  return rowCount === 1;
}

export interface SessionRow {
  readonly id: string;
  /** The delegation that the session belongs to, `parent > child`. */
  readonly owner: string;
  /** The number of saves so far. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Lists the sessions of a project without their content, last saved first. */
export async function findSessions(store: Store, projectId: ProjectId, limit: number): Promise<readonly SessionRow[]> {
  return await store.prisma.session.findMany({
    where: { projectId },
    select: { id: true, owner: true, version: true, createdAt: true, updatedAt: true },
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
    take: limit,
  });
}

/** Reads one whole session. Throws AppError `not_found`. */
export async function findSession(
  store: Store,
  projectId: ProjectId,
  id: string,
): Promise<SessionRow & SessionContent> {
  const found = await store.prisma.session.findUnique({
    where: { projectId_id: { projectId, id: toPlainText(id) } },
  });
  if (found === null) throw new AppError('not_found', 'This project has no such session.');
  const { owner, version, createdAt, updatedAt } = found;
  return { id: found.id, owner, version, createdAt, updatedAt, ...readSessionRecord(parseExactJson(found.content)) };
}
