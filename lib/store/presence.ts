import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import type { Presence, PresencePlace, PresentWindow } from '@/lib/base/presence';
import type { Store } from './database';
import { mainDraft } from './draft-lock';
import { runEventsChannel } from './events';
import { noProject } from './not-found';

/** A window that was not heard of for so long has gone. Windows say that they are there more often. */
export const presenceLeaseSeconds = 20;
/** One person has at most this many windows in one project. The ones that were not heard of for longest are left out. */
const mostWindows = 20;
/** So many windows are listed. */
const mostListed = 200;

/** The key of the notifications about who is in a project and what it has saved, in the channel of run events. */
export function presenceKey(projectId: ProjectId): string {
  return `together-${projectId}`;
}

/**
 * Keeps where a window is, for the time of a lease. Others are woken if it is new or somewhere else. A window that stays is one
 * small write, which wakes nobody.
 */
export async function putPresence(store: Store, projectId: ProjectId, by: string, presence: Presence): Promise<void> {
  const { window, draft, place } = presence;
  await store.pool.query(
    `WITH was AS (
       SELECT draft, place FROM "Presence"
       WHERE "projectId" = $1 AND by = $2 AND "window" = $3 AND "seenAt" > ${leaseStart}
     ), gone AS (
       DELETE FROM "Presence" WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM "Presence" WHERE "seenAt" <= ${leaseStart} AND NOT ("projectId" = $1 AND by = $2 AND "window" = $3)
         FOR UPDATE SKIP LOCKED
       ))
     ), too_many AS (
       DELETE FROM "Presence" WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM "Presence" WHERE "projectId" = $1 AND by = $2 AND "window" <> $3 AND "seenAt" > ${leaseStart}
         ORDER BY "seenAt" DESC OFFSET ${mostWindows - 1} FOR UPDATE SKIP LOCKED
       ))
     ), put AS (
       INSERT INTO "Presence" ("projectId", by, "window", draft, place) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT ("projectId", by, "window") DO UPDATE SET draft = excluded.draft, place = excluded.place,
         "seenAt" = clock_timestamp(), since = CASE
           WHEN "Presence".place->'editing' IS NOT DISTINCT FROM excluded.place->'editing'
             AND "Presence".place->'taken' IS NOT DISTINCT FROM excluded.place->'taken'
             AND "Presence"."seenAt" > ${leaseStart} THEN "Presence".since
           ELSE clock_timestamp() END
     )
     SELECT pg_notify('${runEventsChannel}', $6)
     WHERE NOT EXISTS (SELECT 1 FROM was WHERE draft = $4 AND place = $5::jsonb)`,
    [projectId, by, window, draft, JSON.stringify(place), presenceKey(projectId)],
  );
}

/** Forgets a window, and wakes the others. */
export async function removePresence(store: Store, projectId: ProjectId, by: string, window: string): Promise<void> {
  await store.pool.query(
    `WITH gone AS (
       DELETE FROM "Presence" WHERE "projectId" = $1 AND by = $2 AND "window" = $3 RETURNING 1
     )
     SELECT pg_notify('${runEventsChannel}', $4) FROM gone`,
    [projectId, by, window, presenceKey(projectId)],
  );
}

/** Throws AppError `not_found` if there is no such project. */
export async function checkProject(store: Store, projectId: ProjectId): Promise<void> {
  const found = await store.prisma.project.findUnique({ where: { id: projectId }, select: { id: true } });
  if (found === null) throw noProject();
}

/** Who is in a project now. */
export interface Present {
  readonly people: readonly PresentWindow[];
  /** The saved version of the draft that was asked about, or `null` if there is no such draft. */
  readonly version: number | null;
}

/** Lists the windows of a project, and the saved version of one draft. */
export async function readPresent(
  store: Store,
  projectId: ProjectId,
  actor: Actor,
  draft: string = mainDraft,
): Promise<Present> {
  const { rows } = await store.pool.query<{
    readonly by: string;
    readonly window: string;
    readonly draft: string;
    readonly place: PresencePlace;
    readonly since: Date;
    readonly name: string | null;
  }>(
    `SELECT p.by, p."window", p.draft, p.place, p.since, u.name FROM "Presence" p LEFT JOIN auth_user u ON u.email = p.by
     WHERE p."projectId" = $1 AND p."seenAt" > ${leaseStart} ORDER BY u.name, p.by, p."window" LIMIT ${mostListed}`,
    [projectId],
  );
  const found = await store.pool.query<{ readonly version: number }>(
    `SELECT version FROM "Draft" WHERE "projectId" = $1 AND name = $2`,
    [projectId, draft],
  );
  const people = rows.map(({ by, window, draft, place, since, name }): PresentWindow => {
    return { ...place, id: window, name: name ?? undefined, you: by === actor.by, draft, since: since.getTime() };
  });
  return { people, version: found.rows[0]?.version ?? null };
}

const leaseStart = `clock_timestamp() - interval '${presenceLeaseSeconds} seconds'`;
