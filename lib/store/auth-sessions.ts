import { z } from 'zod';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import type { Store } from './database';
import { makesProjects } from './project-makers';
import { lacksSecondFactor } from './second-factors';

/** The person of a session, and what the person may do in which project. */
export interface SessionPerson {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isAdministrator: boolean;
  /** True where everybody with a password needs a second factor, and this person has none. */
  readonly makesProjects: boolean;
  readonly lacksSecondFactor: boolean;
  readonly members: readonly { readonly project: ProjectId; readonly role: string; readonly answers: boolean }[];
}

/** A browser that is signed in, as its person sees it. */
interface SessionRow {
  readonly id: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly createdAt: EpochMs;
  /** The last request, to the minute. */
  readonly seenAt: EpochMs;
}

const person = z.object({
  sessionId: z.string(),
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  isAdministrator: z.boolean(),
  makesProjects: z.boolean(),
  lacksSecondFactor: z.boolean(),
  stale: z.boolean(),
  members: z.array(
    z.object({
      project: z.string().transform((id) => brandAs<ProjectId>(id)),
      role: z.string(),
      answers: z.boolean(),
    }),
  ),
});

const epoch = z.number().transform((at) => brandAs<EpochMs>(at));
const row = z.object({
  id: z.string(),
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: epoch,
  seenAt: epoch,
});

/**
 * Finds the person of a session's token, with one statement, because every request asks. Returns `undefined` when the session has
 * expired or was revoked, and when the person is deactivated. At most once a minute it also notes that the session is in use.
 */
export async function findSessionPerson(store: Store, token: string): Promise<SessionPerson | undefined> {
  const { rows } = await store.pool.query({
    name: 'session_person',
    text: `SELECT s.id AS "sessionId", u.id AS "userId", u.email, u.name, u.administrator AS "isAdministrator",
       ${makesProjects} AS "makesProjects", ${lacksSecondFactor} AS "lacksSecondFactor", s."seenAt" < now() - interval '1 minute' AS stale, COALESCE((
         SELECT json_agg(json_build_object('project', m."projectId", 'role', m.role, 'answers', m.answers))
         FROM "Member" m WHERE m."userId" = u.id), '[]') AS members
     FROM auth_session s JOIN auth_user u ON u.id = s."userId"
     WHERE s.token = $1 AND s."expiresAt" > now() AND u."deactivatedAt" IS NULL`,
    values: [token],
  });
  if (rows.length === 0) return undefined;
  const { stale, ...found } = person.parse(rows[0]);
  // Nobody waits for it, and a lost note does no harm.
  if (stale) void noteSeen(store, found.sessionId).catch(() => undefined);
  return found;
}

async function noteSeen(store: Store, session: string): Promise<void> {
  await store.pool.query('UPDATE auth_session SET "seenAt" = now() WHERE id = $1', [session]);
}

/** Lists the sessions of a person, last used first. */
export async function listSessions(store: Store, user: string): Promise<readonly SessionRow[]> {
  const { rows } = await store.pool.query(
    `SELECT id, "userAgent", "ipAddress" AS address, (extract(epoch FROM "createdAt") * 1000)::float8 AS "createdAt",
       (extract(epoch FROM "seenAt") * 1000)::float8 AS "seenAt"
     FROM auth_session WHERE "userId" = $1 AND "expiresAt" > now() ORDER BY "seenAt" DESC, id`,
    [user],
  );
  return z.array(row).parse(rows);
}

/** True if a session began within the last minutes. */
export async function isNewSession(store: Store, id: string, minutes: number): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    'SELECT 1 FROM auth_session WHERE id = $1 AND "createdAt" > now() - make_interval(mins => $2)',
    [id, minutes],
  );
  return rowCount === 1;
}

interface Connection {
  query(text: string, values: unknown[]): Promise<{ rows: { id: string }[] }>;
}

/** Removes sessions of a person: one, all, or all but one. Returns the ids of those that were there. */
export async function removeSessions(
  connection: Connection,
  user: string,
  which: 'all' | { readonly only: string } | { readonly but: string },
): Promise<readonly string[]> {
  const [condition, id] =
    which === 'all' ? ['$2::text IS NULL', null] : 'only' in which ? ['id = $2', which.only] : ['id <> $2', which.but];
  const { rows } = await connection.query(
    `DELETE FROM auth_session WHERE "userId" = $1 AND ${condition} RETURNING id`,
    [user, id],
  );
  return rows.map((each) => each.id);
}
