import type { PoolClient } from 'pg';
import { z } from 'zod';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import type { Store } from './database';

/** A person of a project. */
interface MemberRow {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly answers: boolean;
  readonly deactivated: boolean;
  readonly addedBy: string;
  readonly addedAt: EpochMs;
}

const row = z.object({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.string(),
  answers: z.boolean(),
  deactivated: z.boolean(),
  addedBy: z.string(),
  addedAt: z.number().transform((at) => brandAs<EpochMs>(at)),
});

export interface NewMember {
  readonly project: ProjectId;
  readonly userId: string;
  readonly role: string;
  readonly answers: boolean;
  readonly addedBy: string;
}

type Connection = Pick<PoolClient, 'query'>;

/** Lists the people of a project by name. Administrators of the installation are no members. */
async function listMembers(store: Store, project: ProjectId): Promise<readonly MemberRow[]> {
  const { rows } = await store.pool.query(
    `SELECT u.id AS "userId", u.name, u.email, m.role, m.answers, u."deactivatedAt" IS NOT NULL AS deactivated,
       m."addedBy", (extract(epoch FROM m."addedAt") * 1000)::float8 AS "addedAt"
     FROM "Member" m JOIN auth_user u ON u.id = m."userId" WHERE m."projectId" = $1
     ORDER BY u."deactivatedAt" IS NOT NULL, lower(u.name), u.email`,
    [project],
  );
  return z.array(row).parse(rows);
}

/** Returns the role that a person has in a project, locked until the transaction ends. */
async function lockMember(
  connection: PoolClient,
  project: ProjectId,
  user: string,
): Promise<{ readonly role: string; readonly answers: boolean } | undefined> {
  const { rows } = await connection.query<{ role: string; answers: boolean }>(
    'SELECT role, answers FROM "Member" WHERE "projectId" = $1 AND "userId" = $2 FOR UPDATE',
    [project, user],
  );
  return rows[0];
}

/** Makes a person a member, or changes what a member may do. */
export async function putMember(connection: Connection, member: NewMember): Promise<void> {
  const { project, userId, role, answers, addedBy } = member;
  await connection.query(
    `INSERT INTO "Member" ("projectId", "userId", role, answers, "addedBy") VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ("projectId", "userId") DO UPDATE SET role = $3, answers = $4`,
    [project, userId, role, answers, addedBy],
  );
}

async function deleteMember(connection: Connection, project: ProjectId, user: string): Promise<void> {
  await connection.query('DELETE FROM "Member" WHERE "projectId" = $1 AND "userId" = $2', [project, user]);
}
