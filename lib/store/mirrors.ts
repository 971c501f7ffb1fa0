import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import type { MirrorInfo, MirrorSettings, MirrorState } from '@/lib/base/mirror';
import type { ProjectScope } from '@/lib/base/rights';
import type { GitHash } from '@/lib/interop/git/git-object';
import { appendAudit } from './audit';
import type { Store } from './database';
import { dueNowSql } from './due-now';
import { idsOf } from './scope';
import { transaction } from './transaction';

/*
 * A mirror is a row of its project, and a push of it waits there:
 *
 *   followReleases   sees that labels have moved: the mark and the push that is due change in one statement
 *   claimMirrors     a worker takes what is due. No other worker pushes for the project until it has settled, or the lease is over
 *   settleMirror     it was pushed; or it is tried again later; or somebody has to change something
 *
 * A push that becomes due while another one is made stays due.
 */

/** A worker has this long for a push. It is longer than the time limit of any push. */
const leaseSeconds = 180;

export interface DueMirror extends MirrorSettings {
  readonly project: ProjectId;
  /** This attempt, counted from 1. */
  readonly attempt: number;
  readonly claim: string;
  readonly version: number;
}

/** Makes a push due for every mirror whose project has moved a label since. */
export async function followReleases(store: Store): Promise<void> {
  await store.pool.query(
    `UPDATE "Mirror" m SET followed = newest.number, "nextAt" = now(), attempts = 0
     FROM "Mirror" known CROSS JOIN LATERAL (
       SELECT number FROM "Release" WHERE "projectId" = known."projectId" ORDER BY number DESC LIMIT 1
     ) newest
     WHERE m."projectId" = known."projectId" AND newest.number > m.followed`,
  );
}

/** Takes up to `limit` mirrors for which a push is due. */
export async function claimMirrors(store: Store, limit: number): Promise<readonly DueMirror[]> {
  const { rows } = await store.pool.query<Omit<DueMirror, 'project'> & { readonly project: string }>(
    `UPDATE "Mirror" m SET claim = $2 || m."projectId", "claimedUntil" = now() + interval '${leaseSeconds} seconds',
       "nextAt" = NULL, attempts = attempts + 1
     FROM (
       SELECT "projectId" FROM "Mirror" WHERE (claim IS NULL AND "nextAt" <= ${dueNowSql}) OR "claimedUntil" <= now()
       ORDER BY "nextAt" LIMIT $1 FOR UPDATE SKIP LOCKED
     ) due
     WHERE m."projectId" = due."projectId"
     RETURNING m."projectId" AS project, url, "userName" AS user, secret, attempts AS attempt, claim, version`,
    [limit, `${randomUUID()} `],
  );
  return rows.map((row) => ({ ...row, project: brandAs<ProjectId>(row.project) }));
}

/** How a push ended. */
export type MirrorEnd =
  | { readonly state: 'pushed'; readonly hash: GitHash }
  /** Nothing is published, so there was nothing to push. */
  | { readonly state: 'nothing' }
  /** The worker stopped before the end. Another one pushes at once. */
  | { readonly state: 'stopped' }
  | { readonly state: 'again'; readonly afterMs: number; readonly error: string }
  | { readonly state: 'failed' | 'diverged'; readonly error: string };

const longestError = 1_000;
const worker = { by: 'callboard', via: 'worker' } as const;

/** Stores how a push ended. If the mirror was changed meanwhile, the end says nothing about it, and only the claim is given back. */
export async function settleMirror(store: Store, due: DueMirror, end: MirrorEnd): Promise<void> {
  const { project, claim, version, attempt, url } = due;
  const error = 'error' in end ? end.error.replaceAll('\0', '').slice(0, longestError) : null;
  const problem = end.state === 'again' ? 'failed' : error === null ? null : end.state;
  const hash = end.state === 'pushed' ? end.hash : null;
  await transaction(store, async (client) => {
    const { rows } = await client.query<{ isCurrent: boolean }>(
      `UPDATE "Mirror" SET claim = NULL, "claimedUntil" = NULL WHERE "projectId" = $1 AND claim = $2
       RETURNING version = $3 AS "isCurrent"`,
      [project, claim, version],
    );
    if (rows[0]?.isCurrent !== true) return;
    if (end.state === 'stopped') {
      const isDue = 'UPDATE "Mirror" SET "nextAt" = now(), attempts = GREATEST(0, attempts - 1) WHERE "projectId" = $1';
      await client.query(isDue, [project]);
      return;
    }
    const { rows: settled } = await client.query<{ revision: number | null; isNew: boolean }>(
      `UPDATE "Mirror" m SET problem = $2, error = $3, "errorAt" = CASE WHEN $3::text IS NOT NULL THEN now() END,
         "nextAt" = CASE WHEN $4::float8 IS NULL THEN m."nextAt" ELSE COALESCE(m."nextAt", now() + make_interval(secs => $4 / 1000)) END,
         "pushedHash" = COALESCE($5, m."pushedHash"), "pushedAt" = CASE WHEN $5::text IS NULL THEN m."pushedAt" ELSE now() END,
         "pushedRevision" = CASE WHEN $5::text IS NULL THEN m."pushedRevision" ELSE (
           SELECT v.number FROM "GitRelease" g JOIN "Release" r ON r.id = g."releaseId" JOIN "Revision" v ON v.id = r."revisionId"
           WHERE g."projectId" = $1 AND g.hash = $5 ORDER BY g.number DESC LIMIT 1) END
       FROM "Mirror" before WHERE m."projectId" = $1 AND before."projectId" = m."projectId"
       RETURNING m."pushedRevision" AS revision, before."pushedHash" IS DISTINCT FROM m."pushedHash" AS "isNew"`,
      [project, problem, error, end.state === 'again' ? end.afterMs : null, hash],
    );
    const shared = { actor: worker, object: project, project };
    const host = new URL(url).host;
    const state = end.state === 'again' ? 'retrying' : end.state;
    // Of a series of attempts the log has the first and the last.
    if (error !== null && (end.state !== 'again' || attempt === 1)) {
      await appendAudit(client, { ...shared, action: 'mirror.failed', body: { host, state, reason: error } });
    } else if (hash !== null && settled[0]?.isNew === true) {
      const body = { host, commit: hash, revision: settled[0].revision };
      await appendAudit(client, { ...shared, action: 'mirror.pushed', body });
    }
  });
}

