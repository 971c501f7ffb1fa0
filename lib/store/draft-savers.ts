import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import type { Savers } from '@/lib/base/presence';
import type { Store } from './database';
import { runEventsChannel } from './events';
import { presenceKey } from './presence';
import type { Db } from './trees';

/** Notes who saved a version of a draft, and wakes open editors. Call it in the transaction that saves. */
export async function noteSaver(
  db: Db,
  projectId: ProjectId,
  saved: { readonly draft: string; readonly version: number },
  by: string | undefined,
): Promise<void> {
  const { draft, version } = saved;
  if (by !== undefined) {
    await db.$executeRaw`
      INSERT INTO "DraftSaver" ("projectId", draft, by, version) VALUES (${projectId}, ${draft}, ${by}, ${version})
      ON CONFLICT ("projectId", draft, by) DO UPDATE SET version = excluded.version`;
  }
  await db.$executeRaw`SELECT pg_notify(${runEventsChannel}, ${presenceKey(projectId)})`;
}

/** Notes who wrote a part of a version that somebody else saved. Call it in the transaction that saves. */
export async function notePart(
  db: Db,
  projectId: ProjectId,
  { draft, version }: { readonly draft: string; readonly version: number },
  by: string,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "DraftSaver" ("projectId", draft, by, "partVersion") VALUES (${projectId}, ${draft}, ${by}, ${version})
    ON CONFLICT ("projectId", draft, by) DO UPDATE SET "partVersion" = excluded."partVersion"`;
}

/** Returns who saved a draft, or wrote a part of what was saved, since it was saved as a revision. */
export async function saversSince(
  db: Db,
  projectId: ProjectId,
  { name, savedVersion }: { readonly name: string; readonly savedVersion: number },
): Promise<readonly string[]> {
  const since = { gt: savedVersion };
  const where = { projectId, draft: name, OR: [{ version: since }, { partVersion: since }] };
  const rows = await db.draftSaver.findMany({ where, select: { by: true }, orderBy: { by: 'asc' } });
  return rows.map(({ by }) => by);
}

/** Names who saved a draft after a version. */
export async function readSavers(
  store: Store,
  projectId: ProjectId,
  { draft, since }: { readonly draft: string; readonly since: number },
  actor: Actor,
): Promise<Savers> {
  const { rows } = await store.pool.query<{ readonly by: string; readonly name: string | null }>(
    `SELECT s.by, u.name FROM "DraftSaver" s LEFT JOIN auth_user u ON u.email = s.by
     WHERE s."projectId" = $1 AND s.draft = $2 AND s.version > $3 ORDER BY u.name, s.by LIMIT 20`,
    [projectId, draft, since],
  );
  const others = rows.filter(({ by }) => by !== actor.by);
  return {
    names: others.flatMap(({ name }) => (name === null ? [] : [name])),
    you: others.length < rows.length,
  };
}
