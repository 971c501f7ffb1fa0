import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type EpochMs, type ProjectId, type RunId } from '@/lib/base/ids';
import { type Grant, grantScopes } from '@/lib/base/pending';
import type { ProjectScope } from '@/lib/base/rights';
import { appendAudit } from './audit';
import type { Store } from './database';
import { idsOf } from './scope';
import { transaction } from './transaction';

/** A grant with its origin. */
export interface StoredGrant extends Grant {
  /** How often it answered in place of a person. */
  readonly uses: number;
  readonly lastUsedAt: EpochMs | undefined;
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly runId: RunId;
}

const row = z
  .object({
    id: z.string(),
    projectId: z.string().transform((id) => brandAs<ProjectId>(id)),
    projectName: z.string(),
    runId: z.string().transform((id) => brandAs<RunId>(id)),
    scope: z.enum(grantScopes),
    tool: z.string(),
    serverName: z.string().nullable(),
    agent: z.string().nullable(),
    schemaHash: z.string(),
    cardHash: z.string().nullable(),
    argumentsHash: z.string().nullable(),
    patterns: z.string().nullable(),
    by: z.string(),
    at: z.date(),
    expiresAt: z.date().nullable(),
    uses: z.number(),
    lastUsedAt: z.date().nullable(),
  })
  .transform((found): StoredGrant => {
    const { serverName, agent, cardHash, argumentsHash, patterns, at, expiresAt, lastUsedAt, ...rest } = found;
    return {
      ...rest,
      ...(serverName !== null && { serverName }),
      ...(agent !== null && { agent }),
      ...(cardHash !== null && { cardHash }),
      ...(argumentsHash !== null && { argumentsHash }),
      ...(patterns !== null && { patterns: patternsShape.parse(JSON.parse(patterns)) }),
      at: brandAs<EpochMs>(at.getTime()),
      lastUsedAt: lastUsedAt === null ? undefined : brandAs<EpochMs>(lastUsedAt.getTime()),
      ...(expiresAt !== null && { expiresAt: brandAs<EpochMs>(expiresAt.getTime()) }),
    };
  });
const patternsShape = z.record(z.string(), z.string());

const columns = `g.*, (SELECT name FROM "Project" project WHERE project.id = g."projectId") AS "projectName"`;
const mostListed = 500;

/** Lists the newest grants that have not expired, of one project or of all in the scope, newest first, at most 500. */
export async function listGrants(
  store: Store,
  scope: ProjectScope,
  project: ProjectId | undefined,
): Promise<readonly StoredGrant[]> {
  const { rows } = await store.pool.query(
    `SELECT ${columns} FROM "Grant" g WHERE ($1::text IS NULL OR g."projectId" = $1)
       AND ($2::text[] IS NULL OR g."projectId" = ANY($2)) AND (g."expiresAt" IS NULL OR g."expiresAt" > now())
     ORDER BY g.at DESC, g.id DESC LIMIT ${mostListed}`,
    [project ?? null, idsOf(scope)],
  );
  return z.array(row).parse(rows);
}

/** Returns the grants that may hold for calls of a run: those of the project, of the run and of its session. */
export async function grantsOfRun(store: Store, runId: RunId): Promise<readonly StoredGrant[]> {
  const { rows } = await store.pool.query(
    `SELECT ${columns} FROM "Run" r JOIN "Grant" g ON g."projectId" = r."projectId"
     WHERE r.id = $1 AND (g."expiresAt" IS NULL OR g."expiresAt" > now()) AND CASE g.scope
       WHEN 'run' THEN g."runId" = r.id WHEN 'session' THEN g."correlationId" = r."correlationId" ELSE true END
     ORDER BY g.at, g.id`,
    [runId],
  );
  return z.array(row).parse(rows);
}

/** Deletes a grant. Returns its project, or `undefined` if there is no such grant. */
export async function deleteGrant(store: Store, id: string, actor: Actor): Promise<ProjectId | undefined> {
  return await transaction(store, async (connection) => {
    const { rows } = await connection.query<{ projectId: ProjectId; tool: string; scope: string }>(
      'DELETE FROM "Grant" WHERE id = $1 RETURNING "projectId", tool, scope',
      [id],
    );
    const [gone] = rows;
    if (gone === undefined) return undefined;
    const { projectId: project, tool, scope } = gone;
    await appendAudit(connection, { actor, action: 'grant.revoked', object: id, project, body: { tool, scope } });
    return project;
  });
}
