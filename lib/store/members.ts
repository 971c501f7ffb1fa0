import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { ProjectId } from '@/lib/base/ids';
import { roles } from '@/lib/base/rights';
import type { Store } from './database';

export interface NewMember {
  readonly project: ProjectId;
  readonly userId: string;
  readonly role: string;
  readonly answers: boolean;
  readonly addedBy: string;
}

type Connection = Pick<PoolClient, 'query'>;

/** A person who works on a project. */
export interface MemberRow {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: (typeof roles)[number];
  readonly answers: boolean;
  /** True if the person cannot sign in. */
  readonly isDeactivated: boolean;
}

const rows = z.array(
  z.object({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.enum(roles),
    answers: z.boolean(),
    isDeactivated: z.boolean(),
  }),
);

/** Lists who works on a project, by name. */
export async function listMembers(store: Store, project: ProjectId): Promise<readonly MemberRow[]> {
  const found = await store.pool.query(
    `SELECT u.id AS "userId", u.name, u.email, m.role, m.answers, u."deactivatedAt" IS NOT NULL AS "isDeactivated"
     FROM "Member" m JOIN auth_user u ON u.id = m."userId" WHERE m."projectId" = $1
     ORDER BY u."deactivatedAt" IS NOT NULL, lower(u.name), u.email`,
    [project],
  );
  return rows.parse(found.rows);
}

/** Returns the role that a person has in a project, locked until the transaction ends. */
export async function lockMember(
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

export async function deleteMember(connection: Connection, project: ProjectId, user: string): Promise<void> {
  await connection.query('DELETE FROM "Member" WHERE "projectId" = $1 AND "userId" = $2', [project, user]);
}