/** Sets where the history of a project goes. What is live is pushed there at once. Returns false if there is no such project. */
export async function putMirror(
  store: Store,
  project: ProjectId,
  mirror: MirrorSettings,
  actor: Actor,
): Promise<boolean> {
  const { url, user, secret } = mirror;
  return await transaction(store, async (client) => {
    const { rowCount } = await client.query(
      `INSERT INTO "Mirror" ("projectId", url, "userName", secret, by, "nextAt")
       SELECT id, $2, $3, $4, $5, now() FROM "Project" WHERE id = $1
       ON CONFLICT ("projectId") DO UPDATE SET url = $2, "userName" = $3, secret = $4, by = $5, version = "Mirror".version + 1,
         "nextAt" = now(), attempts = 0, problem = NULL, error = NULL, "errorAt" = NULL,
         "pushedHash" = CASE WHEN "Mirror".url = $2 THEN "Mirror"."pushedHash" END,
         "pushedRevision" = CASE WHEN "Mirror".url = $2 THEN "Mirror"."pushedRevision" END,
         "pushedAt" = CASE WHEN "Mirror".url = $2 THEN "Mirror"."pushedAt" END`,
      [project, url, user, secret, actor.by],
    );
    if (rowCount === 0) return false;
    const body = { url, user, secret };
    await appendAudit(client, { actor, action: 'mirror.set', object: project, project, body });
    return true;
  });
}

/** Removes a mirror. What the remote has stays there. Returns false if there is none. */
export async function removeMirror(store: Store, project: ProjectId, actor: Actor): Promise<boolean> {
  return await transaction(store, async (client) => {
    const { rows } = await client.query<{ url: string }>('DELETE FROM "Mirror" WHERE "projectId" = $1 RETURNING url', [
      project,
    ]);
    const [gone] = rows;
    if (gone === undefined) return false;
    const body = { url: gone.url };
    await appendAudit(client, { actor, action: 'mirror.removed', object: project, project, body });
    return true;
  });
}

/** Makes a push due now. Returns false if the project has no mirror. */
export async function askForPush(store: Store, project: ProjectId): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    'UPDATE "Mirror" SET "nextAt" = now(), attempts = 0 WHERE "projectId" = $1',
    [project],
  );
  return rowCount === 1;
}

/** Returns the mirror of a project, or `undefined`. */
export async function findMirror(store: Store, project: ProjectId): Promise<MirrorInfo | undefined> {
  const row = await store.prisma.mirror.findUnique({ where: { projectId: project } });
  if (row === null) return undefined;
  const { url, userName, secret, by, pushedHash, pushedAt, pushedRevision, error, errorAt, nextAt } = row;
  return {
    ...{ url, user: userName, secret, by, state: stateOf(row, Date.now()) },
    pushed:
      pushedHash === null || pushedAt === null
        ? null
        : { commit: pushedHash, revision: pushedRevision, at: pushedAt.getTime() },
    error: error === null || errorAt === null ? null : { words: error, at: errorAt.getTime() },
    nextAt: nextAt?.getTime() ?? null,
  };
}

interface StateRow {
  readonly claim: string | null;
  readonly nextAt: Date | null;
  readonly problem: string | null;
  readonly pushedHash: string | null;
}

function stateOf({ claim, nextAt, problem, pushedHash }: StateRow, now: number): MirrorState {
  if (claim !== null || (nextAt !== null && nextAt.getTime() <= now)) return 'waiting';
  if (problem === 'diverged') return 'diverged';
  if (problem !== null) return nextAt === null ? 'failed' : 'retrying';
  if (nextAt !== null) return 'waiting';
  return pushedHash === null ? 'idle' : 'pushed';
}

/** Returns the mirrors of these projects that take their token from one of these secrets. */
export async function mirrorsWithSecrets(
  store: Store,
  scope: ProjectScope,
  names: readonly string[],
): Promise<
  readonly {
    readonly project: ProjectId;
    readonly projectName: string;
    readonly url: string;
    readonly secret: string;
  }[]
> {
  const { rows } = await store.pool.query<{ project: ProjectId; projectName: string; url: string; secret: string }>(
    `SELECT p.id AS project, p.name AS "projectName", m.url, m.secret FROM "Mirror" m JOIN "Project" p ON p.id = m."projectId"
     WHERE m.secret = ANY($2) AND ($1::text[] IS NULL OR p.id = ANY($1)) ORDER BY p."updatedAt" DESC, p.id`,
    [idsOf(scope), names],
  );
  return rows;
}
